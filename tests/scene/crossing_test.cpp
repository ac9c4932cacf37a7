// The moment at which a quantity changes its sign, within the step in which it does.
#include "scene/crossing.h"

#include <gtest/gtest.h>

#include <functional>

#include "support/constants.h"

namespace impuls {
namespace {

double crossing_of(const std::function<double(double)>& f, double dt, double end) {
    Crossing crossing;
    double found = 0;
    for (int k = 0; k * dt < end; ++k) found = crossing.add(k * dt, f(k * dt));
    return found;
}

TEST(Crossing, OfWhatIsSmoothIsLocatedFarBetterThanTheStep) {
    const double dt = 0.01 * 2 * kPi;
    for (const double phase : {0.1, 0.5, 0.77, 1.3})
        EXPECT_NEAR(crossing_of([&](double t) { return std::cos(t + phase); }, dt, 4), kPi / 2 - phase, 1e-10)
            << phase;
    EXPECT_NEAR(crossing_of([](double t) { return 1 - t * t; }, 0.3, 2), 1, 1e-14);
}

// It falls, bounces at t = 1 and rises to where it changes its sign: the kink counts as the end of what is
// known, wherever it is among the last steps.
TEST(Crossing, AfterAKinkIsNoWorseThanAStraightLine) {
    const double dt = 0.02;
    for (const double after : {0.005, 0.03, 0.05, 0.1, 0.14}) {
        const double level = 2 * after - after * after;  // of 2 s - s^2, s after the bounce
        const auto height = [&](double t) {
            const double s = t - 1;
            return s < 0 ? -1 - 3 * s : 2 * s - s * s - level;
        };
        EXPECT_NEAR(crossing_of([&](double t) { return t < 0.99 ? -1 : height(t); }, dt, 1.5), 1 + after,
                    after < dt ? dt : 0.25 * dt * dt)
            << after;
    }
}

TEST(Crossing, OnlyTheFirstCounts) {
    EXPECT_NEAR(crossing_of([](double t) { return std::sin(t + 0.5); }, 0.1, 12), kPi - 0.5, 1e-6);
    EXPECT_TRUE(std::isnan(crossing_of([](double t) { return 1 + t; }, 0.1, 2)));
    EXPECT_EQ(crossing_of([](double t) { return t; }, 0.5, 2), 0);
}

}  // namespace
}  // namespace impuls
