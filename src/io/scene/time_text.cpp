// Names in expressions of time (time_text.h).
#include "io/scene/time_text.h"

#include <algorithm>
#include <cctype>

#include "math/formula.h"

namespace impuls {

bool is_of_time(const std::string& text, const Scope& scope) {
    const std::vector<std::string> names = names_in(text);
    return std::find(names.begin(), names.end(), "t") != names.end() && !scope.has("t");
}

std::string with_braces(const std::string& text, const Scope& scope) {
    const auto is_part = [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.';
    };
    std::string out;
    int depth = 0;
    for (std::size_t k = 0; k < text.size();) {
        depth += (text[k] == '{') - (text[k] == '}');
        std::size_t end = k;
        while (end < text.size() && is_part(text[end])) ++end;
        const std::string name = text.substr(k, end - k);
        const bool is_known = depth == 0 && !name.empty() && scope.has(name);
        out += is_known ? "({" + name + "})" : name.empty() ? text.substr(k, 1) : name;
        k += std::max<std::size_t>(name.size(), 1);
    }
    return out;
}

}  // namespace impuls
