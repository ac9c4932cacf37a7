// Checks every number of a described value against its Field: finite and in range; required strings are
// there. Called by validation, for whole scenes and for single copies of generators.
#pragma once

#include <functional>
#include <string>

#include "math/course.h"
#include "scene/described.h"

namespace impuls {

// "" or what is wrong with a number: "-2 is not > 0".
std::string number_problem(double value, const Field& field);

class FieldCheck {
  public:
    // Called with the path (from where the walk began) and the message.
    using Report = std::function<void(const Path&, const std::string&)>;

    // What changes with time is looked at from 0 to `duration`, in so many steps.
    explicit FieldCheck(Report report, double duration = 0, double steps = 1)
        : report_(std::move(report)), duration_(duration), steps_(steps) {}

    template <class T>
    void walk(const T& value, const Path& path, const Field& field = Field("")) const {
        if constexpr (CourseField<T>) {
            course(value, path, field);
        } else if constexpr (Described<T>) {
            T::visit_fields([&](const char* name, auto member, const Field& f) {
                walk(value.*member, *name ? path / name : path, f);
            });
        } else if constexpr (OptionalField<T>) {
            if (value) walk(*value, path, field);
        } else if constexpr (ListField<T>) {
            for (std::size_t k = 0; k < value.size(); ++k) walk(value[k], path / k, field);
        } else if constexpr (FamilyField<T>) {
            std::visit([&](const auto& member) { walk(member, path, field); }, value);
        } else if constexpr (std::is_same_v<T, std::vector<Variable>>) {
            for (const Variable& v : value) number(v.value, path / v.name.c_str(), field);
        } else if constexpr (std::is_same_v<T, double> || std::is_same_v<T, std::int64_t>) {
            number(static_cast<double>(value), path, field);
        } else if constexpr (std::is_same_v<T, Vec3>) {
            for (int k = 0; k < 3; ++k) number(value[k], path / static_cast<std::size_t>(k), field);
        } else if constexpr (std::is_same_v<T, Quat>) {
            if (!is_finite(value)) report_(path, "is not finite");
            if (length_squared(value) == 0) report_(path, "a rotation of length zero has no direction");
        } else if constexpr (std::is_same_v<T, std::string>) {
            if (field.is_required && value.empty()) report_(path, "must not be empty");
        }
    }

  private:
    void number(double value, const Path& path, const Field& field) const {
        if (const std::string problem = number_problem(value, field); !problem.empty())
            report_(path, problem);
    }

    void course(const Course& value, const Path& path, const Field& field) const {
        if (!value.varies() && value.values.empty()) return number(value.value, path, field);
        const CourseProblem problem =
            check_course(value, duration_, steps_, [&](double x) { return number_problem(x, field); });
        if (!problem.message.empty())
            report_(path, (problem.path.empty() ? "" : problem.path.substr(1) + " ") + problem.message);
    }

    Report report_;
    double duration_, steps_;
};

}  // namespace impuls
