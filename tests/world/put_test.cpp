// Putting, removing and replacing what has a name in a running world; batches; other methods and settings;
// the hand. The work of commands is counted: it grows with what they change, not with what is there.
#include <gtest/gtest.h>

#include <cmath>

#include "commands/check.h"
#include "impuls/scene_file.h"
#include "impuls/world.h"
#include "support/full_size.h"
#include "world/state.h"

namespace impuls {
namespace {

BodyDesc marble(const std::string& name, const Vec3& at, double radius = 0.5) {
    BodyDesc b;
    b.name = name, b.shape = Sphere{radius}, b.mass = 2, b.position = at;
    return b;
}

Scene marbles() {
    Scene scene;
    scene.settings.gravity = {};
    scene.bodies = {marble("a", {0, 0, 0}), marble("b", {5, 0, 0})};
    scene.bodies[0].velocity = {1, 0, 0};
    return scene;
}

void step(World& world, int count) {
    for (int k = 0; k < count; ++k) ASSERT_TRUE(world.step().ok);
}

// The same impulse after the mass was doubled gives half the velocity; pose, velocity and id stay.
TEST(Put, a_body_keeps_pose_and_velocity) {
    World world(marbles());
    step(world, 50);
    const BodyId a = world.find_body("a");
    const Pose before = world.pose(a);
    BodyDesc heavy = marble("a", {9, 9, 9});
    heavy.mass = 4;
    world.apply(Put{.bodies = {heavy}});
    world.apply(ApplyImpulse{"a", {0, 4, 0}, {}, {}});
    step(world, 1);
    EXPECT_EQ(world.find_body("a"), a);
    EXPECT_EQ(world.mass(a), 4);
    EXPECT_EQ(world.velocity(a), (Vec3{1, 1, 0}));
    EXPECT_NEAR(length(world.pose(a).position - before.position - Vec3{0.01, 0.01, 0}), 0, 1e-15);
    EXPECT_EQ(world.structure()->bodies[0].position, (Vec3{})) << "where it began";
    world.apply(Put{.bodies = {marble("a", {9, 9, 9})}, .move = true});
    step(world, 1);
    EXPECT_EQ(world.pose(a).position, (Vec3{9, 9, 9}));
    EXPECT_EQ(world.velocity(a), (Vec3{}));
}

// A spinning bar whose centre of mass moves by s along it: the bar stays where it is, and the new centre
// moves as that point of the bar did, with w x s.
TEST(Put, a_new_centre_of_mass_moves_as_the_body_did) {
    Scene scene = marbles();
    scene.bodies[0].shape = Box{{2, 0.2, 0.2}};
    scene.bodies[0].velocity = {};
    scene.bodies[0].angular_velocity = {0, 0, 3};
    World world(scene);
    BodyDesc bar = scene.bodies[0];
    bar.center_of_mass = Vec3{0.5, 0, 0};
    world.apply(Put{.bodies = {bar}});
    world.apply(SetForce{"a", {}, {}});
    const auto x = world.frame().positions[0];
    step(world, 1);
    EXPECT_NEAR(length(world.frame().velocities[0] - Vec3{0, 1.5, 0}), 0, 1e-14);
    EXPECT_NEAR(length(world.frame().positions[0] - x), 0, 0.01 * 3 * 0.5 * 1.01);
}

// A hinge goes on holding a door whose shape is another one.
TEST(Put, joints_hold_what_was_replaced) {
    Scene scene = marbles();
    scene.settings.gravity = {0, -9.81, 0};
    JointDesc joint;
    joint.name = "pin", joint.b = "b", joint.joint = BallJoint{{4, 0, 0}};
    scene.joints = {joint};
    World world(scene);
    step(world, 20);
    BodyDesc other = marble("b", {});
    other.shape = Box{{1, 0.5, 0.25}};
    other.center_of_mass = Vec3{0.1, 0.2, 0.3};
    world.apply(Put{.bodies = {other}});
    step(world, 100);
    EXPECT_LT(world.frame().max_joint_error, 1e-5);
    EXPECT_TRUE(world.find_joint("pin"));
    EXPECT_NEAR(length(world.pose(world.find_body("b")) * Vec3{-1, 0, 0} - Vec3{4, 0, 0}), 0, 1e-5);
}

// A ball on the floor that grows is pushed up until it rests on its new radius.
TEST(Put, another_shape_touches_at_once) {
    Scene scene;
    BodyDesc floor;
    floor.name = "floor", floor.kind = BodyKind::Static, floor.shape = Plane{};
    scene.bodies = {floor, marble("ball", {0, 0.5, 0})};
    for (const char* sleep : {"default+sleep=off", "default+sleep=on"}) {
        scene.settings.method = parse_method(sleep);
        World world(scene);
        step(world, 100);
        world.apply(Put{.bodies = {marble("ball", {}, 0.6)}});
        step(world, 200);
        EXPECT_NEAR(world.pose(world.find_body("ball")).position.y, 0.6, 2e-3) << sleep;
        const auto checkpoint = world.checkpoint();
        World other(scene);
        other.restore(checkpoint);
        EXPECT_EQ(other.state_hash(), world.state_hash());
        step(world, 20);
        step(other, 20);
        EXPECT_EQ(other.state_hash(), world.state_hash()) << sleep;
    }
}

TEST(Put, takes_a_part_of_a_scene_at_once) {
    World world(marbles());
    BodyDesc c = marble("c", {0, 9, 0});
    c.material = "hard steel";
    c.mass.reset();
    JointDesc joint;
    joint.name = "j", joint.a = "a", joint.b = "c", joint.joint = BallJoint{{0, 4, 0}};
    ForceDesc force;
    force.name = "f", force.b = "c", force.force = ConstantForce{{0, 9, 0}, {3, 0, 0}};
    world.apply(Put{.materials = {{.name = "hard steel", .density = 7800}},
                    .contacts = {{.a = "hard steel", .b = "default", .friction = 0.1}},
                    .bodies = {c},
                    .joints = {joint},
                    .forces = {force}});
    step(world, 1);
    EXPECT_NEAR(world.mass(world.find_body("c")), 7800 * 4.0 / 3 * 3.14159265358979 * 0.125, 1e-8);
    EXPECT_EQ(world.structure()->forces.size(), 1u);
    EXPECT_THROW(world.apply(Remove{.materials = {"hard steel"}}), InputError) << "c is of it";
    world.apply(Remove{.bodies = {"c"}, .contacts = {{"default", "hard steel"}}});
    step(world, 1);
    world.apply(Remove{.materials = {"hard steel"}});
    step(world, 1);
    EXPECT_TRUE(world.structure()->joints.empty());
    EXPECT_TRUE(world.structure()->forces.empty());
    EXPECT_TRUE(world.structure()->contacts.empty());
    EXPECT_THROW(world.apply(Put{.bodies = {c}}), InputError) << "there is no such material any more";
}

TEST(Put, replaces_joints_and_forces_by_name) {
    Scene scene = marbles();
    World world(scene);
    ForceDesc force;
    force.name = "f", force.b = "b", force.force = ConstantForce{{5, 0, 0}, {4, 0, 0}};
    world.apply(Put{.forces = {force}});
    step(world, 50);
    force.force = ConstantForce{{5, 0, 0}, {-4, 0, 0}};
    world.apply(Put{.forces = {force}});
    step(world, 50);
    EXPECT_EQ(world.structure()->forces.size(), 1u);
    EXPECT_NEAR(world.velocity(world.find_body("b")).x, 0, 1e-12);
    JointDesc joint;
    joint.name = "j", joint.a = "a", joint.b = "b", joint.joint = BallJoint{{2.5, 0, 0}};
    world.apply(Put{.joints = {joint}});
    joint.joint = HingeJoint{};
    world.apply(Put{.joints = {joint}});
    step(world, 1);
    EXPECT_EQ(world.structure()->joints.size(), 1u);
    EXPECT_TRUE(std::holds_alternative<HingeJoint>(world.structure()->joints[0].joint));
}

TEST(Batch, is_applied_whole_or_not_at_all) {
    World world(marbles());
    world.apply(SetForce{"a", {2, 0, 0}, {}});
    const Batch bad{
        {Put{.bodies = {marble("c", {0, 9, 0})}}, Remove{.bodies = {"a"}}, SetForce{"a", {4, 0, 0}, {}}}};
    EXPECT_THROW(world.apply(bad), InputError);
    EXPECT_THROW(world.apply(SetForce{"c", {1, 0, 0}, {}}), InputError) << "it is not there";
    world.apply(SetForce{"b", {6, 0, 0}, {}});
    world.apply(Batch{{Put{.bodies = {marble("c", {0, 9, 0})}}, ApplyImpulse{"c", {2, 0, 0}, {}, {}}}});
    step(world, 1);
    EXPECT_EQ(world.body_count(), 3u);
    EXPECT_NEAR(world.velocity(world.find_body("a")).x, 1.01, 1e-15);
    EXPECT_NEAR(world.velocity(world.find_body("b")).x, 0.03, 1e-15);
    EXPECT_EQ(world.velocity(world.find_body("c")).x, 1);
}

// Whatever is changed by a command is in a checkpoint, and goes on the same.
TEST(Commands, methods_and_settings_are_set_and_kept) {
    Scene scene = marbles();
    World world(scene);
    world.apply(SetMethod{parse_method("erleben+shock=off")});
    world.apply(SetSettings{
        .gravity = Vec3{0, -1, 0}, .broad_phase = BroadPhaseKind::Grid, .events = std::vector<EventKind>{}});
    step(world, 10);
    EXPECT_TRUE(world.method().is<VelocityMethod>());
    EXPECT_EQ(world.structure()->settings.broad_phase, BroadPhaseKind::Grid);
    EXPECT_TRUE(world.structure()->settings.events.empty());
    EXPECT_NEAR(world.velocity(world.find_body("b")).y, -0.1, 1e-12);
    World other(scene);
    other.restore(world.checkpoint());
    EXPECT_TRUE(other.method().is<VelocityMethod>());
    EXPECT_EQ(method_text(other.method()), method_text(world.method()));
    step(world, 10);
    step(other, 10);
    EXPECT_EQ(world.state_hash(), other.state_hash());
    MethodDesc unknown;
    unknown.preset = "fats";
    EXPECT_THROW(world.apply(SetMethod{unknown}), InputError);
}

// A world that is told to use another method does what a world with that method does from that state on.
TEST(Commands, another_method_is_as_if_it_had_been_there) {
    Scene scene = marbles();
    scene.settings.gravity = {0, -9.81, 0};
    BodyDesc floor;
    floor.name = "floor", floor.kind = BodyKind::Static, floor.shape = Plane{}, floor.position = {0, -0.5, 0};
    scene.bodies.push_back(floor);
    World told(scene);
    step(told, 30);
    Scene changed = scene;
    changed.settings.method = parse_method("accurate");
    World branched = told.branch(changed);
    told.apply(SetMethod{changed.settings.method});
    for (int k = 0; k < 30; ++k) {
        step(told, 1);
        step(branched, 1);
        ASSERT_EQ(told.state_hash(), branched.state_hash()) << k;
    }
}

// Critically damped, from rest at the distance d: x = d (1 + t/T) exp(-t/T) away from the target.
TEST(Drag, follows_a_target) {
    Scene scene = marbles();
    scene.bodies[0].velocity = {};
    scene.settings.dt = 0.001;
    World world(scene);
    world.apply(Drag{.body = "a", .target = Vec3{0.3, 0, 0}, .lag = 0.1});
    const BodyId a = world.find_body("a");
    for (int k = 1; k <= 500; ++k) {
        step(world, 1);
        const double t = world.time() / 0.1;
        EXPECT_NEAR(0.3 - world.pose(a).position.x, 0.3 * (1 + t) * std::exp(-t), 1e-5) << k;
    }
    const std::size_t forces = world.structure()->forces.size();
    const auto structure = world.structure();
    world.apply(Drag{.body = "a", .target = Vec3{0, 0.2, 0}, .lag = 0.1});
    const auto checkpoint = world.checkpoint();
    step(world, 1);
    EXPECT_EQ(world.structure(), structure) << "only the target moved";
    EXPECT_EQ(forces, 1u);
    World other(scene);
    other.restore(checkpoint);
    step(other, 1);
    step(world, 1000);
    step(other, 1000);
    EXPECT_EQ(world.state_hash(), other.state_hash());
    EXPECT_NEAR(length(world.pose(a).position - Vec3{0, 0.2, 0}), 0, 1e-3);
    world.apply(Drag{.body = "a"});
    step(world, 1);
    EXPECT_TRUE(world.structure()->forces.empty());
    EXPECT_THROW(world.apply(Drag{.body = "a"}), InputError);
}

// Far from the target the force is what it may be at most, and the body gains F/m a second.
TEST(Drag, has_a_largest_force) {
    Scene scene = marbles();
    scene.bodies[0].velocity = {};
    World world(scene);
    world.apply(Drag{.body = "a", .target = Vec3{1000, 0, 0}, .lag = 0.05, .max_force = 3});
    step(world, 100);
    EXPECT_NEAR(world.velocity(world.find_body("a")).x, 1.5, 1e-12);
    EXPECT_THROW(world.apply(Drag{.body = "nobody", .target = Vec3{}}), InputError);
    world.apply(Remove{.bodies = {"a"}});
    step(world, 1);
    EXPECT_TRUE(world.structure()->forces.empty()) << "the hand goes with what it held";
}

// ---- the work of commands

std::unique_ptr<WorldState> empty_world() {
    auto state = std::make_unique<WorldState>();
    Scene scene;
    BodyDesc floor;
    floor.name = "floor", floor.kind = BodyKind::Static, floor.shape = Plane{};
    scene.bodies = {floor};
    state->executor = std::make_shared<Executor>(1);
    build(*state, std::make_shared<Scene>(expand(scene)));
    return state;
}

void give(WorldState& s, const Command& command) {
    s.commands.pending.push_back(prepared(present_world(s), s.commands, command));
}

std::size_t poured() {
    return is_long() ? 100000 : 4000;
}

// One by one, in one step or in many: each body is checked once, placed once, and never copied with others.
TEST(CommandWork, pouring_is_linear) {
    const std::size_t count = poured();
    for (const std::size_t a_step : {count, std::size_t{10}}) {
        const auto s = empty_world();
        CommandWork& work = s->commands.work;
        work = {};
        for (std::size_t k = 0; k < count; ++k) {
            give(*s, Put{.bodies = {marble("m" + std::to_string(k), {0, static_cast<double>(k), 0})}});
            if ((k + 1) % a_step == 0) apply_commands(*s);
        }
        EXPECT_EQ(s->bodies.size(), count + 1);
        EXPECT_EQ(work.checked, count);
        EXPECT_EQ(work.numbered, count);
        EXPECT_LE(work.copied, 1u) << "the floor, with the first structure";
    }
}

// Removing them again in one step is one pass over what is there, and joints are looked for once.
TEST(CommandWork, removing_in_one_step_is_linear) {
    const std::size_t count = poured();
    const auto s = empty_world();
    Put all;
    for (std::size_t k = 0; k < count; ++k)
        all.bodies.push_back(marble("m" + std::to_string(k), {0, static_cast<double>(k), 0}));
    for (std::size_t k = 1; k < count; k += 2) {
        JointDesc joint;
        joint.name = "j" + std::to_string(k), joint.a = all.bodies[k - 1].name, joint.b = all.bodies[k].name;
        joint.joint = BallJoint{{0, static_cast<double>(k), 0}};
        all.joints.push_back(joint);
    }
    give(*s, all);
    apply_commands(*s);
    EXPECT_EQ(s->joints.size(), count / 2);
    CommandWork& work = s->commands.work;
    work = {};
    for (std::size_t k = 0; k < count; k += 2) give(*s, Remove{.bodies = {all.bodies[k].name}});
    apply_commands(*s);
    EXPECT_EQ(s->bodies.size(), count / 2 + 1);
    EXPECT_EQ(s->joints.size(), 0u);
    const SceneRef structure = structure_of(*s);
    EXPECT_EQ(structure->bodies.size(), s->bodies.size());
    EXPECT_EQ(structure->joints.size(), 0u);
    EXPECT_EQ(s->body_ids.size(), s->bodies.size());
    for (std::uint32_t k = 0; k < s->bodies.size(); ++k)
        ASSERT_EQ(s->body_ids.dense(s->body_ids.find(structure->bodies[k].name)), k);
    EXPECT_EQ(work.checked, count / 2);
    EXPECT_LE(work.numbered, s->bodies.size());
    EXPECT_EQ(work.copied, 0u);
}

// What is put and removed within one step leaves nothing behind, whatever comes between.
TEST(CommandWork, one_step_may_put_remove_and_put_again) {
    World world(marbles());
    world.apply(Put{.bodies = {marble("c", {0, 9, 0})}});
    world.apply(Remove{.bodies = {"c"}});
    world.apply(Put{.bodies = {marble("c", {0, 7, 0})}});
    world.apply(SetForce{"c", {2, 0, 0}, {}});
    world.apply(Remove{.bodies = {"a"}});
    world.apply(SetBody{.body = "b", .velocity = Vec3{0, 0, 1}});
    world.apply(Put{.bodies = {marble("a", {0, -7, 0})}});
    step(world, 1);
    EXPECT_EQ(world.body_count(), 3u);
    EXPECT_NEAR(world.pose(world.find_body("c")).position.y, 7, 1e-12);
    EXPECT_NEAR(world.velocity(world.find_body("c")).x, 0.01, 1e-15);
    EXPECT_NEAR(world.velocity(world.find_body("b")).z, 1, 1e-15);
    EXPECT_NEAR(world.pose(world.find_body("a")).position.y, -7, 1e-12);
    World other(marbles());
    other.restore(world.checkpoint());
    EXPECT_EQ(other.state_hash(), world.state_hash());
    step(world, 5);
    step(other, 5);
    EXPECT_EQ(other.state_hash(), world.state_hash());
}

}  // namespace
}  // namespace impuls
