// Plain JSON values as text: for messages, and to refuse numbers that JsonCpp takes but JSON does not know.
// Called by the scene reader.
#pragma once

#include <json/json.h>

#include <string>
#include <string_view>
#include <vector>

namespace impuls {

// What a value is, for messages: "a list", "true", "3".
std::string shown(const Json::Value& json);
// "an object with a "type", such as {"type": "box"}": of the type that was meant, if it can be told.
std::string typed_object(const Json::Value& json, const std::vector<std::string>& types);
// The grammar of RFC 8259, section 6.
bool is_json_number(std::string_view text);
// A rotation as it was written, on one line.
std::string compact(const Json::Value& json);

}  // namespace impuls
