// What acts along the free axis of a joint: limits, motors, servos, friction, springs (specification:
// constraints, T3 and T4; section 4.10 and 4.11 of Erleben 2005).
#include "spec/joint_world.h"

namespace impuls {
namespace {

AxisDesc spring(double stiffness, double damping = 0, double rest = 0) {
    AxisDesc axis;
    axis.stiffness = stiffness, axis.damping = damping, axis.rest = rest;
    return axis;
}

// Thrown at a limit it is never beyond by more than the way of one step, and stays there.
TEST(SpecConstraints, T3_limits_stop_sliders_and_hinges) {
    for (const bool is_hinge : {false, true})
        for (const double way : {-0.5, 0.5}) {
            AxisDesc axis;
            axis.lower = -0.5, axis.upper = 0.5;
            const double dt = 0.01, speed = 2.3;
            Scene scene = is_hinge ? on_hinge(axis, dt) : on_slider(axis, dt);
            const Vec3 direction = is_hinge ? Vec3{0, 0, 1} : Vec3{1, 0, 0};
            Vec3& u = is_hinge ? scene.bodies[0].angular_velocity : scene.bodies[0].velocity;
            u = direction * (way > 0 ? speed : -speed);
            World world(scene);
            for (int k = 0; k < 100; ++k) {
                step(world);
                const AxisState& x = axis_of(world);
                ASSERT_LE(std::abs(x.position), 0.5 + speed * dt);
                if (k > 30) {
                    ASSERT_NEAR(x.position, way, 1e-12);
                    ASSERT_NEAR(x.velocity, 0, 1e-12);
                }
            }
        }
}

TEST(SpecConstraints, T3_limits_rebound_with_restitution) {
    for (const bool is_hinge : {false, true})
        for (const double e : {0.3, 1.0}) {
            AxisDesc axis;
            axis.lower = -0.5, axis.upper = 0.5, axis.restitution = e;
            Scene scene = is_hinge ? on_hinge(axis, 0.01) : on_slider(axis, 0.01);
            (is_hinge ? scene.bodies[0].angular_velocity : scene.bodies[0].velocity) =
                is_hinge ? Vec3{0, 0, 2} : Vec3{2, 0, 0};
            World world(scene);
            step(world, 40);
            EXPECT_NEAR(axis_of(world).velocity, -2 * e, 1e-9) << is_hinge << e;
            if (e < 1) continue;
            step(world, 1000);
            EXPECT_NEAR(std::abs(axis_of(world).velocity), 2, 1e-9);
        }
}

// At rest on a limit under its weight it does not bounce; the limit carries the weight.
TEST(SpecConstraints, T3_limits_carry_weight) {
    AxisDesc axis;
    axis.lower = 0, axis.restitution = 0.8;
    Scene scene = on_slider(axis, 0.01, 2);
    scene.settings.gravity = {-10, 0, 0};
    World world(scene);
    step(world, 50);
    EXPECT_NEAR(axis_of(world).position, 0, 1e-12);
    EXPECT_NEAR(axis_of(world).velocity, 0, 1e-12);
    EXPECT_NEAR(axis_of(world).force, 20, 1e-9);
    EXPECT_NEAR(world.frame().joints[0].force.x, 20, 1e-9);
    // A lever on a hinge: the limit bears m g l.
    Scene lever = on_hinge(axis, 0.01);
    lever.bodies[0].position = {0.7, 0, 0};
    lever.settings.gravity = {0, -10, 0};
    World hinge(lever);
    step(hinge, 50);
    EXPECT_NEAR(axis_of(hinge).position, 0, 1e-12);
    EXPECT_NEAR(axis_of(hinge).force, 7, 1e-6);
}

// Two free bodies, the limit far off the line of their centres: momentum stays.
TEST(SpecConstraints, T3_limit_impact_keeps_angular_momentum) {
    for (const double e : {0.0, 0.7}) {
        Scene scene = joint_scene(0.01);
        scene.bodies.push_back(block("a", {0, 0, 0}, 1, 0.3));
        scene.bodies.push_back(block("b", {0.2, 1.5, -0.4}, 2, 0.7));
        scene.bodies[1].velocity = {3, 0, 0};
        SliderJoint slider{{0, 0.5, 0}, {1, 0, 0}, {}};
        slider.slide.lower = -0.2, slider.slide.upper = 0.3, slider.slide.restitution = e;
        scene.joints.push_back(joint_of("j", "a", "b", slider));
        World world(scene);
        step(world);
        const Vec3 l = world.frame().angular_momentum, p = world.frame().linear_momentum;
        double farthest = 0;
        for (int k = 0; k < 200; ++k) {
            step(world);
            ASSERT_LT(length(world.frame().angular_momentum - l), 1e-10 * length(l));
            ASSERT_LT(length(world.frame().linear_momentum - p), 1e-12 * length(p));
            farthest = std::max(farthest, axis_of(world).position);
        }
        EXPECT_NEAR(farthest, 0.3, 1e-3);
    }
}

TEST(SpecConstraints, T4_motor_ramps_with_its_force) {
    const double inertia = 2, torque = 3, speed = 4, dt = 0.01;
    AxisDesc axis;
    axis.speed = speed, axis.max_force = torque;
    World world(on_hinge(axis, dt, inertia));
    const double ramp = inertia * speed / torque;
    int steps = 0;
    while (axis_of(world).velocity < speed * (1 - 1e-9) && steps < 1000) {
        step(world);
        ++steps;
        ASSERT_LE(std::abs(axis_of(world).force), torque * (1 + 1e-12));
        if (world.time() < ramp) {  // constant acceleration, exactly
            ASSERT_NEAR(axis_of(world).velocity, torque / inertia * world.time(), 1e-10);
            ASSERT_NEAR(axis_of(world).position, 0.5 * torque / inertia * world.time() * world.time(), 1e-10);
        }
    }
    EXPECT_NEAR(steps * dt, ramp, 1.001 * dt);
    step(world, 500);
    EXPECT_NEAR(axis_of(world).velocity, speed, 1e-12);
    EXPECT_NEAR(axis_of(world).force, 0, 1e-9);
    EXPECT_GT(axis_of(world).position, 4 * kPi);  // turns are counted
}

TEST(SpecConstraints, T4_friction_decelerates) {
    for (const bool is_hinge : {false, true}) {
        AxisDesc axis;
        axis.friction = 0.6;
        Scene scene = is_hinge ? on_hinge(axis, 0.01) : on_slider(axis, 0.01);
        (is_hinge ? scene.bodies[0].angular_velocity.z : scene.bodies[0].velocity.x) = 3;
        World world(scene);
        while (world.time() < 4.9) {
            step(world);
            ASSERT_NEAR(axis_of(world).velocity, 3 - 0.6 * world.time(), 1e-9);
        }
        step(world, 50);
        EXPECT_NEAR(axis_of(world).velocity, 0, 1e-14);
        EXPECT_NEAR(axis_of(world).position, 3 * 3 / (2 * 0.6), 1e-3);
    }
}

// A stuck axis holds against less than its friction, and gives way to more.
TEST(SpecConstraints, T4_friction_sticks) {
    AxisDesc axis;
    axis.friction = 5;
    Scene scene = on_slider(axis, 0.01);
    scene.bodies[0].mass = 1;
    World world(scene);
    world.apply(SetForce{"b", {4.9, 0, 0}, {}});
    step(world, 100);
    EXPECT_NEAR(axis_of(world).position, 0, 1e-14);
    EXPECT_NEAR(axis_of(world).force, -4.9, 1e-9);
    world.apply(SetForce{"b", {6, 0, 0}, {}});
    step(world, 100);
    EXPECT_NEAR(axis_of(world).velocity, 1, 1e-9);
}

TEST(SpecConstraints, T4_servo_reaches_its_target) {
    for (const double target : {1.5, -8.0})  // the second is more than a turn
        for (const bool is_limited : {false, true}) {
            AxisDesc axis;
            axis.target = target;
            if (is_limited) axis.max_force = 2;
            World world(on_hinge(axis, 0.01));
            double most = 0, beyond = 0;
            for (int k = 0; k < 1000; ++k) {
                step(world);
                most = std::max(most, std::abs(axis_of(world).force));
                beyond = std::max(beyond, std::abs(axis_of(world).position) - std::abs(target));
            }
            EXPECT_NEAR(axis_of(world).position, target, 1e-9);
            EXPECT_NEAR(axis_of(world).velocity, 0, 1e-9);
            EXPECT_LT(beyond, 1e-2 * std::abs(target));
            EXPECT_LE(most, is_limited ? 2 * (1 + 1e-12) : 1e9);
        }
    AxisDesc axis;
    axis.target = 2, axis.rate = 0.5;
    World world(on_slider(axis, 0.01));
    step(world, 200);
    EXPECT_NEAR(axis_of(world).velocity, 0.5, 1e-12);
    EXPECT_NEAR(axis_of(world).position, 1, 0.01);
    step(world, 300);
    EXPECT_NEAR(axis_of(world).position, 2, 1e-12);
}

// A servo lifts a lever against gravity, with a moment of inertia about the hinge that is not that of the
// body.
TEST(SpecConstraints, T4_servo_holds_a_lever) {
    AxisDesc axis;
    axis.target = 1, axis.max_force = 20;
    Scene scene = on_hinge(axis, 0.005, 0.05);
    scene.bodies[0].position = {0.8, 0, 0};
    scene.settings.gravity = {0, -9.81, 0};
    World world(scene);
    double beyond = 0;
    for (int k = 0; k < 1000; ++k) {
        step(world);
        beyond = std::max(beyond, axis_of(world).position - 1);
    }
    EXPECT_LT(beyond, 0.02);
    EXPECT_NEAR(axis_of(world).position, 1, 1e-9);
    EXPECT_NEAR(axis_of(world).force, 9.81 * 0.8 * std::cos(1.0), 1e-6);
}

// Implicit midpoint: tan(w' h / 2) = w h / 2, no energy lost or gained.
TEST(SpecConstraints, spring_frequency_and_energy) {
    for (const bool is_hinge : {false, true}) {
        const double k = 40, m = 1.6, h = 0.01, w = std::sqrt(k / m);
        Scene scene = is_hinge ? on_hinge(spring(k), h, m) : on_slider(spring(k), h, m);
        (is_hinge ? scene.bodies[0].angular_velocity.z : scene.bodies[0].velocity.x) = 1;
        World world(scene);
        const double energy = 0.5 * m, ours = 2 / h * std::atan(0.5 * w * h);
        EXPECT_NEAR(ours, w, 2e-3 * w);
        const int steps = is_long() ? 100000 : 10000;
        double crossings = 0, first = 0, last = 0, before = 0;
        for (int n = 0; n < steps; ++n) {
            step(world);
            const AxisState& x = axis_of(world);
            ASSERT_NEAR(0.5 * m * x.velocity * x.velocity + 0.5 * k * x.position * x.position, energy,
                        1e-10 * energy);
            if (n > 0 && before < 0 && x.position >= 0) {
                last = world.time() - h * x.position / (x.position - before);
                if (crossings++ == 0) first = last;
            }
            before = x.position;
        }
        EXPECT_NEAR((crossings - 1) * 2 * kPi / (last - first), ours, 1e-5 * w);
    }
}

TEST(SpecConstraints, spring_of_any_stiffness_is_stable) {
    for (const double k : {1e3, 1e6, 1e12}) {
        Scene scene = on_slider(spring(k, 0, 0.1), 0.01);
        World world(scene);
        const double energy = 0.5 * k * 0.01;
        for (int n = 0; n < 1000; ++n) {
            step(world);
            const AxisState& x = axis_of(world);
            const double d = x.position - 0.1;
            ASSERT_LE(0.5 * x.velocity * x.velocity + 0.5 * k * d * d, energy * (1 + 1e-6)) << k;
            ASSERT_LE(std::abs(d), 0.1 * (1 + 1e-6));
        }
    }
}

// Logarithmic decrement 2 pi z / sqrt(1 - z^2), and critical damping that does not swing.
TEST(SpecConstraints, damping_ratio) {
    const double k = 100, m = 1, h = 0.002, w = 10;
    for (const double z : {0.05, 0.2}) {
        Scene scene = on_slider(spring(k, 2 * z * w * m), h, m);
        scene.bodies[0].velocity.x = 1;
        World world(scene);
        std::vector<double> peaks;
        double a = 0, b = 0;
        while (world.time() < 3) {
            step(world);
            const double x = axis_of(world).position;
            if (b > a && b > x && b > 0) peaks.push_back(b);
            a = b, b = x;
        }
        ASSERT_GE(peaks.size(), 3u);
        EXPECT_NEAR(std::log(peaks[0] / peaks[1]), 2 * kPi * z / std::sqrt(1 - z * z), 5e-3);
    }
    Scene critical = on_slider(spring(k, 2 * w), h, m);
    critical.bodies[0].velocity.x = 1;
    World world(critical);
    while (world.time() < 2) {
        step(world);
        const double t = world.time();
        ASSERT_NEAR(axis_of(world).position, t * std::exp(-w * t), 1e-4);
    }
}

TEST(SpecConstraints, spring_force_is_told) {
    Scene scene = on_slider(spring(50), 0.01, 2);
    scene.settings.gravity = {-10, 0, 0};
    scene.bodies[0].linear_damping = 5;
    World world(scene);
    step(world, 2000);
    EXPECT_NEAR(axis_of(world).position, -0.4, 1e-6);
    EXPECT_NEAR(axis_of(world).force, 20, 1e-4);
}

// Turns are counted at any speed: here more than one in each step.
TEST(SpecConstraints, hinge_counts_turns) {
    Scene scene = on_hinge({}, 0.01);
    scene.bodies[0].angular_velocity = {0, 0, 700};
    World world(scene);
    step(world, 100);
    EXPECT_NEAR(axis_of(world).position, 700, 1e-6);
    const auto saved = world.checkpoint();
    World other(scene);
    other.restore(saved);
    EXPECT_EQ(other.state_hash(), world.state_hash());
    EXPECT_NEAR(axis_of(other).position, 700, 1e-6);
    step(world, 10), step(other, 10);
    EXPECT_EQ(other.state_hash(), world.state_hash());
    EXPECT_NEAR(axis_of(other).position, 770, 1e-6);
}

TEST(SpecConstraints, hinge_limit_after_two_turns) {
    AxisDesc axis;
    axis.upper = 13.5;
    Scene scene = on_hinge(axis, 0.01);
    scene.bodies[0].angular_velocity = {0, 0, 9};
    World world(scene);
    step(world, 300);
    EXPECT_NEAR(axis_of(world).position, 13.5, 1e-10);
}

}  // namespace
}  // namespace impuls
