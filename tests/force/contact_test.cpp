// Contact forces of the force stepper on worlds: depth at rest, friction, rolling, a pyramid of cans, a
// vehicle (spec: workbench T12, T13, T26, T27; constraints T15).
#include <algorithm>

#include "scene_of.h"

namespace impuls::at_force_level {
namespace {

// A box on four points of 1/compliance each, critically damped: m g/(k c), without overshoot and never
// tensile.
TEST(SpecWorkbench, T12_a_penalty_contact_sinks_by_its_load) {
    Scene scene = scene_of("+tolerance=1e-9");
    const double k = 1e4;
    ContactDesc contact;
    contact.a = contact.b = "m";
    contact.compliance = 1 / k;
    contact.damping = 2 * std::sqrt(4 * k) / 4;
    scene.contacts = {contact};
    add_floor(scene);
    add(scene, "box", Box{{0.2, 0.2, 0.2}}, {0, 0.1, 0});
    Watched w(scene);
    const double depth = kG / (4 * k);
    double deepest = 0;
    while (w.world.time() < 0.5) {
        ASSERT_NO_FATAL_FAILURE(w.step());
        deepest = std::max(deepest, 0.1 - w.at("box").y);
        for (const Contact& c : w.world.frame().contacts) EXPECT_GE(dot(c.force, c.normal), 0);
    }
    EXPECT_NEAR(0.1 - w.at("box").y, depth, 1e-3 * depth);
    EXPECT_LT(deepest, 1.01 * depth);
}

// By itself a body rests as deep as `sink` says of one point, whatever its size and mass.
TEST(ForceLevel, bodies_sink_by_the_same_share_of_their_size) {
    for (const double size : {1e-3, 1.0, 100.0}) {
        Scene scene = scene_of();
        add_floor(scene);
        add(scene, "ball", Sphere{size}, {0, size, 0}).mass = size * size;
        Watched w(scene);
        w.run(is_long() || size <= 1 ? 2 : 4);
        EXPECT_NEAR(1 - w.at("ball").y / size, 1e-3, 2e-5) << size;
    }
}

Scene slope(double angle, const std::string& extra) {
    Scene scene = scene_of(extra);
    scene.settings.gravity = {kG * std::sin(angle), -kG * std::cos(angle), 0};
    scene.materials[0].friction = 0.5;
    add_floor(scene);
    add(scene, "box", Box{{0.4, 0.1, 0.4}}, {0, 0.05, 0});
    return scene;
}

// Below the angle of friction it creeps at v_T tan a / m, above it slides away.
TEST(SpecWorkbench, T13_friction_holds_up_to_its_angle) {
    const double limit = std::atan(0.5), slow = 1e-3;
    Watched holds(slope(0.99 * limit, "+slip_speed=0.001")), slides(slope(1.01 * limit, "+slip_speed=0.001"));
    holds.run(0.5);
    slides.run(0.5);
    EXPECT_NEAR(holds.v("box").x, slow * std::tan(0.99 * limit) / 0.5, 0.02 * slow);
    EXPECT_NEAR(slides.v("box").x, 0.5 * kG * (std::sin(1.01 * limit) - 0.5 * std::cos(1.01 * limit)), 0.005);
}

// Fig 26: a ball that slides with v starts to roll at 5/7 v after 2 v/(7 m g).
TEST(SpecWorkbench, T13_a_sliding_ball_starts_to_roll) {
    Scene scene = scene_of("+tolerance=1e-8");
    scene.materials[0].friction = 0.3;
    add_floor(scene);
    add(scene, "ball", Sphere{0.1}, {0, 0.0999, 0}, {2, 0, 0});
    Watched w(scene);
    const double time = 2 * 2 / (7 * 0.3 * kG);
    w.run(0.9 * time);
    EXPECT_GT(w.v("ball").x + 0.1 * w.w("ball").z, 0.01);  // slips
    w.run(1.5 * time);
    EXPECT_NEAR(w.v("ball").x, 5.0 / 7 * 2, 0.002 * 2);
    EXPECT_NEAR(w.v("ball").x + 0.1 * w.w("ball").z, 0, 1e-3);
}

// A ball that rolls off a table in a long step: eagerly it falls from the edge on, lazily it is carried to
// the end of the step.
TEST(SpecConstraints, T15_lazy_contacts_carry_beyond_the_edge) {
    const auto height = [](const std::string& search) {
        Scene scene = scene_of("+tolerance=1e-6+contact_search=" + search, 0.1);
        BodyDesc& table = add(scene, "table", Box{{2, 0.2, 2}}, {-1, -0.1, 0});
        table.kind = BodyKind::Static;
        table.mass.reset();
        add(scene, "ball", Sphere{0.01}, {-0.05, 0.01 * (1 - 1e-3), 0}, {1, 0, 0});
        Watched w(scene);
        w.run(0.1);
        return w.at("ball").y;
    };
    // From the edge at 0.05 s on; the sphere leaves it a little later, rolling over it.
    EXPECT_LT(height("eager"), 0.01 - 0.4 * kG * 0.05 * 0.05);
    EXPECT_GT(height("lazy"), 0.01 - 1e-3);
    EXPECT_GT(height("moderate"), 0.01 - 1e-3);  // the point found goes with the ball
}

// Ten cans 4-3-2-1 stand; a ball knocks them over.
TEST(SpecWorkbench, T26_can_throwing) {
    Scene scene = scene_of("+tolerance=1e-5+slip_speed=0.005", 0.01);
    scene.materials[0].friction = 0.4;
    add_floor(scene);
    const double r = 0.033, l = 0.115;
    for (int row = 0; row < 4; ++row)
        for (int k = 0; k + row < 4; ++k)
            add(scene, "can" + std::to_string(row) + std::to_string(k), Cylinder{r, l},
                {(2 * r + 0.002) * (k + 0.5 * row - 1.5), l * (row + 0.5), 0})
                .mass = 0.1;
    add(scene, "ball", Sphere{0.05}, {0, 0.2, 5}, {0, 0, 0});
    scene.bodies.back().gravity_scale = 0;
    scene.bodies.back().mass = 0.3;
    Watched w(scene);
    const Vec3 top = w.at("can30");
    w.run(is_long() ? 10 : 0.1);
    EXPECT_LT(length(w.at("can30") - top), 1e-3);
}

// A quarter of a car: mass on a spring and damper, wheel on the road by a spring. Ride height by its load,
// frequency and damping of the body.
TEST(SpecWorkbench, T27_vehicle_on_springs) {
    Scene scene = scene_of("+tolerance=1e-9");
    const double m = 250, k = 2e4, c = 1000;
    add(scene, "body", Box{{1, 0.3, 1}}, {0, 1, 0}).mass = m;
    SliderJoint slider;
    slider.anchor = {0, 1, 0};
    slider.axis = {0, 1, 0};
    add_joint(scene, "", "body", slider);
    SpringForce spring;
    spring.anchor_b = {0, 1, 0};
    spring.stiffness = k;
    spring.damping = c;
    spring.length = 1;
    add_force(scene, "", "body", spring);
    Watched w(scene);
    w.unbooked();
    const double sag = m * kG / k, w0 = std::sqrt(k / m), zeta = c / (2 * std::sqrt(k * m));
    const double wd = w0 * std::sqrt(1 - zeta * zeta);
    while (w.world.time() < 1) {
        ASSERT_NO_FATAL_FAILURE(w.step());
        const double t = w.world.time();
        const double x =
            1 - sag + sag * std::exp(-zeta * w0 * t) * (std::cos(wd * t) + zeta * w0 / wd * std::sin(wd * t));
        EXPECT_NEAR(w.at("body").y, x, 1e-6 * sag);
    }
    EXPECT_NEAR(w.unbooked(), 0, 1e-9 * m * kG);
    w.run(6);
    EXPECT_NEAR(w.at("body").y, 1 - sag, 0.005 * sag);
}

// A body that is driven over the ground by friction of a belt, and comes to its speed.
TEST(ForceLevel, a_running_surface_takes_along) {
    Scene scene = scene_of("+tolerance=1e-7");
    scene.materials[0].friction = 0.5;
    add_floor(scene).surface_velocity = {1, 0, 0};
    add(scene, "box", Box{{0.2, 0.2, 0.2}}, {0, 0.1, 0});
    Watched w(scene);
    w.unbooked();
    w.run(0.1);
    EXPECT_NEAR(w.v("box").x, 0.05 * kG, 0.01);
    w.run(0.6);
    EXPECT_NEAR(w.v("box").x, 1, 1e-3);
    EXPECT_NEAR(w.unbooked(), 0, 1e-6);
}

}  // namespace
}  // namespace impuls::at_force_level
