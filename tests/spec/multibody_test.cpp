// Bodies that joints alone hold together (Bender's impulse method, steppers/articulated/step.h): energy,
// momentum, joints and order of chains, trees and loops.
#include <gtest/gtest.h>

#include <cmath>

#include "impuls/frame.h"
#include "spec/joint_world.h"

namespace impuls {
namespace {

// The chain of the comparison with other engines (scenes/bench/chain.json): rods of 5 kg on ball joints from
// the horizontal, held at the origin.
constexpr double kLength = 0.5, kWidth = 0.1, kMass = 5;

// The shortest rotation from one direction to another, not its opposite.
Quat between(const Vec3& from, const Vec3& to) {
    const Vec3 u = cross(from, to);
    return normalized(Quat{1 + dot(from, to), u.x, u.y, u.z});
}

BodyDesc rod(const std::string& name, const Vec3& position, double mass = kMass) {
    BodyDesc body;
    body.name = name;
    body.shape = Box{{kLength, kWidth, kWidth}};
    body.mass = mass;
    body.position = position;
    body.collides = false;
    return body;
}

Scene chain(int n, double dt = 1.0 / 60, bool is_held = true) {
    Scene scene;
    scene.settings.dt = dt;
    for (int k = 0; k < n; ++k) {
        scene.bodies.push_back(rod("r" + std::to_string(k), {(k + 0.5) * kLength, 0, 0}));
        if (k == 0 && !is_held) continue;
        scene.joints.push_back(joint_of("j" + std::to_string(k), k == 0 ? "" : "r" + std::to_string(k - 1),
                                        "r" + std::to_string(k), BallJoint{{k * kLength, 0, 0}}));
    }
    return scene;
}

// What is off in a run, relative to the energy that all bodies have at their first distance from the origin.
struct Quality {
    double lowest = 0, highest = 0, gap = 0, slip = 0;
    bool is_ok = true;
};

double energy_scale(const World& world, const Frame& first) {
    double scale = 0;
    for (std::size_t k = 0; k < first.bodies.size(); ++k)
        scale += world.mass(first.bodies[k]) * kG * length(first.positions[k]);
    return scale;
}

// Relative velocity of the two points of every ball joint between rods.
double largest_slip(const Frame& frame) {
    double worst = 0;
    const auto end_velocity = [&](std::size_t k, double side) {
        const Vec3 r = rotate(frame.orientations[k], {side * 0.5 * kLength, 0, 0});
        return frame.velocities[k] + cross(frame.angular_velocities[k], r);
    };
    for (std::size_t k = 0; k < frame.bodies.size(); ++k)
        worst = std::max(worst, length(end_velocity(k, -1) - (k == 0 ? Vec3{} : end_velocity(k - 1, 1))));
    return worst;
}

Quality quality_over(World& world, double time, bool is_chain = true) {
    Quality q;
    const Frame first = world.frame();
    const double scale = energy_scale(world, first);
    while (world.time() < time - 1e-9) {
        q.is_ok = q.is_ok && world.step().ok;
        const Frame& now = world.frame();
        const double change = (now.energy.total - first.energy.total) / scale;
        q.lowest = std::min(q.lowest, change), q.highest = std::max(q.highest, change);
        q.gap = std::max(q.gap, now.max_joint_error);
        if (is_chain) q.slip = std::max(q.slip, largest_slip(now));
    }
    return q;
}

// Free swing at 1/60 s: energy within 0.3 % in 10 s and 1 % in 60 s, joints within 0.01 mm.
TEST(SpecMultibody, chain_keeps_its_energy_and_its_joints) {
    World world(chain(25));
    for (const double time : {10, 60}) {
        if (time > 10 && !is_long()) break;
        const Quality q = quality_over(world, time);
        EXPECT_TRUE(q.is_ok);
        EXPECT_GT(q.lowest, time > 10 ? -0.01 : -0.003) << time;
        EXPECT_LT(q.highest, time > 10 ? 0.01 : 0.003) << time;
        EXPECT_LT(q.gap, 1e-5) << time;
    }
}

TEST(SpecMultibody, T9_velocities_hold_after_one_solve) {
    Scene scene = chain(12);
    scene.settings.method = parse_method("default+tolerance=1e-13");  // open joints turn with their bodies
    World world(scene);
    EXPECT_LT(quality_over(world, 1).slip, 1e-11);
}

// The whip of a long chain: substeps become short where they must.
TEST(SpecMultibody, whip_of_a_long_chain) {
    World world(chain(100));
    const Quality q = quality_over(world, is_long() ? 10 : 4);
    EXPECT_TRUE(q.is_ok);
    EXPECT_GT(q.lowest, -0.003);
    EXPECT_LT(q.highest, 0.003);
    EXPECT_LT(q.gap, 1e-5);
}

// Contacts do not open joints: rods on ball joints fall on a floor askew, one end first, and come to rest.
TEST(SpecMultibody, chain_on_a_floor_keeps_its_joints) {
    Scene scene;
    scene.settings.dt = 1.0 / 60;
    BodyDesc floor;
    floor.name = "floor", floor.kind = BodyKind::Static, floor.shape = Plane{};
    const Vec3 along = normalized(Vec3{0.82, 0.57, 0.1});
    for (int k = 0; k < 12; ++k) {
        BodyDesc body = rod("r" + std::to_string(k), Vec3{0, 1, 0} + along * ((k + 0.5) * kLength));
        body.orientation = between({1, 0, 0}, along);
        body.velocity = {0, 0, 0.3 * std::sin(k)};
        body.collides = true;
        scene.bodies.push_back(body);
        if (k == 0) continue;
        scene.joints.push_back(joint_of("j" + std::to_string(k), "r" + std::to_string(k - 1), body.name,
                                        BallJoint{Vec3{0, 1, 0} + along * (k * kLength)}));
    }
    scene.bodies.push_back(floor);
    World world(scene);
    double gap = 0, depth = 0;
    while (world.time() < (is_long() ? 20 : 3)) {
        ASSERT_TRUE(world.step().ok);
        gap = std::max(gap, world.frame().max_joint_error);
        depth = std::max(depth, world.frame().max_penetration);
    }
    EXPECT_LT(gap, 1e-5);
    EXPECT_LT(depth, 1e-3);
    if (is_long()) {
        EXPECT_LT(world.frame().energy.kinetic, 1e-6);
    }
}

// A step of few substeps slows the whip down, and nothing else becomes worse.
TEST(SpecMultibody, budget_costs_energy_alone) {
    Scene scene = chain(40);
    scene.settings.method = parse_method("default+budget=2");
    World world(scene);
    const Quality q = quality_over(world, 4);
    EXPECT_TRUE(q.is_ok);
    EXPECT_LT(q.lowest, -0.003);  // it is needed
    EXPECT_LT(q.highest, 0.003);
    EXPECT_LT(q.gap, 1e-5);
    // Without anybody to hold it, its momenta are its own.
    Scene free = chain(10, 0.05, false);
    free.settings.gravity = {};
    for (std::size_t k = 0; k < free.bodies.size(); ++k) {
        const auto x = static_cast<double>(k);
        free.bodies[k].velocity = {0, 5 * std::sin(2 * x), 5 * std::cos(3 * x)};
    }
    free.settings.method = parse_method("default+budget=2");
    World flying(free);
    ASSERT_TRUE(flying.step().ok);
    const Frame first = flying.frame();
    for (int step = 0; step < 100; ++step) ASSERT_TRUE(flying.step().ok);
    const Frame& last = flying.frame();
    EXPECT_LT(last.energy.kinetic, 0.9 * first.energy.kinetic);
    EXPECT_LT(length(last.linear_momentum - first.linear_momentum), 1e-9);
    EXPECT_LT(length(last.angular_momentum - first.angular_momentum), 1e-9 * length(first.angular_momentum));
}

TEST(SpecMultibody, heavy_tip) {
    for (const double ratio : {1e2, 1e4}) {
        Scene scene = chain(10);
        scene.bodies.back().mass = ratio * kMass;
        World world(scene);
        const Quality q = quality_over(world, 3);
        EXPECT_TRUE(q.is_ok);
        EXPECT_GT(q.lowest, -0.003) << ratio;
        EXPECT_LT(q.highest, 0.003) << ratio;
        EXPECT_LT(q.gap, 1e-5) << ratio;
    }
}

TEST(SpecMultibody, T1_translation_is_exact) {
    for (const double dt : {0.001, 0.05}) {
        Scene scene;
        scene.settings.dt = dt;
        scene.bodies.push_back(rod("r", {}));
        scene.bodies[0].velocity = {3, 7, -2};
        World world(scene);
        const int steps = 10000;
        for (int step = 0; step < steps; ++step) ASSERT_TRUE(world.step().ok);
        const double time = steps * dt;
        const Vec3 exact = Vec3{3, 7, -2} * time + Vec3{0, -0.5 * kG * time * time, 0};
        EXPECT_LT(length(world.frame().positions[0] - exact), 1e-12 * length(exact)) << dt;
    }
}

// Change of both momenta of a free chain that whirls in space, relative to the sums of their parts' sizes.
struct MomentumChange {
    double linear = 0, angular = 0;
};
MomentumChange momentum_change(const std::string& method, double dt, int steps) {
    Scene scene = chain(8, dt, false);
    scene.settings.method = parse_method(method);
    scene.settings.gravity = {};
    for (std::size_t k = 0; k < scene.bodies.size(); ++k) {
        const auto x = static_cast<double>(k);
        scene.bodies[k].velocity = {std::sin(x), std::cos(2 * x), std::sin(3 * x)};
        scene.bodies[k].angular_velocity = {std::cos(x), std::sin(5 * x), std::cos(3 * x)};
    }
    World world(scene);
    const Frame first = world.frame();
    double linear = 0, angular = 0;
    for (std::size_t k = 0; k < first.bodies.size(); ++k) {
        linear += kMass * length(first.velocities[k]);
        angular += kMass * length(first.velocities[k]) * length(first.positions[k]);
    }
    for (int step = 0; step < steps; ++step) EXPECT_TRUE(world.step().ok);
    const Frame& last = world.frame();
    return {length(last.linear_momentum - first.linear_momentum) / linear,
            length(last.angular_momentum - first.angular_momentum) / angular};
}

// By every solver and by every stepper of second order.
TEST(SpecMultibody, T5_momentum_is_conserved) {
    std::vector<std::string> methods{"default", "accurate", "fast"};
    for (const char* solver : EnumNames<Solver>::names)
        methods.push_back(std::string("default+articulated=off+solver=") + solver);
    for (const std::string& method : methods) {
        const MomentumChange change = momentum_change(method, 0.01, is_long() ? 10000 : 200);
        EXPECT_LT(change.linear, 1e-10) << method;
        EXPECT_LT(change.angular, 1e-10) << method;
    }
}

// The velocity stepper moves bodies by projection, with velocities that stay: errors of the angular momentum
// of first order (docs/internals/shock.md), none of the linear one.
TEST(SpecMultibody, T5_the_velocity_stepper_keeps_linear_momentum) {
    double before = 0;
    for (const int finer : {1, 2, 4}) {
        const MomentumChange change = momentum_change("erleben", 0.01 / finer, 100 * finer);
        EXPECT_LT(change.linear, 1e-10);
        EXPECT_LT(change.angular, 1e-3 / finer);
        if (finer > 1) {
            EXPECT_NEAR(before / change.angular, 2, 0.1);
        }
        before = change.angular;
    }
}

// Second order: the error of a physical pendulum falls fourfold with half the substep. `turn` is so large,
// and the steps so short that their energy is right, that the substep is dt.
TEST(SpecMultibody, T6_second_order) {
    const auto end = [](double dt) {
        Scene scene = chain(1, dt);
        scene.settings.method = parse_method("default+turn=1+tolerance=1e-12");
        World world(scene);
        while (world.time() < 0.96 - 1e-9) EXPECT_TRUE(world.step().ok);
        return world.frame().positions[0];
    };
    const Vec3 exact = end(0.96 / 16384);
    double sum_x = 0, sum_y = 0, sum_xx = 0, sum_xy = 0;
    const double steps[] = {0.01, 0.005, 0.0025, 0.00125, 0.000625};
    for (const double dt : steps) {
        const double x = std::log(dt), y = std::log(length(end(dt) - exact));
        sum_x += x / 5, sum_y += y / 5, sum_xx += x * x / 5, sum_xy += x * y / 5;
    }
    EXPECT_NEAR((sum_xy - sum_x * sum_y) / (sum_xx - sum_x * sum_x), 2, 0.1);
}

TEST(SpecMultibody, T8_joints_do_not_drift) {
    Scene scene = chain(6, 0.01);
    World world(scene);
    double early = 0, late = 0;
    const int steps = is_long() ? 100000 : 2000;
    for (int step = 0; step < steps; ++step) {
        ASSERT_TRUE(world.step().ok);
        double& worst = step < steps / 2 ? early : late;
        worst = std::max(worst, world.frame().max_joint_error);
    }
    EXPECT_LT(early, 1e-6 * kLength);
    EXPECT_LT(late, 1e-6 * kLength);
}

// The rows of the sparse solver, closed ahead of time, with short substeps, are another way to the same
// motion.
TEST(SpecMultibody, T10_tree_and_sparse_rows_agree) {
    const auto end = [](const char* method, double dt) {
        Scene scene = chain(5, dt);
        scene.bodies[2].angular_velocity = {0, 1, 0};  // out of the plane
        scene.settings.method = parse_method(method);
        World world(scene);
        while (world.time() < 0.4 - 1e-9) EXPECT_TRUE(world.step().ok);
        return world.frame().positions;
    };
    const auto tree = end("default+turn=1+tolerance=1e-12", 0.001);
    const auto tree_coarse = end("default+turn=1+tolerance=1e-12", 0.002);
    const auto rows = end("default+articulated=off+closure=preview+substeps=8", 0.001);
    const auto rows_coarse = end("default+articulated=off+closure=preview+substeps=4", 0.001);
    for (std::size_t k = 0; k < tree.size(); ++k) {
        // Second order: each is off by a third of what half the step changes; twice that is allowed for.
        const double own = (length(rows[k] - rows_coarse[k]) + length(tree[k] - tree_coarse[k])) / 3;
        EXPECT_LT(length(tree[k] - rows[k]), 2 * own) << k;
        EXPECT_LT(own, 1e-3 * kLength) << k;
    }
}

// A body between two hinges that are not parallel by 1 mrad, in a loop of four: contradicting rows do no
// work.
TEST(SpecMultibody, misaligned_four_bar_keeps_its_energy) {
    for (const double tilt : {0.0, 1e-3}) {
        Scene scene;
        scene.settings.dt = 1.0 / 120;
        const Vec3 corner[4] = {{0, 0, 0}, {0, 1, 0}, {2, 1, 0}, {2, 0, 0}};
        for (int k = 0; k < 3; ++k) {
            BodyDesc body;
            body.name = "bar" + std::to_string(k);
            const bool is_coupler = k == 1;
            body.shape = Box{is_coupler ? Vec3{2, 0.1, 0.1} : Vec3{0.1, 1, 0.1}};
            body.mass = is_coupler ? 2 : 1;
            body.position = (corner[k] + corner[k + 1]) * 0.5;
            body.collides = false;
            scene.bodies.push_back(body);
        }
        scene.bodies[0].angular_velocity = {0, 0, -1}, scene.bodies[2].angular_velocity = {0, 0, -1};
        scene.bodies[1].velocity = {1, 0, 0};
        scene.bodies[0].velocity = scene.bodies[2].velocity = {0.5, 0, 0};
        for (int k = 0; k < 4; ++k) {
            const std::string a = k == 0 || k == 3 ? "" : "bar" + std::to_string(k - 1),
                              b = "bar" + std::to_string(std::min(k, 2));
            const Vec3 axis = k == 3 ? Vec3{std::sin(tilt), 0, std::cos(tilt)} : Vec3{0, 0, 1};
            scene.joints.push_back(joint_of("j" + std::to_string(k), a, b, HingeJoint{corner[k], axis}));
        }
        World world(scene);
        const Frame first = world.frame();
        for (int step = 0; step < 1200; ++step) {
            ASSERT_TRUE(world.step().ok);
            const Frame& now = world.frame();
            ASSERT_NEAR(now.energy.total, first.energy.total, 0.1) << tilt << " " << step;
            ASSERT_LT(now.max_joint_error, 2e-3) << tilt << " " << step;
        }
    }
}

// A symmetric top on a ball joint: slow precession m g r / (I w), from the mean turn of its axis.
TEST(SpecMultibody, top_precesses) {
    Scene scene;
    scene.settings.dt = 0.002;
    BodyDesc top;
    top.name = "top";
    top.shape = Cylinder{.radius = 0.1, .height = 0.04};
    top.mass = 1;
    top.position = {0.2, 0, 0};
    top.orientation = from_axis_angle({0, 0, 1}, -0.5 * kPi);  // its axis along x
    top.collides = false;
    const double spin = 300, own = 0.5 * 0.1 * 0.1, rate = kG * 0.2 / (own * spin);
    // Steady: m g r = I w W with all of the motion in it from the start.
    top.angular_velocity = {spin, rate, 0};
    top.velocity = cross(Vec3{0, rate, 0}, top.position);
    scene.bodies.push_back(top);
    scene.joints.push_back(joint_of("j", "", "top", BallJoint{{}}));
    World world(scene);
    const double time = 0.5;
    while (world.time() < time - 1e-9) ASSERT_TRUE(world.step().ok);
    const Vec3 p = world.frame().positions[0];
    EXPECT_NEAR(std::atan2(-p.z, p.x), rate * time, 2e-3 * rate * time);
    EXPECT_NEAR(p.y, 0, 1e-4);
}

}  // namespace
}  // namespace impuls
