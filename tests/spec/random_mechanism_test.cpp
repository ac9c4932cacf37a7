// Whatever is built from joints, loops, shapes and masses (ratios beyond 10^4): nothing becomes infinite,
// momentum is kept where nothing acts from outside, and energy does not grow under dissipative laws. 300
// mechanisms here, 15 000 in the long run.
#include "spec/random_mechanism.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "impuls/frame.h"
#include "impuls/world.h"
#include "support/full_size.h"

namespace impuls {
namespace {

#ifdef NDEBUG
const int kCount = is_long() ? 5000 : 100;
#else
const int kCount = 12;
#endif
constexpr int kSteps = 60;

// Velocities at random do not fit the joints: the first step makes them fit, which costs energy. All is
// compared with the state after it; energy may grow by 1 %.
void check(World& world) {
    ASSERT_TRUE(world.step().ok);
    const Frame first = world.frame();
    double momentum = 0, angular = 0;
    for (std::size_t k = 0; k < first.bodies.size(); ++k) {
        const double mass = world.mass(first.bodies[k]);
        momentum += mass * length(first.velocities[k]);
        angular += mass * length(first.velocities[k]) * length(first.positions[k]);
    }
    const double scale = first.energy.kinetic + std::abs(first.energy.potential);
    const bool is_free = length(world.structure()->settings.gravity) == 0;
    for (int step = 0; step < kSteps; ++step) {
        const StepStatus status = world.step();
        ASSERT_TRUE(status.ok) << step << " " << status.message;
        const Frame& now = world.frame();
        ASSERT_LE(now.energy.total, first.energy.total + 0.01 * scale) << step;
        if (!is_free) continue;
        ASSERT_LT(length(now.linear_momentum - first.linear_momentum), 1e-10 * momentum) << step;
        ASSERT_LT(length(now.angular_momentum - first.angular_momentum), 1e-9 * angular) << step;
    }
}

void check_all(bool has_floor, const char* method = "default") {
    for (int seed = 1; seed <= kCount; ++seed) {
        SCOPED_TRACE(seed);
        Scene scene = random_mechanism(static_cast<std::uint64_t>(seed), {has_floor, seed % 2 == 0});
        scene.settings.method = parse_method(method);
        World world(scene);
        check(world);
    }
}

TEST(RandomMechanism, keeps_momentum_and_gains_no_energy_in_space) {
    check_all(false);
}
TEST(RandomMechanism, comes_down_without_gaining_energy) {
    check_all(true);
}
TEST(RandomMechanism, comes_down_by_blocks_without_gaining_energy) {
    check_all(true, "fast");
}

}  // namespace
}  // namespace impuls
