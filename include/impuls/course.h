// A number that may change with time: motors, servos, targets and magnitudes of forces. In scenes a plain
// number, an expression of t ("2*sin(3*t)") or a table. Evaluated by our own functions inside a step
// (src/math/course.h).
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "impuls/fields.h"

namespace impuls {

class TimeFunction;

/// How a table goes from one value to the next; before its first and after its last time it keeps them.
enum class Between { Linear, Cubic };
template <>
struct EnumNames<Between> {
    static constexpr std::array<const char*, 2> names{"linear", "cubic"};
};

/// A number for all times; or an expression of t, the time in s; or values at times.
struct Course {
    double value = 0;
    std::string expression{};
    std::vector<double> times{}, values{};
    Between between = Between::Linear;
    std::shared_ptr<const TimeFunction> function{};  // as compiled; not a field

    Course() = default;
    Course(double constant) : value(constant) {}
    bool varies() const { return !expression.empty() || !times.empty(); }

    // How a table is written; numbers and expressions are written plainly.
    template <class V>
    static void visit_fields(V&& visit) {
        visit("times", &Course::times, Field("times of a table, increasing", "s").required());
        visit("values", &Course::values, Field("a value for each time").required());
        visit("between", &Course::between, Field("how the table goes from value to value"));
    }
};

}  // namespace impuls
