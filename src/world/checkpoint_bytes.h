// Visitors of a world's state: to bytes, to a hash, and from bytes; and how values of axes are laid out.
// Called by checkpoint.cpp alone.
#pragma once

#define XXH_STATIC_LINKING_ONLY  // the hash state on the stack
#include <xxhash.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "impuls/course.h"
#include "impuls/errors.h"
#include "impuls/vec.h"

namespace impuls {

// How many bodies have forces set by commands; contacts that are present, which alone carry something on;
// edges with events to come.
struct ListSizes {
    std::uint64_t forces = 0, contacts = 0, edges = 0;
};

// Appends plain values to a byte array.
struct Writer {
    std::vector<std::byte> bytes{};
    template <class T>
    void operator()(const T& value) {
        static_assert(std::has_unique_object_representations_v<T> || std::is_floating_point_v<T>);
        const auto* p = reinterpret_cast<const std::byte*>(&value);
        bytes.insert(bytes.end(), p, p + sizeof value);
    }
    void operator()(const Vec3& a) {
        for (const double x : {a.x, a.y, a.z}) (*this)(x);
    }
    void operator()(const Quat& q) {
        for (const double x : {q.w, q.x, q.y, q.z}) (*this)(x);
    }
    void sizes(const ListSizes& n) {
        for (const std::uint64_t count : {n.forces, n.contacts, n.edges}) (*this)(count);
    }
    void operator()(const std::string& s) {
        (*this)(static_cast<std::uint64_t>(s.size()));
        const auto* p = reinterpret_cast<const std::byte*>(s.data());
        bytes.insert(bytes.end(), p, p + s.size());
    }
};

// Feeds the same values to a hash.
struct Hasher {
    XXH64_state_t state;
    Hasher() { XXH64_reset(&state, 0); }
    template <class T>
    void operator()(const T& value) {
        static_assert(std::has_unique_object_representations_v<T> || std::is_floating_point_v<T>);
        XXH64_update(&state, &value, sizeof value);
    }
    void sizes(const ListSizes&) {}
    void operator()(const Vec3& a) { XXH64_update(&state, &a, sizeof a); }
    void operator()(const Quat& q) { XXH64_update(&state, &q, sizeof q); }
    void operator()(const std::string& s) { XXH64_update(&state, s.data(), s.size()); }
    std::uint64_t digest() const { return XXH64_digest(&state); }
};

struct Reader {
    std::span<const std::byte> bytes;
    template <class T>
    void operator()(T& value) {
        if (bytes.size() < sizeof value) throw InputError("checkpoint is too short");
        std::memcpy(&value, bytes.data(), sizeof value);
        bytes = bytes.subspan(sizeof value);
    }
    void operator()(Vec3& a) {
        for (double* x : {&a.x, &a.y, &a.z}) (*this)(*x);
    }
    void operator()(Quat& q) {
        for (double* x : {&q.w, &q.x, &q.y, &q.z}) (*this)(*x);
    }
    void operator()(std::string& s) {
        const auto size = count();
        s.assign(reinterpret_cast<const char*>(bytes.data()), size);
        bytes = bytes.subspan(size);
    }
    void sizes(ListSizes& n) {
        for (std::uint64_t* count : {&n.forces, &n.contacts, &n.edges}) (*this)(*count);
    }
    // A count of things that take at least one byte each.
    std::uint64_t count() {
        std::uint64_t n = 0;
        (*this)(n);
        if (n > bytes.size()) throw InputError("checkpoint is damaged: impossible count");
        return n;
    }
};

// A constant as it always was; one that changes with time by a flag of its own, and what makes it.
template <class Visitor, class C>
void visit_course(Visitor& visit, C& course, std::uint8_t& flag) {
    constexpr std::uint8_t kVaries = 2;
    if (course.varies()) flag |= kVaries;
    visit(flag);
    visit(course.value);
    if (!(flag & kVaries)) return;
    auto between = static_cast<std::uint8_t>(course.between);
    std::string expression = course.expression;
    auto count = static_cast<std::uint64_t>(course.times.size());
    visit(between);
    visit(expression);
    if constexpr (std::is_same_v<Visitor, Reader>)
        count = visit.count();
    else
        visit(count);
    if constexpr (!std::is_const_v<C>) {
        course.between = between != 0 ? Between::Cubic : Between::Linear;
        course.expression = expression;
        course.times.resize(count);
        course.values.resize(count);
    }
    for (std::uint64_t k = 0; k < count; ++k) {
        visit(course.times[k]);
        visit(course.values[k]);
    }
}

template <class Visitor, class T>
void visit_value(Visitor& visit, T& value) {
    if constexpr (std::is_same_v<std::decay_t<T>, std::optional<double>>) {
        std::uint8_t is_given = value.has_value();
        double number = value.value_or(0);
        visit(is_given);
        visit(number);
        if constexpr (!std::is_const_v<T>) value = is_given ? std::optional(number) : std::nullopt;
    } else if constexpr (std::is_same_v<std::decay_t<T>, std::optional<Course>>) {
        std::uint8_t flag = value.has_value();
        Course course = value.value_or(Course());
        visit_course(visit, course, flag);
        if constexpr (!std::is_const_v<T>) value = flag != 0 ? std::optional(course) : std::nullopt;
    } else if constexpr (std::is_same_v<std::decay_t<T>, Course>) {
        // No flag before a plain number: NaN says that a course follows.
        double number = value.varies() ? std::numeric_limits<double>::quiet_NaN() : value.value;
        visit(number);
        Course course = value;
        std::uint8_t flag = 0;
        if (std::isnan(number))
            visit_course(visit, course, flag);
        else
            course = Course(number);
        if constexpr (!std::is_const_v<T>) value = course;
    } else {
        visit(value);
    }
}

}  // namespace impuls
