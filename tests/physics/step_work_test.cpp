// Work inside a step is bounded: what would take more ends in a defined state, with a warning.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "impuls/world.h"

namespace impuls {
namespace {

bool tells_of_limit(const World& world) {
    return std::any_of(world.warnings().begin(), world.warnings().end(),
                       [](const Warning& w) { return w.kind == WarningKind::WorkLimit; });
}

std::int64_t most_substeps(const World& world) {
    std::int64_t most = 0;
    for (const Outcome& o : world.outcomes()) most = std::max<std::int64_t>(most, o.substeps);
    return most;
}

// A pendulum of two arms whose second one spins at 1e7 rad/s: some 10^6 rad in a step.
TEST(StepWork, of_joints_that_spin_too_fast_is_bounded) {
    Scene scene;
    scene.bodies.resize(2);
    for (std::size_t k = 0; k < 2; ++k) {
        scene.bodies[k].name = k == 0 ? "upper" : "lower";
        scene.bodies[k].shape = Box{{1, 0.1, 0.2}};
        scene.bodies[k].position = {0.5 + static_cast<double>(k), 0, 0};
    }
    scene.bodies[1].angular_velocity = {0, 0, 1e7};
    scene.bodies[1].velocity = {0, 5e6, 0};
    scene.joints.resize(2);
    scene.joints[0].name = "top", scene.joints[0].b = "upper", scene.joints[0].joint = BallJoint{{0, 0, 0}};
    scene.joints[1].name = "elbow", scene.joints[1].a = "upper", scene.joints[1].b = "lower";
    scene.joints[1].joint = BallJoint{{1, 0, 0}};
    World world(scene);
    for (int k = 0; k < 3; ++k) {
        ASSERT_TRUE(world.step().ok);
        EXPECT_LE(most_substeps(world), 64 * world.method().rows().substeps);
    }
    EXPECT_TRUE(tells_of_limit(world));
}

// Pebbles shot about inside a block 1000 times as large, deep in it: each pair would be looked at thousands
// of times. They stay numbers, and the step ends.
TEST(StepWork, of_fast_bodies_deep_in_another_is_bounded) {
    Scene scene;
    scene.settings.gravity = {};
    scene.settings.method = parse_method("default+substeps=64+blocks_from=0");
    scene.bodies.resize(9);
    scene.bodies[0].name = "block";
    scene.bodies[0].shape = Cylinder{10, 20};
    for (std::size_t k = 1; k < scene.bodies.size(); ++k) {
        const double x = 1 + static_cast<double>(k);
        scene.bodies[k].name = "pebble" + std::to_string(k);
        scene.bodies[k].shape = Cone{0.01, 0.02};
        scene.bodies[k].position = {0.1 * x, 0.2 * x, 0};
        scene.bodies[k].velocity = {1e4, -1e4 * x, 1e3};
        scene.bodies[k].angular_velocity = {1e4, 0, 1e4 * x};
    }
    World world(scene);
    for (int k = 0; k < 2; ++k) ASSERT_TRUE(world.step().ok);
    for (const Vec3& x : world.frame().positions) EXPECT_TRUE(std::isfinite(length(x)));
    EXPECT_TRUE(tells_of_limit(world));
}

// A motion that needs many substeps but not too many says nothing.
TEST(StepWork, of_a_lively_chain_is_not_cut) {
    Scene scene;
    for (int k = 0; k < 6; ++k) {
        BodyDesc rod;
        rod.name = "rod" + std::to_string(k), rod.shape = Box{{0.5, 0.05, 0.05}};
        rod.position = {0.25 + 0.5 * k, 0, 0};
        scene.bodies.push_back(rod);
        JointDesc joint;
        joint.name = "j" + std::to_string(k), joint.b = rod.name;
        if (k > 0) joint.a = "rod" + std::to_string(k - 1);
        joint.joint = BallJoint{{0.5 * k, 0, 0}};
        scene.joints.push_back(joint);
    }
    World world(scene);
    for (int k = 0; k < 300; ++k) ASSERT_TRUE(world.step().ok);
    EXPECT_FALSE(tells_of_limit(world));
}

}  // namespace
}  // namespace impuls
