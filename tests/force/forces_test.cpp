// Forces, rods, drag and the integrators of the force stepper on worlds (spec: workbench T6, T7, T9, T11,
// T14-T16; granular T10-T13).
#include "scene_of.h"

namespace impuls::at_force_level {
namespace {

// A force that does nothing makes a free body an island, which is then the integrator's.
void tie(Scene& scene, const std::string& body) {
    add_force(scene, "", body, ConstantForce{});
}

// A top without torque: angular momentum and energy stay.
TEST(SpecWorkbench, T6_a_free_top_keeps_energy_and_momentum) {
    Scene scene = scene_of("+tolerance=1e-11");
    scene.settings.gravity = {};
    BodyDesc& top = add(scene, "top", Box{{0.1, 0.2, 0.3}}, {});
    top.angular_velocity = {0.01, 5, 0.01};
    tie(scene, "top");
    Watched w(scene);
    const Vec3 l = w.world.frame().angular_momentum;
    const double energy = w.world.frame().energy.kinetic;
    w.run(is_long() ? 100 : 10);
    const Vec3 now = w.world.frame().angular_momentum;
    EXPECT_LT(length(cross(normalized(now), normalized(l))), 1e-8);
    EXPECT_NEAR(w.world.frame().energy.kinetic, energy, 1e-8 * energy);
}

TEST(SpecWorkbench, T7_a_hundred_turns_about_an_axis) {
    Scene scene = scene_of("+tolerance=1e-13");
    scene.settings.gravity = {};
    add(scene, "wheel", Box{{0.1, 0.2, 0.3}}, {}).angular_velocity = {0, 0, (2 * kPi) * 100};
    tie(scene, "wheel");
    Watched w(scene);
    w.run(1);
    const Quat q = w.world.pose(w.id("wheel")).orientation;
    EXPECT_LT(std::abs(q.x) + std::abs(q.y) + std::abs(q.z), 1e-8);
}

// A spring far too stiff for the shortest step that is allowed: said once, with body and force.
TEST(SpecWorkbench, T9_the_shortest_step_is_warned_of) {
    Scene scene = scene_of("+tolerance=1e-12+least_step=1e-3");
    scene.settings.gravity = {};
    add(scene, "ball", Sphere{0.1}, {1, 0, 0});
    SpringForce spring;
    spring.anchor_b = {1, 0, 0};
    spring.stiffness = 1e4;
    spring.length = 0.9;
    add_force(scene, "", "ball", spring);
    Watched w(scene);
    w.run(0.05);
    ASSERT_FALSE(w.world.warnings().empty());
    const Warning& warning = w.world.warnings().front();
    EXPECT_EQ(warning.kind, WarningKind::ShortStep);
    EXPECT_EQ(warning.subject, "ball");
    EXPECT_EQ(warning.other, "force 0");
    EXPECT_NEAR(warning.value, 1e-3, 1e-12);
    EXPECT_NE(describe(warning).find("force 0"), std::string::npos);
}

// A pendulum on a rod, from horizontal: at the lowest point the rod is stretched by 3 m g/c.
TEST(SpecWorkbench, T11_a_rod_stretches_by_its_load) {
    const auto stretch = [](double c) {
        Scene scene = scene_of("+tolerance=1e-9", 0.002);
        add(scene, "bob", Sphere{0.05}, {1, 0, 0});
        RodForce rod;
        rod.anchor_b = {1, 0, 0};
        rod.stiffness = c;
        rod.damping = 0.6 * std::sqrt(c);  // no ringing
        add_force(scene, "", "bob", rod);
        Watched w(scene);
        double lowest = 0;
        while (w.world.time() < 0.7) {
            w.step();
            const Vec3 p = w.at("bob");
            if (p.x < 0) break;
            lowest = length(p) - 1;
        }
        return lowest;
    };
    EXPECT_NEAR(stretch(1e4), 3 * kG / 1e4, 0.02 * 3 * kG / 1e4);
    EXPECT_NEAR(stretch(1e5), 3 * kG / 1e5, 0.02 * 3 * kG / 1e5);
}

// Between moments that are no multiples of the step, along axes of the world and of the body; a pair of
// forces turns and does not move.
TEST(SpecWorkbench, T14_forces_act_in_their_interval) {
    Scene scene = scene_of();
    scene.settings.gravity = {};
    add(scene, "a", Sphere{0.1}, {}).mass = 2;
    ConstantForce force;
    force.force = {3, 0, 0};
    add_force(scene, "", "a", force, 0.0033, 0.0177);
    BodyDesc& pair = add(scene, "pair", Box{{0.2, 0.2, 0.2}}, {5, 0, 0});
    pair.mass = 1;
    for (const double side : {-1.0, 1.0}) {
        ConstantForce turn;
        turn.anchor = {5 + 0.1 * side, 0, 0};
        turn.force = {0, side, 0};
        turn.axes = ForceAxes::Body;
        add_force(scene, "", "pair", turn, 0, 0.5);
    }
    Watched w(scene);
    w.run(0.02);
    EXPECT_NEAR(w.v("a").x, 3 * 0.0144 / 2, 1e-13);
    EXPECT_NEAR(w.at("a").x, 1.5 * 0.0144 * 0.0144 / 2 + w.v("a").x * 0.0023, 1e-13);
    w.run(1);
    const double inertia = 0.04 / 6;
    EXPECT_NEAR(w.w("pair").z, 0.2 * 0.5 / inertia, 1e-6 * 0.1 / inertia);
    EXPECT_LT(length(w.v("pair")), 1e-12);
    EXPECT_LT(length(w.at("pair") - Vec3{5, 0, 0}), 1e-12);
}

TEST(SpecWorkbench, T15_drag_ends_in_terminal_speed) {
    Scene scene = scene_of("+tolerance=1e-8", 0.05);
    add(scene, "ball", Sphere{0.1}, {0, 0, 0});
    DragForce drag;
    drag.coefficient = 0.5;
    add_force(scene, "", "ball", drag);
    Watched w(scene);
    w.run(30);
    const double area = kPi * 0.01, terminal = std::sqrt(2 * kG / (drag.density * 0.5 * area));
    EXPECT_NEAR(-w.v("ball").y, terminal, 1e-3 * terminal);
}

// The same seed, the same bits; without noise a stack of three balls stands, with it it falls.
TEST(SpecWorkbench, T16_random_weight_topples_a_stack) {
    const auto stack = [](const std::string& extra, std::int64_t seed) {
        Scene scene = scene_of("+tolerance=1e-6" + extra, 0.02);
        scene.settings.seed = seed;
        scene.materials[0].friction = 0.5;
        add_floor(scene);
        for (int k = 0; k < 3; ++k)
            add(scene, "ball" + std::to_string(k), Sphere{0.1}, {0, 0.1 + 0.2 * k, 0});
        return scene;
    };
    const double time = is_long() ? 5 : 2;
    Watched still(stack("", 0)), one(stack("+gravity_noise=0.05", 1)), same(stack("+gravity_noise=0.05", 1));
    for (Watched* w : {&still, &one, &same}) w->run(time);
    EXPECT_GT(still.at("ball2").y, 0.49);
    EXPECT_LT(one.at("ball2").y, 0.45);
    EXPECT_EQ(one.world.state_hash(), same.world.state_hash());
}

// The largest of place and speed, over a second.
double oscillator_error(const std::string& extra, int substeps) {
    Scene scene = scene_of(extra + "+substeps=" + std::to_string(substeps), 0.1);
    scene.settings.gravity = {};
    add(scene, "ball", Sphere{0.1}, {3, 0, 0});
    SpringForce spring;
    spring.anchor_b = {3, 0, 0};
    spring.stiffness = 1;
    spring.length = 2;
    add_force(scene, "", "ball", spring);
    Watched w(scene);
    double worst = 0;
    while (w.world.time() < 0.99) {
        w.step();
        const double t = w.world.time();
        worst = std::max(worst, std::hypot(w.at("ball").x - 2 - std::cos(t), w.v("ball").x + std::sin(t)));
    }
    return worst;
}

// Orders of integrators with a given step, by halving it. Gear's k values of places are of order k - 1.
TEST(SpecGranular, T11_orders_on_a_world) {
    const struct {
        const char* method;
        double order;
    } cases[]{{"+integrator=runge_kutta", 4},        {"+integrator=verlet", 2},
              {"+integrator=midpoint", 2},           {"+integrator=semi_implicit_euler", 1},
              {"+integrator=gear+gear_values=4", 3}, {"+integrator=gear+gear_values=5", 4},
              {"+integrator=gear+gear_values=6", 5}, {"+integrator=gear+gear_values=7", 6},
              {"+integrator=gear+gear_values=8", 7}};
    for (const auto& c : cases) {
        const int n = c.order >= 6 ? 1 : c.order >= 4 ? 2 : 4;
        const double order = std::log2(oscillator_error(c.method, n) / oscillator_error(c.method, 2 * n));
        EXPECT_NEAR(order, c.order, 0.2) << c.method;
    }
}

// One evaluation of all forces a step, and the one that frames need.
TEST(SpecGranular, T12_one_evaluation_a_step) {
    for (const char* method : {"+integrator=gear", "+integrator=verlet"}) {
        Scene scene = scene_of(std::string(method) + "+substeps=50");
        add(scene, "ball", Sphere{0.1}, {0, 0, 0});
        tie(scene, "ball");
        Watched w(scene);
        w.run(0.05);
        EXPECT_EQ(w.world.outcomes().front().substeps, 50u) << method;
        EXPECT_EQ(w.world.outcomes().front().iterations, 50u) << method;
    }
}

// T10: turning about an axis for 20 turns, a point of the body stays where it is in it.
TEST(SpecGranular, T10_bodies_stay_rigid) {
    for (const char* method :
         {"+integrator=runge_kutta", "+integrator=semi_implicit_euler", "+integrator=gear"}) {
        Scene scene = scene_of(std::string(method) + "+substeps=10");
        scene.settings.gravity = {};
        add(scene, "body", Box{{1, 1, 1}}, {}).angular_velocity = {0, 0, 2 * kPi};
        tie(scene, "body");
        Watched w(scene);
        w.run(20);
        const Vec3 corner = w.world.pose(w.id("body")) * Vec3{0.5, 0.5, 0.5};
        EXPECT_NEAR(length(corner), std::sqrt(0.75), 1e-12) << method;
        EXPECT_NEAR(corner.z, 0.5, 1e-12) << method;
    }
}

TEST(SpecGranular, T13_free_top_by_gear) {
    Scene scene = scene_of("+integrator=gear+substeps=1", 0.05);
    scene.settings.gravity = {};
    add(scene, "top", Box{{1, 1.2, 1.4}}, {}).angular_velocity = {0.02, 0.5, 0.02};
    tie(scene, "top");
    Watched w(scene);
    const double energy = w.world.frame().energy.kinetic;
    const Vec3 l = w.world.frame().angular_momentum;
    w.run(is_long() ? 100 : 20);
    EXPECT_NEAR(w.world.frame().energy.kinetic, energy, 1e-5 * energy);
    EXPECT_LT(length(w.world.frame().angular_momentum - l), 1e-5 * length(l));
    const Quat q = w.world.pose(w.id("top")).orientation;
    EXPECT_NEAR(length_squared(q), 1, 1e-14);
}

// Orientation is of second order, too (spec: granular 2.3): where a top that tumbles points and how it turns,
// by k values, are off by h^(k - 1).
TEST(SpecGranular, T13_orientation_of_a_top_by_gear) {
    const auto top_by = [](const std::string& method) {
        Scene scene = scene_of(method, 0.05);
        scene.settings.gravity = {};
        add(scene, "top", Box{{1, 1.2, 1.4}}, {}).angular_velocity = {1, 4, -1.4};
        tie(scene, "top");
        return scene;
    };
    const auto error = [&](int values, int substeps) {
        Watched truth(top_by("+tolerance=1e-13")),
            gear(top_by("+integrator=gear+gear_values=" + std::to_string(values) +
                        "+substeps=" + std::to_string(substeps)));
        double worst = 0;
        while (gear.world.time() < 0.99) {
            truth.step(), gear.step();
            const Quat off = gear.world.pose(gear.id("top")).orientation *
                             conjugate(truth.world.pose(truth.id("top")).orientation);
            worst =
                std::max({worst, length(Vec3{off.x, off.y, off.z}), length(gear.w("top") - truth.w("top"))});
        }
        return worst;
    };
    for (int values = 4; values <= 8; ++values) {
        const int n = values == 8       ? 1
                      : values % 2 == 0 ? 2
                                        : 4;  // long before rounding; odd ones settle later
        EXPECT_NEAR(std::log2(error(values, n) / error(values, 2 * n)), values - 1, 0.2) << values;
    }
}

// 1e8 N/m on 1 kg with a step of 1 ms, 1 mm off: the L-stable method finds the length at rest, the midpoint
// rule keeps the energy.
TEST(ForceLevel, stiff_springs) {
    const auto run = [](const std::string& method, double damping) {
        Scene scene = scene_of(method, 0.001);
        add(scene, "ball", Sphere{0.1}, {0, -1, 0});
        SpringForce spring;
        spring.anchor_b = {0, -1, 0};
        spring.stiffness = 1e8;
        spring.damping = damping;
        spring.length = 1.001;
        add_force(scene, "", "ball", spring);
        Watched w(scene);
        w.unbooked();
        w.run(is_long() ? 1 : 0.1);
        return std::pair{-w.at("ball").y - 1.001 - kG / 1e8, w.unbooked()};
    };
    EXPECT_LT(std::abs(run("+integrator=rosenbrock+tolerance=1e-7", 2e4).first), 1e-9);
    const auto [off, unbooked] = run("+integrator=midpoint+substeps=1", 0);
    EXPECT_LT(std::abs(off), 1.1e-3);
    EXPECT_LT(std::abs(unbooked), 1e-9 * 50);
}

// A force that is no number stops the world, and says which.
TEST(ForceLevel, tells_of_forces_that_are_not_finite) {
    Scene scene = scene_of();
    add(scene, "ball", Sphere{0.1}, {0, -1, 0});
    SpringForce spring;
    spring.anchor_b = {0, -1, 0};
    spring.stiffness = 1e300;
    spring.length = 1e20;
    add_force(scene, "", "ball", spring);
    World world(scene);
    StepStatus status;
    for (int k = 0; k < 3 && status.ok; ++k) status = world.step();
    EXPECT_FALSE(status.ok);
    EXPECT_NE(status.message.find("ball"), std::string::npos) << status.message;
    EXPECT_NE(status.message.find("force 0"), std::string::npos) << status.message;
}

}  // namespace
}  // namespace impuls::at_force_level
