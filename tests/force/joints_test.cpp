// Joints at force level: closed to 1e-9 of size, energy kept, limits, motors, loops, impacts through joints;
// and that what cannot be expressed is refused and left to another stepper.
#include <algorithm>

#include "scene_of.h"

namespace impuls::at_force_level {
namespace {

Vec3 point(const Watched& w, const std::string& body, const Vec3& at) {
    return w.world.pose(w.id(body)) * at;
}

// A chain of rods, hanging by a ball and by hinges, from horizontal.
Scene chain(int n, const std::string& extra, bool hinges) {
    Scene scene = scene_of(extra);
    for (int k = 0; k < n; ++k) {
        const std::string name = "rod" + std::to_string(k),
                          before = k > 0 ? "rod" + std::to_string(k - 1) : "";
        BodyDesc& rod = add(scene, name, Box{{0.5, 0.05, 0.05}}, {0.5 * k + 0.25, 0, 0});
        rod.collides = false;
        const Vec3 at{0.5 * k, 0, 0};
        if (hinges)
            add_joint(scene, before, name, HingeJoint{.anchor = at, .axis = {0, 0, 1}});
        else
            add_joint(scene, before, name, BallJoint{.anchor = at});
    }
    return scene;
}

void expect_closed(const Watched& w, int n, double share) {
    for (int k = 0; k < n; ++k) {
        const Vec3 here = point(w, "rod" + std::to_string(k), {-0.25, 0, 0});
        const Vec3 there = k > 0 ? point(w, "rod" + std::to_string(k - 1), {0.25, 0, 0}) : Vec3{};
        EXPECT_LT(length(here - there), share * 0.5) << k;
    }
}

TEST(ForceLevelJoints, chains_stay_closed_and_keep_their_energy) {
    for (const bool hinges : {false, true}) {
        Watched w(chain(4, "+tolerance=1e-11", hinges));
        w.unbooked();
        for (int k = 0; k < (is_long() ? 200 : 40); ++k) {
            ASSERT_NO_FATAL_FAILURE(w.step());
            expect_closed(w, 4, 1e-9);
            ASSERT_NEAR(w.unbooked(), 0, 1e-9 * 4 * kG) << w.world.time();
        }
    }
}

// The period of a physical pendulum at 90 degrees, by the arithmetic-geometric mean.
TEST(ForceLevelJoints, a_pendulum_keeps_its_period) {
    Watched w(chain(1, "+tolerance=1e-10", true));
    double a = 1, b = std::cos(kPi / 4);
    for (int k = 0; k < 6; ++k) {
        const double mean = 0.5 * (a + b);
        b = std::sqrt(a * b), a = mean;
    }
    const double inertia = (0.25 + 0.0025) / 12 + 0.0625,
                 period = (2 * kPi) * std::sqrt(inertia / (kG * 0.25)) / a;
    double last = 0, before = w.at("rod0").x;
    int passes = 0;
    double first = 0;
    while (w.world.time() < 3.2) {
        ASSERT_NO_FATAL_FAILURE(w.step());
        const double x = w.at("rod0").x;
        if (x * before < 0) {
            last = w.world.time() - x / w.v("rod0").x;  // nearly straight there
            if (passes++ == 0) first = last;
        }
        before = x;
    }
    EXPECT_NEAR(2 * (last - first) / (passes - 1), period, 1e-4 * period);
}

// Four bars with hinges: one loop, three equations too many.
Scene four_bars(const std::string& extra) {
    Scene scene = scene_of(extra);
    const Vec3 corner[]{{0, 0, 0}, {0, 1, 0}, {1.2, 1, 0}, {1.2, 0, 0}};
    for (int k = 0; k < 3; ++k) {
        const Vec3 way = corner[k + 1] - corner[k];
        BodyDesc& bar =
            add(scene, "bar" + std::to_string(k), Box{k == 1 ? Vec3{1.2, 0.05, 0.05} : Vec3{0.05, 1, 0.05}},
                corner[k] + way * 0.5, k == 1 ? Vec3{1, 0, 0} : Vec3{0.5, 0, 0});
        bar.collides = false;
        if (k != 1) bar.angular_velocity = {0, 0, -1};
        add_joint(scene, k > 0 ? "bar" + std::to_string(k - 1) : "", bar.name,
                  HingeJoint{.anchor = corner[k], .axis = {0, 0, 1}});
    }
    add_joint(scene, "", "bar2", HingeJoint{.anchor = corner[3], .axis = {0, 0, 1}});
    return scene;
}

TEST(ForceLevelJoints, loops_with_redundant_equations_stay_closed) {
    Watched w(four_bars("+tolerance=1e-11"));
    w.unbooked();
    for (int k = 0; k < 60; ++k) {
        ASSERT_NO_FATAL_FAILURE(w.step());
        EXPECT_LT(length(point(w, "bar0", {0, 0.5, 0}) - point(w, "bar1", {-0.6, 0, 0})), 1e-9);
        EXPECT_LT(length(point(w, "bar2", {0, -0.5, 0}) - Vec3{1.2, 0, 0}), 1e-9);
        EXPECT_LT(std::abs(w.at("bar1").z), 1e-9);
        ASSERT_NEAR(w.unbooked(), 0, 1e-8) << w.world.time();
    }
}

// A motor brings a wheel to its speed in I w/T; a spring makes it swing; friction stops it at T/I.
TEST(ForceLevelJoints, motors_springs_and_friction_act_along_axes) {
    const auto wheel = [](const AxisDesc& axis, double spin) {
        Scene scene = scene_of("+tolerance=1e-9");
        scene.settings.gravity = {};
        BodyDesc& body = add(scene, "wheel", Box{{0.2, 0.2, 0.2}}, {});
        body.inertia = Vec3{2, 2, 2};
        body.angular_velocity = {0, 0, spin};
        HingeJoint hinge;
        hinge.axis = {0, 0, 1};
        hinge.turn = axis;
        add_joint(scene, "", "wheel", hinge);
        return scene;
    };
    AxisDesc motor;
    motor.speed = 5;
    motor.max_force = 4;
    Watched driven(wheel(motor, 0));
    driven.unbooked();
    driven.run(1);
    EXPECT_NEAR(driven.w("wheel").z, 2, 1e-6);
    driven.run(4);
    EXPECT_NEAR(driven.w("wheel").z, 5, 1e-3);
    EXPECT_NEAR(driven.unbooked(), 0, 1e-7);
    AxisDesc spring;
    spring.stiffness = 8;
    Watched swings(wheel(spring, 1));
    swings.run(1);
    EXPECT_NEAR(swings.w("wheel").z, std::cos(2.0), 1e-6);
    AxisDesc friction;
    friction.friction = 1;
    Watched slows(wheel(friction, 1));
    slows.run(1);
    EXPECT_NEAR(slows.w("wheel").z, 0.5, 1e-4);
    slows.run(6);
    EXPECT_NEAR(slows.w("wheel").z, 0, 1e-4);
    AxisDesc servo;
    servo.target = 1;
    servo.rate = 2;
    servo.max_force = 100;
    Watched turns(wheel(servo, 0));
    turns.run(2);
    const Quat q = turns.world.pose(turns.id("wheel")).orientation;
    EXPECT_NEAR(q.z, std::sin(0.5), 1e-3);
}

// A slider that flies to its limit bounces with its restitution, and in the end rests on it.
TEST(ForceLevelJoints, limits_are_impacts_and_then_contacts) {
    Scene scene = scene_of("+tolerance=1e-9");
    add(scene, "carriage", Box{{0.2, 0.2, 0.2}}, {0, 1, 0});
    SliderJoint slider;
    slider.anchor = {0, 1, 0};
    slider.axis = {0, 1, 0};
    slider.slide.lower = -0.5;
    slider.slide.restitution = 0.5;
    add_joint(scene, "", "carriage", slider);
    Watched w(scene);
    w.unbooked();
    const double t = std::sqrt(2 * 0.5 / kG);
    w.run(1.5 * t);
    const double v = w.v("carriage").y, up = std::sqrt(v * v + 2 * kG * (w.at("carriage").y - 0.5));
    EXPECT_NEAR(up, 0.5 * kG * t, 1e-6 * kG * t);
    w.run(2);
    EXPECT_LT(std::abs(w.v("carriage").y), 1e-3);
    EXPECT_NEAR(w.at("carriage").y, 0.5, 1e-3);
    EXPECT_NEAR(w.unbooked(), 0, 1e-6);
}

// A ball strikes the end of a rod on a hinge: angular momentum about the hinge stays.
TEST(ForceLevelJoints, impacts_go_through_joints) {
    Scene scene = scene_of("+impact_speed=1e-6");
    scene.settings.gravity = {};
    scene.materials[0].restitution = 1;
    add(scene, "rod", Box{{1, 0.1, 0.1}}, {0.5, 0, 0});
    add_joint(scene, "", "rod", HingeJoint{.anchor = {}, .axis = {0, 0, 1}});
    add(scene, "ball", Sphere{0.05}, {0.9, 0.12, 0}, {0, -2, 0});
    Watched w(scene);
    w.run(0.05);
    const double inertia = (1 + 0.01) / 12 + 0.25, v = w.v("ball").y, turn = w.w("rod").z;
    EXPECT_NEAR(0.9 * v + inertia * turn, 0.9 * -2, 1e-9);
    EXPECT_NEAR(0.5 * v * v + 0.5 * inertia * turn * turn, 2, 1e-8);
    EXPECT_GT(v, -1);
}

// What it cannot express is left to the stepper that takes everything, with the reason.
TEST(ForceLevelJoints, refuses_what_it_cannot_express) {
    Scene scene = scene_of();
    scene.materials[0].friction = 0.5;
    scene.materials[0].rolling_friction = 0.01;
    add_floor(scene);
    add(scene, "ball", Sphere{0.1}, {0, 0.1, 0}, {1, 0, 0});
    World world(scene);
    ASSERT_TRUE(world.step().ok);
    const Outcome& outcome = world.outcomes().front();
    EXPECT_EQ(outcome.stepper, IslandStepper::Impulse);
    EXPECT_EQ(outcome.refused[static_cast<std::size_t>(IslandStepper::ForceLevel)], Refusal::ContactLaw);
}

}  // namespace
}  // namespace impuls::at_force_level
