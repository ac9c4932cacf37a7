// Forces of the scene against closed forms. With substeps h the impulse stepper is of second order: its
// frequency of a spring is (2/h) atan(w h/2), its decay by a damper ((1 - c h/2m) / (1 + c h/2m)) a substep,
// both off by a twelfth of the square of what happens in a substep; bounds are these, with a tenth to spare.
#include <gtest/gtest.h>

#include <cmath>

#include "impuls/impuls.h"
#include "support/constants.h"
#include "support/slow_build.h"

namespace impuls {
namespace {

const char* const kPresets[] = {"default", "accurate", "fast"};

// Bodies of 1 kg (unless said otherwise) without contacts.
struct ForceScene {
    Scene scene{};

    explicit ForceScene(const std::string& preset, const Vec3& gravity = {}, double dt = 1.0 / 60) {
        scene.settings.gravity = gravity;
        scene.settings.dt = dt;
        scene.settings.method.preset = preset;
    }
    BodyDesc& body(const std::string& name, const Vec3& at, double mass = 1) {
        BodyDesc& b = scene.bodies.emplace_back();
        b.name = name;
        b.shape = Sphere{0.1};
        b.mass = mass;
        b.position = at;
        b.collides = false;
        return b;
    }
    ForceDesc& force(const std::string& a, const std::string& b, const Force& force) {
        ForceDesc& f = scene.forces.emplace_back();
        f.a = a;
        f.b = b;
        f.force = force;
        return f;
    }
    double substep() const {
        return scene.settings.dt / static_cast<double>(resolve(scene.settings.method).rows().substeps);
    }
};

void run_to(World& world, double time) {
    while (world.time() < time - 0.5 * world.dt()) ASSERT_TRUE(world.step().ok);
}

// Mean angular frequency of a quantity about `middle`, by its rising passages.
template <class Value>
double frequency(World& world, double seconds, double middle, Value&& value) {
    double before = value() - middle, first = 0, last = 0;
    int count = -1;
    while (world.time() < seconds) {
        world.step();
        const double now = value() - middle;
        if (before < 0 && now >= 0) {
            last = world.time() - world.dt() * now / (now - before);
            if (++count == 0) first = last;
        }
        before = now;
    }
    return 2 * kPi * count / (last - first);
}

TEST(Forces, spring_swings_at_its_frequency_and_keeps_its_energy) {
    const double k = 90, mass = 2.5, w = std::sqrt(k / mass);
    for (const char* preset : kPresets) {
        ForceScene s(preset, {0, -kG, 0}, 0.002);
        s.body("b", {0, 0, 0}, mass);
        s.force("", "b", SpringForce{{0, 3, 0}, {0, 0, 0}, k});
        World world(s.scene);
        const double seconds = kSlowBuild ? 4 : 20, wh = w * s.substep();
        const double begin = world.frame().energy.total;
        const double middle = -mass * kG / k;
        const double measured =
            frequency(world, seconds, middle, [&] { return world.pose(world.find_body("b")).position.y; });
        // Passages are found by lines through points dt apart: off by no more than (w dt)^3 / 16 each.
        const double passage = std::pow(w * world.dt(), 3) / 8 / (w * seconds);
        EXPECT_NEAR(measured / w, 1, 1.1 * wh * wh / 12 + passage) << preset;
        EXPECT_NEAR(world.frame().energy.total, begin, 1e-9 * mass * kG * std::abs(middle)) << preset;
    }
}

// An elastic pendulum has no closed form: its energy is kept to second order of the substep.
TEST(Forces, elastic_pendulum_keeps_its_energy_to_second_order) {
    const auto worst = [](double dt) {
        ForceScene s("default", {0, -kG, 0}, dt);
        s.body("b", {1, 0, 0});
        s.force("", "b", SpringForce{{0, 0, 0}, {1, 0, 0}, 60});
        World world(s.scene);
        const double begin = world.frame().energy.total;
        double off = 0;
        while (world.time() < 3) {
            world.step();
            off = std::max(off, std::abs(world.frame().energy.total - begin));
        }
        return off;
    };
    const double coarse = worst(0.04), fine = worst(0.02);
    EXPECT_GT(coarse / fine, 3.5);
    EXPECT_LT(fine, 60 * std::pow(0.02 / 8, 2) * kG);  // k h^2 / m of the energy of falling by 1 m
}

TEST(Forces, damper_slows_down_exponentially) {
    const double c = 3, mass = 2, rate = c / mass, t = 1;
    for (const char* preset : kPresets) {
        ForceScene s(preset);
        s.body("b", {1, 0, 0}, mass).velocity = {2, 0, 0};
        s.force("", "b", DamperForce{{0, 0, 0}, {1, 0, 0}, c});
        World world(s.scene);
        run_to(world, t);
        const double h = s.substep();
        EXPECT_NEAR(world.velocity(world.find_body("b")).x / (2 * std::exp(-rate * t)), 1,
                    1.1 * std::pow(rate * h, 2) / 12 * (rate * t))
            << preset;
        const Energy& ledger = world.frame().energy;
        EXPECT_NEAR(ledger.dissipated, 0.5 * mass * 4 - world.frame().energy.kinetic, 1e-12);
        EXPECT_NEAR(ledger.supplied, 0, 1e-12);
    }
}

// Atwood's machine over two eyes. The cable starts at ease: it swings about its stretch T/k, of which each
// mass takes a part.
TEST(Forces, cable_over_eyes_is_atwoods_machine) {
    const double m = 3, n = 2, a = (m - n) / (m + n) * kG, tension = 2 * m * n * kG / (m + n), k = 1e5;
    for (const char* preset : kPresets) {
        ForceScene s(preset, {0, -kG, 0});
        s.body("m", {-1, 0, 0}, m);
        s.body("n", {1, 0, 0}, n);
        CableForce cable{{-1, 0, 0}, {1, 0, 0}, {{-1, 4, 0}, {1, 4, 0}}, k, 200};
        s.force("m", "n", cable);
        World world(s.scene);
        run_to(world, 1);
        const double way = 0.5 * a;
        EXPECT_NEAR(world.pose(world.find_body("m")).position.y, -way, 2 * tension / k) << preset;
        EXPECT_NEAR(world.pose(world.find_body("n")).position.y, way, 2 * tension / k) << preset;
        EXPECT_NEAR(world.velocity(world.find_body("n")).y, a, 1e-3 * a) << preset;
    }
}

// A slack cable does nothing; a ball thrown up on it falls freely.
TEST(Forces, slack_cable_lets_go) {
    ForceScene s("default", {0, -kG, 0});
    s.body("b", {0, 0, 0}).velocity = {0, 3, 0};
    CableForce cable{{0, 2, 0}, {0, 0, 0}};
    cable.length = 2.5;
    s.force("", "b", cable);
    World world(s.scene);
    run_to(world, 0.5);
    EXPECT_NEAR(world.pose(world.find_body("b")).position.y, 3 * 0.5 - 0.125 * kG, 1e-12);
}

// A thrust that turns with its body moves it on a circle; each substep's two kicks are a trapezoid.
TEST(Forces, rocket_with_a_steady_turn_flies_a_circle) {
    const double w = 2, radius = 1.5;
    for (const char* preset : kPresets) {
        ForceScene s(preset, {}, 2 * kPi / w / 120);
        BodyDesc& rocket = s.body("b", {radius, 0, 0});
        rocket.velocity = {0, w * radius, 0};
        rocket.angular_velocity = {0, 0, w};
        s.force("", "b", ConstantForce{{radius, 0, 0}, {-w * w * radius, 0, 0}, ForceAxes::Body});
        World world(s.scene);
        run_to(world, 2 * kPi / w);
        const double wh = w * s.substep();
        EXPECT_LT(length(world.pose(world.find_body("b")).position - Vec3{radius, 0, 0}),
                  1.1 * radius * wh * wh / 12 * (2 + 2 * kPi))
            << preset;
    }
}

// Off the centre it turns the body as well: about the centre with F l / I.
TEST(Forces, constant_force_beside_the_centre_turns) {
    ForceScene s("default");
    BodyDesc& b = s.body("b", {0, 0, 0}, 2);
    b.shape = Box{{0.4, 0.4, 0.4}};
    s.force("", "b", ConstantForce{{0.2, 0, 0}, {0, 3, 0}, ForceAxes::Body});
    World world(s.scene);
    ASSERT_TRUE(world.step().ok);
    const double inertia = 2 * (0.16 + 0.16) / 12;
    EXPECT_NEAR(world.angular_velocity(world.find_body("b")).z, 3 * 0.2 / inertia * world.dt(), 1e-9);
}

TEST(Forces, torque_about_a_principal_axis) {
    const double torque = 0.7, mass = 2;
    for (const char* preset : kPresets) {
        ForceScene s(preset);
        s.body("b", {0, 0, 0}, mass).shape = Box{{0.3, 0.5, 0.8}};
        s.force("", "b", TorqueForce{{0, 0, torque}});
        World world(s.scene);
        run_to(world, 1);
        const double inertia = mass * (0.09 + 0.25) / 12;
        EXPECT_NEAR(world.angular_velocity(world.find_body("b")).z, torque / inertia, 1e-9 * torque / inertia)
            << preset;
        // Its power grows evenly, so that the ledger knows all of it.
        EXPECT_NEAR(world.frame().energy.supplied, world.frame().energy.kinetic,
                    1e-9 * world.frame().energy.kinetic);
    }
}

TEST(Forces, torsion_spring_swings_at_its_frequency) {
    const double k = 4, inertia = 2 * (0.09 + 0.25) / 12, w = std::sqrt(k / inertia);
    for (const char* preset : kPresets) {
        ForceScene s(preset, {}, 0.002);
        BodyDesc& b = s.body("b", {0, 0, 0}, 2);
        b.shape = Box{{0.3, 0.5, 0.8}};
        b.angular_velocity = {0, 0, 2};
        s.force("", "b", TorsionSpringForce{{0, 0, 1}, k});
        World world(s.scene);
        const double seconds = kSlowBuild ? 4 : 10, wh = w * s.substep(), begin = world.frame().energy.total;
        const double measured =
            frequency(world, seconds, 0, [&] { return 2 * world.pose(world.find_body("b")).orientation.z; });
        const double passage = std::pow(w * world.dt(), 3) / 8 / (w * seconds);
        EXPECT_NEAR(measured / w, 1, 1.1 * wh * wh / 12 + passage) << preset;
        EXPECT_NEAR(world.frame().energy.total, begin, 1e-9 * begin) << preset;
    }
}

// v = u tanh(g t / u); the steady fall is the method's as well.
TEST(Forces, drag_ends_in_a_steady_fall) {
    const double mass = 0.5, density = 1.2, coefficient = 0.47;
    const double u = std::sqrt(2 * mass * kG / (density * coefficient * kPi * 0.01));
    for (const char* preset : kPresets) {
        ForceScene s(preset, {0, -kG, 0});
        s.body("b", {0, 0, 0}, mass);
        s.force("", "b", DragForce{.coefficient = coefficient, .density = density});
        World world(s.scene);
        const double gh = kG * s.substep() / u, at = u / kG;
        run_to(world, at);
        EXPECT_NEAR(-world.velocity(world.find_body("b")).y / (u * std::tanh(kG * world.time() / u)), 1,
                    gh * gh)
            << preset;
        run_to(world, 16 * at);  // e^-32 is left
        EXPECT_NEAR(-world.velocity(world.find_body("b")).y, u, 1e-9 * u) << preset;
    }
}

TEST(Forces, wind_takes_a_light_body_along) {
    ForceScene s("default");
    s.body("b", {0, 0, 0}, 1e-5);  // stiff: it takes the wind's velocity within a thousandth of a step
    s.force("", "b", DragForce{.coefficient = 1, .density = 1000, .wind = {3, 0, 1}});
    World world(s.scene);
    double fastest = 0;
    for (int k = 0; k < 60; ++k) {
        ASSERT_TRUE(world.step().ok);
        fastest = std::max(fastest, length(world.velocity(world.find_body("b"))));
    }
    EXPECT_LT(length(world.velocity(world.find_body("b")) - Vec3{3, 0, 1}), 0.01);
    EXPECT_LT(fastest, 1.1 * length(Vec3{3, 0, 1}));
}

// Two stars of unequal mass on ellipses with e = 0.6: after one period they are back, up to second order.
TEST(Forces, attraction_closes_keplers_orbit) {
    const double g = 1, m = 3, n = 1, axis = 1, e = 0.6;
    const double period = 2 * kPi * std::sqrt(axis * axis * axis / (g * (m + n)));
    const auto gap = [&](const char* preset, int steps) {
        ForceScene s(preset, {}, period / steps);
        const double far = axis * (1 + e), speed = std::sqrt(g * (m + n) / axis * (1 - e) / (1 + e));
        s.body("m", {-far * n / (m + n), 0, 0}, m).velocity = {0, -speed * n / (m + n), 0};
        s.body("n", {far * m / (m + n), 0, 0}, n).velocity = {0, speed * m / (m + n), 0};
        s.force("m", "n", AttractionForce{g});
        World world(s.scene);
        for (int k = 0; k < steps; ++k) world.step();
        EXPECT_LT(length(world.frame().linear_momentum), 1e-12);
        return length(world.pose(world.find_body("n")).position - s.scene.bodies[1].position);
    };
    for (const char* preset : kPresets) {
        const double coarse = gap(preset, 250), fine = gap(preset, 500);
        EXPECT_NEAR(coarse / fine, 4, 0.5) << preset;
        EXPECT_LT(fine, 1e-2) << preset;
    }
}

// 10^6 N/m on 1 kg at 60 Hz: w h = 16.7 in a step, 2 in a substep.
TEST(Forces, stiff_spring_is_stable_and_settles) {
    for (const char* preset : {"default", "accurate", "fast", "erleben"}) {
        for (const double damping : {0.0, 200.0}) {
            ForceScene s(preset, {0, -kG, 0});
            s.body("b", {0, 0, 0});
            s.force("", "b", SpringForce{{0, 1, 0}, {0, 0.001, 0}, 1e6, damping, 0.999});
            World world(s.scene);
            double lowest = 0, highest = -1;
            for (int k = 0; k < 300; ++k) {
                ASSERT_TRUE(world.step().ok);
                lowest = std::min(lowest, world.pose(world.find_body("b")).position.y);
                highest = std::max(highest, world.pose(world.find_body("b")).position.y);
            }
            EXPECT_GT(lowest, -0.00101 - kG / 1e6 * 2) << preset;
            EXPECT_LT(highest, 0.00101) << preset;
            if (damping == 0) continue;
            EXPECT_NEAR(world.pose(world.find_body("b")).position.y, -kG / 1e6, 1e-9) << preset;
        }
    }
}

// Held together by a stiff rod of length 0, two bodies fall and turn as one chain; momenta are kept.
TEST(Forces, rod_of_no_length_is_a_joint_that_yields) {
    for (const char* preset : kPresets) {
        ForceScene s(preset);
        s.body("a", {0, 0, 0}).velocity = {0, 1, 0};
        s.body("b", {1, 0, 0}, 2);
        RodForce rod{{0.5, 0, 0}, {0.5, 0, 0}, 1e6, 100, 0.0};
        s.force("a", "b", rod);
        World world(s.scene);
        const Vec3 turning = world.frame().angular_momentum;
        run_to(world, 1);
        EXPECT_LT(length(world.frame().linear_momentum - Vec3{0, 1, 0}), 1e-11) << preset;
        EXPECT_LT(length(world.frame().angular_momentum - turning), 0.02 * length(turning) + 1e-6) << preset;
        const auto at = [&](const char* name, const Vec3& p) {
            return world.pose(world.find_body(name)) * p;
        };
        EXPECT_LT(length(at("a", {0.5, 0, 0}) - at("b", {-0.5, 0, 0})), 1e-3) << preset;
    }
}

// A bar on a hinge at its end, back by a torsion spring: w^2 = k / (I + m l^2). The hinge pulls it in.
TEST(Forces, act_through_joints) {
    const double k = 5, mass = 2, l = 0.5, inertia = mass * 2 / 5 * 0.01 + mass * l * l;
    const double w = std::sqrt(k / inertia), speed = 0.4;
    for (const char* preset : kPresets) {
        ForceScene s(preset, {}, 0.002);
        BodyDesc& b = s.body("b", {l, 0, 0}, mass);
        b.velocity = {0, speed * l, 0};
        b.angular_velocity = {0, 0, speed};
        JointDesc joint;
        joint.b = "b";
        joint.joint = HingeJoint{{0, 0, 0}, {0, 0, 1}, {}};
        s.scene.joints.push_back(joint);
        s.force("", "b", TorsionSpringForce{{0, 0, 1}, k});
        World world(s.scene);
        const double begin = world.frame().energy.total;
        ASSERT_TRUE(world.step().ok);
        EXPECT_NEAR(length(world.frame().joints[0].force), mass * speed * speed * l,
                    0.01 * mass * speed * speed * l)
            << preset;
        const double seconds = kSlowBuild ? 7 : 10;
        const double measured =
            frequency(world, seconds, 0, [&] { return 2 * world.pose(world.find_body("b")).orientation.z; });
        // The hinge's substep, at most the usual one, is not known here.
        const double wh = w * s.substep(), passage = std::pow(w * world.dt(), 3) / 8 / (w * seconds);
        EXPECT_NEAR(measured / w, 1, 1.1 * (wh * wh / 12 + speed * speed / (w * w) * wh * wh) + passage)
            << preset;
        EXPECT_NEAR(world.frame().energy.total, begin, 1e-5 * begin) << preset;
    }
}

// Pressed down by a spring, a box bears on the ground with its weight and the spring's force.
TEST(Forces, act_through_contacts) {
    for (const char* preset : {"default", "accurate", "fast", "erleben"}) {
        ForceScene s(preset, {0, -kG, 0});
        BodyDesc ground;
        ground.name = "ground";
        ground.kind = BodyKind::Static;
        ground.shape = Plane{};
        s.scene.bodies.push_back(ground);
        BodyDesc& box = s.body("b", {0, 0.5, 0}, 2);
        box.shape = Box{{1, 1, 1}};
        box.collides = true;
        s.force("", "b", SpringForce{{0, 2, 0}, {0, 1, 0}, 1000, 20, 1.03});
        World world(s.scene);
        run_to(world, 2);
        Vec3 sum{};
        for (const Contact& c : world.frame().contacts) sum += c.force;
        const double gap = world.pose(world.find_body("b")).position.y - 0.5;
        EXPECT_NEAR(std::abs(sum.y), 2 * kG + 1000 * (0.03 + gap), 0.02 * (2 * kG + 30)) << preset;
        EXPECT_NEAR(gap, 0, 2e-3) << preset;
        EXPECT_LT(length(world.velocity(world.find_body("b"))), 1e-3) << preset;
    }
}

// Three forces along the same line: the body is pushed for two thirds of a second in all, and not by the one
// that is switched off. Intervals need not end with a step.
TEST(Forces, act_in_their_intervals) {
    ForceScene s("default", {}, 1.0 / 50);
    s.body("b", {0, 0, 0}, 2);
    ForceDesc& early = s.force("", "b", ConstantForce{{}, {3, 0, 0}});
    early.from = 0.105;
    early.until = 0.105 + 1.0 / 3;
    ForceDesc& late = s.force("", "b", ConstantForce{{}, {3, 0, 0}});
    late.from = 0.777;
    late.until = 0.777 + 1.0 / 3;
    s.force("", "b", ConstantForce{{}, {100, 0, 0}}).enabled = false;
    World world(s.scene);
    run_to(world, 2);
    EXPECT_NEAR(world.velocity(world.find_body("b")).x, 1, 1e-12);
}

}  // namespace
}  // namespace impuls
