// RODAS: its coefficients by the conditions of order 4 (Hairer, Wanner: Solving ODEs II, IV.7), L-stability
// by its stability function.
#include "math/integrators/rosenbrock_coefficients.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "math/dense_lu.h"
#include "problems.h"

namespace impuls::integrators {
namespace {

constexpr std::size_t kStages = 6;
using Matrix = std::array<std::array<double, kStages>, kStages>;

// From the form without products by J: Gamma = (1/g - C)^-1, alpha = A Gamma, b = m Gamma.
struct Classical {
    Matrix gamma{}, alpha{};
    std::array<double, kStages> b{};
};
Classical classical() {
    Classical c;
    std::array<double, kStages * kStages> inverse{};
    std::array<std::size_t, kStages> order{};
    for (std::size_t i = 0; i < kStages; ++i) {
        inverse[i * kStages + i] = 1 / rodas::kDiagonal;
        for (std::size_t j = 0; j < i; ++j) inverse[i * kStages + j] = -rodas::kMix[i][j];
    }
    EXPECT_TRUE(factor_lu(inverse, order));
    for (std::size_t j = 0; j < kStages; ++j) {
        std::array<double, kStages> unit{}, column{};
        unit[j] = 1;
        solve_lu(inverse, order, unit, column);
        for (std::size_t i = 0; i < kStages; ++i) c.gamma[i][j] = column[i];
    }
    for (std::size_t j = 0; j < kStages; ++j)
        for (std::size_t i = 0; i < kStages; ++i) {
            for (std::size_t k = 0; k < i; ++k) c.alpha[i][j] += rodas::kPlace[i][k] * c.gamma[k][j];
            const double m = i == 5 ? 1 : rodas::kPlace[5][i];
            c.b[j] += m * c.gamma[i][j];
        }
    return c;
}

TEST(Rosenbrock, ConditionsOfOrderFour) {
    const Classical c = classical();
    const auto& b = c.b;
    std::array<double, kStages> alpha{}, beta{}, gamma{};
    const auto beta_of = [&](std::size_t i, std::size_t j) { return c.alpha[i][j] + c.gamma[i][j]; };
    for (std::size_t i = 0; i < kStages; ++i)
        for (std::size_t j = 0; j < kStages; ++j)
            alpha[i] += c.alpha[i][j], gamma[i] += c.gamma[i][j], beta[i] += beta_of(i, j);
    for (std::size_t i = 0; i < kStages; ++i) {
        EXPECT_NEAR(alpha[i], rodas::kAlpha[i], 1e-13);
        EXPECT_NEAR(gamma[i], rodas::kDelta[i], 1e-13);
    }
    double one = 0, second = 0, third[2]{}, fourth[4]{};
    for (std::size_t i = 0; i < kStages; ++i) {
        one += b[i], second += b[i] * beta[i], third[0] += b[i] * alpha[i] * alpha[i];
        fourth[0] += b[i] * alpha[i] * alpha[i] * alpha[i];
        for (std::size_t j = 0; j < kStages; ++j) {
            third[1] += b[i] * beta_of(i, j) * beta[j];
            fourth[1] += b[i] * alpha[i] * c.alpha[i][j] * beta[j];
            fourth[2] += b[i] * beta_of(i, j) * alpha[j] * alpha[j];
            for (std::size_t k = 0; k < kStages; ++k)
                fourth[3] += b[i] * beta_of(i, j) * beta_of(j, k) * beta[k];
        }
    }
    EXPECT_NEAR(one, 1, 1e-13);
    EXPECT_NEAR(second, 1.0 / 2, 1e-13);
    EXPECT_NEAR(third[0], 1.0 / 3, 1e-13);
    EXPECT_NEAR(third[1], 1.0 / 6, 1e-13);
    EXPECT_NEAR(fourth[0], 1.0 / 4, 1e-13);
    EXPECT_NEAR(fourth[1], 1.0 / 8, 1e-13);
    EXPECT_NEAR(fourth[2], 1.0 / 12, 1e-13);
    EXPECT_NEAR(fourth[3], 1.0 / 24, 1e-13);
}

// y' = a y in one step of length 1: |R(a)| <= 1 for Re a <= 0, R -> 0 far out; complex a as a 2 x 2 system.
TEST(Rosenbrock, IsLStable) {
    const auto growth = [](double real, double imaginary) {
        Problem system(2, 0, [=](double, auto y, auto out) {
            out[0] = real * y[0] - imaginary * y[1], out[1] = imaginary * y[0] + real * y[1];
        });
        Options options;
        options.step = options.least_step = options.most_step = 1, options.tolerance = 1e30;
        const auto integrator = make_rosenbrock(system, options);
        integrator->start(0, Vector{1, 0});
        EXPECT_EQ(integrator->step(1).status, Status::Ok);
        return std::hypot(integrator->state()[0], integrator->state()[1]);
    };
    for (const double angle : {0.0, 0.2, 0.4, 0.45, 0.49, 0.5})  // of pi, from the negative axis
        for (const double size : {0.01, 0.1, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 100.0, 1e3})
            EXPECT_LT(growth(-size * std::cos(angle * kPi), size * std::sin(angle * kPi)), 1 + 1e-6)
                << angle << " " << size;
    EXPECT_LT(growth(-1e6, 0), 1e-4);
    EXPECT_LT(growth(0, 1e6), 1e-3);
}

}  // namespace
}  // namespace impuls::integrators
