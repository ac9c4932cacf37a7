// Example scenes of what happens by the clock, by script and by condition, and of things that come ready
// made.
#include <algorithm>

#include "impuls/run.h"
#include "scenes/example.h"

namespace impuls {
namespace {

// A w^2 = 3.2, 9.5 and 15.8 m/s^2: the first two keep their cubes, the third throws its cube off.
TEST(Example, VibratingTable) {
    World world = open_example("vibrating-table");
    const double w = 4 * kPi;
    double highest = 0;
    while (world.time() < duration(world) - 1e-9) {
        ASSERT_NO_FATAL_FAILURE(step(world));
        for (int k = 0; k < 3; ++k) {
            const double table = (0.02 + 0.04 * k) * std::sin(w * world.time()),
                         above = position(world, numbered("cubes", k)).y - 0.05 - table;
            EXPECT_NEAR(position(world, numbered("tables", k)).y, -0.05 + table, 1e-14);
            if (k < 2) {
                EXPECT_NEAR(above, 0, 1e-3) << k << " at " << world.time();
            }
            highest = std::max(highest, k == 2 ? above : 0);
        }
    }
    EXPECT_GT(highest, 0.02);
}

TEST(Example, TimedMotors) {
    World world = open_example("timed-motors");
    const double p = 4 * kPi;
    while (world.time() < duration(world) - 1e-9) {
        ASSERT_NO_FATAL_FAILURE(step(world));
        const double t = world.time();
        EXPECT_NEAR(world.angular_velocity(world.find_body("rotor")).y, 3 * std::sin(2 * t), 0.03);
        EXPECT_NEAR(position(world, "puck").y, 30 / p * (t - std::sin(p * t) / p), 0.01);
        for (const auto& [time, place] : {std::pair{1.0, 0.5}, {2.0, 0.2}, {4.0, 1.0}})
            if (std::abs(t - time) < 1e-9) {
                EXPECT_NEAR(position(world, "lift").y, place, 1e-6);
            }
    }
}

TEST(Example, LibraryMaterials) {
    World world = open_example("library-materials");
    const Vec3 rubber = position(world, "rubber"), lead = position(world, "lead"),
               teflon = position(world, "teflon");
    EXPECT_NEAR(mass(world, "lead"), 11.34, 1e-9);
    EXPECT_NEAR(mass(world, "rubber"), 1.1, 1e-9);
    ASSERT_NO_FATAL_FAILURE(run_to_end(world));
    EXPECT_LT(length(position(world, "rubber") - rubber), 1e-3);
    EXPECT_LT(length(position(world, "lead") - lead), 1e-3);
    // s = g/2 (sin a - mu cos a) t^2, with 0.04 of teflon on steel
    const double a = 15 * kPi / 180, t = world.time();
    EXPECT_NEAR(length(position(world, "teflon") - teflon),
                0.5 * kG * (std::sin(a) - 0.04 * std::cos(a)) * t * t, 0.02);
}

// It comes back to its height after sqrt(7/2) rounds (tests/physics/hollow_test.cpp has the time).
TEST(Example, BallInTube) {
    World world = open_example("ball-in-tube");
    const double period = 2 * kPi / (10 * std::sqrt(2.0 / 7));
    ASSERT_NO_FATAL_FAILURE(run_to(world, period));
    EXPECT_NEAR(position(world, "ball").y, 0.5, 0.01);
    ASSERT_NO_FATAL_FAILURE(run_to_end(world));
    EXPECT_NEAR(position(world, "lid").y, 1 + std::sqrt(0.25 - 0.09), 0.005);
    EXPECT_GT(position(world, "plug").y, 2.5);
    EXPECT_LT(length(position(world, "plug") - Vec3{3, position(world, "plug").y, 0}), 0.01);
    EXPECT_LT(length(position(world, "marble") - Vec3{3, 0, 0}), 0.46);
}

TEST(Example, TrapDoor) {
    World world = open_example("trap-door");
    const RunSummary summary = run(world, {});
    EXPECT_TRUE(summary.status.ok);
    const double time = std::sqrt(2 * 4 / kG);  // free fall from 3 m to -1 m
    EXPECT_NEAR(summary.time, time, 2 * world.dt());
    EXPECT_EQ(world.body_count(), 1u);
}

}  // namespace
}  // namespace impuls
