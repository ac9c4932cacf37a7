// Steps of several passes by blocks (steppers/blocks/search.cpp): pairs that hardly move keep their contacts
// from pass to pass, those that move far are searched in each. And which islands of the preset `default` are
// advanced by blocks.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "block_scenes.h"
#include "running.h"

namespace impuls {
namespace {

constexpr int kResting = 36, kRunners = 12;

// Cubes at rest on a plate, and small ones that run along it by nearly three times their size in a step, all
// in one island.
Scene plate_scene(double speed) {
    Scene scene = ground_scene(0.4, 0);
    BodyDesc plate = cube("plate", {0, 0.5, 0}, 5000);
    plate.shape = Box{{60, 1, 16}};
    scene.bodies.push_back(plate);
    for (int k = 0; k < kResting; ++k)
        scene.bodies.push_back(cube("rest" + std::to_string(k), {1.5 * k - 27, 1.5, 5}, 1 + k % 5));
    for (int k = 0; k < kRunners; ++k) {
        BodyDesc runner = cube("run" + std::to_string(k), {-25, 1.125, 2.0 - 0.5 * k}, 1);
        runner.shape = Box{{0.25, 0.25, 0.25}}, runner.velocity = {speed, 0, 0};
        scene.bodies.push_back(runner);
    }
    return scene;
}

// N that hold a body up, or press it down.
double vertical_force(const Frame& frame, std::uint32_t body) {
    double sum = 0;
    for (const Contact& c : frame.contacts) sum += c.b == body ? c.force.y : c.a == body ? -c.force.y : 0;
    return sum;
}

TEST(BlockPasses, what_rests_bears_its_weight_while_others_run) {
    const Scene scene = plate_scene(40);
    World world(scene);
    settle(world, 40);
    const Frame& f = world.frame();
    for (std::uint32_t k = 1; k < f.positions.size(); ++k) {
        const double weight = *scene.bodies[k].mass * 9.81;
        EXPECT_NEAR(vertical_force(f, k), weight, 0.01 * weight) << scene.bodies[k].name;
    }
    for (const Contact& c : f.contacts) EXPECT_LT(c.depth, 1e-3);
    // Friction alone slows the runners: v = v0 - mu g t, the plate's own motion aside.
    EXPECT_NEAR(world.velocity(world.find_body("run0")).x, 40 - 0.4 * 9.81 * 40 / 60, 0.02);
    EXPECT_LT(length(world.velocity(world.find_body("rest0"))), 0.02);
}

TEST(BlockPasses, kept_contacts_depend_on_nothing_but_the_state) {
    World one(plate_scene(40)), many(plate_scene(40), std::make_shared<Executor>(3));
    for (int k = 0; k < 30; ++k) {
        one.step();
        many.drop_caches(), many.step();
        ASSERT_EQ(one.state_hash(), many.state_hash()) << k;
    }
    World back(plate_scene(40));
    back.restore(one.checkpoint());
    for (int k = 0; k < 10; ++k) {
        one.step(), back.step();
        ASSERT_EQ(one.state_hash(), back.state_hash()) << k;
    }
}

// A wall of n rows.
Scene pyramid_scene(int rows, const std::string& method) {
    Scene scene = ground_scene(0.5, 0, method);
    for (int row = 0; row < rows; ++row)
        for (int k = 0; k < rows - row; ++k)
            scene.bodies.push_back(cube("c" + std::to_string(row) + "." + std::to_string(k),
                                        {1.05 * (k + 0.5 * row), 0.5 + row, 0}));
    return scene;
}

// A large island of `default` is advanced with contacts in lanes, of the fineness that the preset stands for:
// within four millimetres of what the impulse stepper gives, no contact deeper than two ten-thousandths of a
// cube, and the floor bears the weight.
TEST(BlockPasses, large_islands_of_the_default_method_agree_with_the_impulse_stepper) {
    constexpr int kRows = 23;  // 276 cubes
    World blocks(pyramid_scene(kRows, "default")), impulses(pyramid_scene(kRows, "default+blocks_from=0"));
    settle(blocks, 60), settle(impulses, 60);
    EXPECT_NE(blocks.state_hash(), impulses.state_hash());
    const Frame &f = blocks.frame(), &g = impulses.frame();
    double floor = 0, worst = 0;
    for (std::size_t k = 1; k < f.positions.size(); ++k)
        worst = std::max(worst, length(f.positions[k] - g.positions[k]));
    for (const Contact& c : f.contacts) {
        EXPECT_LT(c.depth, 0.2e-3);
        if (c.a == 0) floor += c.force.y;
    }
    EXPECT_LT(worst, 4e-3);
    const double weight = 9.81 * kRows * (kRows + 1) / 2;
    EXPECT_NEAR(floor, weight, 0.01 * weight);
}

// Elastic impacts keep energy to rounding only where they are located, at any size of the island.
TEST(BlockPasses, elastic_impacts_in_the_default_method_are_left_to_the_impulse_stepper) {
    const auto struck = [](const std::string& method) {
        Scene scene = pyramid_scene(9, method);
        scene.materials[0].restitution = 1;
        scene.bodies[1].velocity = {20, 0, 0};
        return scene;
    };
    World usual(struck("default")), impulses(struck("default+blocks_from=0"));
    settle(usual, 3), settle(impulses, 3);
    EXPECT_EQ(usual.state_hash(), impulses.state_hash());
}

TEST(BlockPasses, small_islands_of_the_default_method_stay_with_the_impulse_stepper) {
    World usual(pyramid_scene(3, "default")), impulses(pyramid_scene(3, "default+blocks_from=0"));
    settle(usual, 30), settle(impulses, 30);
    EXPECT_EQ(usual.state_hash(), impulses.state_hash());
}

}  // namespace
}  // namespace impuls
