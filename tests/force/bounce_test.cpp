// Impacts of the force stepper on worlds: bounces, cradles, boxes that land flat, fast balls and thin plates
// (spec: workbench T1-T5, T10).
#include <algorithm>

#include "scene_of.h"

namespace impuls::at_force_level {
namespace {

// What a ball that flies above the floor at y = 0 tells of its flight.
struct Flight {
    double height, begin;  // above the floor; when it left it
};
Flight flight_of(const Watched& w, const std::string& ball, double radius) {
    const double y = w.at(ball).y - radius, v = w.v(ball).y, up = std::sqrt(v * v + 2 * kG * y);
    return {up * up / (2 * kG), w.world.time() - (up - v) / kG};
}

Scene falling_ball(const std::string& extra, double restitution, double dt = 0.01) {
    Scene scene = scene_of(extra, dt);
    scene.materials[0].restitution = restitution;
    add_floor(scene);
    add(scene, "ball", Sphere{0.02}, {0, 0.07, 0});
    return scene;
}

// Fig 20: from 0.05 m with 0.81: heights e^2n h and times of impacts in closed form, and an end in contact.
TEST(SpecWorkbench, T1_a_ball_bounces_and_comes_to_rest) {
    Watched w(falling_ball("+tolerance=1e-10", 0.81));
    const double h = 0.05, t_0 = std::sqrt(2 * h / kG), e = 0.81;
    double impact = t_0, power = e;
    w.unbooked();
    for (int n = 1; n <= 5; ++n) {
        // In the middle of the flight.
        while (w.world.time() < impact + power * t_0) ASSERT_NO_FATAL_FAILURE(w.step());
        const Flight flight = flight_of(w, "ball", 0.02);
        EXPECT_NEAR(flight.height, power * power * h, 1e-6 * h) << n;
        EXPECT_NEAR(flight.begin, impact, 1e-6) << n;
        impact += 2 * power * t_0;
        power *= e;
    }
    w.run(1.2);
    EXPECT_LT(length(w.v("ball")), 1e-3);
    EXPECT_NEAR(w.at("ball").y, 0.02 * (1 - 1e-3), 1e-5);
    EXPECT_NEAR(w.unbooked(), 0, 1e-6 * kG * h);
    EXPECT_NEAR(w.world.frame().energy.dissipated, kG * (h + 0.02e-3), 1e-3 * kG * h);
}

// A ball that meets the floor by the force of a spring: AERO's law as printed gives sqrt(e), with e^2 e; the
// linear law what its damping was made for.
double rebound(const std::string& law, double restitution) {
    Watched w(falling_ball("+tolerance=1e-8+sink=1e-4+contact=" + law, restitution));
    const double t_0 = std::sqrt(2 * 0.05 / kG);
    w.run(1.6 * t_0);
    return std::sqrt(flight_of(w, "ball", 0.02).height / 0.05);
}
TEST(SpecWorkbench, T2_springs_give_the_restitution_of_their_law) {
    EXPECT_NEAR(rebound("spring", 0.81), 0.9, 0.005 * 0.9);
    EXPECT_NEAR(rebound("corrected_spring", 0.81), 0.81, 0.005 * 0.81);
    EXPECT_NEAR(rebound("linear", 0.7), 0.7, 0.01);
    EXPECT_NEAR(rebound("hertz", 0.7), 1, 0.005);
    const double damped = rebound("hunt_crossley", 0.7);  // as asked for at another speed
    EXPECT_GT(damped, 0.4);
    EXPECT_LT(damped, 0.8);
}

// Free balls in a row, one of them at speed 1 (spec: workbench, item 3).
TEST(SpecWorkbench, T3_a_row_of_balls_hands_on_its_momentum) {
    const struct {
        double e;
        std::array<double, 5> v;
    } rows[]{{1, {0, 0, 0, 0, 1}},
             {0.9, {0.0435, 0.0454, 0.0473, 0.0493, 0.8145}},
             {0.81, {0.0744, 0.0795, 0.0848, 0.0905, 0.6708}},
             {0.5, {0.1539, 0.1672, 0.1780, 0.1846, 0.3164}}};
    for (const auto& row : rows) {
        Scene scene = scene_of("+impact_speed=1e-9");
        scene.settings.gravity = {};
        scene.materials[0].restitution = row.e;
        for (int k = 0; k < 5; ++k)
            add(scene, "ball" + std::to_string(k), Sphere{0.1}, {0.2 * k - (k == 0 ? 0.005 : 0), 0, 0},
                {k == 0 ? 1.0 : 0.0, 0, 0});
        Watched w(scene);
        w.run(0.02);
        for (int k = 0; k < 5; ++k)
            EXPECT_NEAR(w.v("ball" + std::to_string(k)).x, row.v[static_cast<std::size_t>(k)], 1e-3)
                << row.e << ' ' << k;
    }
}

// Hung on joints that hold: the last ball swings as high as the first was raised.
TEST(SpecWorkbench, T3_newtons_cradle_on_joints) {
    Scene scene = scene_of("+tolerance=1e-9");
    scene.materials[0].restitution = 1;
    for (int k = 0; k < 5; ++k) {
        const std::string name = "ball" + std::to_string(k);
        const Vec3 hook{0.1 * k, 1, 0};
        const double angle = k == 0 ? 0.5 : 0;
        add(scene, name, Sphere{0.05}, hook + Vec3{-std::sin(angle), -std::cos(angle), 0});
        add_joint(scene, "", name, HingeJoint{.anchor = hook, .axis = {0, 0, 1}});
    }
    Watched w(scene);
    w.unbooked();
    double first = 0, last = 0, others = 0;
    const double full = 1 - std::cos(0.5);
    const int cycles = is_long() ? 10 : 2;
    while (w.world.time() < 2.1 * cycles) {
        ASSERT_NO_FATAL_FAILURE(w.step());
        last = std::max(last, w.at("ball4").y);
        if (w.world.time() > 2.1 * cycles - 1.3) first = std::max(first, w.at("ball0").y);
        if (w.world.time() < 1)
            for (int k = 1; k < 4; ++k)
                others = std::max(others, std::abs(w.v("ball" + std::to_string(k)).x));
    }
    EXPECT_GT(last, 0.999 * full);
    EXPECT_GT(first, 0.99 * full);
    EXPECT_LT(others, 1e-3 * std::sqrt(2 * kG * full));
    EXPECT_NEAR(w.unbooked(), 0, 1e-6 * kG * full);
}

// Momentum and energy of impacts of spheres at random, frictionless.
TEST(SpecWorkbench, T4_impacts_keep_momentum_and_lose_what_restitution_says) {
    for (int trial = 0; trial < 20; ++trial) {
        Scene scene = scene_of("+impact_speed=1e-9");
        scene.settings.gravity = {};
        const double e = 0.05 * trial, m = 0.3 + 0.2 * trial, offset = 0.015 * (trial % 10);
        scene.materials[0].restitution = e;
        add(scene, "a", Sphere{0.1}, {0, 0, 0}, {1, 0.2, 0.1});
        add(scene, "b", Sphere{0.15}, {0.253, offset, 0}, {-2, 0.1, 0}).mass = m;
        Watched w(scene);
        const Vec3 momentum = w.v("a") + w.v("b") * m;
        const double before = 0.5 * (dot(w.v("a"), w.v("a")) + m * dot(w.v("b"), w.v("b")));
        const Vec3 r = w.at("b") - w.at("a"), u = w.v("b") - w.v("a");
        // When their distance is 0.25.
        const double b = dot(r, u),
                     t = (-b - std::sqrt(b * b - dot(u, u) * (dot(r, r) - 0.0625))) / dot(u, u);
        const double v_n = dot(u, normalized(r + u * t));
        w.run(0.02);
        const double after = 0.5 * (dot(w.v("a"), w.v("a")) + m * dot(w.v("b"), w.v("b")));
        EXPECT_LE(length(w.v("a") + w.v("b") * m - momentum), 1e-12 * (1 + 2 * m));
        EXPECT_NEAR(before - after, 0.5 * (1 - e * e) * v_n * v_n / (1 + 1 / m), 1e-8 * before) << trial;
    }
}

// A box that lands flat does not rotate where the points of a pair are taken together; point after point, as
// AERO does, it does.
TEST(SpecWorkbench, T5_a_box_that_lands_flat) {
    const auto spin = [](const std::string& order) {
        Scene scene = scene_of("+impacts=" + order);
        scene.materials[0].restitution = 0.5;
        add_floor(scene);
        add(scene, "box", Box{{0.2, 0.1, 0.3}}, {0, 0.15, 0});
        Watched w(scene);
        w.run(0.16);
        EXPECT_GT(w.v("box").y, 0.1) << order;
        return length(w.w("box"));
    };
    EXPECT_LT(spin("simultaneous"), 1e-9);
    EXPECT_LT(spin("propagating"), 1e-9);
    EXPECT_GT(spin("sequential"), 1e-3);
}

// At 100 m/s against 1 mm, whatever the time step; on a grid of 1 ms it is through before anybody looks.
TEST(SpecWorkbench, T10_a_fast_ball_does_not_pass_a_thin_plate) {
    const auto far = [](const std::string& extra, double dt) {
        Scene scene = scene_of(extra, dt);
        scene.settings.gravity = {};
        scene.materials[0].restitution = 1;
        BodyDesc& plate = add(scene, "plate", Box{{1, 1, 0.001}}, {});
        plate.kind = BodyKind::Static;
        plate.mass.reset();
        add(scene, "ball", Sphere{0.005}, {0.1, 0.05, 1.2345}, {0, 0, -100});
        Watched w(scene);
        w.run(0.024);
        return w.at("ball").z;
    };
    for (const double dt : {0.024, 0.008, 0.001})
        EXPECT_NEAR(far("", dt), -1.2345 + 2 * 0.0055 + 100 * 0.024, 1e-6) << dt;
    EXPECT_LT(far("+collision_grid=0.001", 0.008), -1);
}

}  // namespace
}  // namespace impuls::at_force_level
