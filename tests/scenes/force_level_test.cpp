// Example scenes at force level, each against what its comment says.
#include "scenes/example.h"

namespace impuls {
namespace {

void expect_force_level(const World& world) {
    for (const Outcome& outcome : world.outcomes()) EXPECT_EQ(outcome.stepper, IslandStepper::ForceLevel);
}

TEST(Example, FallingBall) {
    World world = open_example("falling-ball");
    // In the second flight: heights are known at any time of it.
    run_to(world, 0.33);
    expect_force_level(world);
    const double y = position(world, "ball").y - 0.02, v = velocity(world, "ball").y;
    EXPECT_NEAR(y + v * v / (2 * kG), 0.05 * std::pow(0.81, 4), 1e-6);
    run_to_end(world);
    EXPECT_NEAR(position(world, "ball").y, 0.02 * (1 - 1e-3), 2e-6);
}

TEST(Example, IronBall) {
    World world = open_example("iron-ball");
    const double m = mass(world, "ball"), modulus = 2.11e11 / (2 * (1 - 0.29 * 0.29));
    const double k = 4.0 / 3 * modulus * std::sqrt(0.01), rest = std::pow(m * kG / k, 2.0 / 3);
    double deepest = 0;
    const double energy = world.frame().energy.total;
    while (world.time() < duration(world)) {
        ASSERT_NO_FATAL_FAILURE(step(world));
        deepest = std::max(deepest, 0.01 - position(world, "ball").y);
    }
    // From rest at the touch it goes as deep as k d^(5/2) 2/5 = m g d: (5/2)^(2/3) times the depth of rest.
    EXPECT_NEAR(deepest, std::pow(2.5, 2.0 / 3) * rest, 0.01 * rest);
    const auto& e = world.frame().energy;
    EXPECT_NEAR(e.total + e.dissipated - e.supplied, energy, 1e-8 * m * kG * 0.01);  // the tolerance
}

TEST(Example, SlidingBall) {
    World world = open_example("sliding-ball");
    run_to_end(world);
    EXPECT_NEAR(velocity(world, "ball").x, 10.0 / 7, 3e-3);
    EXPECT_NEAR(velocity(world, "ball").x + 0.03 * world.angular_velocity(world.find_body("ball")).z, 0,
                1e-3);
}

TEST(Example, FlatBox) {
    World world = open_example("flat-box");
    run_to(world, 0.3);
    EXPECT_NEAR(velocity(world, "box").y, 1.5 * std::sqrt(0.4 * kG) - 0.3 * kG, 1e-6);
    EXPECT_LT(length(world.angular_velocity(world.find_body("box"))), 1e-9);
}

// The first impact hands on nearly all; energy never grows.
TEST(Example, RodCradle) {
    World world = open_example("rod-cradle");
    double farthest = 0, energy = world.frame().energy.total;
    const double start = energy;
    while (world.time() < (kIsSlowBuild ? 0.8 : 1.2)) {
        ASSERT_NO_FATAL_FAILURE(step(world));
        farthest = std::max(farthest, position(world, "balls[4]").x - 0.4);
        const auto& e = world.frame().energy;
        EXPECT_NEAR(e.total + e.dissipated - e.supplied, start, 1e-4);
    }
    EXPECT_GT(farthest, 0.35);
    EXPECT_LT(farthest, 0.5);
}

TEST(Example, CanThrowing) {
    World world = open_example("can-throwing");
    const Vec3 top = position(world, "top");
    run_to(world, 0.15);
    expect_force_level(world);
    EXPECT_LT(length(position(world, "top") - top), 1e-3);
    if (kIsSlowBuild) return;
    run_to(world, 0.4);
    EXPECT_GT(length(position(world, "top") - top), 0.01);
    EXPECT_LT(world.frame().max_penetration, 2e-3);
}

TEST(Example, SprungVehicle) {
    World world = open_example("sprung-vehicle");
    run_to(world, 0.5);
    expect_force_level(world);
    const double settled = position(world, "chassis").y;
    EXPECT_LT(std::abs(velocity(world, "chassis").x), 0.05);
    if (kIsSlowBuild) return;
    double highest = 0;
    while (world.time() < duration(world)) {
        ASSERT_NO_FATAL_FAILURE(step(world));
        highest = std::max(highest, position(world, "chassis").y);
    }
    EXPECT_GT(position(world, "chassis").x, 1);
    EXPECT_GT(highest, settled + 0.005);
    EXPECT_LT(highest, settled + 0.3);
}

}  // namespace
}  // namespace impuls
