// Whatever is built from joints, loops, shapes and masses: nothing becomes infinite, momentum is kept where
// nothing acts from outside, energy does not grow under dissipative laws, and bodies do not sink into each
// other. 200 mechanisms here, 10 000 in the long run.
#include "spec/random_mechanism.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "impuls/frame.h"
#include "impuls/world.h"

namespace impuls {
namespace {

#ifdef NDEBUG
const int kCount = std::getenv("IMPULS_LONG") ? 10000 : 200;
#else
const int kCount = 24;
#endif
constexpr int kSteps = 60;

TEST(RandomMechanism, keeps_momentum_and_gains_no_energy_in_space) {
    for (int seed = 1; seed <= kCount / 2; ++seed) {
        SCOPED_TRACE(seed);
        const Scene scene = random_mechanism(static_cast<std::uint64_t>(seed), {false, seed % 2 == 0});
        World world(scene);
        const Frame first = world.frame();
        double p_scale = 0, l_scale = 0;
        for (std::size_t k = 0; k < first.bodies.size(); ++k) {
            const double mass = world.mass(first.bodies[k]);
            p_scale += mass * length(first.velocities[k]);
            l_scale += mass * length(first.velocities[k]) * length(first.positions[k]);
        }
        double most = 0;
        for (int step = 0; step < kSteps; ++step) {
            const StepStatus status = world.step();
            ASSERT_TRUE(status.ok) << status.message;
            most = std::max(most, world.frame().energy.total);
        }
        const Frame& last = world.frame();
        EXPECT_LT(length(last.linear_momentum - first.linear_momentum), 1e-11 * p_scale);
        EXPECT_LT(length(last.angular_momentum - first.angular_momentum), 1e-3 * l_scale);
        EXPECT_LT(most, first.energy.total * 1.01);
    }
}

TEST(RandomMechanism, comes_down_without_gaining_energy) {
    for (int seed = 1; seed <= kCount / 2; ++seed) {
        SCOPED_TRACE(seed);
        const Scene scene = random_mechanism(static_cast<std::uint64_t>(seed), {true, seed % 2 == 0});
        World world(scene);
        const Frame first = world.frame();
        const double scale = first.energy.kinetic + std::abs(first.energy.potential);
        for (int step = 0; step < kSteps; ++step) {
            const StepStatus status = world.step();
            ASSERT_TRUE(status.ok) << status.message;
            ASSERT_LT(world.frame().energy.total, first.energy.total + 0.01 * scale) << step;
        }
    }
}

}  // namespace
}  // namespace impuls
