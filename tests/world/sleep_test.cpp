// Who may fall asleep: what would not move anyway. Turning points, slow motions and unstable places, each
// with the closed form of the motion that goes on; and what trembles at rest, which does sleep.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "impuls/world.h"
#include "support/constants.h"
#include "support/full_size.h"

namespace impuls {
namespace {

Scene sleepy(const char* method, double dt) {
    Scene scene;
    scene.settings.method.preset = method;
    scene.settings.method.sleep = Switch::On;
    scene.settings.dt = dt;
    scene.materials.push_back({.name = "m", .density = 1000, .friction = 0.5, .restitution = 0});
    return scene;
}

BodyDesc& add(Scene& scene, const std::string& name, const Shape& shape, const Vec3& at,
              BodyKind kind = BodyKind::Dynamic) {
    BodyDesc body;
    body.name = name, body.shape = shape, body.position = at, body.kind = kind, body.material = "m";
    scene.bodies.push_back(body);
    return scene.bodies.back();
}

// A ball on a massless rod of 1 m, `angle` from hanging straight down.
Scene pendulum(const char* method, double dt, double angle) {
    Scene scene = sleepy(method, dt);
    const Vec3 at{std::sin(angle), -std::cos(angle), 0};
    add(scene, "ball", Sphere{0.1}, at).collides = false;
    JointDesc joint;
    joint.name = "rod", joint.b = "ball";
    joint.joint = DistanceJoint{{0, 0, 0}, at};
    scene.joints.push_back(joint);
    return scene;
}

TEST(Sleep, APendulumSwingsOn) {
    for (const char* method : {"default", "fast", "accurate", "erleben"})
        for (const double dt : {1.0 / 60, 1.0 / 500})
            for (const double amplitude : {0.2, 0.02, 0.001}) {
                World world(pendulum(method, dt, amplitude));
                const BodyId ball = world.find_body("ball");
                double widest = 0;
                while (world.time() < 20) {
                    ASSERT_TRUE(world.step().ok);
                    ASSERT_FALSE(world.is_asleep(ball)) << method << " " << dt << " " << amplitude;
                    if (world.time() > 17) widest = std::max(widest, world.pose(ball).position.x);
                }
                // It has kept its amplitude; `erleben` has no more than first order.
                EXPECT_NEAR(widest, amplitude, 0.03 * amplitude) << method << " " << dt << " " << amplitude;
            }
}

// phi = phi_0 cosh(sqrt(g/l) t) with the l of a ball, as far as it is linear.
TEST(Sleep, AnInvertedPendulumFalls) {
    for (const char* method : {"default", "fast", "accurate"})
        for (const double start : {1e-3, 1e-6, 1e-9}) {
            World world(pendulum(method, 1.0 / 60, kPi - start));
            const BodyId ball = world.find_body("ball");
            const double rate = std::sqrt(kG), until = std::log(2 * 0.1 / start) / rate;
            while (world.time() < until) {
                ASSERT_TRUE(world.step().ok);
                ASSERT_FALSE(world.is_asleep(ball)) << method << " " << start << " " << world.time();
            }
            const double expected = start * std::cosh(rate * world.time());
            EXPECT_NEAR(world.pose(ball).position.x, expected, 0.1 * expected) << method << " " << start;
        }
}

TEST(Sleep, ASlowBallRollsOn) {
    for (const char* method : {"default", "fast", "accurate", "erleben"})
        for (const double speed : {3e-3, 1e-3}) {
            Scene scene = sleepy(method, 1.0 / 60);
            add(scene, "floor", Box{{20, 1, 20}}, {0, -0.5, 0}, BodyKind::Static);
            BodyDesc& ball = add(scene, "ball", Sphere{0.1}, {0, 0.1, 0});
            ball.velocity = {speed, 0, 0};
            ball.angular_velocity = {0, 0, -speed / 0.1};
            World world(scene);
            while (world.time() < 30) {
                ASSERT_TRUE(world.step().ok);
                ASSERT_FALSE(world.is_asleep(world.find_body("ball"))) << method << " " << speed;
            }
            EXPECT_NEAR(world.pose(world.find_body("ball")).position.x, speed * world.time(),
                        1e-2 * speed * world.time())
                << method << " " << speed;
        }
}

TEST(Sleep, WhatRidesOnABeltMovesOn) {
    for (const char* method : {"default", "fast", "erleben"}) {
        Scene scene = sleepy(method, 1.0 / 60);
        add(scene, "belt", Box{{5, 1, 1}}, {0, -0.5, 5}, BodyKind::Static).surface_velocity = {2e-4, 0, 0};
        add(scene, "box", Box{{0.2, 0.2, 0.2}}, {0, 0.1, 5});
        World world(scene);
        while (world.time() < 20) ASSERT_TRUE(world.step().ok);
        EXPECT_FALSE(world.is_asleep(world.find_body("box"))) << method;
        EXPECT_NEAR(world.pose(world.find_body("box")).position.x, 2e-4 * world.time(), 1e-4) << method;
    }
}

// Stacks that were dropped, by every stepper: all asleep soon after the last bounce.
TEST(Sleep, WhatStandsFallsAsleep) {
    for (const char* method : {"default", "fast", "erleben"}) {
        Scene scene = sleepy(method, 1.0 / 60);
        add(scene, "floor", Box{{20, 1, 20}}, {0, -0.5, 0}, BodyKind::Static);
        const int n = amount(4, 10);
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j)
                for (int k = 0; k < 5; ++k)
                    add(scene, "box" + std::to_string((i * n + j) * 5 + k), Box{{0.2, 0.2, 0.2}},
                        {0.25 * i, 0.11 + 0.21 * k, 0.25 * j});
        World world(scene);
        const auto sleepers = [&] {
            std::size_t count = 0;
            for (const auto flag : world.frame().asleep) count += flag;
            return count;
        };
        while (world.time() < 6 && sleepers() + 1 < world.body_count()) ASSERT_TRUE(world.step().ok);
        EXPECT_EQ(sleepers() + 1, world.body_count()) << method;
        EXPECT_LT(world.time(), 4) << method;
    }
}

}  // namespace
}  // namespace impuls
