// JSON output (json.h), RFC 8259.
#include "cli/json.h"

#include <algorithm>

#include <fmt/core.h>

namespace impuls::cli {
namespace {

std::string quoted(const std::string& text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') {
            out += {'\\', c};
        } else if (c == '\n') {
            out += "\\n";
        } else if (static_cast<unsigned char>(c) < 0x20) {
            out += fmt::format("\\u{:04x}", static_cast<int>(c));
        } else {
            out += c;
        }
    }
    return out + '"';
}

void append_line(std::string& out, int depth) {
    out += '\n';
    out.append(2 * static_cast<std::size_t>(depth), ' ');
}

constexpr std::size_t kLongLine = 80;

}  // namespace

Json::Json(double value) : Json(Kind::Plain, std::isfinite(value) ? fmt::format("{}", value) : "null") {}

Json::Json(const std::string& text) : Json(Kind::Plain, quoted(text)) {}

Json::Json(const Vec3& v) : Json(array()) {
    push(v.x).push(v.y).push(v.z);
}

Json::Json(const std::vector<std::string>& list) : Json(array()) {
    for (const std::string& item : list) push(item);
}

Json::Json(const std::vector<double>& list) : Json(array()) {
    for (const double item : list) push(item);
}

Json& Json::add(const std::string& key, Json value) {
    members_.emplace_back(key, std::move(value));
    return *this;
}

Json& Json::push(Json value) {
    return add({}, std::move(value));
}

void Json::write(std::string& out, int depth) const {
    if (kind_ == Kind::Plain) {
        out += plain_;
        return;
    }
    const bool is_object = kind_ == Kind::Object;
    std::vector<std::string> items;
    std::size_t total = 0;
    bool is_flat = true;
    for (const auto& [key, value] : members_) {
        std::string item = is_object ? quoted(key) + ": " : "";
        value.write(item, depth + 1);
        is_flat = is_flat && item.find('\n') == std::string::npos;
        total += item.size() + 2;
        items.push_back(std::move(item));
    }
    is_flat = is_flat && depth > 0 && total < kLongLine;
    out += is_object ? '{' : '[';
    const char* separator = "";
    for (const std::string& item : items) {
        out += separator;
        if (!is_flat) append_line(out, depth + 1);
        out += item;
        separator = is_flat ? ", " : ",";
    }
    if (!is_flat && !items.empty()) append_line(out, depth);
    out += is_object ? '}' : ']';
}

std::string Json::text() const {
    std::string out;
    write(out, 0);
    out += '\n';
    return out;
}

}  // namespace impuls::cli
