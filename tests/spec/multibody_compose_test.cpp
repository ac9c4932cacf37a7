// Substeps of joints alone composed to fourth order (steppers/articulated/compose.h): order of convergence
// for balls, hinges, loops and moving bases, what comes back when time does, and islands that are not
// composed.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <vector>

#include "impuls/frame.h"
#include "reference/accelerations.h"
#include "spec/joint_world.h"

namespace impuls {
namespace {

// Rods of 0.5 m from the horizontal on joints that `hold` makes for a point.
Scene swinging(int rods, const std::function<Joint(const Vec3&)>& hold) {
    Scene scene;
    for (int k = 0; k < rods; ++k) {
        BodyDesc body;
        body.name = "r" + std::to_string(k);
        body.shape = Box{{0.5, 0.1, 0.1}};
        body.mass = 5;
        body.position = {0.5 * k + 0.25, 0, 0};
        body.collides = false;
        scene.bodies.push_back(body);
        scene.joints.push_back(joint_of("j" + std::to_string(k), k == 0 ? "" : "r" + std::to_string(k - 1),
                                        body.name, hold({0.5 * k, 0, 0})));
    }
    return scene;
}
Scene on_balls(int rods) {
    return swinging(rods, [](const Vec3& p) { return BallJoint{p}; });
}
Scene on_hinges(int rods) {
    return swinging(rods, [](const Vec3& p) { return HingeJoint{p, {0, 0, 1}, {}}; });
}

// Two rods side by side, a third between their lower ends: a linkage of four bars that swings.
Scene four_bars() {
    Scene scene = on_hinges(3);
    scene.joints.push_back(joint_of("closing", "", "r2", HingeJoint{{1.5, 0, 0}, {0, 0, 1}, {}}));
    const double c = std::cos(1.0), s = std::sin(1.0);
    const Vec3 a{0.5 * c, -0.5 * s, 0}, b{a.x + 0.5, a.y, 0}, end{0.5, 0, 0};
    const Vec3 from[] = {{}, a, b}, to[] = {a, b, end};
    for (std::size_t k = 0; k < 3; ++k) {
        scene.bodies[k].position = (from[k] + to[k]) * 0.5;
        const Vec3 d = to[k] - from[k];
        scene.bodies[k].orientation = from_axis_angle({0, 0, 1}, std::atan2(d.y, d.x));
        scene.joints[k].joint = HingeJoint{from[k], {0, 0, 1}, {}};
    }
    scene.joints[3].joint = HingeJoint{end, {0, 0, 1}, {}};
    return scene;
}

// A chain on a body that moves and turns at constant rates.
Scene on_a_moving_base() {
    Scene scene = on_balls(2);
    BodyDesc base;
    base.name = "base";
    base.kind = BodyKind::Kinematic;
    base.shape = Box{{0.1, 0.1, 0.1}};
    base.position = {0, 0.3, 0};
    base.velocity = {1, 0, 0.5};
    base.angular_velocity = {0, 2, 1};
    base.collides = false;
    scene.bodies.push_back(base);
    scene.joints[0].a = "base";
    // Joints hold from the start: bodies move with it.
    for (BodyDesc& body : scene.bodies)
        if (body.name != "base") {
            body.angular_velocity = base.angular_velocity;
            body.velocity = base.velocity + cross(base.angular_velocity, body.position - base.position);
        }
    return scene;
}

std::vector<Vec3> places(Scene scene, const std::string& method, double dt, double time) {
    scene.settings.dt = dt;
    // `turn` is so large that the substep, or the composition, is dt.
    scene.settings.method = parse_method(method + "+turn=1+tolerance=1e-12");
    World world(scene);
    step(world, static_cast<int>(std::lround(time / dt)));
    return world.frame().positions;
}

double farthest(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
    double worst = 0;
    for (std::size_t k = 0; k < a.size(); ++k) worst = std::max(worst, length(a[k] - b[k]));
    return worst;
}

// Of the path over 0.4 s, from steps of 1/100 to 1/400 s.
double order_of(const Scene& scene, const std::string& method, const std::vector<Vec3>& exact) {
    const double coarse = farthest(places(scene, method, 0.01, 0.4), exact),
                 fine = farthest(places(scene, method, 0.0025, 0.4), exact);
    EXPECT_GT(fine, 1e-11) << "nothing left to measure";
    return std::log(coarse / fine) / std::log(4);
}

}  // namespace

TEST(SpecMultibody, composed_chain_is_of_fourth_order) {
    reference::Scenario s = reference::chain(5, 0.5, 0.1, 5);
    for (int k = 0; k < 4000; ++k) step_featherstone(s.system, s.start, 0.4 / 4000);
    std::vector<Vec3> exact;
    for (const reference::State& state : s.start) exact.push_back(state.x);
    EXPECT_GT(order_of(on_balls(5), "accurate", exact), 3.5);
    EXPECT_NEAR(order_of(on_balls(5), "accurate+composed=off", exact), 2, 0.2);
}

// Rows, loops and bases that move by themselves; beside the same method with steps of 1/4000 s.
TEST(SpecMultibody, composed_joints_are_of_fourth_order) {
    for (const Scene& scene : {on_hinges(3), four_bars(), on_a_moving_base()}) {
        const std::vector<Vec3> exact = places(scene, "accurate", 0.00025, 0.4);
        EXPECT_GT(order_of(scene, "accurate", exact), 3.5) << scene.joints.size() << " joints";
        EXPECT_LT(farthest(exact, places(scene, "accurate+composed=off", 0.00025, 0.4)), 1e-5);
    }
}

// Damping would grow in substeps backwards, and a budget is too small for them: plain substeps, bit for bit.
TEST(SpecMultibody, islands_with_damping_or_a_budget_are_not_composed) {
    const auto end = [](Scene scene, const std::string& method) {
        scene.settings.dt = 1.0 / 60;
        scene.settings.method = parse_method(method);
        World world(scene);
        step(world, 60);
        return world.frame().positions;
    };
    Scene free = on_balls(4), damped = on_balls(4), turning = on_balls(4);
    damped.bodies[2].linear_damping = 0.01;
    turning.bodies[1].angular_damping = 0.01;
    EXPECT_NE(end(free, "accurate"), end(free, "accurate+composed=off"));
    for (const Scene& scene : {damped, turning})
        EXPECT_EQ(end(scene, "accurate"), end(scene, "accurate+composed=off"));
    EXPECT_EQ(end(free, "accurate+budget=8"), end(free, "accurate+budget=8+composed=off"));
}

// A symmetric composition leads back the way it came.
TEST(SpecMultibody, composed_steps_are_reversible) {
    Scene scene = on_balls(3);
    scene.settings.dt = 0.01;
    scene.settings.method = parse_method("accurate+turn=1+tolerance=1e-12");
    World there(scene);
    step(there, 50);
    Scene turned = scene;
    for (std::size_t k = 0; k < 3; ++k) {
        turned.bodies[k].position = there.frame().positions[k];
        turned.bodies[k].orientation = there.frame().orientations[k];
        turned.bodies[k].velocity = there.frame().velocities[k] * -1.0;
        turned.bodies[k].angular_velocity = there.frame().angular_velocities[k] * -1.0;
        const Vec3 end = rotate(turned.bodies[k].orientation, {-0.25, 0, 0});
        turned.joints[k].joint = BallJoint{turned.bodies[k].position + end};
    }
    World back(turned);
    step(back, 50);
    for (std::size_t k = 0; k < 3; ++k)
        EXPECT_LT(length(back.frame().positions[k] - scene.bodies[k].position), 1e-8) << k;
}

}  // namespace impuls
