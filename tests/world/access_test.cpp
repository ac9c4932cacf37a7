// What programs read of single bodies and joints, forces at a point, and commands before every step.
#include <gtest/gtest.h>

#include <cmath>

#include "impuls/run.h"
#include "impuls/scene_file.h"
#include "impuls/world.h"

namespace impuls::access {
namespace {

BodyDesc bar(const std::string& name) {
    BodyDesc body;
    body.name = name;
    body.shape = Box{{2, 0.4, 0.2}};
    body.mass = 3;
    return body;
}

Scene weightless() {
    Scene scene;
    scene.settings.gravity = {};
    scene.settings.dt = 0.01;
    return scene;
}

TEST(Access, inertia_and_centre_are_those_of_the_description) {
    Scene scene = weightless();
    scene.bodies.push_back(bar("bar"));
    // A box that lies 1 m along y in a body turned by 30 degrees: m/12 (b^2 + c^2), turned back, about its
    // own centre.
    BodyDesc turned = bar("turned");
    const double c = std::cos(0.5), s = std::sin(0.5);
    turned.shape = Compound{{{{0, 1, 0}, from_axis_angle({0, 0, 1}, 0.5), Box{{2, 0.4, 0.2}}}}};
    turned.position = {5, 0, 0};
    turned.orientation = from_axis_angle({0, 0, 1}, 0.7);  // which does not matter in its own axes
    scene.bodies.push_back(turned);
    const World world(scene);
    const Vec3 own{3.0 / 12 * (0.4 * 0.4 + 0.2 * 0.2), 3.0 / 12 * (4 + 0.2 * 0.2),
                   3.0 / 12 * (4 + 0.4 * 0.4)};
    const Mat3 plain = world.inertia(world.find_body("bar"));
    const Mat3 mixed = world.inertia(world.find_body("turned"));
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) EXPECT_NEAR(plain[j][i], i == j ? own[i] : 0, 1e-12);
    EXPECT_NEAR(mixed[0][0], c * c * own.x + s * s * own.y, 1e-12);
    EXPECT_NEAR(mixed[1][1], s * s * own.x + c * c * own.y, 1e-12);
    EXPECT_NEAR(mixed[2][2], own.z, 1e-12);
    EXPECT_NEAR(mixed[0][1], c * s * (own.x - own.y), 1e-12);
    EXPECT_NEAR(length(world.center_of_mass(world.find_body("turned")) - Vec3{0, 1, 0}), 0, 1e-12);
}

// The tensor of the turned box, given as numbers: the same body.
TEST(Access, a_tensor_of_inertia_may_be_given) {
    Scene scene = weightless();
    BodyDesc given = bar("given");
    given.inertia = Vec3{2, 3, 4};
    given.products_of_inertia = Vec3{0.5, 0.2, -0.1};
    given.orientation = from_axis_angle({1, 2, 3}, 0.4);
    scene.bodies.push_back(given);
    const World world(scene);
    const Mat3 m = world.inertia(world.find_body("given"));
    const Mat3 wanted{{2, 0.5, 0.2}, {0.5, 3, -0.1}, {0.2, -0.1, 4}};
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) EXPECT_NEAR(m[j][i], wanted[j][i], 1e-12);
}

// A bar that hangs on a hinge at its end, at rest: the joint carries its weight.
TEST(Access, reaction_of_a_joint_carries_the_weight) {
    Scene scene;
    scene.settings.dt = 0.01;
    scene.bodies.push_back(bar("bar"));
    scene.bodies.back().position = {0, -1, 0};
    scene.bodies.back().orientation = from_axis_angle({0, 0, 1}, -std::acos(0.0));
    JointDesc joint;
    joint.name = "hook";
    joint.b = "bar";
    joint.joint = HingeJoint{.anchor = {0, 0, 0}, .axis = {0, 0, 1}};
    scene.joints.push_back(joint);
    World world(scene);
    for (int k = 0; k < 20; ++k) ASSERT_TRUE(world.step().ok);
    const JointReaction reaction = world.reaction(world.find_joint("hook"));
    EXPECT_NEAR(length(reaction.force - Vec3{0, 3 * 9.81, 0}), 0, 1e-6 * 3 * 9.81);
    const JointReaction framed = world.frame().joints[0];
    EXPECT_EQ(reaction.force, framed.force);
    EXPECT_EQ(reaction.torque, framed.torque);
    EXPECT_EQ(reaction.error, framed.error);
    EXPECT_THROW(world.reaction(JointId{}), InputError);
}

// F at the end of a bar: v = F t / m, and about the axis across w = l F t / I while it has hardly turned.
TEST(Access, force_at_a_point_turns_the_body) {
    Scene scene = weightless();
    scene.bodies.push_back(bar("bar"));
    for (const bool is_timeline : {false, true}) {
        Scene given = scene;
        const Command push = parse_command(
            R"({"type": "set_force", "body": "bar", "force": [0, 0, 0.01], "point": [1, 0, 0]})");
        if (is_timeline) given.timeline.push_back({0, push});
        World world(given);
        if (!is_timeline) world.apply(push);
        for (int k = 0; k < 10; ++k) ASSERT_TRUE(world.step().ok);
        const BodyId id = world.find_body("bar");
        EXPECT_NEAR(world.velocity(id).z, 0.01 * 0.1 / 3, 1e-15);
        const double moment = 3.0 / 12 * (4 + 0.2 * 0.2);
        EXPECT_NEAR(world.angular_velocity(id).y, -0.01 * 0.1 / moment, 1e-6 * 0.01 * 0.1 / moment);
    }
    World world(scene);
    EXPECT_THROW(world.apply(SetForce{.body = "bar", .point = Vec3{0, 0, std::nan("")}}), InputError);
}

TEST(Access, a_command_before_every_step_and_a_run_until_a_time) {
    Scene scene;
    scene.settings.dt = 0.01;
    scene.settings.duration = 5;
    scene.bodies.push_back(bar("bar"));
    World world(scene);
    const BodyId id = world.find_body("bar");
    int calls = 0;
    RunOptions options;
    options.until = 0.5;
    options.before_step = [&](World& w) {
        EXPECT_EQ(w.steps(), calls++);
        w.apply(SetForce{.body = "bar", .force = {0, 9.81 * w.mass(id), 0}});
    };
    const RunSummary summary = run(world, options);
    EXPECT_EQ(calls, 50);
    EXPECT_EQ(summary.steps, 50);
    EXPECT_NEAR(world.time(), 0.5, 1e-12);
    EXPECT_NEAR(world.pose(id).position.y, 0, 1e-12);
    options.before_step = {};
    EXPECT_EQ(run(world, options).steps, 0);  // it is there already
}

}  // namespace
}  // namespace impuls::access
