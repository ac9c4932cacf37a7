// Example scenes of contact over areas, each against what its comment says (spec: areal-contact 3.1, 3.4).
#include <algorithm>
#include <vector>

#include "scenes/example.h"

namespace impuls {
namespace {

// Thesis and spec, T14: 7.5 N m at 1.5 rad/s, without spikes.
TEST(Example, GearPair) {
    World world = open_example("gear-pair");
    const BodyId driven = world.find_body("driven");
    run_to(world, 0.05);  // the start is over
    double sum = 0, squares = 0, jump = 0, last = world.angular_velocity(driven).y;
    int n = 0, patches = 0;
    const double end = kIsSlowBuild ? 0.07 : duration(world);
    while (world.time() < end) {
        ASSERT_NO_FATAL_FAILURE(step(world));
        const double speed = world.angular_velocity(driven).y;
        sum += speed, squares += speed * speed, ++n;
        jump = std::max(jump, std::abs(speed - last));
        last = speed;
        patches = std::max(patches, static_cast<int>(world.frame().patches.size()));
    }
    const double mean = sum / n;
    EXPECT_NEAR(-5 * mean, 7.5, 0.005 * 7.5);
    EXPECT_LT(std::sqrt(std::max(0.0, squares / n - mean * mean)), 0.005 * 1.5);
    EXPECT_LT(jump, 0.02 * 1.5);
    EXPECT_GE(patches, 2) << "two pairs of teeth at a time";
    for (const Outcome& outcome : world.outcomes()) EXPECT_EQ(outcome.stepper, IslandStepper::ForceLevel);
}

TEST(Example, BallInCone) {
    World world = open_example("ball-in-cone");
    if (kIsSlowBuild) {
        run_to(world, 0.035);
        EXPECT_EQ(world.frame().patches.size(), 1u);
        return;
    }
    run_to_end(world);
    EXPECT_TRUE(world.warnings().empty());
    ASSERT_EQ(world.frame().patches.size(), 1u) << "a ring";
    EXPECT_NEAR(world.frame().patches[0].force.y, mass(world, "ball") * kG, 0.01 * mass(world, "ball") * kG);
    EXPECT_LT(length(velocity(world, "ball")), 1e-3);
    // W = pi k sin A cos A H Int u^2 dx over the ring (tests/areal): F = -dW/dH, for the seat's slope.
    const double k = 2e5 * 0.6 / (1.4 * 0.2) / 0.004, angle = std::atan(1.0), r = 0.05;
    const auto force_at = [&](double height) {
        const auto energy = [&](double h) {
            const double edge = std::sqrt(std::max(0.0, r * r - std::pow(h * std::sin(angle), 2)));
            double sum = 0;
            for (int i = 0; i < 2000; ++i) {
                const double x = edge * (2 * (i + 0.5) / 2000 - 1),
                             u = std::sqrt(r * r - x * x) - h * std::sin(angle);
                sum += u * u * edge / 1000;
            }
            return 3.141592653589793 * k * std::sin(angle) * std::cos(angle) * h * sum;
        };
        return -(energy(height + 1e-7) - energy(height - 1e-7)) / 2e-7;
    };
    double low = 0.06, high = r / std::sin(angle);
    for (int i = 0; i < 60; ++i)
        (force_at(0.5 * (low + high)) > mass(world, "ball") * kG ? low : high) = 0.5 * (low + high);
    // The cone's apex is where its slope meets the axis: 0.01 below its neck at -0.03.
    const double depth = r / std::sin(angle) - low,
                 is = r / std::sin(angle) - (position(world, "ball").y + 0.04);
    EXPECT_NEAR(is / depth, 1, 0.1) << "facets of the seat";
}

TEST(Example, RubberBlock) {
    World world = open_example("rubber-block");
    run_to_end(world);
    EXPECT_TRUE(world.warnings().empty());
    double lift = 0;
    for (const ContactPatch& patch : world.frame().patches) lift += std::abs(patch.force.y);
    EXPECT_NEAR(lift, mass(world, "block") * kG, 0.02 * mass(world, "block") * kG);
    EXPECT_GE(world.frame().patches.size(), 9u);
    EXPECT_LT(length(velocity(world, "block")), 1e-3);
}

TEST(Example, CamFollower) {
    World world = open_example("cam-follower");
    double lowest = 1, highest = 0;
    run_to(world, 0.1);
    while (world.time() < (kIsSlowBuild ? 0.2 : duration(world))) {
        ASSERT_NO_FATAL_FAILURE(step(world));
        const double x = position(world, "roller").x;
        lowest = std::min(lowest, x), highest = std::max(highest, x);
        EXPECT_FALSE(world.frame().patches.empty()) << world.time();
    }
    if (kIsSlowBuild) return;
    EXPECT_NEAR(highest, 0.055, 2e-4) << "less the depth";
    EXPECT_NEAR(lowest, 0.045, 2e-4);
}

}  // namespace
}  // namespace impuls
