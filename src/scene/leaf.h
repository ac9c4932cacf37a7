// Single values of a scene by JSON path, and how they were written. A spelling is the JSON text of a value
// that was not a plain literal: "2*r", "link[{i}]", {"axis": [0, 0, 1], "angle": "pi/4"}.
// Called by the reader (values), the writer (is the spelling still true?) and expansion (copies).
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "impuls/vec.h"
#include "scene/described.h"
#include "scene/expression.h"

namespace impuls {

// A value that can be spelt; monostate when a path leads nowhere.
using LeafRef = std::variant<std::monostate, double*, std::int64_t*, std::string*, Quat*>;
using LeafValue = std::variant<std::monostate, double, std::int64_t, std::string, Quat>;

// Throws ExpressionError: not whole or out of range.
std::int64_t whole_number(double value);
// The quaternion scaled to length one; left alone when it already is. Throws ExpressionError for zero.
Quat unit_quat(const Quat& q);
Quat unit_quat(const Vec3& axis, double angle);
// Turned about the fixed axes x, y and z, one after the other.
Quat euler_quat(const Vec3& angles);

// JSON text of a number (shortest that reads back the same) and of a string.
std::string json_text(double value);
std::string json_text(const std::string& value);

class Spelling {
  public:
    // Throws ExpressionError when the text does not describe such a value.
    Spelling(const std::string& json, const LeafRef& target, Scope& scope);
    LeafValue value() const { return evaluate_(); }
    bool uses_index() const { return uses_index_; }

  private:
    std::function<LeafValue()> evaluate_{};
    bool uses_index_ = false;
};

bool holds(const LeafRef& leaf, const LeafValue& value);
void assign(const LeafRef& leaf, const LeafValue& value);

// ---- finding a value by the parts of its path

std::vector<std::string> path_parts(const std::string& path);
// The list element a part names, or npos.
std::size_t list_index(const std::string& part, std::size_t size);

template <class T>
LeafRef find_leaf(T& value, const std::vector<std::string>& parts, std::size_t at) {
    constexpr bool is_leaf = std::is_same_v<T, double> || std::is_same_v<T, std::int64_t> ||
                             std::is_same_v<T, std::string> || std::is_same_v<T, Quat>;
    LeafRef found;
    if constexpr (CourseField<T>) {
        if (at == parts.size() && value.expression.empty()) found = &value.value;
        if (at == parts.size() && !value.expression.empty()) found = &value.expression;
    } else if constexpr (is_leaf) {
        if (at == parts.size()) found = &value;
    } else if constexpr (OptionalField<T>) {
        if (value) found = find_leaf(*value, parts, at);
    } else if constexpr (FamilyField<T>) {
        std::visit([&](auto& member) { found = find_leaf(member, parts, at); }, value);
    } else if (at == parts.size()) {
        return found;
    } else if constexpr (std::is_same_v<T, Vec3>) {
        const std::size_t k = list_index(parts[at], 3);
        if (k < 3) found = find_leaf(value[static_cast<int>(k)], parts, at + 1);
    } else if constexpr (ListField<T>) {
        const std::size_t k = list_index(parts[at], value.size());
        if (k < value.size()) found = find_leaf(value[k], parts, at + 1);
    } else if constexpr (std::is_same_v<T, std::vector<Variable>>) {
        for (Variable& variable : value) {
            if (variable.name == parts[at]) found = find_leaf(variable.value, parts, at + 1);
        }
    } else if constexpr (Described<T>) {
        T::visit_fields([&](const char* name, auto member, const Field&) {
            if (found.index() != 0) return;
            if (*name == 0) found = find_leaf(value.*member, parts, at);
            if (parts[at] == name) found = find_leaf(value.*member, parts, at + 1);
        });
    }
    return found;
}

}  // namespace impuls
