// Joints of a running world: commands, breaking, checkpoints, quantities, frames in recordings.
#include <algorithm>

#include "impuls/quantity.h"
#include "impuls/scene_file.h"
#include "spec/joint_fixture.h"
#include "spec/joint_world.h"

namespace impuls {
namespace {

SetAxis axis_command(const std::string& axis) {
    SetAxis c;
    c.joint = "j", c.axis = axis;
    return c;
}

std::string refusal(World& world, const Command& command) {
    try {
        world.apply(command);
    } catch (const InputError& error) {
        return error.what();
    }
    return {};
}

TEST(JointCommands, AxisIsChangedWhileRunning) {
    World world(on_hinge({}, 0.01));
    SetAxis motor = axis_command("turn");
    motor.speed = 2;
    world.apply(motor);
    step(world, 100);
    EXPECT_NEAR(axis_of(world).velocity, 2, 1e-12);
    EXPECT_NEAR(axis_of(world).position, 2, 0.02);
    SetAxis limit = axis_command("turn");
    limit.upper = 3, limit.max_force = 0.5;
    world.apply(limit);
    step(world, 100);
    EXPECT_NEAR(axis_of(world).position, 3, 1e-9);  // the motor goes on pushing
    EXPECT_NEAR(axis_of(world).force, 0, 1e-9);
    SetAxis free = axis_command("turn");
    free.clear = true;
    world.apply(free);
    world.apply(ApplyImpulse{"b", {}, {0, 0, 1}, {}});
    step(world, 100);
    EXPECT_NEAR(axis_of(world).velocity, 1, 1e-12);
    EXPECT_NEAR(axis_of(world).position, 4, 1e-9);
}

TEST(JointCommands, BadAxesAreRefusedWhole) {
    AxisDesc axis;
    axis.lower = -1;
    World world(on_hinge(axis, 0.01));
    step(world);
    const auto hash = world.state_hash();
    SetAxis c = axis_command("trun");
    c.speed = 1;
    EXPECT_NE(refusal(world, c).find("did you mean 'turn'"), std::string::npos) << refusal(world, c);
    c = axis_command("turn");
    c.joint = "k";
    EXPECT_NE(refusal(world, c).find("no joint 'k'"), std::string::npos);
    c = axis_command("turn");
    c.upper = -2, c.speed = 1;
    EXPECT_NE(refusal(world, c).find("upper"), std::string::npos) << refusal(world, c);
    c = axis_command("turn");
    c.restitution = 2, c.speed = 1;
    EXPECT_NE(refusal(world, c).find("restitution"), std::string::npos) << refusal(world, c);
    c = axis_command("turn");
    c.speed = 1, c.target = 1;
    EXPECT_FALSE(refusal(world, c).empty());
    c = axis_command("turn");
    c.stiffness = std::numeric_limits<double>::infinity();
    EXPECT_FALSE(refusal(world, c).empty());
    EXPECT_NE(refusal(world, SetJoint{"k", true}).find("no joint 'k'"), std::string::npos);
    EXPECT_EQ(world.state_hash(), hash);
    EXPECT_TRUE(world.warnings().empty());
}

TEST(JointCommands, ScenesAreCheckedToo) {
    const auto problem = [](const std::string& joint, const std::string& timeline = "") {
        try {
            parse_scene(
                R"({"impuls": 1, "bodies": [{"name": "b", "shape": {"type": "sphere"}}], "joints": [)" +
                joint + "], \"timeline\": [" + timeline + "]}");
        } catch (const InputError& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    const std::string hinge = R"({"name": "j", "type": "hinge", "b": "b")";
    EXPECT_EQ(problem(hinge + R"(, "turn": {"lower": -1, "upper": 2, "speed": 3}})"), "");
    EXPECT_NE(problem(hinge + R"(, "turn": {"lower": 3, "upper": 2}})").find("below lower"),
              std::string::npos);
    EXPECT_NE(problem(hinge + R"(, "axis": [0, 0, 0]})").find("length zero"), std::string::npos);
    EXPECT_NE(problem(hinge + R"(, "turn": {"friction": -1}})").find("friction"), std::string::npos);
    EXPECT_NE(problem(hinge + R"(, "frame": "b"})").find("frame"), std::string::npos);
    EXPECT_NE(problem(hinge + R"(, "turn": {"stifness": 1}})").find("did you mean 'stiffness'"),
              std::string::npos);
    const auto of_kind = [&](const std::string& fields) {
        return problem(R"({"b": "b", "type": )" + fields + "}");
    };
    const auto says = [](const std::string& text, const char* part) {
        return text.find(part) != std::string::npos;
    };
    EXPECT_EQ(of_kind(R"("rotation_1", "axis_a": [1, 0, 0], "axis_b": [1, 1, 0])"), "");
    EXPECT_TRUE(says(of_kind(R"("rotation_1", "axis_a": [1, 0, 0], "axis_b": [1, 0, 0])"), "parallel"));
    EXPECT_EQ(of_kind(R"("rail", "points": [[0, 0, 0], [1, 0, 0]])"), "");
    EXPECT_TRUE(says(of_kind(R"("rail", "points": [[0, 0, 0], [1, 0, 0]], "closed": true)"), "at least 3"));
    EXPECT_TRUE(says(of_kind(R"("rail", "points": [])"), "at least 2"));
    EXPECT_TRUE(says(of_kind(R"("rail", "points": [[0, 0, 0], [1, 0, 0], [1, 0, 0]])"), "again"));
    EXPECT_TRUE(says(of_kind(R"("point_on_ellipsoid", "radius_x": 1)"), "at least two"));
    EXPECT_TRUE(says(of_kind(R"("point_on_torus", "radius": 1, "tube": 2)"), "not below radius"));
    EXPECT_TRUE(says(of_kind(R"("follower")"), "max_force or max_torque"));
    EXPECT_TRUE(says(of_kind(R"("drag")"), "max_force"));
    EXPECT_EQ(problem(hinge + "}", R"({"time": 1, "type": "set_axis", "joint": "j", "axis": "turn"})"), "");
    EXPECT_NE(problem(hinge + "}", R"({"time": 1, "type": "set_axis", "joint": "j", "axis": "tur"})")
                  .find("did you mean 'turn'"),
              std::string::npos);
    EXPECT_NE(problem(hinge + "}", R"({"time": 1, "type": "set_joint", "joint": "i"})").find("unknown joint"),
              std::string::npos);
}

TEST(JointCommands, DisabledJointsHoldNothing) {
    Scene scene = on_slider({}, 0.01);
    scene.settings.gravity = {0, -10, 0};
    World world(scene);
    step(world, 10);
    EXPECT_NEAR(world.frame().joints[0].force.y, 10, 1e-9);
    world.apply(SetJoint{"j", false});
    step(world, 100);
    EXPECT_NEAR(world.pose(world.find_body("b")).position.y, -5, 1e-9);
    EXPECT_EQ(world.frame().joints[0].force, Vec3{});
    EXPECT_EQ(world.frame().max_joint_error, 0);
    world.apply(SetJoint{"j", true});
    step(world, 200);
    EXPECT_LT(world.frame().max_joint_error, 1e-9);
}

// 3 kg hang on a joint that bears 40 N: one more kilogram's pull and it breaks.
Scene breakable() {
    Scene scene = joint_scene(0.01, {0, -10, 0});
    scene.bodies.push_back(block("b", {}, 3, 0.1));
    JointDesc joint = joint_of("j", "", "b", BallJoint{});
    joint.break_force = 40;
    scene.joints.push_back(joint);
    scene.timeline.push_back({0.5, SetForce{"b", {0, -9, 0}, {}}});
    scene.timeline.push_back({1, SetForce{"b", {0, -11, 0}, {}}});
    return scene;
}

TEST(JointBreak, JointIsGoneFromTheNextStepOn) {
    World world(breakable());
    step(world, 100);
    EXPECT_NEAR(world.frame().joints[0].force.y, 39, 1e-9);
    EXPECT_TRUE(world.frame().events.empty());
    step(world);  // the step with 41 N
    ASSERT_EQ(world.frame().events.size(), 1u);
    const Event event = world.frame().events[0];
    EXPECT_EQ(event.kind, EventKind::JointBreak);
    EXPECT_EQ(event.joint, 0u);
    EXPECT_EQ(event.b, 0u);
    EXPECT_EQ(event.a, kNoBody);
    EXPECT_NEAR(world.frame().joints[0].force.y, 41, 1e-9);
    EXPECT_NEAR(world.pose(world.find_body("b")).position.y, 0, 1e-12);
    step(world, 100);
    EXPECT_NEAR(world.pose(world.find_body("b")).position.y, -0.5 * (10 + 11.0 / 3), 1e-9);
    EXPECT_TRUE(world.frame().events.empty());
    EXPECT_EQ(world.frame().joints[0].force, Vec3{});
    world.apply(SetJoint{"j", true});  // what is broken stays broken
    step(world, 10);
    EXPECT_EQ(world.frame().joints[0].force, Vec3{});
}

TEST(JointBreak, TorqueBreaksToo) {
    Scene scene = joint_scene(0.01, {0, -10, 0});
    scene.bodies.push_back(block("b", {1, 0, 0}, 2, 0.1));
    JointDesc joint = joint_of("j", "", "b", FixedJoint{});
    joint.break_torque = 21;
    scene.joints.push_back(joint);
    World world(scene);
    step(world, 50);
    EXPECT_NEAR(world.frame().joints[0].torque.z, 20, 1e-6);
    world.apply(SetForce{"b", {}, {0, 0, -2}});
    step(world, 50);
    EXPECT_LT(world.pose(world.find_body("b")).position.y, -0.5);
}

// A world restored before, at and after the break goes on bit for bit; so do angles, axes and switches.
TEST(JointBreak, SurvivesCheckpoints) {
    for (const int at : {50, 101, 150}) {
        World world(breakable()), other(breakable());
        step(world, at);
        other.restore(world.checkpoint());
        EXPECT_EQ(world.state_hash(), other.state_hash());
        for (int k = 0; k < 100; ++k) {
            step(world), step(other);
            ASSERT_EQ(world.state_hash(), other.state_hash()) << at << " " << k;
            ASSERT_EQ(world.frame().events, other.frame().events);
        }
    }
}

// Every kind with everything acting along every axis.
Scene all_busy() {
    Scene scene = joint_scene(0.01, {0, -3, 0});
    int count = 0;
    for (JointCase c : joint_cases()) {
        const std::string n = std::to_string(count++);
        visit_axes(c.joint, [](const char*, AxisDesc& axis) { axis = busy_axis(); });
        scene.bodies.push_back(block("a" + n, {0, 0, 0}, 1, 0.1));
        scene.bodies.push_back(block("b" + n, {1, 0.2, -0.3}, 2, 0.2));
        scene.bodies.push_back(block("c" + n, {0.3, 1.5, 0.2}, 3, 0.3));
        scene.joints.push_back(joint_of(c.name, "a" + n, "b" + n, c.joint, c.has_frame ? "c" + n : ""));
        // Wheels run in bearings.
        const auto bearing = [&](const char* wheel, const Vec3& at, const Vec3& axis) {
            scene.joints.push_back(
                joint_of(c.name + " bearing of " + wheel, "c" + n, wheel + n, HingeJoint{at, axis, {}}));
        };
        if (const auto* gear = std::get_if<GearJoint>(&c.joint)) {
            bearing("a", {0, 0, 0}, gear->axis_a);
            bearing("b", {1, 0.2, -0.3}, gear->axis_b);
        }
        if (const auto* rack = std::get_if<RackAndPinionJoint>(&c.joint)) bearing("a", {0, 0, 0}, rack->axis);
    }
    return scene;
}

TEST(JointState, CheckpointsHoldAnglesAxesAndSwitches) {
    const Scene scene = all_busy();
    World world(scene);
    step(world, 30);
    SetAxis c;
    c.joint = "hinge", c.axis = "turn", c.clear = true, c.speed = 40;
    world.apply(c);
    world.apply(SetJoint{"slider", false});
    step(world, 60);
    World other(scene);
    other.restore(world.checkpoint());
    for (int k = 0; k < 50; ++k) {
        ASSERT_EQ(world.state_hash(), other.state_hash()) << k;
        step(world), step(other);
        ASSERT_EQ(world.frame().axes, other.frame().axes);
    }
}

TEST(JointState, ThreadsDoNotMatter) {
    const Scene scene = all_busy();
    World one(scene), more(scene, std::make_shared<Executor>(3));
    for (int k = 0; k < 50; ++k) {
        step(one), step(more);
        ASSERT_EQ(one.state_hash(), more.state_hash()) << k;
    }
}

// Scenes with every joint survive writing and reading.
TEST(JointState, ScenesAreWrittenAndRead) {
    const Scene scene = all_busy();
    const Scene again = parse_scene(to_json(scene));
    EXPECT_EQ(to_json(again), to_json(scene));
    World a(scene), b(again);
    step(a, 5), step(b, 5);
    EXPECT_EQ(a.state_hash(), b.state_hash());
}

TEST(JointQuantities, AxesByName) {
    Scene scene = on_hinge({}, 0.01);
    scene.joints[0].name = "front.door";
    CylindricalJoint joint{{5, 0, 0}, {1, 0, 0}, {}, {}};
    joint.turn.friction = 0.25;
    BodyDesc body = block("c", {5, 0, 0}, 1, 1);
    body.velocity = {2, 0, 0}, body.angular_velocity = {3, 0, 0};
    scene.bodies.push_back(body);
    scene.bodies[0].angular_velocity = {0, 0, 1};
    scene.joints.push_back(joint_of("bolt", "", "c", joint));
    World world(scene);
    step(world, 100);
    const auto value = [&](const std::string& name) {
        const Quantity quantity = find_quantity(name, *world.structure());
        double number = 0;
        quantity.read(world.frame(), &number);
        return number;
    };
    EXPECT_NEAR(value("joints.front.door.turn.position"), 1, 1e-9);
    EXPECT_NEAR(value("joints.front.door.turn.velocity"), 1, 1e-9);
    EXPECT_NEAR(value("joints.bolt.slide.position"), 2, 1e-9);
    EXPECT_NEAR(value("joints.bolt.turn.velocity"), 2.75, 1e-9);
    EXPECT_NEAR(value("joints.bolt.turn.force"), -0.25, 1e-9);
    const auto problem = [&](const std::string& name) {
        try {
            find_quantity(name, *world.structure());
        } catch (const InputError& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    EXPECT_NE(problem("joints.bolt.turn.positon").find("turn.position"), std::string::npos)
        << problem("joints.bolt.turn.positon");
    EXPECT_NE(problem("joints.bolt.steer.position"), "");
}

}  // namespace
}  // namespace impuls
