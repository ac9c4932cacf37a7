// The tolerance controls the error: decade by decade from 1e-3 to 1e-11, on worlds (tolerance_scenes.h).
#include "force/tolerance_scenes.h"

#include <gtest/gtest.h>

namespace impuls::at_force_level {
namespace {

void check(const ToleranceCase& run) {
    const ToleranceErrors found = errors_of(run);
    for (int decade = kFirstDecade; decade <= kLastDecade; ++decade)
        EXPECT_LE(found.error[static_cast<std::size_t>(decade - kFirstDecade)], 100 * std::pow(10.0, -decade))
            << run.name;
    EXPECT_NEAR(found.slope, 1, 0.15) << run.name;
}

TEST(ForceLevelTolerance, controls_a_double_pendulum_on_springs) {
    check(kToleranceCases[0]);
}
TEST(ForceLevelTolerance, controls_five_bounces) {
    check(kToleranceCases[1]);
}
TEST(ForceLevelTolerance, controls_an_orbit) {
    check(kToleranceCases[2]);
}

}  // namespace
}  // namespace impuls::at_force_level
