// Sleeping (Erleben 2005, 6.5): who falls asleep and when, what wakes, and what must never sleep.
#include <gtest/gtest.h>

#include <memory>

#include "stacks.h"
#include "support/constants.h"

namespace impuls {
namespace {

int sleepers(World& world) {
    int count = 0;
    for (const auto flag : world.frame().asleep) count += flag;
    return count;
}

// Steps until all but the floor sleep; `most` + 1 when they do not.
int steps_to_sleep(World& world, int most) {
    for (int k = 1; k <= most; ++k) {
        EXPECT_TRUE(world.step().ok);
        if (sleepers(world) + 1 == static_cast<int>(world.body_count())) return k;
    }
    return most + 1;
}

TEST(SpecShock, T29_stacks_and_walls_fall_asleep) {
    const int n = is_long() ? 25 : 10;
    for (const auto& [restitution, most] : {std::pair{0.1, 5}, {0.4, 28}}) {
        World stack(box_stack(n, "erleben", restitution));
        EXPECT_LE(steps_to_sleep(stack, 100), most) << restitution;
    }
    World wall(is_long() ? brick_wall(20, 10, "erleben+weight=0", 0.4)
                         : brick_wall(6, 5, "erleben+weight=0", 0.4));
    EXPECT_LE(steps_to_sleep(wall, 100), 50);
}

TEST(SpecShock, T29_with_the_impulse_stepper_too) {
    World stack(box_stack(5, "default+sleep=on", 0.1));
    EXPECT_LE(steps_to_sleep(stack, 100), 28);
    const Vec3 force = stack.frame().contacts.at(0).force;
    for (int k = 0; k < 10; ++k) stack.step();  // what a sleeper presses with is still told
    EXPECT_EQ(stack.frame().contacts.at(0).force, force);
    EXPECT_GT(length(force), 0);
}

TEST(SpecShock, T30_no_sleep_in_flight) {
    for (const char* method : {"erleben", "default+sleep=on"}) {
        // Thrown up beside a wall that it does not touch, in reach of it at the apex.
        Scene scene = stone_floor(method, 0, 0);
        scene.bodies.push_back(some_body("wall", Box{{1, 10, 10}}, {-0.501, 5, 0}, BodyKind::Static));
        scene.bodies.push_back(some_body("ball", Sphere{0.5}, {0.5, 2, 0}));
        scene.bodies.back().velocity = {0, 2, 0};
        World world(scene);
        const double apex = 2.0 / 9.81;
        while (world.time() < 3 * apex) {
            world.step();
            EXPECT_FALSE(world.is_asleep(world.find_body("ball")));
        }
        EXPECT_NEAR(world.velocity(world.find_body("ball")).y, 2 - 9.81 * world.time(), 1e-9);
    }
}

// A cube on a floor without friction, at this share of the greatest speed with which it stays within 2^-8 of
// its radius for the time T of the law: does it sleep within 10 s, gaining this much speed in a second?
bool falls_asleep(const std::string& method, double share, double gain) {
    Scene scene = stone_floor(method, 0, 0);
    scene.bodies.push_back(some_body("box", Box{{1, 1, 1}}, {0, 0.5, 0}));
    scene.bodies.back().mass = 1;
    const double radius = 0.5, time = 8 * std::sqrt(radius / 9.81), threshold = radius / 256 / time;
    scene.bodies.back().velocity = {share * threshold, 0, 0};
    World world(scene);
    world.apply(SetForce{"box", {gain, 0, 0}, {}});
    for (int k = 1; k <= 1000; ++k) {
        world.step();
        if (world.is_asleep(world.find_body("box"))) return true;
    }
    EXPECT_NEAR(world.velocity(world.find_body("box")).x, share * threshold + 10 * gain, 0.01 * threshold);
    return false;
}

// 1 % slower than the threshold, and so slowly gaining that it stays below for all of the run.
TEST(SpecShock, T30_no_sleep_while_energy_rises) {
    for (const char* method : {"erleben", "default+sleep=on", "fast+sleep=on"}) {
        EXPECT_FALSE(falls_asleep(method, 0.99, 1e-6)) << method;
        EXPECT_FALSE(falls_asleep(method, 0.99, 1e-3)) << method;
        EXPECT_FALSE(falls_asleep(method, 1.02, 0)) << method;
        EXPECT_TRUE(falls_asleep(method, 0.99, 0)) << method;  // the threshold is there
    }
}

// Four pendulums on one block, an eighth of a period apart, slower than what the text's test would see: at
// any time the energy of one of them rises, but not that of all together. They swing on, and keep their
// amplitude.
TEST(SpecShock, T30_no_sleep_while_something_swings) {
    Scene scene = stone_floor("default+sleep=on", 0, 1);
    scene.bodies.push_back(some_body("block", Box{{1, 1, 1}}, {0, 0.5, 0}));
    scene.bodies.back().mass = 1000;
    const double fastest = 0.002, length = 0.5, frequency = std::sqrt(9.81 / length);
    for (int k = 0; k < 4; ++k) {
        const double phase = 0.25 * k * kPi;
        BodyDesc bob = some_body("bob" + std::to_string(k), Sphere{0.01}, {});
        const Vec3 pivot{0, 1.2, 0.2 * k};
        bob.position = pivot + Vec3{fastest / frequency * std::cos(phase), -length, 0};
        bob.velocity = {-fastest * std::sin(phase), 0, 0};
        bob.mass = 1, bob.collides = false;
        scene.bodies.push_back(bob);
        JointDesc joint;
        joint.name = "j" + std::to_string(k), joint.a = "block", joint.b = bob.name;
        joint.joint = BallJoint{pivot};
        scene.joints.push_back(joint);
    }
    World world(scene);
    EXPECT_EQ(steps_to_sleep(world, 1000), 1001);
    double widest = 0;
    for (int k = 0; k < 150; ++k) {
        world.step();
        widest = std::max(widest, world.pose(world.find_body("bob0")).position.x);
    }
    EXPECT_NEAR(widest, fastest / frequency, 0.05 * fastest / frequency);
}

TEST(SpecShock, T30_sleepers_wake) {
    const auto asleep = [](int n) {
        auto world = std::make_unique<World>(box_stack(n, "erleben", 0.1));
        EXPECT_LE(steps_to_sleep(*world, 50), 50);
        return world;
    };
    {  // hit by a ball: in the same step
        auto world = asleep(5);
        BodyDesc ball = some_body("ball", Sphere{0.25}, {0.8, 3.5, 0});
        ball.velocity = {-10, 0, 0}, ball.mass = 5;
        world->apply(Put{.bodies = {ball}});
        int hit = 0, woken = 0;
        for (int k = 1; k <= 10; ++k) {
            world->step();
            const double v = world->velocity(world->find_body("b3")).x;
            if (!hit && v != 0) hit = k;
            if (!woken && !world->is_asleep(world->find_body("b3"))) woken = k;
        }
        EXPECT_GT(hit, 0);
        EXPECT_LE(woken, hit);
        EXPECT_EQ(sleepers(*world), 0);
    }
    {  // its support is taken away
        auto world = asleep(5);
        world->apply(Remove{.bodies = {"b0"}});
        world->step();
        EXPECT_EQ(sleepers(*world), 0);
        for (int k = 0; k < 10; ++k) world->step();
        EXPECT_LT(world->velocity(world->find_body("b4")).y, -0.5);
    }
    {  // pushed
        auto world = asleep(2);
        world->apply(ApplyImpulse{"b1", {10, 0, 0}, {}, {}});
        world->step();
        EXPECT_GT(world->velocity(world->find_body("b1")).x, 0.5);
    }
    {  // gravity changes
        auto world = asleep(2);
        world->apply(SetSettings{.gravity = Vec3{0, 9.81, 0}});
        for (int k = 0; k < 10; ++k) world->step();
        EXPECT_GT(world->velocity(world->find_body("b1")).y, 0.5);
    }
}

TEST(SpecShock, T30_no_sleep_on_what_moves) {
    Scene scene = stone_floor("erleben", 0);
    scene.bodies.push_back(some_body("belt", Box{{100, 1, 4}}, {0, 1.5, 0}, BodyKind::Kinematic));
    scene.bodies.back().velocity = {0.001, 0, 0};  // slower than the threshold
    scene.bodies.push_back(some_body("box", Box{{1, 1, 1}}, {0, 2.5, 0}));
    World world(scene);
    for (int k = 0; k < 300; ++k) {
        world.step();
        ASSERT_FALSE(world.is_asleep(world.find_body("box")));
    }
    EXPECT_NEAR(world.pose(world.find_body("box")).position.x, 0.003, 1e-4);
}

TEST(SpecShock, T30_sleep_is_part_of_a_checkpoint) {
    const Scene scene = box_stack(4, "erleben", 0.1);
    World world(scene), other(scene);
    for (int k = 0; k < 3; ++k) world.step();  // half through the window
    other.restore(world.checkpoint());
    for (int k = 0; k < 20; ++k) {
        world.step(), other.step();
        ASSERT_EQ(world.state_hash(), other.state_hash()) << k;
    }
    EXPECT_EQ(sleepers(world), 4);
    World third(scene);  // while asleep
    third.restore(world.checkpoint());
    third.drop_caches();
    for (World* w : {&world, &third}) {
        w->apply(ApplyImpulse{"b2", {30, 0, 0}, {}, {}});
        for (int k = 0; k < 50; ++k) w->step();
    }
    EXPECT_EQ(world.state_hash(), third.state_hash());
}

// A world that sleeps as a whole is passed over; one whose caches are dropped before every step does all the
// work, with the same state. A command that is due wakes it.
TEST(SpecShock, T30_a_sleeping_world_is_passed_over) {
    for (const char* method : {"erleben", "fast+sleep=on", "default+sleep=on"}) {
        Scene scene = box_stack(4, method, 0.1);
        scene.settings.events = {EventKind::TouchBegin, EventKind::TouchEnd};
        scene.timeline.push_back({3.0, ApplyImpulse{"b3", {0, 40, 0}, {}, {}}});
        World world(scene), other(scene);
        for (int k = 0; k < 400; ++k) {
            other.drop_caches();
            world.step(), other.step();
            ASSERT_EQ(world.state_hash(), other.state_hash()) << method << " " << k;
            ASSERT_EQ(world.frame().events.size(), other.frame().events.size()) << method << " " << k;
            ASSERT_EQ(world.frame().contacts.size(), other.frame().contacts.size()) << method << " " << k;
            if (world.time() > 2.5 && world.time() < 2.9) {
                ASSERT_EQ(sleepers(world), 4) << method;
            }
        }
        EXPECT_GT(world.pose(world.find_body("b3")).position.y, 3.2) << method;
        World back(scene);
        const std::vector<std::byte> start = back.checkpoint();
        for (int k = 0; k < 280; ++k) back.step();
        ASSERT_EQ(sleepers(back), 4) << method;
        back.restore(start);
        for (int k = 0; k < 400; ++k) back.step();
        EXPECT_EQ(back.state_hash(), world.state_hash()) << method;
    }
}

}  // namespace
}  // namespace impuls
