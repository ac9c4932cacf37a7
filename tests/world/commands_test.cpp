// Every command against the mechanics it stands for; bad ones are refused.
#include <gtest/gtest.h>

#include "impuls/world.h"
#include "mixed_scene.h"

namespace impuls {
namespace {

BodyDesc ball(const std::string& name, const Vec3& at) {
    BodyDesc b;
    b.name = name, b.shape = Sphere{0.5}, b.mass = 2, b.position = at;
    return b;
}

Scene two_balls() {
    Scene scene;
    scene.settings.gravity = {};
    scene.bodies = {ball("a", {0, 0, 0}), ball("b", {5, 0, 0})};
    return scene;
}

TEST(Commands, impulse_changes_momentum_exactly) {
    World world(two_balls());
    world.apply(ApplyImpulse{"a", {2, 4, 0}, {}, {}});
    world.step();
    EXPECT_EQ(world.velocity(world.find_body("a")), (Vec3{1, 2, 0}));
    EXPECT_EQ(world.frame().linear_momentum, (Vec3{2, 4, 0}));
}

// Off-centre: angular impulse r x p, and the ball's inertia is 2/5 m r^2.
TEST(Commands, impulse_at_a_point_turns_the_body) {
    World world(two_balls());
    world.apply(ApplyImpulse{"a", {0, 1, 0}, {}, Vec3{0.5, 0, 0}});
    world.step();
    EXPECT_NEAR(world.angular_velocity(world.find_body("a")).z, 0.5 * 1 / (0.4 * 2 * 0.25), 1e-15);
}

TEST(Commands, force_is_held_until_set_again) {
    World world(two_balls());
    world.apply(SetForce{"a", {4, 0, 0}, {}});
    for (int k = 0; k < 100; ++k) world.step();
    EXPECT_NEAR(world.velocity(world.find_body("a")).x, 4.0 / 2 * 1, 1e-12);
    EXPECT_NEAR(world.pose(world.find_body("a")).position.x, 0.5 * 2 * 1, 1e-12);
    world.apply(SetForce{"a", {}, {}});
    for (int k = 0; k < 100; ++k) world.step();
    EXPECT_NEAR(world.velocity(world.find_body("a")).x, 2, 1e-12);
}

TEST(Commands, torque_spins_up) {
    World world(two_balls());
    world.apply(SetForce{"a", {}, {0, 0.2, 0}});
    for (int k = 0; k < 100; ++k) world.step();
    EXPECT_NEAR(world.angular_velocity(world.find_body("a")).y, 0.2 / (0.4 * 2 * 0.25) * 1, 1e-12);
}

TEST(Commands, removed_body_takes_its_joints_and_its_id_along) {
    World world(mixed_scene(1, false));
    const BodyId link = world.find_body("link4"), other = world.find_body("link2");
    const std::size_t before = world.body_count();
    world.apply(Remove{.bodies = {"link4"}});
    world.step();
    EXPECT_EQ(world.body_count(), before - 1);
    EXPECT_FALSE(world.find_joint("joint4"));
    EXPECT_TRUE(world.find_joint("joint3"));
    EXPECT_THROW(world.pose(link), InputError);
    EXPECT_NO_THROW(world.pose(other));
    world.apply(Put{.bodies = {ball("new", {0, 50, 0})}});
    world.step();
    EXPECT_THROW(world.pose(link), InputError) << "a new body in the old slot is not the old body";
    EXPECT_EQ(world.find_body("new").index, link.index);
}

TEST(Commands, bad_ones_are_refused_at_once_and_change_nothing) {
    World world(two_balls());
    const auto hash = world.state_hash();
    EXPECT_THROW(world.apply(Remove{.bodies = {"c"}}), InputError);
    EXPECT_THROW(world.apply(Remove{}), InputError);
    EXPECT_THROW(world.apply(Put{}), InputError);
    EXPECT_THROW(world.apply(Put{.bodies = {ball("", {})}}), InputError) << "it needs a name";
    EXPECT_THROW(world.apply(Put{.bodies = {ball("d", {}), ball("d", {})}}), InputError);
    EXPECT_THROW(world.apply(ApplyImpulse{"a", {std::nan(""), 0, 0}, {}, {}}), InputError);
    BodyDesc negative = ball("n", {});
    negative.mass = -1;
    EXPECT_THROW(world.apply(Put{.bodies = {negative}}), InputError);
    BodyDesc foreign = ball("f", {});
    foreign.material = "unobtainium";
    EXPECT_THROW(world.apply(Put{.bodies = {foreign}}), InputError);
    JointDesc joint;
    joint.b = "nobody";
    EXPECT_THROW(world.apply(Put{.joints = {joint}}), InputError);
    EXPECT_THROW(world.apply(Put{.materials = {{.name = "heavy", .density = -1}}}), InputError);
    EXPECT_THROW(world.apply(Remove{.materials = {"default"}}), InputError) << "the balls are of it";
    EXPECT_THROW(world.apply(Remove{.contacts = {{"default", "default"}}}), InputError);
    EXPECT_THROW(world.apply(Drag{.body = "a"}), InputError) << "nothing holds it";
    EXPECT_THROW(world.apply(Drag{.body = "a", .target = Vec3{}, .lag = -1}), InputError);
    try {
        world.apply(Remove{.bodies = {"bb"}});
        FAIL();
    } catch (const InputError& e) {
        EXPECT_NE(std::string(e.what()).find("did you mean"), std::string::npos) << e.what();
    }
    EXPECT_EQ(world.state_hash(), hash);
}

// A command of the timeline whose body is gone by then is skipped with a warning.
TEST(Commands, that_no_longer_apply_are_skipped_with_a_warning) {
    Scene scene = two_balls();
    scene.timeline.push_back({0.05, SetForce{"a", {1, 0, 0}, {}}});
    World world(scene);
    world.apply(Remove{.bodies = {"a"}});
    for (int k = 0; k < 10; ++k) ASSERT_TRUE(world.step().ok);
    EXPECT_EQ(world.body_count(), 1u);
    ASSERT_EQ(world.warnings().size(), 1u);
    EXPECT_EQ(world.warnings()[0].kind, WarningKind::CommandSkipped);
}

JointDesc ball_joint(const std::string& name, const std::string& a, const std::string& b) {
    JointDesc joint;
    joint.name = name, joint.a = a, joint.b = b;
    joint.joint = BallJoint{{2.5, 0, 0}};
    return joint;
}

TEST(Commands, pending_ones_see_what_those_before_them_add) {
    World world(two_balls());
    world.apply(Put{.bodies = {ball("c", {0, 5, 0})}});
    world.apply(ApplyImpulse{"c", {2, 0, 0}, {}, {}});
    world.apply(Put{.joints = {ball_joint("j", "c", "a")}});
    world.apply(SetJoint{"j", false});
    EXPECT_THROW(world.apply(Put{.joints = {ball_joint("k", "a", "nobody")}}), InputError);
    BodyDesc wall = ball("wall", {0, -9, 0});
    wall.kind = BodyKind::Static, wall.mass = {};
    world.apply(Put{.bodies = {wall}});
    EXPECT_THROW(world.apply(SetBody{.body = "wall", .velocity = Vec3{1, 0, 0}}), InputError)
        << "it is static";
    ASSERT_TRUE(world.step().ok);
    EXPECT_EQ(world.body_count(), 4u);
    EXPECT_DOUBLE_EQ(world.velocity(world.find_body("c")).x, 1) << "2 N s on 2 kg; the joint is off";
    EXPECT_TRUE(world.find_joint("j"));
    EXPECT_TRUE(world.warnings().empty());
}

TEST(Commands, pending_ones_do_not_see_what_those_before_them_remove) {
    Scene scene = two_balls();
    scene.joints.push_back(ball_joint("j", "a", "b"));
    World world(scene);
    world.apply(Remove{.bodies = {"a"}});
    EXPECT_THROW(world.apply(Remove{.bodies = {"a"}}), InputError);
    EXPECT_THROW(world.apply(SetForce{"a", {1, 0, 0}, {}}), InputError);
    EXPECT_THROW(world.apply(Remove{.joints = {"j"}}), InputError) << "it went with its body";
    EXPECT_THROW(world.apply(Put{.joints = {ball_joint("k", "a", "b")}}), InputError);
    world.apply(Put{.bodies = {ball("a", {0, 7, 0})}});  // the name is free again
    EXPECT_THROW(world.apply(SetJoint{"j", true}), InputError) << "but the joint does not come back";
    world.apply(SetForce{"a", {2, 0, 0}, {}});
    ASSERT_TRUE(world.step().ok);
    EXPECT_EQ(world.body_count(), 2u);
    EXPECT_EQ(world.frame().joints.size(), 0u);
    EXPECT_DOUBLE_EQ(world.velocity(world.find_body("a")).x, world.dt()) << "1 m/s^2 for a step";
    EXPECT_TRUE(world.warnings().empty());
    world.apply(Remove{.bodies = {"a"}});  // what was pending is done
}

TEST(Commands, pending_ones_see_axes_and_the_timeline) {
    Scene scene = two_balls();
    JointDesc hinge;
    hinge.name = "h", hinge.a = "a", hinge.b = "b";
    hinge.joint = HingeJoint{};
    scene.joints.push_back(hinge);
    scene.timeline.push_back({0, Put{.bodies = {ball("late", {0, 30, 0})}}});
    World world(scene);
    world.apply(SetForce{"late", {1, 0, 0}, {}});  // the timeline adds it at the start of this very step
    world.apply(SetAxis{.joint = "h", .axis = "turn", .lower = -1});
    EXPECT_THROW(world.apply(SetAxis{.joint = "h", .axis = "turn", .upper = -2}), InputError)
        << "below the lower limit that is to come";
    ASSERT_TRUE(world.step().ok);
    EXPECT_TRUE(world.warnings().empty());
    EXPECT_GT(world.velocity(world.find_body("late")).x, 0);
}

TEST(Commands, pending_ones_of_a_checkpoint_count_too) {
    World world(two_balls());
    world.apply(Remove{.bodies = {"a"}});
    const auto checkpoint = world.checkpoint();
    World other(two_balls());
    other.restore(checkpoint);
    EXPECT_THROW(other.apply(SetForce{"a", {1, 0, 0}, {}}), InputError);
    other.apply(Put{.bodies = {ball("a", {0, 7, 0})}});
    ASSERT_TRUE(other.step().ok);
    EXPECT_EQ(other.body_count(), 2u);
}

TEST(Commands, added_joint_holds) {
    Scene scene = two_balls();
    scene.settings.gravity = {0, -9.81, 0};
    World world(scene);
    JointDesc joint;
    joint.name = "j", joint.a = "a", joint.b = "b";
    joint.joint = BallJoint{{2.5, 0, 0}};
    world.apply(Put{.joints = {joint}});
    world.apply(ApplyImpulse{"b", {0, 0, 6}, {}, {}});
    for (int k = 0; k < 200; ++k) world.step();
    EXPECT_LT(world.frame().max_joint_error, 1e-4);
    EXPECT_NEAR(length(world.pose(world.find_body("a")).position - world.pose(world.find_body("b")).position),
                5, 5);
    EXPECT_NEAR(world.frame().linear_momentum.z, 6, 1e-12);
    world.apply(Remove{.joints = {"j"}});
    world.step();
    EXPECT_EQ(world.frame().joints.size(), 0u);
}

TEST(Commands, set_material_changes_contacts) {
    Scene scene;
    scene.materials = {{.name = "ice", .density = 1000, .friction = 0, .restitution = 0, .color = {}}};
    BodyDesc ground;
    ground.name = "ground", ground.kind = BodyKind::Static, ground.shape = Plane{}, ground.material = "ice";
    BodyDesc box;
    box.name = "box", box.shape = Box{}, box.position = {0, 0.5, 0}, box.velocity = {3, 0, 0},
    box.material = "ice";
    scene.bodies = {ground, box};
    World world(scene);
    for (int k = 0; k < 50; ++k) world.step();
    EXPECT_NEAR(world.velocity(world.find_body("box")).x, 3, 1e-12);
    world.apply(
        Put{.materials = {{.name = "ice", .density = 1000, .friction = 1, .restitution = 0, .color = {}}}});
    for (int k = 0; k < 100; ++k) world.step();
    EXPECT_NEAR(world.velocity(world.find_body("box")).x, 0, 1e-12);
}

// The entry for a pair replaces what follows from both materials, and can be changed while running.
TEST(Commands, set_contact_changes_one_pair) {
    Scene scene;
    scene.materials = {{.name = "ice", .friction = 0}, {.name = "wood", .friction = 0.5}};
    BodyDesc ground, box;
    ground.name = "ground", ground.kind = BodyKind::Static, ground.shape = Plane{}, ground.material = "ice";
    box.shape = Box{}, box.velocity = {3, 0, 0};
    box.name = "icy", box.material = "ice", box.position = {0, 0.5, 0};
    scene.bodies = {ground, box};
    box.name = "wooden", box.material = "wood", box.position = {0, 0.5, 3};
    scene.bodies.push_back(box);
    World world(scene);
    const auto speed = [&](const char* name) { return world.velocity(world.find_body(name)).x; };
    for (int k = 0; k < 20; ++k) world.step();
    EXPECT_NEAR(speed("wooden"), 3, 1e-12);
    ContactDesc contact;
    contact.a = "wood", contact.b = "ice", contact.friction = 0.4;
    world.apply(Put{.contacts = {contact}});
    for (int k = 0; k < 20; ++k) world.step();
    EXPECT_NEAR(speed("wooden"), 3 - 0.4 * 9.81 * 0.2, 1e-6);
    EXPECT_NEAR(speed("icy"), 3, 1e-12);
    const auto checkpoint = world.checkpoint();
    std::swap(contact.a, contact.b), contact.friction = 0.1;  // the same pair
    world.apply(Put{.contacts = {contact}});
    for (int k = 0; k < 20; ++k) world.step();
    EXPECT_NEAR(speed("wooden"), 3 - 0.5 * 9.81 * 0.2, 1e-6);
    EXPECT_EQ(world.structure()->contacts.size(), 1u);
    world.restore(checkpoint);
    for (int k = 0; k < 20; ++k) world.step();
    EXPECT_NEAR(speed("wooden"), 3 - 0.8 * 9.81 * 0.2, 1e-6);
    contact.b = "woood";
    EXPECT_THROW(world.apply(Put{.contacts = {contact}}), InputError);
    contact.b = "wood", contact.restitution = 2;
    EXPECT_THROW(world.apply(Put{.contacts = {contact}}), InputError);
}

// A belt that is switched on, and a checkpoint that knows it.
TEST(Commands, set_body_sets_the_surface_running) {
    Scene scene;
    scene.materials = {{.name = "rubber", .friction = 0.5}};
    BodyDesc belt, box;
    belt.name = "belt", belt.kind = BodyKind::Static, belt.shape = Box{{20, 1, 4}}, belt.material = "rubber";
    box.name = "box", box.shape = Box{}, box.position = {0, 1, 0}, box.material = "rubber";
    scene.bodies = {belt, box};
    scene.settings.method.sleep = Switch::On;  // the command wakes what lies there
    World world(scene);
    const auto speed = [&] { return world.velocity(world.find_body("box")).x; };
    for (int k = 0; k < 50; ++k) world.step();
    EXPECT_NEAR(speed(), 0, 1e-12);
    SetBody run;
    run.body = "belt", run.surface_velocity = Vec3{1, 0, 0};
    world.apply(run);
    for (int k = 0; k < 10; ++k) world.step();
    EXPECT_NEAR(speed(), 0.5 * 9.81 * 0.1, 1e-6);
    EXPECT_EQ(world.structure()->bodies[0].surface_velocity, (Vec3{1, 0, 0}));
    const auto checkpoint = world.checkpoint();
    for (int k = 0; k < 100; ++k) world.step();
    EXPECT_NEAR(speed(), 1, 1e-9);
    const auto hash = world.state_hash();
    World other(scene);
    other.restore(checkpoint);
    for (int k = 0; k < 100; ++k) other.step();
    EXPECT_EQ(other.state_hash(), hash);
    run.surface_velocity = Vec3{std::nan(""), 0, 0};
    EXPECT_THROW(world.apply(run), InputError);
}

TEST(Commands, non_finite_state_stops_the_world_and_names_the_body) {
    World world(two_balls());
    world.step();
    const auto hash = world.state_hash();
    world.apply(SetBody{"b", Vec3{1e308, 0, 0}, {}, Vec3{1e308, 0, 0}, {}, {}});
    StepStatus status;
    for (int k = 0; k < 400 && status.ok; ++k) status = world.step();
    EXPECT_FALSE(status.ok);
    EXPECT_NE(status.message.find("'b'"), std::string::npos) << status.message;
    const auto steps = world.steps();
    EXPECT_FALSE(world.step().ok);
    EXPECT_EQ(world.steps(), steps);
    EXPECT_NE(world.state_hash(), hash);
    EXPECT_TRUE(is_finite(world.pose(world.find_body("b")).position)) << "the last good state stays";
}

}  // namespace
}  // namespace impuls
