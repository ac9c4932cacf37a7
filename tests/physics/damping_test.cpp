// Damping c: dv/dt = g - c v, free and at rest.
#include <gtest/gtest.h>

#include <cmath>

#include "impuls/world.h"

namespace impuls {
namespace {

BodyDesc damped_ball(double height) {
    BodyDesc ball;
    ball.name = "ball", ball.shape = Sphere{0.5}, ball.mass = 2, ball.position = {0, height, 0};
    ball.linear_damping = 0.8, ball.angular_damping = 0.8, ball.angular_velocity = {0, 2, 0};
    return ball;
}

// v = -g/c (1 - exp(-c t)), w = w0 exp(-c t); second order: a tenth of the step, a hundredth of the error.
TEST(Damping, follows_the_exponential_to_second_order) {
    const auto error = [](double dt) {
        Scene scene;
        scene.settings.dt = dt;
        scene.bodies.push_back(damped_ball(100));
        World world(scene);
        while (world.time() < 2 - 0.5 * dt) world.step();
        const BodyId ball = world.find_body("ball");
        const double v = -9.81 / 0.8 * (1 - std::exp(-0.8 * 2)), w = 2 * std::exp(-0.8 * 2);
        return std::pair{std::abs(world.velocity(ball).y - v), std::abs(world.angular_velocity(ball).y - w)};
    };
    const auto coarse = error(0.02), fine = error(0.002);
    EXPECT_LT(coarse.first, 1e-3);
    EXPECT_NEAR(coarse.first / fine.first, 100, 5);
    EXPECT_NEAR(coarse.second / fine.second, 100, 5);
}

TEST(Damping, does_not_make_a_resting_body_lighter) {
    Scene scene;
    BodyDesc ground;
    ground.name = "ground", ground.kind = BodyKind::Static, ground.shape = Plane{};
    scene.bodies = {ground, damped_ball(0.5)};
    World world(scene);
    for (int k = 0; k < 100; ++k) world.step();
    double force = 0;
    for (const auto& contact : world.frame().contacts) force += contact.force.y;
    EXPECT_NEAR(force, 2 * 9.81, 1e-9);
}

// On a joint, by every preset's stepper: small swings of a mass point shrink as exp(-c t/2).
TEST(Damping, makes_swings_smaller_by_every_preset) {
    for (const char* preset : {"default", "accurate", "fast", "erleben", "bender", "aero"}) {
        Scene scene;
        scene.settings.method = parse_method(preset);
        scene.settings.dt = 1.0 / 240;
        BodyDesc bob;
        bob.name = "bob", bob.shape = Sphere{0.001}, bob.mass = 1, bob.linear_damping = 0.6;
        const double angle = 0.1;
        bob.position = {std::sin(angle), -std::cos(angle), 0};
        JointDesc pin;
        pin.name = "pin", pin.b = "bob", pin.joint = BallJoint{{0, 0, 0}};
        scene.bodies = {bob};
        scene.joints = {pin};
        World world(scene);
        const BodyId id = world.find_body("bob");
        double most = 0, when = 0;  // of the last maximum of x before 5 s
        while (world.time() < 5) {
            ASSERT_TRUE(world.step().ok) << preset;
            if (world.time() < 3) continue;
            const double x = world.pose(id).position.x;
            if (x > most) most = x, when = world.time();
        }
        EXPECT_NEAR(most / std::sin(angle), std::exp(-0.3 * when), 0.01) << preset;
        EXPECT_NEAR(length(world.pose(id).position), 1, 1e-3) << preset;
    }
}

}  // namespace
}  // namespace impuls
