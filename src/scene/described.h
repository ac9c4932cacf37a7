// What the walkers over `visit_fields` share: which kind of field a type is, comparison by fields, and paths.
// Readers, writers, checks and the schema are each one overload set over these kinds.
#pragma once

#include <cmath>
#include <concepts>
#include <cstddef>
#include <optional>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "impuls/fields.h"
#include "impuls/scene.h"

namespace impuls {

namespace detail {
struct AnyVisitor {
    template <class M>
    void operator()(const char*, M, const Field&) const {}
};
template <class T, template <class...> class Of>
inline constexpr bool is_a = false;
template <template <class...> class Of, class... Args>
inline constexpr bool is_a<Of<Args...>, Of> = true;
}  // namespace detail

template <class T>
concept Described = requires {
    T::visit_fields(detail::AnyVisitor{});
};
// A number, or one that changes with time: a leaf to all walkers.
template <class T>
concept CourseField = std::same_as<T, Course>;
template <class T>
concept EnumField = std::is_enum_v<T>;
template <class T>
concept OptionalField = detail::is_a<T, std::optional>;
template <class T>
concept ListField = detail::is_a<T, std::vector> && !std::same_as<T, std::vector<Variable>>;
template <class T>
concept FamilyField = detail::is_a<T, std::variant>;
template <class T>
concept Repeatable = Described<T> && requires(T t) {
    t.repeat.has_value();
};
// Lists that may be long: numbers or points.
template <class T>
concept BulkField = std::same_as<T, std::vector<double>> || std::same_as<T, std::vector<Vec3>> ||
    std::same_as<T, std::vector<std::int64_t>>;

// visit(type tag) for every member of a family.
template <FamilyField F, class Visit>
void visit_family(Visit&& visit) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
        (visit(std::type_identity<std::variant_alternative_t<I, F>>{}), ...);
    }
    (std::make_index_sequence<std::variant_size_v<F>>{});
}

template <FamilyField F>
std::vector<std::string> family_names() {
    std::vector<std::string> names;
    visit_family<F>([&]<class A>(std::type_identity<A>) { names.emplace_back(A::kType); });
    return names;
}

// ---- equality by fields

// Bit for bit: -0 is not 0.
inline bool same(double a, double b) {
    return a == b && std::signbit(a) == std::signbit(b);
}
inline bool same(const Vec3& a, const Vec3& b) {
    return same(a.x, b.x) && same(a.y, b.y) && same(a.z, b.z);
}
inline bool same(const Quat& a, const Quat& b) {
    return same(a.w, b.w) && same(Vec3{a.x, a.y, a.z}, Vec3{b.x, b.y, b.z});
}
inline bool same(const Course& a, const Course& b) {
    return same(a.value, b.value) && a.expression == b.expression && a.times == b.times &&
           a.values == b.values && a.between == b.between;
}
inline bool same(const Variable& a, const Variable& b) {
    return a.name == b.name && same(a.value, b.value);
}
template <class T>
bool same(const T& a, const T& b) {
    if constexpr (Described<T>) {
        bool equal = true;
        T::visit_fields(
            [&](const char*, auto member, const Field&) { equal = equal && same(a.*member, b.*member); });
        return equal;
    } else if constexpr (OptionalField<T>) {
        return a.has_value() == b.has_value() && (!a || same(*a, *b));
    } else if constexpr (detail::is_a<T, std::vector>) {
        if (a.size() != b.size()) return false;
        for (std::size_t k = 0; k < a.size(); ++k) {
            if (!same(a[k], b[k])) return false;
        }
        return true;
    } else if constexpr (FamilyField<T>) {
        if (a.index() != b.index()) return false;
        return std::visit([&](const auto& x) { return same(x, std::get<std::decay_t<decltype(x)>>(b)); }, a);
    } else {
        return a == b;
    }
}

// ---- JSON paths, built only when needed

struct Path {
    const Path* up = nullptr;
    const char* key = nullptr;  // null: index
    std::size_t index = 0;

    Path operator/(const char* name) const { return {this, name, 0}; }
    Path operator/(std::size_t k) const { return {this, nullptr, k}; }
    std::string text() const;
};

// A name as part of a JSON pointer (RFC 6901: ~ is ~0, / is ~1).
inline std::string pointer_part(const std::string& name) {
    std::string part;
    for (const char c : name) part += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
    return part;
}

inline std::string Path::text() const {
    if (!up) return {};
    return up->text() + '/' + (key ? pointer_part(key) : std::to_string(index));
}

}  // namespace impuls
