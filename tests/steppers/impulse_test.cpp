// The impulse stepper on islands made by hand, without a world: closed forms of contacts, impacts and joints,
// and what its outcome says.
#include "steppers/impulse/step.h"

#include <gtest/gtest.h>

#include <cmath>

#include "hand_made.h"
#include "steppers/articulated/step.h"

namespace impuls {
namespace {

struct ByImpulses : HandMade {
    impulse::Scratch scratch{};

    explicit ByImpulses(double friction = 0.5, double restitution = 0) {
        material().friction = friction;
        material().restitution = restitution;
    }
    void step() { step_by(impulse::fits, impulse::advance, scratch); }
};

TEST(ImpulseStepper, a_box_at_rest_is_borne_by_its_weight) {
    ByImpulses one;
    one.add_ground();
    one.add(resting_box());
    for (int k = 0; k < 120; ++k) {
        one.step();
        EXPECT_NEAR(one.impulse().y, 2 * kG * one.dt, 1e-9 * kG * one.dt);
        EXPECT_NEAR(one.impulse().x, 0, 1e-12);
        EXPECT_NEAR(one.impulse().z, 0, 1e-12);
        EXPECT_LE(length(one.bodies.v[1]), 1e-12);
        EXPECT_LE(length(one.bodies.w[1]), 1e-12);
        EXPECT_LE(length(one.bodies.pose[1].position - Vec3{0, 0.5, 0}), 1e-12);
        EXPECT_EQ(one.outcome.substeps, 8u);
        EXPECT_GE(one.outcome.iterations, 2 * one.outcome.substeps);  // one a phase, at least
        EXPECT_EQ(one.outcome.retries, 0u);
        EXPECT_EQ(one.outcome.energy_removed, 0);
        EXPECT_TRUE(one.outcome.residual >= 0 && one.outcome.residual <= 1e-9 * kG * one.dt);
    }
    EXPECT_EQ(one.points.size(), 4u);
}

// v = v_0 - mu g t, x = v_0 t - mu g t^2 / 2, and friction gives mu m g dt in a step.
TEST(ImpulseStepper, a_sliding_box_slows_down_as_coulomb_says) {
    ByImpulses one(0.3);
    one.add_ground();
    one.add(resting_box({4, 0, 0}));
    for (int k = 1; k <= 60; ++k) {
        one.step();
        const double t = k * one.dt;
        EXPECT_NEAR(one.bodies.v[1].x, 4 - 0.3 * kG * t, 1e-9);
        EXPECT_NEAR(one.bodies.pose[1].position.x, 4 * t - 0.15 * kG * t * t, 1e-9);
        EXPECT_NEAR(one.impulse().x, -0.3 * 2 * kG * one.dt, 1e-9);
        EXPECT_NEAR(one.impulse().y, 2 * kG * one.dt, 1e-9);
    }
}

// Of the energy m v^2 / 2 + m g (y - r) the share e^2 is left after a bounce.
TEST(ImpulseStepper, a_ball_keeps_the_square_of_the_restitution_of_its_energy) {
    for (const double e : {0.0, 0.5, 0.8, 1.0}) {
        ByImpulses one(0, e);
        one.add_ground();
        one.add(some_body(Sphere{0.25}, {0, 1.25, 0}));
        const auto energy = [&] {
            const double v = one.bodies.v[1].y;
            return v * v + 2 * kG * (one.bodies.pose[1].position.y - 0.25);  // of 2 kg
        };
        const double start = energy();
        double impulse = 0;
        for (int k = 0; k < 40; ++k) {  // 0.67 s; it falls for sqrt(2 / g) = 0.45 s
            one.step();
            impulse += one.impulse().y;
            const bool has_met = impulse > 0;
            EXPECT_NEAR(energy(), has_met ? e * e * start : start, 1e-3 * start) << e << ' ' << k;
        }
        // The impulses: m (1 + e) sqrt(2 g s), and the weight for the time that it lies there.
        const double bounce = 2 * (1 + e) * std::sqrt(2 * kG);
        if (e > 0) {
            EXPECT_NEAR(impulse, bounce, 2e-3 * bounce);
        }
        EXPECT_NEAR(one.bodies.pose[1].position.x, 0, 1e-12);
    }
}

// A rod on a hinge with a vertical axis at its end: w = M t / I while the motor is at its limit M, then the
// speed that it is set to. Its axis bears M, then nothing.
TEST(ImpulseStepper, a_motor_at_its_limit_gives_a_constant_torque) {
    ByImpulses one;
    one.add(some_body(Box{{1, 0.1, 0.1}}, {0.5, 0, 0}));
    const double inertia = 2 * ((1 + 0.01) / 12 + 0.25), torque = 0.8, speed = 0.5;
    HingeJoint hinge{{}, {0, 1, 0}};
    hinge.turn.speed = speed;
    hinge.turn.max_force = torque;
    one.hold(kNoBody, 0, hinge);
    const double rise = speed * inertia / torque;
    for (int k = 1; k <= 60; ++k) {
        one.step();
        EXPECT_EQ(articulated::fits(one.view(), one.island), Refusal::JointLaw);
        const double t = k * one.dt;
        const Vec3& w = one.bodies.w[0];
        EXPECT_NEAR(w.y, t < rise ? torque * t / inertia : speed, 1e-6 * speed) << k;
        EXPECT_NEAR(length(Vec3{w.x, 0, w.z}), 0, 1e-9);
        EXPECT_LE(length(one.bodies.pose[0] * Vec3{-0.5, 0, 0}), 1e-6);
        if (t < rise) {
            EXPECT_NEAR(one.joints.axis_force.of(0)[0], torque, 1e-9) << k;
        }
        if (t > rise + one.dt) {
            EXPECT_NEAR(one.joints.axis_force.of(0)[0], 0, 1e-6) << k;
        }
    }
    EXPECT_GT(60 * one.dt, rise + 10 * one.dt);
}

// A pendulum on a stop, level: it bears m g d, and the joint m g.
TEST(ImpulseStepper, a_pendulum_rests_on_its_stop) {
    ByImpulses one;
    one.add(some_body(Box{{1, 0.1, 0.1}}, {0.5, 0, 0}));
    HingeJoint hinge{{}, {0, 0, 1}};
    hinge.turn.lower = 0;
    one.hold(kNoBody, 0, hinge);
    for (int k = 0; k < 60; ++k) one.step();
    EXPECT_LE(length(one.bodies.pose[0].position - Vec3{0.5, 0, 0}), 1e-6);
    EXPECT_LE(length(one.bodies.w[0]), 1e-6);
    EXPECT_NEAR(one.joints.axis_force.of(0)[0], 2 * kG * 0.5, 1e-3 * kG);
    EXPECT_NEAR(one.joints.reaction[0].force.y, 2 * kG, 1e-3 * kG);
    EXPECT_GE(one.outcome.substeps, 8u);
    EXPECT_TRUE(std::isfinite(one.outcome.residual));
}

// 500 m/s: 8 m in a step, one metre in a substep, at a plate of a centimetre.
TEST(ImpulseStepper, a_bullet_does_not_pass_a_thin_plate) {
    for (const double e : {0.0, 0.5}) {
        ByImpulses one(0, e);
        one.gravity = {};
        BodyDesc plate = some_body(Box{{0.01, 4, 4}}, {3.3, 0, 0});
        plate.kind = BodyKind::Static;
        one.add(plate);
        one.add(some_body(Sphere{0.05}, {0, 0, 0}, {500, 0, 0}, 0.01));
        one.step();
        EXPECT_LE(one.bodies.pose[1].position.x, 3.3 - 0.005 - 0.05 + 1e-3 * 0.1);
        EXPECT_NEAR(one.bodies.v[1].x, -e * 500, 1e-6 * 500);
        EXPECT_NEAR(one.impulse().x, -0.01 * (1 + e) * 500, 1e-6 * 5);
        // It was there after 3.245 m and goes back for the rest of the time.
        const double way = 500 * one.dt - 3.245;
        EXPECT_NEAR(one.bodies.pose[1].position.x, 3.245 - e * way, 1e-3);
    }
}

// Two balls of the same size meet head on: momentum and energy stay for e = 1, velocities are exchanged.
TEST(ImpulseStepper, two_balls_exchange_their_velocities) {
    ByImpulses one(0, 1);
    one.gravity = {};
    one.add(some_body(Sphere{0.1}, {-0.5, 0, 0}, {3, 0, 0}));
    one.add(some_body(Sphere{0.1}, {0.5, 0, 0}, {-1, 0, 0}));
    for (int k = 0; k < 20; ++k) one.step();  // they meet after 0.2 s
    EXPECT_NEAR(one.bodies.v[0].x, -1, 1e-9);
    EXPECT_NEAR(one.bodies.v[1].x, 3, 1e-9);
}

}  // namespace
}  // namespace impuls
