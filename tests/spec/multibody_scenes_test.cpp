// The scenes of Bender's text and some of its kind under scenes/seeds: what their head comments say comes
// true (claims T29 and T30 among them).
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <cstdio>

#include "impuls/frame.h"
#include "impuls/scene_file.h"
#include "reference/pile.h"
#include "spec/joint_world.h"
#include "support/places.h"

namespace impuls {
namespace {

World open_seed(const std::string& name, const Overrides& overrides = {}) {
    return World(load_scene(in_project("scenes/seeds/" + name + ".json"), overrides));
}

void run_to(World& world, double time) {
    while (world.time() < time - 0.5 * world.dt()) ASSERT_NO_FATAL_FAILURE(step(world));
}

double fastest_of(const Frame& frame) {
    double fastest = 0;
    for (const Vec3& v : frame.velocities) fastest = std::max(fastest, length(v));
    return fastest;
}

// Floating: once the torque is over, energy and momenta stay. 31 joints by default.
TEST(SpecMultibody, scene_bender_tree) {
    for (const int depth : {4, 5, 6, 7}) {
        if (depth > 4 && !is_long()) break;
        World world = open_seed("bender-tree", {{"variables.depth", std::to_string(depth)}});
        const std::size_t joints = (std::size_t{2} << depth) - 1;
        ASSERT_EQ(world.structure()->joints.size(), joints);
        ASSERT_EQ(world.body_count(), joints + 1);
        EXPECT_LT(world.frame().max_joint_error, 1e-12);
        // The largest and the smallest rod: 0.04 x 0.04 m, 600 kg/m^3, 0.1 m * 1.5^depth and 0.1 m.
        EXPECT_NEAR(world.mass(world.find_body("rod[1]")), 0.096 * std::pow(1.5, depth), 1e-12);
        EXPECT_NEAR(world.mass(world.find_body("rod[" + std::to_string(joints) + "]")), 0.096, 1e-12);
        step(world, 2);
        const Frame first = world.frame();
        ASSERT_GT(first.energy.kinetic, 1e-3);
        // 10 N m for 1/30 s
        EXPECT_NEAR(length(first.angular_momentum), 10.0 / 30, 1e-9);
        double gap = 0;
        while (world.time() < 5) {
            step(world);
            gap = std::max(gap, world.frame().max_joint_error);
        }
        const Frame& last = world.frame();
        EXPECT_LT(gap, 1e-6) << depth;
        EXPECT_NEAR(last.energy.total, first.energy.total, 1e-3 * first.energy.total) << depth;
        EXPECT_LT(length(last.angular_momentum - first.angular_momentum), 1e-9) << depth;
        EXPECT_LT(length(last.linear_momentum), 1e-9) << depth;
    }
}

TEST(SpecMultibody, scene_bender_chain) {
    World world = open_seed("bender-chain", {{"variables.n", is_long() ? "60" : "25"}});
    const double first = world.frame().energy.total;
    double gap = 0, off = 0, weight = 0;
    for (std::size_t k = 0; k < world.body_count(); ++k) weight += kG * (static_cast<double>(k) + 0.5);
    while (world.time() < (is_long() ? 5 : 2.5) - 1e-9) {
        step(world);
        gap = std::max(gap, world.frame().max_joint_error);
        off = std::max(off, std::abs(world.frame().energy.total - first));
    }
    EXPECT_LT(gap, 1e-6);
    EXPECT_LT(off, 0.003 * weight);
}

// The wall stands until it is hit, by more than 2000 contacts in every step; then the car is on the other
// side.
TEST(SpecMultibody, T29_scene_vehicle_wall) {
    const double go = is_long() ? 10 : 0.2;
    World world = open_seed("vehicle-wall", {{"variables.go", std::to_string(go)}});
    const Frame first = world.frame();
    const auto brick_shift = [&] {
        double farthest = 0;
        for (int k = 0; k < 252; ++k) {
            const BodyId brick = world.find_body("bricks[" + std::to_string(k) + "]");
            farthest =
                std::max(farthest, length(world.pose(brick).position - first.positions.at(brick.index)));
        }
        return farthest;
    };
    while (world.time() < go) {
        ASSERT_NO_FATAL_FAILURE(step(world));
        EXPECT_LT(brick_shift(), 1e-3) << world.time();
        EXPECT_GT(world.frame().contacts.size(), 2000u) << world.time();
    }
    if (!is_long()) return;  // driving takes longer
    run_to(world, go + 6);
    EXPECT_GT(brick_shift(), 1);
    EXPECT_GT(world.pose(world.find_body("car")).position.x, 3);
}

// Control: a plain method holds the same wall with all points of a pair, and loses it with one of them.
TEST(SpecMultibody, T29_a_wall_needs_more_than_one_contact_a_pair) {
    const World world = open_seed("vehicle-wall");
    const auto shift_of_wall = [&](reference::PointsOfPair points, double seconds, double enough) {
        reference::Pile wall(points);
        for (const BodyDesc& body : world.structure()->bodies)
            if (body.name.starts_with("bricks"))
                wall.add_box(std::get<Box>(body.shape).size, 600, body.position);
        wall.find_pairs(0.25);
        double shift = 0;
        for (double t = 0; t < seconds && shift < enough; t += 0.0025)
            wall.step(0.0025), shift = std::max(shift, wall.shift());
        return shift;
    };
    const double half_a_brick = 0.125;
    EXPECT_LT(shift_of_wall(reference::PointsOfPair::All, is_long() ? 10 : 0.5, half_a_brick), 1e-3);
    EXPECT_GT(shift_of_wall(reference::PointsOfPair::Deepest, 10, half_a_brick), half_a_brick);
}

// All cubes end in the container, at rest, and were never deeper than ten times 1e-4 m in each other.
TEST(SpecMultibody, T30_scene_bender_funnel) {
    const int n = is_long() ? 10 : 5;
    World world = open_seed("bender-funnel", {{"variables.n", std::to_string(n)}});
    double depth = 0, rest = 0;  // s, how long all have been slow
    const auto start = std::chrono::steady_clock::now();
    while (world.time() < (is_long() ? 20 : 4) && rest < 0.1) {
        ASSERT_NO_FATAL_FAILURE(step(world));
        const Frame& now = world.frame();
        depth = std::max(depth, now.max_penetration);
        rest = fastest_of(now) < kG * world.dt() ? rest + world.dt() : 0;
    }
    const double wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    std::printf("%d cubes: at rest after %.2f s, %.2f s of wall time, deepest %.2e m\n", n * n * n,
                world.time(), wall, depth);
    EXPECT_GE(rest, 0.1);
    EXPECT_LE(depth, 10 * 1e-4);
    for (int k = 0; k < n * n * n; ++k) {
        const Vec3 p = world.pose(world.find_body("cubes[" + std::to_string(k) + "]")).position;
        EXPECT_TRUE(std::abs(p.x) < 0.75 && std::abs(p.z) < 0.75 && p.y > 0.04 && p.y < 1.6) << k;
    }
}

// Every hinge follows its line, and the tip is where twenty turns one after the other put it.
TEST(SpecMultibody, scene_robot_arm) {
    World world = open_seed("robot-arm");
    const double l = 0.2, time = 4, bend = 0.35, aside = 0.15;
    for (const double at : {0.5, 2.0, 4.5}) {
        if (at > 0.5 && !is_long()) break;
        while (world.time() < at - 1e-9) {
            step(world);
            EXPECT_LT(world.frame().max_joint_error, 1e-4);
        }
        const double share = std::min(1.0, at / time);
        Vec3 p{};
        Quat q{};
        for (int k = 0; k < 20; ++k) {
            const double angle = (k % 2 == 0 ? bend : aside) * share;
            EXPECT_NEAR(world.frame().axes.at(static_cast<std::size_t>(k)).position, angle, 1e-3)
                << at << " " << k;
            q = q * from_axis_angle(k % 2 == 0 ? Vec3{0, 0, 1} : Vec3{1, 0, 0}, angle);
            p = p + rotate(q, {0, l, 0});
        }
        const Pose last = world.pose(world.find_body("links[19]"));
        EXPECT_LT(length(last * Vec3{0, l / 2, 0} - p), 0.01 * l) << at;
    }
}

// After the blow the cables have the tension of the parabola again: H = w L^2 / (8 f).
TEST(SpecMultibody, scene_suspension_bridge) {
    World world = open_seed("suspension-bridge");
    const double a = 2, span = 40, sag = 4, w = kG * (2000 / 2 + 250) / a,
                 tension = w * span * span / (8 * sag);
    const auto pull = [&](const char* name) {
        return std::abs(world.frame().joints.at(world.find_joint(name).index).force.x);
    };
    run_to(world, 0.2);
    EXPECT_NEAR(pull("cables0[9]"), tension, 1e-3 * tension);
    if (!is_long()) return;
    double lowest = 0;
    const BodyId middle = world.find_body("deck[9]");
    while (world.time() < 15) {
        step(world);
        lowest = std::min(lowest, world.pose(middle).position.y);
        ASSERT_LT(world.frame().max_joint_error, 1e-3);
    }
    EXPECT_LT(lowest, -0.2);  // it was moved
    EXPECT_NEAR(world.pose(middle).position.y, -0.15, 1e-3);
    for (const char* name : {"cables0[9]", "cables1[9]"}) EXPECT_NEAR(pull(name), tension, 1e-3 * tension);
}

// Eight figures fall onto each other: joints stay closed, elbows and knees bend one way, and all come to
// rest.
TEST(SpecMultibody, scene_ragdoll_pile) {
    World world = open_seed("ragdoll-pile");
    ASSERT_EQ(world.body_count(), 8u * 15 + 5);
    double gap = 0, beyond = 0;
    const Scene& structure = *world.structure();
    while (world.time() < (is_long() ? 8 : 0.5) - 1e-9) {
        ASSERT_NO_FATAL_FAILURE(step(world));
        const Frame& now = world.frame();
        gap = std::max(gap, now.max_joint_error);
        std::size_t axis = 0;
        for (const JointDesc& joint : structure.joints)
            visit_axes(joint.joint, [&](const char*, const AxisDesc& desc) {
                const double x = now.axes.at(axis++).position;
                beyond = std::max({beyond, *desc.lower - x, x - *desc.upper});
            });
    }
    EXPECT_LT(gap, 1e-4);
    EXPECT_LT(beyond, 0.05);  // rad, where a figure lands at 9 m/s
    if (!is_long()) return;
    EXPECT_LT(fastest_of(world.frame()), 0.05);  // m/s
}

}  // namespace
}  // namespace impuls
