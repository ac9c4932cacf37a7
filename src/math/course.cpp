// Courses as functions of time (course.h).
#include "math/course.h"

#include <algorithm>
#include <cmath>

#include "base/assert.h"

namespace impuls {
namespace {

constexpr double kMostLooks = 10000;

Formula formula_of(const std::string& text) {
    return Formula(text, {[](const std::string& name) {
                              return name == "t" ? std::optional<std::uint32_t>(0) : std::nullopt;
                          },
                          {},
                          false});
}

// Second derivatives of the natural cubic spline: a tridiagonal system.
std::vector<double> curvature_of(const std::vector<double>& t, const std::vector<double>& x) {
    const std::size_t n = t.size();
    std::vector<double> second(n, 0.0), share(n, 0.0);
    for (std::size_t k = 1; k + 1 < n; ++k) {
        const double h0 = t[k] - t[k - 1], h1 = t[k + 1] - t[k];
        const double right = 6 * ((x[k + 1] - x[k]) / h1 - (x[k] - x[k - 1]) / h0);
        const double pivot = 2 * (h0 + h1) - h0 * share[k - 1];
        share[k] = h1 / pivot;
        second[k] = (right - h0 * second[k - 1]) / pivot;
    }
    for (std::size_t k = n - 1; k-- > 1;) second[k] -= share[k] * second[k + 1];
    return second;
}

}  // namespace

TimeFunction::TimeFunction(const Course& course) {
    if (!course.expression.empty()) {
        formula_.emplace(formula_of(course.expression));
        return;
    }
    times_ = course.times;
    values_ = course.values;
    if (course.between == Between::Cubic && times_.size() > 2) second_ = curvature_of(times_, values_);
}

Jet TimeFunction::between(double t) const {
    if (t <= times_.front()) return {values_.front()};
    if (t >= times_.back()) return {values_.back()};
    const auto after = std::upper_bound(times_.begin(), times_.end(), t);
    const auto k = static_cast<std::size_t>(after - times_.begin()) - 1;
    const double h = times_[k + 1] - times_[k], a = (times_[k + 1] - t) / h, b = (t - times_[k]) / h;
    const double slope = (values_[k + 1] - values_[k]) / h;
    if (second_.empty()) return {a * values_[k] + b * values_[k + 1], slope, 0};
    const double m = second_[k], n = second_[k + 1];
    return {a * values_[k] + b * values_[k + 1] + ((a * a * a - a) * m + (b * b * b - b) * n) * (h * h / 6),
            slope + ((1 - 3 * a * a) * m + (3 * b * b - 1) * n) * (h / 6), a * m + b * n};
}

Jet TimeFunction::jet(double t) const {
    if (!formula_) return between(t);
    const Jet time{t, 1, 0};
    return (*formula_)(std::span(&time, 1));
}

double TimeFunction::operator()(double t) const {
    return formula_ ? (*formula_)(std::span<const double>(&t, 1)) : between(t).value;
}

CourseProblem check_course(const Course& course, double duration, double steps,
                           const std::function<std::string(double)>& problem_of) {
    if (course.times.empty() && !course.values.empty()) return {"/times", "is empty"};
    if (!course.varies()) return {};
    if (course.expression.empty()) {
        if (course.times.size() != course.values.size()) return {"/values", "is not as long as times"};
        for (std::size_t k = 0; k < course.times.size(); ++k) {
            if (!std::isfinite(course.times[k])) return {"/times/" + std::to_string(k), "is not finite"};
            if (const std::string m = problem_of(course.values[k]); !m.empty())
                return {"/values/" + std::to_string(k), m};
            if (k > 0 && !(course.times[k] > course.times[k - 1]))
                return {"/times/" + std::to_string(k), "is not after the time before it"};
        }
        return {};
    }
    try {
        const TimeFunction function(course);
        const double looks = std::min(std::max(1.0, std::round(steps)), kMostLooks);
        for (double k = 0; k <= looks; ++k) {
            const double t = duration * k / looks;
            const std::string m = std::isfinite(t) ? problem_of(function(t)) : "";
            if (!m.empty())
                return {"", "'" + course.expression + "' at t = " + std::to_string(t) + " s: " + m};
        }
    } catch (const FormulaError& error) {
        return {"", error.what()};
    }
    return {};
}

Course compiled(Course course) {
    if (course.varies()) course.function = std::make_shared<TimeFunction>(course);
    return course;
}

double value_at(const Course& course, double t) {
    IMPULS_ASSERT(!course.varies() || course.function);
    return course.function ? (*course.function)(t) : course.value;
}

Jet jet_at(const Course& course, double t) {
    IMPULS_ASSERT(!course.varies() || course.function);
    return course.function ? course.function->jet(t) : Jet{course.value};
}

}  // namespace impuls
