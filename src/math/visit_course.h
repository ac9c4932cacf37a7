// Numbers that may change with time (impuls/course.h), as hashes and checkpoints visit them (base/bytes.h): a
// constant is laid out as the plain number that it always was. Called by world/visit_state.h.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>

#include "base/bytes.h"
#include "impuls/course.h"

namespace impuls {

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
    if constexpr (std::is_same_v<Visitor, ByteReader>)
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
