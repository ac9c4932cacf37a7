// Example scenes of many bodies that rest on each other, or fall over.
#include <algorithm>
#include <vector>

#include "scenes/example.h"

namespace impuls {
namespace {

TEST(Example, Pyramid) {
    const int n = kIsSlowBuild ? 5 : 10;
    const int top = n * (n + 1) / 2 - 1;
    World world = open_example("pyramid", {{"variables.n", std::to_string(n)},
                                           {"measure", "[]"},
                                           {"settings.duration", kIsSlowBuild ? "1" : "5"}});
    const double s = 0.4;
    const Vec3 start = position(world, numbered("cubes", top));
    EXPECT_NEAR(start.y, (n - 0.5) * s, 1e-12);
    double penetration = 0;
    while (world.time() < duration(world)) {
        ASSERT_NO_FATAL_FAILURE(step(world));
        penetration = std::max(penetration, world.frame().max_penetration);
    }
    EXPECT_LT(penetration, 1e-3 * s);
    EXPECT_LT(length(position(world, numbered("cubes", top)) - start), 1e-3 * s);
    double weight = 0, carried = 0;
    for (int k = 0; k <= top; ++k) {
        weight += mass(world, numbered("cubes", k)) * kG;
        carried += force_between(world, "floor", numbered("cubes", k)).y;
        EXPECT_GT(direction(world, numbered("cubes", k), {0, 1, 0}).y, 1 - 1e-6) << k;
    }
    EXPECT_NEAR(weight, (top + 1) * 600 * s * s * s * kG, 1e-9 * weight);
    EXPECT_NEAR(carried, weight, 1e-4 * weight);
    EXPECT_LT(world.frame().energy.kinetic, 1e-9 * weight * s);
}

// Interface k carries all boxes from k upwards: masses k + 1, … 10 kg.
TEST(Example, BoxStack) {
    World world = open_example("box-stack");
    const double s = 0.2;
    run_to(world, kIsSlowBuild ? 1 : duration(world));
    for (int k = 0; k < 10; ++k) {
        double above = 0;
        for (int j = k; j < 10; ++j) above += (j + 1) * kG;
        const std::string below = k == 0 ? "pedestal" : numbered("boxes", k - 1);
        EXPECT_NEAR(force_between(world, below, numbered("boxes", k)).y, above, 2e-3 * above) << k;
        EXPECT_LT(length(position(world, numbered("boxes", k)) - Vec3{0, (k + 0.5) * s, 0}), 1e-3 * s) << k;
    }
    EXPECT_LT(world.frame().max_penetration, 1e-3 * s);
}

// Freezing holds what the same few sweeps without it let fall.
TEST(Example, FrozenColumn) {
    const int n = kIsSlowBuild ? 30 : 100;
    const double time = kIsSlowBuild ? 0.3 : 1;
    const Overrides size{{"variables.n", std::to_string(n)}, {"measure", "[]"}};
    Overrides without = size;
    without.push_back({"settings.method.stepper.shock", "\"off\""});
    World frozen = open_example("frozen-column", size), plain = open_example("frozen-column", without);
    const Vec3 start = position(frozen, numbered("cubes", n - 1));
    run_to(frozen, time), run_to(plain, time);
    EXPECT_LT(length(position(frozen, numbered("cubes", n - 1)) - start), 1e-3);
    EXPECT_LT(frozen.frame().max_penetration, 1e-3);
    EXPECT_GT(plain.frame().max_penetration, 10 * frozen.frame().max_penetration);
}

// Rule of the lever. The ridges are 0.02 m wide on a span of 2 m: that leaves 1 % of the load open.
TEST(Example, IncludeDemo) {
    World world = open_example("include-demo");
    run_to(world, kIsSlowBuild ? 0.4 : duration(world));
    const double left = force_between(world, "left/pedestal", "left/boxes[0]").y,
                 right = force_between(world, "right/pedestal", "right/boxes[0]").y;
    EXPECT_NEAR(left, (55 + 0.5 + 6 + 15) * kG, 0.01 * 32 * kG);
    EXPECT_NEAR(right, (55 + 0.5 + 6 + 5) * kG, 0.01 * 32 * kG);
    EXPECT_NEAR(left + right, (2 * 55.5 + 12 + 20) * kG, 1e-2 * kG);
    // The left tower was turned by 30 degrees about the vertical, the right one not.
    EXPECT_NEAR(direction(world, "left/boxes[0]", {1, 0, 0}).x, std::cos(kPi / 6), 1e-3);
    EXPECT_NEAR(direction(world, "right/boxes[0]", {1, 0, 0}).x, 1, 1e-6);
    EXPECT_LT(length(velocity(world, "load")), 1e-3);
}

// All fall, one after the other; in the middle the wave runs at constant speed.
TEST(Example, Dominoes) {
    const int n = kIsSlowBuild ? 12 : 40;
    World world = open_example("dominoes", {{"variables.n", std::to_string(n)},
                                            {"measure", "[]"},
                                            {"variables.radius", "1.75"},
                                            {"settings.duration", kIsSlowBuild ? "1.8" : "5"}});
    const auto upright = [&](int k) { return direction(world, numbered("dominoes", k), {0, 1, 0}).y; };
    run_to(world, 0.1);
    for (int k = 0; k < n; ++k) EXPECT_NEAR(upright(k), 1, 1e-6) << k;
    std::vector<double> fell(n, 0);  // time at which domino k has tilted by 20 degrees
    while (world.time() < duration(world)) {
        ASSERT_NO_FATAL_FAILURE(step(world));
        for (int k = 0; k < n; ++k)
            if (fell[k] == 0 && upright(k) < std::cos(kPi / 9)) fell[k] = world.time();
    }
    for (int k = 0; k < n; ++k) {
        ASSERT_GT(fell[k], 0) << k;
        EXPECT_GT(fell[k], k > 0 ? fell[k - 1] : 0) << k;
        EXPECT_LT(upright(k), std::cos(kPi / 3)) << k;
    }
    EXPECT_NEAR(upright(n - 1), 0, 1e-2);
    if (kIsSlowBuild) return;
    const double first = (fell[20] - fell[10]) / 10, second = (fell[35] - fell[25]) / 10;
    EXPECT_NEAR(first, second, 0.1 * first);
    EXPECT_LT(world.frame().energy.kinetic, 1e-6 * 600 * 0.5 * 0.08 * 0.25 * kG * n);
}

// At rest inside: floor and walls together carry the weight.
TEST(Example, Container) {
    const int n = kIsSlowBuild ? 3 : 6;
    World world = open_example("container", {{"variables.n", std::to_string(n)}});
    const double s = 0.1, w = 1.6 * n * s, weight = n * n * n * 700 * s * s * s * kG;
    run_to_end(world);
    double carried = force_between(world, "floor", "").y;
    for (int k = 0; k < 4; ++k) carried += force_between(world, numbered("walls", k), "").y;
    EXPECT_NEAR(carried, weight, 1e-3 * weight);
    EXPECT_LT(world.frame().energy.kinetic, 1e-6 * weight * s);
    EXPECT_LT(world.frame().max_penetration, 5e-3 * s);
    for (int k = 0; k < n * n * n; ++k) {
        const Vec3 p = position(world, numbered("cubes", k));
        EXPECT_LT(std::max(std::abs(p.x), std::abs(p.z)), w / 2 - s / 2 + 5e-3 * s) << k;
        EXPECT_GT(p.y, s / 2 - 5e-3 * s) << k;
        EXPECT_LT(p.y, w) << k;
    }
}

// What tumbles comes back: over several turns the drum bears the weight, and nothing gets through it.
TEST(Example, WasherDrum) {
    World world = open_example("washer-drum", {{"measure", "[]"}});
    const int count = 125;
    double weight = 0;
    for (int k = 0; k < count; ++k) weight += mass(world, numbered("pieces", k)) * kG;
    ASSERT_NO_FATAL_FAILURE(run_to(world, 2));
    double force = 0, highest = -1;
    int steps = 0;
    while (world.time() < (kIsSlowBuild ? 4 : duration(world))) {
        ASSERT_NO_FATAL_FAILURE(step(world));
        for (const Contact& c : world.frame().contacts) {
            const auto& bodies = world.frame().structure->bodies;
            if (bodies[c.a].name == "drum") force += c.force.y;
            if (bodies[c.b].name == "drum") force -= c.force.y;
        }
        ++steps;
        for (int k = 0; k < count; ++k) {
            const Vec3 at = position(world, numbered("pieces", k));
            ASSERT_LT(std::hypot(at.x, at.y), 0.62) << k;
            ASSERT_LT(std::abs(at.z), 0.4) << k;
            highest = std::max(highest, at.y);
        }
    }
    EXPECT_NEAR(force / steps, weight, (kIsSlowBuild ? 0.1 : 0.03) * weight);
    EXPECT_GT(highest, 0.3);
}

}  // namespace
}  // namespace impuls
