// Plain JSON values as text: for messages, and to refuse numbers that JsonCpp takes but JSON does not know.
// Called by the scene reader.
#pragma once

#include <json/json.h>

#include <string>
#include <string_view>

namespace impuls {

// What a value is, for messages: "a list", "true", "3".
std::string shown(const Json::Value& json);
// The grammar of RFC 8259, section 6.
bool is_json_number(std::string_view text);
// A rotation as it was written, on one line.
std::string compact(const Json::Value& json);

}  // namespace impuls
