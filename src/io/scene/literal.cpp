// See literal.h; numbers and strings are written by scene/leaf.cpp.
#include "io/scene/literal.h"

#include <fmt/format.h>

#include <algorithm>

#include "scene/leaf.h"

namespace impuls {

std::string shown(const Json::Value& json) {
    switch (json.type()) {
        case Json::nullValue:
            return "null";
        case Json::booleanValue:
            return json.asBool() ? "true" : "false";
        case Json::stringValue:
            return "a string";
        case Json::arrayValue:
            return json.empty() ? "an empty list" : fmt::format("a list of {}", json.size());
        case Json::objectValue:
            return "an object";
        default:
            return json_text(json.asDouble());
    }
}

std::string typed_object(const Json::Value& json, const std::vector<std::string>& types) {
    const bool is_one = json.isString() && std::count(types.begin(), types.end(), json.asString()) > 0;
    return fmt::format(R"(an object with a "type", such as {{"type": "{}"}})",
                       is_one ? json.asString() : types.front());
}

bool is_json_number(std::string_view text) {
    const auto digit = [&](std::size_t k) { return k < text.size() && text[k] >= '0' && text[k] <= '9'; };
    std::size_t k = !text.empty() && text[0] == '-' ? 1 : 0;
    if (!digit(k) || (text[k] == '0' && digit(k + 1))) return false;
    while (digit(k)) ++k;
    if (k < text.size() && text[k] == '.') {
        if (!digit(++k)) return false;
        while (digit(k)) ++k;
    }
    if (k < text.size() && (text[k] == 'e' || text[k] == 'E')) {
        ++k;
        if (k < text.size() && (text[k] == '+' || text[k] == '-')) ++k;
        if (!digit(k)) return false;
        while (digit(k)) ++k;
    }
    return k == text.size();
}

std::string compact(const Json::Value& json) {
    if (json.isString()) return json_text(json.asString());
    if (json.isNumeric()) return json_text(json.asDouble());
    std::string text;
    if (json.isObject() && json.isMember("euler"))
        return fmt::format("{{\"euler\": {}}}", compact(json["euler"]));
    if (json.isObject())
        return fmt::format("{{\"axis\": {}, \"angle\": {}}}", compact(json["axis"]), compact(json["angle"]));
    for (const Json::Value& part : json) text += (text.empty() ? "" : ", ") + compact(part);
    return "[" + text + "]";
}

}  // namespace impuls
