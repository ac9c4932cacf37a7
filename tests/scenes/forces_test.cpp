// Example scenes of forces, each against what its comment says.
#include "scenes/example.h"

namespace impuls {
namespace {

// At rest on its spring it hangs m g/k below the ease at 0; it starts 0.2 m above that.
TEST(Example, SpringPendulum) {
    World world = open_example("spring-pendulum");
    const double sag = 2 * kG / 80, energy = world.frame().energy.total;
    Crossings passes;
    double lowest = 0;
    while (world.time() < duration(world)) {
        ASSERT_NO_FATAL_FAILURE(step(world));
        const double y = position(world, "ball").y + sag;
        passes.add(world.time(), y);
        lowest = std::min(lowest, y);
        ASSERT_NEAR(world.frame().energy.total, energy, 1e-9);
    }
    const double period = 2 * (passes.times.back() - passes.times.front()) / double(passes.times.size() - 1);
    EXPECT_NEAR(period, 2 * kPi * std::sqrt(2.0 / 80), 1e-4);
    EXPECT_NEAR(lowest, -0.2, 1e-4);
}

TEST(Example, Buffer) {
    World world = open_example("buffer");
    run_to_end(world);
    EXPECT_NEAR(position(world, "cart").x, 1 + 2.5, 1e-4);
    EXPECT_NEAR(world.frame().energy.dissipated, 10, 1e-6);
}

// The largest force in a spring is 0.7 kN (found with substeps of 1/8000 s), so that it stretches by 0.7 mm.
TEST(Example, YieldingChain) {
    World world = open_example("yielding-chain");
    double widest = 0, lowest = 0;
    while (world.time() < duration(world)) {
        ASSERT_NO_FATAL_FAILURE(step(world));
        for (int k = 0; k < 4; ++k)
            widest = std::max(widest, length(pose(world, numbered("link", k)) * Vec3{0, -0.25, 0} -
                                             pose(world, numbered("link", k + 1)) * Vec3{0, 0.25, 0}));
        lowest = std::min(lowest, position(world, "link[4]").y);
    }
    EXPECT_LT(widest, 2e-3);
    EXPECT_GT(widest, 5 * kG / 1e6);
    EXPECT_LT(lowest, -2);
}

TEST(Example, BalanceWheel) {
    World world = open_example("balance-wheel");
    Crossings passes;
    double widest = 0;
    while (world.time() < duration(world)) {
        ASSERT_NO_FATAL_FAILURE(step(world));
        const double half = pose(world, "wheel").orientation.z;
        passes.add(world.time(), half);
        widest = std::max(widest, 2 * std::asin(half));
    }
    EXPECT_NEAR(passes.times.at(18) - passes.times.at(0), 9, 1e-3);
    EXPECT_NEAR(widest, 0.5, 1e-3);
}

TEST(Example, Crane) {
    World world = open_example("crane");
    ASSERT_NO_FATAL_FAILURE(run_to(world, 0.8));
    EXPECT_NEAR(velocity(world, "heavy").y, -kG / 5 * 0.8, 5e-3);
    EXPECT_NEAR(velocity(world, "light").y, kG / 5 * 0.8, 5e-3);
    EXPECT_NEAR(position(world, "load").y, -0.5, 1e-3);
    double highest = -1;
    while (world.time() < duration(world)) {
        ASSERT_NO_FATAL_FAILURE(step(world));
        highest = std::max(highest, position(world, "load").y);
    }
    EXPECT_GT(highest, -0.45);  // lifted
}

TEST(Example, Rocket) {
    World world = open_example("rocket");
    while (world.time() < 3.995) {
        ASSERT_NO_FATAL_FAILURE(step(world));
        ASSERT_NEAR(length(position(world, "rocket")), 2, 1e-4);
    }
    run_to_end(world);
    EXPECT_LT(length(position(world, "rocket") - Vec3{2, 2 * kPi, 0}), 1e-3);
}

TEST(Example, SpinUp) {
    World world = open_example("spin-up");
    run_to(world, 1.5);
    EXPECT_NEAR(world.angular_velocity(world.find_body("flywheel")).y, 6, 1e-9);
    run_to_end(world);
    EXPECT_NEAR(world.angular_velocity(world.find_body("flywheel")).y, 12, 1e-9);
    EXPECT_NEAR(world.frame().energy.supplied, 36, 1e-6);
}

TEST(Example, Winch) {
    World world = open_example("winch");
    double before = 12, met = 0;
    while (world.time() < duration(world)) {
        ASSERT_NO_FATAL_FAILURE(step(world));
        const double gap = position(world, "heavy").x - position(world, "light").x;
        if (before > 3 && gap <= 3) met = world.time();
        before = gap;
        ASSERT_NEAR(position(world, "light").x + 6, 3 * (6 - position(world, "heavy").x), 1e-9);
    }
    EXPECT_NEAR(met, std::sqrt(2 * 9 / (100.0 / 200 + 100.0 / 600)), world.dt());
}

TEST(Example, Parachute) {
    World world = open_example("parachute");
    run_to(world, 10);
    const double first = std::sqrt(2 * 80 * kG / (1.2 * 0.7));
    EXPECT_NEAR(-velocity(world, "jumper").y, first * std::tanh(10 * kG / first), 0.01 * first);
    run_to_end(world);
    EXPECT_NEAR(-velocity(world, "jumper").y, std::sqrt(2 * 80 * kG / (1.2 * (0.7 + 1.4 * 35))), 1e-6);
    EXPECT_NEAR(velocity(world, "jumper").x, 2, 1e-6);
}

TEST(Example, DoubleStar) {
    World world = open_example("double-star");
    const double period = kPi, energy = world.frame().energy.total;
    for (int turn = 1; turn <= 4; ++turn) {
        run_to(world, turn * period);
        EXPECT_LT(length(position(world, "n") - Vec3{1.2, 0, 0}), 1e-3);
        EXPECT_NEAR(world.frame().energy.total, energy, 1e-6);
        EXPECT_NEAR(world.frame().angular_momentum.z, 1.2, 1e-12);
    }
}

}  // namespace
}  // namespace impuls
