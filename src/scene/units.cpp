// Units in expressions (units.h): names that follow an operand.
#include "scene/units.h"

#include <algorithm>
#include <cctype>
#include <vector>

#include <fmt/format.h>

namespace impuls {
namespace {

bool is_letter(char c) {
    return std::isalpha(static_cast<unsigned char>(c)) || c == '_';
}
bool is_digit(char c) {
    return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

// The longest unit that the text starts with at a place, as a whole word.
const Unit* unit_at(const std::string& text, std::size_t at) {
    const Unit* found = nullptr;
    std::size_t longest = 0;
    for (const Unit& unit : kUnits) {
        const std::string name = unit.name;
        if (text.compare(at, name.size(), name) != 0 || name.size() <= longest) continue;
        const char next = at + name.size() < text.size() ? text[at + name.size()] : ' ';
        if (!is_letter(next) && !is_digit(next)) found = &unit, longest = name.size();
    }
    return found;
}

std::vector<const Unit*> units_in(const std::string& text) {
    std::vector<const Unit*> units;
    bool follows_operand = false;
    for (std::size_t k = 0; k < text.size();) {
        const char c = text[k];
        if (is_digit(c) || c == '.') {
            while (k < text.size() && (is_digit(text[k]) || text[k] == '.')) ++k;
            const std::size_t power = k + (k + 1 < text.size() && (text[k + 1] == '+' || text[k + 1] == '-'));
            if (k < text.size() && (text[k] == 'e' || text[k] == 'E') && power + 1 < text.size() &&
                is_digit(text[power + 1]))
                for (k = power + 1; k < text.size() && is_digit(text[k]);) ++k;
            follows_operand = true;
        } else if (const Unit* unit = follows_operand && is_letter(c) ? unit_at(text, k) : nullptr) {
            units.push_back(unit);
            k += std::string(unit->name).size();
        } else if (is_letter(c)) {
            while (k < text.size() && (is_letter(text[k]) || is_digit(text[k]))) ++k;
            follows_operand = k >= text.size() || text[k] != '(';
        } else {
            if (c != ' ' && c != '\t') follows_operand = c == ')';
            ++k;
        }
    }
    return units;
}

// One of "m or rad".
bool is_among(const std::string& si, const std::string& wanted) {
    for (std::size_t at = 0; at <= wanted.size();) {
        const std::size_t end = std::min(wanted.find(" or ", at), wanted.size());
        if (wanted.compare(at, end - at, si) == 0) return true;
        at = end + 4;
    }
    return false;
}

}  // namespace

std::string wrong_unit(const std::string& expression, const std::string& wanted) {
    for (const Unit* unit : units_in(expression)) {
        if (is_among(unit->si, wanted)) continue;
        return wanted.empty()
                   ? fmt::format("'{}': a plain number is wanted here, without {}", expression, unit->name)
                   : fmt::format("'{}': {} cannot be {}, which is wanted here", expression, unit->name,
                                 wanted);
    }
    return "";
}

}  // namespace impuls
