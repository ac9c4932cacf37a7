// Forces in a world: islands, sleep, commands, checkpoints, the energy ledger.
#include <gtest/gtest.h>

#include <cmath>

#include "impuls/executor.h"
#include "impuls/world.h"

namespace impuls {
namespace {

BodyDesc sphere_at(const std::string& name, const Vec3& at, double mass = 1) {
    BodyDesc b;
    b.name = name;
    b.shape = Sphere{0.2};
    b.mass = mass;
    b.position = at;
    return b;
}

ForceDesc force_on(const std::string& name, const std::string& a, const std::string& b, const Force& force) {
    ForceDesc desc;
    desc.name = name;
    desc.a = a;
    desc.b = b;
    desc.force = force;
    return desc;
}

Scene two_bodies() {
    Scene scene;
    scene.bodies = {sphere_at("a", {-1, 0, 0}), sphere_at("b", {1, 0, 0}, 2)};
    for (BodyDesc& body : scene.bodies) body.collides = false;
    return scene;
}

// A bit of everything: springs, cables, drag, torque, joints and contacts.
Scene mixed_forces() {
    Scene scene;
    scene.settings.dt = 0.01;
    BodyDesc ground;
    ground.name = "ground";
    ground.kind = BodyKind::Static;
    ground.shape = Plane{};
    scene.bodies.push_back(ground);
    for (int k = 0; k < 6; ++k)
        scene.bodies.push_back(sphere_at("b" + std::to_string(k), {0.5 * k, 0.6 + 0.1 * k, 0.05 * k}, 1 + k));
    scene.forces = {
        force_on("s", "b0", "b1", SpringForce{{0, 0.6, 0}, {0.5, 0.7, 0.05}, 300, 2}),
        force_on("c", "b1", "b3", CableForce{{0.5, 0.7, 0}, {1.5, 0.9, 0.15}, {{1, 3, 0}}, 1e4, 5}),
        force_on("d", "", "b2", DragForce{.coefficient = 1, .wind = {4, 0, 1}}),
        force_on("t", "", "b4", TorqueForce{{0.1, 0, 0.2}, ForceAxes::Body}),
        force_on("p", "b4", "b5", PullForce{{2, 1, 0.2}, {2.5, 1.1, 0.25}, 3})};
    scene.forces[3].until = 0.455;
    JointDesc joint;
    joint.name = "j";
    joint.a = "b2";
    joint.b = "b3";
    joint.joint = BallJoint{{1.25, 0.85, 0.1}};
    scene.joints.push_back(joint);
    return scene;
}

TEST(WorldForces, between_bodies_make_one_island) {
    Scene scene = two_bodies();
    World apart(scene);
    ASSERT_TRUE(apart.step().ok);
    EXPECT_EQ(apart.outcomes().size(), 0u);
    scene.forces = {force_on("s", "a", "b", SpringForce{{-1, 0, 0}, {1, 0, 0}, 10})};
    World tied(scene);
    ASSERT_TRUE(tied.step().ok);
    ASSERT_EQ(tied.outcomes().size(), 1u);
    EXPECT_EQ(tied.outcomes()[0].bodies, 2u);
    scene.forces = {force_on("s", "", "a", SpringForce{{-1, 1, 0}, {-1, 0, 0}, 10}),
                    force_on("t", "", "b", SpringForce{{1, 1, 0}, {1, 0, 0}, 10})};
    World hung(scene);
    ASSERT_TRUE(hung.step().ok);
    EXPECT_EQ(hung.outcomes().size(), 2u);
}

TEST(WorldForces, keep_linear_momentum_of_free_bodies) {
    Scene scene = two_bodies();
    scene.settings.gravity = {};
    scene.forces = {force_on("s", "a", "b", SpringForce{{-1, 0.1, 0}, {1, 0, 0.1}, 500, 3, 1.0}),
                    force_on("p", "a", "b", PullForce{{-1, 0, 0}, {1, 0, 0}, 2})};
    World world(scene);
    for (int k = 0; k < 200; ++k) ASSERT_TRUE(world.step().ok);
    EXPECT_LT(length(world.frame().linear_momentum), 1e-11);
    EXPECT_GT(length(world.velocity(world.find_body("a"))), 0);
}

TEST(WorldForces, do_not_depend_on_threads_caches_or_checkpoints) {
    for (const char* preset : {"default", "accurate", "fast", "erleben"}) {
        Scene scene = mixed_forces();
        scene.settings.method.preset = preset;
        World one(scene), three(scene, std::make_shared<Executor>(3));
        for (int k = 0; k < 60; ++k) {
            ASSERT_TRUE(one.step().ok) << preset;
            ASSERT_TRUE(three.step().ok);
            if (k % 7 == 0) three.drop_caches();
            ASSERT_EQ(one.state_hash(), three.state_hash()) << preset << ", step " << k;
        }
        World restored(scene);
        restored.restore(one.checkpoint());
        EXPECT_EQ(restored.state_hash(), one.state_hash());
        EXPECT_EQ(restored.frame().energy.dissipated, one.frame().energy.dissipated);
        for (int k = 0; k < 40; ++k) {
            one.step();
            restored.step();
        }
        EXPECT_EQ(restored.state_hash(), one.state_hash()) << preset;
    }
}

TEST(WorldForces, ledger_stays_closed) {
    for (const char* preset : {"default", "fast", "erleben"}) {
        Scene scene = mixed_forces();
        scene.settings.method.preset = preset;
        scene.timeline.push_back({0.2, ApplyImpulse{"b5", {0, 0, 4}, {}, {}}});
        scene.timeline.push_back({0.3, SetForce{"b5", {1, 0, 0}, {}}});
        World world(scene);
        const double begin = world.frame().energy.total;
        for (int k = 0; k < 100; ++k) {
            ASSERT_TRUE(world.step().ok);
            const Frame& f = world.frame();
            ASSERT_NEAR(f.energy.total + f.energy.dissipated - f.energy.supplied, begin, 1e-10 * begin);
        }
        EXPECT_GT(world.frame().energy.dissipated, 0);
        EXPECT_GT(world.frame().energy.supplied, 0);
    }
}

TEST(WorldForces, are_added_removed_and_switched_by_commands) {
    Scene scene = two_bodies();
    scene.settings.gravity = {};
    scene.settings.dt = 0.01;
    World world(scene);
    const auto speed = [&] { return world.velocity(world.find_body("a")).x; };
    const auto steps = [&](int n) {
        for (int k = 0; k < n; ++k) ASSERT_TRUE(world.step().ok);
    };
    world.apply(Put{.forces = {force_on("push", "", "a", ConstantForce{{-1, 0, 0}, {2, 0, 0}})}});
    EXPECT_THROW(world.apply(Put{.forces = {force_on("x", "", "nobody", TorqueForce{{1, 0, 0}})}}),
                 InputError);
    EXPECT_THROW(world.apply(Remove{.forces = {"pull"}}), InputError);
    steps(100);
    EXPECT_NEAR(speed(), 2, 1e-12);
    world.apply(EnableForce{"push", false});
    steps(50);
    EXPECT_NEAR(speed(), 2, 1e-12);
    const auto saved = world.checkpoint();
    world.apply(EnableForce{"push", true});
    steps(50);
    EXPECT_NEAR(speed(), 3, 1e-12);
    world.apply(Remove{.forces = {"push"}});
    steps(50);
    EXPECT_NEAR(speed(), 3, 1e-12);
    EXPECT_TRUE(world.structure()->forces.empty());
    world.restore(saved);
    steps(50);
    EXPECT_NEAR(speed(), 2, 1e-12);
    ASSERT_EQ(world.structure()->forces.size(), 1u);
    world.apply(Remove{.bodies = {"a"}});
    EXPECT_THROW(world.apply(EnableForce{"push", true}), InputError);
    steps(1);
    EXPECT_TRUE(world.structure()->forces.empty());
}

TEST(WorldForces, spare_passive_bodies) {
    Scene scene = two_bodies();
    scene.settings.gravity = {};
    scene.forces = {force_on("p", "a", "b", PullForce{{-1, 0, 0}, {1, 0, 0}, 5})};
    World world(scene);
    world.apply(SetActive{"b", false});
    for (int k = 0; k < 20; ++k) ASSERT_TRUE(world.step().ok);
    EXPECT_EQ(world.velocity(world.find_body("a")), Vec3{});
    world.apply(SetActive{"b", true});
    ASSERT_TRUE(world.step().ok);
    EXPECT_GT(world.velocity(world.find_body("a")).x, 0);
}

// A box that sleeps wakes when a force on it begins, and a box that hangs on a spring may sleep.
TEST(WorldForces, wake_sleepers_when_they_begin) {
    Scene scene;
    scene.settings.method.sleep = Switch::On;
    scene.materials.push_back({.name = "m", .friction = 0.5});
    BodyDesc ground;
    ground.name = "ground";
    ground.kind = BodyKind::Static;
    ground.shape = Plane{};
    ground.material = "m";
    BodyDesc box;
    box.name = "box";
    box.shape = Box{{1, 1, 1}};
    box.mass = 1;
    box.material = "m";
    box.position = {0, 0.5, 0};
    scene.bodies = {ground, box};
    scene.forces = {force_on("push", "", "box", ConstantForce{{0, 0.5, 0}, {20, 0, 0}})};
    scene.forces[0].from = 6;
    scene.forces[0].until = 6.5;
    World world(scene);
    const BodyId id = world.find_body("box");
    while (world.time() < 5.9) ASSERT_TRUE(world.step().ok);
    EXPECT_TRUE(world.is_asleep(id));
    while (world.time() < 6.5) ASSERT_TRUE(world.step().ok);
    EXPECT_FALSE(world.is_asleep(id));
    EXPECT_GT(world.velocity(id).x, 1);
    while (world.time() < 14) ASSERT_TRUE(world.step().ok);
    EXPECT_TRUE(world.is_asleep(id));
    EXPECT_NEAR(world.pose(id).position.y, 0.5, 1e-3);
}

TEST(WorldForces, what_hangs_on_a_damped_spring_comes_to_sleep_where_it_hangs) {
    Scene scene;
    scene.settings.method.sleep = Switch::On;
    scene.bodies = {sphere_at("b", {0, 0, 0})};
    scene.forces = {force_on("s", "", "b", SpringForce{{0, 1, 0}, {0, 0, 0}, 200, 20}),
                    force_on("d", "", "b", DragForce{.coefficient = 1})};
    World world(scene);
    const double begin = world.frame().energy.total;
    while (world.time() < 20) ASSERT_TRUE(world.step().ok);
    EXPECT_TRUE(world.is_asleep(world.find_body("b")));
    const Energy& energy = world.frame().energy;
    EXPECT_NEAR(energy.total + energy.dissipated - energy.supplied, begin, 1e-12);
    EXPECT_NEAR(world.pose(world.find_body("b")).position.y, -9.81 / 200, 1e-4);
}

// Lengths, velocities and gravity 2^7 times as large: the same bits.
TEST(WorldForces, springs_are_free_of_scales) {
    const auto run = [](double scale) {
        Scene scene;
        scene.settings.gravity = {0, -9.81 * scale, 0};
        scene.bodies = {sphere_at("a", Vec3{-1, 0, 0} * scale), sphere_at("b", Vec3{1, 0.5, 0} * scale, 2)};
        for (BodyDesc& body : scene.bodies) {
            body.shape = Sphere{0.2 * scale};
            body.velocity = Vec3{0, 0, 1} * scale;
        }
        scene.forces = {
            force_on("s", "a", "b", SpringForce{Vec3{-1, 0, 0} * scale, Vec3{1, 0.5, 0} * scale, 70, 1}),
            force_on("t", "", "a", SpringForce{Vec3{-1, 2, 0} * scale, Vec3{-1, 0.1, 0} * scale, 300, 2})};
        World world(scene);
        for (int k = 0; k < 200; ++k) world.step();
        return world.pose(world.find_body("b")).position * (1 / scale);
    };
    EXPECT_EQ(run(1), run(128));
    EXPECT_EQ(run(1), run(1.0 / 128));
}

}  // namespace
}  // namespace impuls
