// Friction with memory at force level: what rests on a slope stays, up to the angle of friction; what slides
// stops where it should; and what is remembered is state (spec: workbench 2.9, T13).
#include "scene_of.h"

namespace impuls::at_force_level {
namespace {

constexpr double kBristleShare = 2 * 0.7 / 1.7;  // tangential stiffness beside normal (Mindlin, n = 0.3)

Scene slope(double angle, const std::string& extra = "") {
    Scene scene = scene_of("+friction_law=bristle" + extra);
    scene.settings.gravity = {kG * std::sin(angle), -kG * std::cos(angle), 0};
    scene.materials[0].friction = 0.5;
    add_floor(scene);
    add(scene, "box", Box{{0.4, 0.1, 0.4}}, {0, 0.05, 0});
    return scene;
}

// No creep at all: once the springs have settled, not a ten thousandth of what the regularised law creeps by.
TEST(SpecWorkbench, T13_bristles_do_not_creep) {
    const double limit = std::atan(0.5);
    for (const double share : {0.95, 0.5}) {
        Watched w(slope(share * limit));
        w.run(1.5);
        const Vec3 before = w.at("box");
        w.run(kSlowBuild ? 0.2 : 2.5);
        EXPECT_NEAR(w.at("box").x, before.x, 1e-10) << share;
        EXPECT_NEAR(w.v("box").x, 0, 1e-9) << share;
        if (kSlowBuild) break;
    }
}

TEST(SpecWorkbench, T13_bristles_hold_up_to_the_angle_of_friction) {
    const double limit = std::atan(0.5);
    Watched holds(slope(0.99 * limit)), slides(slope(1.01 * limit));
    holds.run(1);
    slides.run(1);
    EXPECT_NEAR(holds.v("box").x, 0, 1e-6);
    const double a = kG * (std::sin(1.01 * limit) - 0.5 * std::cos(1.01 * limit));
    EXPECT_NEAR(slides.v("box").x, a, 0.02 * a);  // after the springs have been stretched
}

// At rest the four springs carry the weight along the slope.
TEST(ForceLevel, bristles_yield_as_springs) {
    Scene scene = slope(0.3);
    const double k = 1e5;
    ContactDesc contact;
    contact.a = contact.b = "m";
    contact.friction = 0.5;
    contact.compliance = 1 / k;
    contact.damping = 2 * std::sqrt(k);
    scene.contacts = {contact};
    Watched w(scene);
    w.run(1);
    const double centre = kG * std::sin(0.3) / (4 * kBristleShare * k);
    // The box leans a little, too: its lower edge sinks deeper by the tilt.
    EXPECT_NEAR(w.at("box").x, centre, 0.25 * centre);
    w.run(2);
    EXPECT_NEAR(w.v("box").x, 0, 1e-10);
}

// Between the angles of sliding and static friction it stays until it is pushed, and then goes.
TEST(ForceLevel, bristles_know_static_friction) {
    const double angle = std::atan(0.5);
    for (const bool is_pushed : {false, true}) {
        Scene scene = slope(angle);
        scene.materials[0].friction = 0.4;
        scene.materials[0].static_friction = 0.6;
        Watched w(scene);
        w.run(0.5);
        if (is_pushed) {
            ApplyImpulse push;
            push.body = "box";
            push.impulse = {0.2, 0, 0};
            w.world.apply(push);
        }
        w.run(1);
        const double a = kG * (std::sin(angle) - 0.4 * std::cos(angle));
        EXPECT_NEAR(w.v("box").x, is_pushed ? 0.2 + 0.5 * a : 0, is_pushed ? 0.01 : 1e-8);
    }
}

// A box that slides stops after v^2/(2 m g), and stays; the books close.
TEST(ForceLevel, what_slides_stops_and_stays) {
    Scene scene = slope(0, "+tolerance=1e-9");
    scene.bodies.back().velocity = {1, 0, 0};
    scene.bodies.back().position.y = 0.05 - 1e-5;
    Watched w(scene);
    w.unbooked();
    w.run(0.5);
    const double way = 1 / (2 * 0.5 * kG);
    EXPECT_NEAR(w.at("box").x, way, 2e-3 * way);
    const Vec3 rest = w.at("box");
    w.run(1);
    EXPECT_NEAR(length(w.at("box") - rest), 0, 1e-5);
    EXPECT_NEAR(length(w.v("box")), 0, 1e-6);
    EXPECT_NEAR(w.unbooked(), 0, 1e-7);
}

// A ball that slides ends rolling at 5/7 v.
TEST(SpecWorkbench, T13_a_ball_on_bristles_starts_to_roll) {
    Scene scene = scene_of("+friction_law=bristle+tolerance=1e-8");
    scene.materials[0].friction = 0.3;
    add_floor(scene);
    add(scene, "ball", Sphere{0.1}, {0, 0.0999, 0}, {2, 0, 0});
    Watched w(scene);
    const double time = 2 * 2 / (7 * 0.3 * kG);
    w.run(0.9 * time);
    EXPECT_GT(w.v("ball").x + 0.1 * w.w("ball").z, 0.01);
    w.run(1.5 * time);
    EXPECT_NEAR(w.v("ball").x, 5.0 / 7 * 2, 0.002 * 2);
    EXPECT_NEAR(w.v("ball").x + 0.1 * w.w("ball").z, 0, 1e-3);
}

// Every integrator keeps it there (with a given step: where that is short beside sqrt(m/k) of the contacts).
TEST(ForceLevel, bristles_hold_with_every_integrator) {
    for (const char* extra : {"+integrator=rosenbrock+tolerance=1e-5", "+integrator=runge_kutta+substeps=60",
                              "+integrator=verlet+substeps=150", "+contact_search=moderate"}) {
        Watched w(slope(0.3, extra));
        w.run(1);
        const Vec3 before = w.at("box");
        w.run(1.3);
        EXPECT_NEAR(w.at("box").x, before.x, 1e-7) << extra;
    }
}

// Small and large alike, bit for bit.
TEST(ForceLevelState, bristles_have_no_scale) {
    const auto end = [](double s) {
        Scene scene = slope(0.3);
        scene.settings.gravity = scene.settings.gravity * s;
        scene.bodies.back().shape = Box{{0.4 * s, 0.1 * s, 0.4 * s}};
        scene.bodies.back().position.y *= s;
        scene.bodies.back().velocity = {s, 0, 0};
        Watched w(scene);
        w.run(0.3);
        return w.at("box") / s;
    };
    const Vec3 usual = end(1);
    EXPECT_EQ(usual, end(128));
    EXPECT_EQ(usual, end(1.0 / 128));
}

}  // namespace
}  // namespace impuls::at_force_level
