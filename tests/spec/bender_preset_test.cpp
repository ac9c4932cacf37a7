// The preset `bender` runs the method of its text: impulses one after the other, each looking ahead, until
// all joints are closed (Bender 2014, chapter 3), and no energy comes from nowhere.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "impuls/world.h"

namespace impuls {
namespace {

// n rods of 1 kg and 1 m on ball joints, let go level.
Scene level_chain(int n) {
    Scene scene;
    scene.settings.dt = 0.005;
    scene.settings.method = parse_method("bender");
    for (int k = 0; k < n; ++k) {
        BodyDesc rod;
        rod.name = "rod" + std::to_string(k), rod.shape = Box{{1, 0.1, 0.1}}, rod.mass = 1;
        rod.position = {k + 0.5, 0, 0};
        scene.bodies.push_back(rod);
        JointDesc joint;
        joint.name = "joint" + std::to_string(k), joint.b = rod.name;
        if (k > 0) joint.a = "rod" + std::to_string(k - 1);
        joint.joint = BallJoint{{static_cast<double>(k), 0, 0}};
        scene.joints.push_back(joint);
    }
    return scene;
}

TEST(SpecPresets, Bender_closes_the_joints_of_a_chain) {
    World world(level_chain(5));
    EXPECT_EQ(world.method().rows().solver, Solver::ImpulseIteration);
    double worst = 0, most = world.frame().energy.total;
    const double start = most, lift = 5 * 9.81 * 2.5;
    for (int k = 0; k < 200; ++k) {
        ASSERT_TRUE(world.step().ok);
        worst = std::max(worst, world.frame().max_joint_error);
        most = std::max(most, world.frame().energy.total);
        ASSERT_EQ(world.outcomes().size(), 1u);
        EXPECT_EQ(world.outcomes()[0].stepper, IslandStepper::Impulse) << "no other method joins in";
    }
    EXPECT_LE(worst, 1e-6) << "the tolerance, of rods of 1 m";
    EXPECT_LE(most - start, 1e-6 * lift);
}

// A cube slides to rest: v0^2 / (2 mu g).
TEST(SpecPresets, Bender_has_friction) {
    Scene scene;
    scene.settings.method = parse_method("bender");
    BodyDesc floor, cube;
    floor.name = "floor", floor.kind = BodyKind::Static, floor.shape = Plane{};
    cube.name = "cube", cube.shape = Box{{1, 0.2, 1}}, cube.position = {0, 0.1, 0}, cube.velocity = {2, 0, 0};
    scene.bodies = {floor, cube};
    World world(scene);
    for (int k = 0; k < 100; ++k) ASSERT_TRUE(world.step().ok);
    EXPECT_NEAR(world.pose(world.find_body("cube")).position.x, 4 / (2 * 0.5 * 9.81), 0.01);
    EXPECT_NEAR(world.velocity(world.find_body("cube")).x, 0, 1e-9);
}

}  // namespace
}  // namespace impuls
