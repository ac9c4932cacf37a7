// Formulas against libm and central differences; what must not be accepted.
#include "math/formula.h"

#include <gtest/gtest.h>

#include <cmath>

#include "math/course.h"

namespace impuls {
namespace {

Formula of_t(const std::string& text) {
    return Formula(text, {[](const std::string& name) {
                              return name == "t" ? std::optional<std::uint32_t>(0) : std::nullopt;
                          },
                          {},
                          false});
}
double value(const std::string& text, double t = 0) {
    return of_t(text)(std::span<const double>(&t, 1));
}
Jet jet(const std::string& text, double t) {
    const Jet time{t, 1, 0};
    return of_t(text)(std::span<const Jet>(&time, 1));
}

TEST(Formula, PrecedenceIsThatOfArithmetic) {
    EXPECT_EQ(value("1 + 2*3"), 7);
    EXPECT_EQ(value("-2^2"), -4);
    EXPECT_EQ(value("2^3^2"), 512);
    EXPECT_EQ(value("2^-1"), 0.5);
    EXPECT_EQ(value("7 % 3 + mod(-1, 3)"), 3);
    EXPECT_EQ(value("1 < 2 && 3 >= 3 || 0"), 1);
    EXPECT_EQ(value("2 > 3 ? 10 : 1 == 1 ? 20 : 30"), 20);
    EXPECT_EQ(value("!(1 != 1)"), 1);
    EXPECT_EQ(value("min(3, 1, 2) + max(1, 5)"), 6);
    EXPECT_EQ(value("step(t) + step(-1 - t)", 0.5), 1);
    EXPECT_EQ(value("1.5e3 - 1e-3*1e6"), 500);
}

TEST(Formula, FunctionsAreThoseOfLibm) {
    for (const double t : {-2.3, -0.4, 0.1, 0.7, 3.9}) {
        EXPECT_NEAR(value("sin(2*pi*t)*exp(-t)", t), std::sin(2 * M_PI * t) * std::exp(-t),
                    1e-14 * std::exp(-t));
        EXPECT_NEAR(value("sinh(t) + cosh(t) - tanh(t)", t), std::exp(t) - std::tanh(t), 1e-13);
        EXPECT_NEAR(value("atan2(t, 2) + atan(t) + hypot(t, 3)", t),
                    std::atan2(t, 2) + std::atan(t) + std::hypot(t, 3), 1e-14);
        EXPECT_NEAR(value("log10(t^2) + ln(e)", t), std::log10(t * t) + 1, 1e-14);
    }
    EXPECT_EQ(value("floor(-1.5) + ceil(1.2) + round(2.5) + round(-2.5) + sign(-3)"), -1);
}

TEST(Formula, RatesAreThoseOfDifferences) {
    for (const char* text : {"sin(3*t)*cos(t)", "exp(-t)/(1 + t^2)", "sqrt(1 + t)*log(2 + t)",
                             "pow(1 + t, 2.5)", "t^3 - 2*t^2 + t", "tan(t/3)", "asin(t/4) + acos(t/5)",
                             "atan2(t, 1 + t)", "hypot(t, 2)", "tanh(t) + sinh(t)/cosh(t)", "(1 + t)^t",
                             "max(t, t^2)", "t > 1 ? t^2 : 3*t", "mod(5*t, 20)", "abs(-t)"}) {
        for (const double t : {0.3, 0.8, 1.7}) {
            const double h = 1e-4, before = value(text, t - h), now = value(text, t),
                         after = value(text, t + h);
            const Jet j = jet(text, t);
            EXPECT_EQ(j.value, now) << text;
            EXPECT_NEAR(j.first, (after - before) / (2 * h), 1e-6 * (1 + std::abs(j.first))) << text << t;
            EXPECT_NEAR(j.second, (after - 2 * now + before) / (h * h), 1e-5 * (1 + std::abs(j.second)))
                << text << t;
        }
    }
}

TEST(Formula, MistakesAreRefused) {
    for (const char* text : {"", "1 +", "(1", "sin()", "sin(1, 2)", "foo(1)", "x", "1 = 2", "2 3", "1 ? 2",
                             "'a", "sin 1", "min(1)", "\"", "t t"})
        EXPECT_THROW(of_t(text), FormulaError) << text;
    EXPECT_THROW(of_t(std::string(300, '(') + "1" + std::string(300, ')')), FormulaError);
    EXPECT_THROW(of_t(std::string(2000, '1')), FormulaError);
}

Course table(Between between) {
    Course course;
    course.times = {0, 1, 3};
    course.values = {1, 3, -1};
    course.between = between;
    return compiled(course);
}

TEST(Course, TablesGoThroughTheirValues) {
    for (const Between between : {Between::Linear, Between::Cubic}) {
        const Course c = table(between);
        for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(value_at(c, c.times[k]), c.values[k], 1e-15);
        EXPECT_EQ(value_at(c, -5), 1);
        EXPECT_EQ(value_at(c, 9), -1);
        for (double t = 0.05; t < 3; t += 0.1) {
            const double h = 1e-5;
            EXPECT_NEAR(jet_at(c, t).first, (value_at(c, t + h) - value_at(c, t - h)) / (2 * h), 1e-8);
        }
    }
    EXPECT_DOUBLE_EQ(value_at(table(Between::Linear), 2), 1);
    // The natural spline: no curvature at its ends, continuous inside.
    const Course c = table(Between::Cubic);
    EXPECT_NEAR(jet_at(c, 1e-9).second, 0, 1e-7);
    EXPECT_NEAR(jet_at(c, 3 - 1e-9).second, 0, 1e-7);
    EXPECT_NEAR(jet_at(c, 1 - 1e-9).second, jet_at(c, 1 + 1e-9).second, 1e-7);
    EXPECT_NEAR(jet_at(c, 1 - 1e-9).first, jet_at(c, 1 + 1e-9).first, 1e-7);
}

}  // namespace
}  // namespace impuls
