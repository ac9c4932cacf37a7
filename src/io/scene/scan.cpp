// Follows brackets, keys and commas up to a place and reads the path off the open levels.
#include <algorithm>
#include <vector>

#include "scene/described.h"

#include "io/scene/scan.h"

namespace impuls {

namespace {

struct Level {
    bool is_object = false;
    std::size_t index = 0;
    std::string key{};
    bool in_value = false;  // after the colon of a member
};

constexpr std::size_t kLongestShownKey = 100;

}  // namespace

std::string path_at(const std::string& text, std::size_t offset) {
    std::vector<Level> levels;
    scan_json(text, [&](Token token, std::size_t start, std::size_t end) {
        if (start >= offset) return false;
        if (token == Token::Comment) return true;
        if (token == Token::String) {
            if (!levels.empty() && levels.back().is_object && !levels.back().in_value) {
                levels.back().key = text.substr(start + 1, std::min(end - start - 2, kLongestShownKey));
            }
            return true;
        }
        const char c = text[start];
        if (c == '{' || c == '[') levels.push_back({c == '{', 0, {}, false});
        if (levels.empty()) return true;
        if (c == '}' || c == ']') levels.pop_back();
        if (c == ':') levels.back().in_value = true;
        if (c == ',') {
            levels.back().in_value = false;
            ++levels.back().index;
        }
        return true;
    });
    std::string path;
    for (const Level& level : levels) {
        if (level.is_object && !level.in_value) break;
        path += "/" + (level.is_object ? pointer_part(level.key) : std::to_string(level.index));
    }
    return path;
}

}  // namespace impuls
