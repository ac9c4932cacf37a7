// World::branch: a changed scene takes over a running state. Unchanged it goes on bit for bit; changed, what
// was changed holds from then on and nothing before.
#include <gtest/gtest.h>

#include <cmath>

#include "impuls/world.h"
#include "mixed_scene.h"

namespace impuls {
namespace {

class BranchAt : public testing::TestWithParam<int> {};

// Before, between and after commands that add and remove bodies and joints.
TEST_P(BranchAt, unchanged_it_goes_on_bit_for_bit) {
    World parent(mixed_scene());
    for (int k = 0; k < GetParam(); ++k) parent.step();
    World branch = parent.branch(mixed_scene());
    EXPECT_EQ(branch.steps(), parent.steps());
    ASSERT_EQ(branch.state_hash(), parent.state_hash());
    for (int k = 0; k < 60; ++k) {
        parent.step();
        branch.step();
        ASSERT_EQ(branch.state_hash(), parent.state_hash()) << "step " << parent.steps();
    }
}
INSTANTIATE_TEST_SUITE_P(Steps, BranchAt, testing::Values(0, 1, 55, 65, 95));

Scene thrown_box() {
    Scene scene;
    scene.settings.gravity = {0, -9.81, 0};
    scene.settings.dt = 0.01;
    BodyDesc box;
    box.name = "box", box.shape = Box{{1, 2, 3}}, box.mass = 2.0, box.position = {0, 5, 0};
    box.velocity = {1, 2, 3}, box.angular_velocity = {0.3, 4, 0.2};
    scene.bodies = {box};
    return scene;
}

TEST(Branch, what_is_not_changed_is_the_same_at_the_branch) {
    World parent(thrown_box());
    for (int k = 0; k < 50; ++k) parent.step();
    Scene changed = thrown_box();
    changed.bodies[0].mass = 7;
    changed.settings.gravity = {0, 1, 0};
    World branch = parent.branch(changed);
    const Frame before = parent.frame();
    EXPECT_EQ(branch.frame().positions[0], before.positions[0]);
    EXPECT_EQ(branch.frame().orientations[0], before.orientations[0]);
    EXPECT_EQ(branch.frame().velocities[0], before.velocities[0]);
    EXPECT_EQ(branch.frame().angular_velocities[0], before.angular_velocities[0]);
    EXPECT_EQ(branch.mass(branch.find_body("box")), 7);
    for (int k = 0; k < 100; ++k) branch.step();
    const double t = 1;
    const Vec3 expected = before.positions[0] + before.velocities[0] * t + Vec3{0, 0.5 * t * t, 0};
    EXPECT_LT(length(branch.frame().positions[0] - expected), 1e-9);
}

// The centre of mass is elsewhere from now on: the body's frame and the velocity of each of its points are as
// before.
TEST(Branch, a_moved_centre_of_mass_moves_no_point_of_the_body) {
    World parent(thrown_box());
    for (int k = 0; k < 50; ++k) parent.step();
    Scene changed = thrown_box();
    changed.bodies[0].center_of_mass = Vec3{0.3, -0.5, 0.7};
    World branch = parent.branch(changed);
    const Frame &a = parent.frame(), &b = branch.frame();
    EXPECT_LT(length(a.positions[0] - b.positions[0]), 1e-14);
    EXPECT_NEAR(
        std::abs(a.orientations[0].w * b.orientations[0].w + a.orientations[0].x * b.orientations[0].x +
                 a.orientations[0].y * b.orientations[0].y + a.orientations[0].z * b.orientations[0].z),
        1, 1e-14);
    const Vec3 arm = rotate(b.orientations[0], {0.3, -0.5, 0.7});
    const Vec3 origin = b.velocities[0] - cross(b.angular_velocities[0], arm);
    EXPECT_LT(length(origin - a.velocities[0]), 1e-13) << "the origin was the centre of mass";
}

TEST(Branch, what_the_description_says_of_the_motion_holds_from_now_on) {
    World parent(thrown_box());
    for (int k = 0; k < 50; ++k) parent.step();
    Scene changed = thrown_box();
    changed.bodies[0].position = {10, 20, 30};
    changed.bodies[0].velocity = {-1, 0, 0};
    World branch = parent.branch(changed);
    EXPECT_LT(length(branch.frame().positions[0] - Vec3{10, 20, 30}), 1e-14);
    EXPECT_EQ(branch.frame().velocities[0], (Vec3{-1, 0, 0}));
    EXPECT_EQ(branch.frame().orientations[0], parent.frame().orientations[0]);
}

TEST(Branch, another_dt_keeps_the_time) {
    World parent(thrown_box());
    for (int k = 0; k < 50; ++k) parent.step();
    Scene changed = thrown_box();
    changed.settings.dt = 0.0025;
    World branch = parent.branch(changed);
    EXPECT_EQ(branch.steps(), 200);
    EXPECT_NEAR(branch.time(), 0.5, 1e-15);
    changed.settings.dt = 0.003;
    try {
        parent.branch(changed);
        FAIL() << "0.5 s are not whole steps of 0.003 s";
    } catch (const InputError& e) {
        EXPECT_NE(std::string(e.what()).find("0.501"), std::string::npos) << e.what();
    }
}

TEST(Branch, motor_of_a_hinge_is_changed_and_turns_are_kept) {
    Scene scene;
    scene.settings.gravity = {};
    BodyDesc wheel;
    wheel.name = "wheel", wheel.shape = Sphere{0.5};
    wheel.angular_velocity = {0, 0, 5};
    scene.bodies = {wheel};
    JointDesc joint;
    joint.name = "axle", joint.b = "wheel";
    joint.joint = HingeJoint{.axis = {0, 0, 1}};
    scene.joints = {joint};
    World parent(scene);
    for (int k = 0; k < 300; ++k) parent.step();
    const double turned = parent.frame().axes[0].position;
    EXPECT_GT(turned, 6.3) << "more than a turn";
    std::get<HingeJoint>(scene.joints[0].joint).turn.speed = -2;
    World branch = parent.branch(scene);
    EXPECT_NEAR(branch.frame().axes[0].position, turned, 1e-12);
    for (int k = 0; k < 100; ++k) branch.step();
    EXPECT_NEAR(branch.frame().axes[0].velocity, -2, 1e-6);
    EXPECT_GT(branch.frame().axes[0].position, 3) << "turns are still counted";
}

TEST(Branch, other_bodies_or_joints_are_refused) {
    World parent(mixed_scene());
    parent.step();
    Scene fewer = mixed_scene();
    fewer.bodies.pop_back();
    EXPECT_THROW(parent.branch(fewer), InputError);
    Scene renamed = mixed_scene();
    renamed.bodies[3].name = "other";
    renamed.timeline.clear();
    EXPECT_THROW(parent.branch(renamed), InputError);
}

}  // namespace
}  // namespace impuls
