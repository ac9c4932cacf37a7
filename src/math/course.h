// Courses (include/impuls/course.h) as functions of time: value and two derivatives. An expression of t by a
// formula; a table by straight lines, or by the natural cubic spline through its points (continuous second
// derivative, zero at both ends). Called by joints, forces and scripted motion.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "impuls/course.h"
#include "math/formula.h"

namespace impuls {

class TimeFunction {
  public:
    // Throws FormulaError.
    explicit TimeFunction(const Course& course);
    Jet jet(double t) const;
    double operator()(double t) const;

  private:
    Jet between(double t) const;

    std::optional<Formula> formula_{};
    std::vector<double> times_{}, values_{}, second_{};  // second derivatives; none: straight lines
};

// What is wrong with a course, and where below it ("" the whole); "" when nothing is.
struct CourseProblem {
    std::string path{}, message{};
};
// Its values are looked at up to `duration`, in so many steps; `problem_of` says what is wrong with one.
CourseProblem check_course(const Course& course, double duration, double steps,
                           const std::function<std::string(double value)>& problem_of);

// With its function; throws FormulaError.
Course compiled(Course course);
// At time t; of a course that varies, it must be compiled.
double value_at(const Course& course, double t);
Jet jet_at(const Course& course, double t);

}  // namespace impuls
