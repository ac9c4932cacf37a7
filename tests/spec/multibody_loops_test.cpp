// Closed loops of joints: a four-bar linkage without and with redundant joints, by the engine and by Bender's
// solvers.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "reference/bender.h"
#include "reference/squeezer.h"
#include "spec/joint_world.h"
#include "support/slow_build.h"

namespace impuls {
namespace {

using reference::Bender;
using reference::Scenario;

// A crank and rocker in the plane: ground 2 m, crank 0.5 m, coupler 2 m, rocker 1.5 m. No flat position.
struct FourBar {
    Vec3 corner[4] = {{0, 0, 0}, {0, 0.5, 0}, {}, {2, 0, 0}};
    FourBar() {  // the corner 2 m from one and 1.5 m from the next
        const Vec3 d = corner[3] - corner[1];
        const double l = length(d), along = (l * l + 2 * 2 - 1.5 * 1.5) / (2 * l);
        const Vec3 e = d / l;
        corner[2] = corner[1] + e * along + Vec3{-e.y, e.x, 0} * std::sqrt(2 * 2 - along * along);
    }
};

Scene four_bar_scene(bool is_redundant) {
    const FourBar bar;
    Scene scene;
    scene.settings.dt = 0.01;
    for (int k = 0; k < 3; ++k) {
        const Vec3 d = bar.corner[k + 1] - bar.corner[k];
        BodyDesc body;
        body.name = "bar" + std::to_string(k);
        body.shape = Box{{length(d), 0.1, 0.1}};
        body.mass = 1;
        body.position = (bar.corner[k] + bar.corner[k + 1]) * 0.5;
        body.orientation = from_axis_angle({0, 0, 1}, std::atan2(d.y, d.x));
        body.collides = false;
        scene.bodies.push_back(body);
    }
    for (int k = 0; k < 4; ++k) {
        const std::string a = k == 0 || k == 3 ? "" : "bar" + std::to_string(k - 1),
                          b = "bar" + std::to_string(std::min(k, 2));
        const bool is_hinge = is_redundant || k == 0 || k == 3;
        JointDesc desc = joint_of("j" + std::to_string(k), a, b, BallJoint{bar.corner[k]});
        if (is_hinge) desc.joint = HingeJoint{bar.corner[k], {0, 0, 1}};
        scene.joints.push_back(desc);
    }
    return scene;
}

// The same for S1: a hinge is a ball and a point on a line; four hinges are 20 rows for 17 freedoms.
Scenario four_bar(bool is_redundant, bool has_hinges = true) {
    const FourBar bar;
    Scenario s;
    s.system.gravity = {0, -kG, 0};
    for (int k = 0; k < 3; ++k) {
        const Vec3 d = bar.corner[k + 1] - bar.corner[k];
        s.system.rods.push_back(reference::box_rod(1, length(d), 0.1));
        s.start.push_back({(bar.corner[k] + bar.corner[k + 1]) * 0.5,
                           from_axis_angle({0, 0, 1}, std::atan2(d.y, d.x)),
                           {},
                           {}});
    }
    const auto local = [&](int body, const Vec3& p) {
        if (body == reference::kWorld) return p;
        const reference::State& state = s.start[static_cast<std::size_t>(body)];
        return rotate_inverse(state.q, p - state.x);
    };
    for (int k = 0; k < 4; ++k) {
        const int a = k == 0 || k == 3 ? reference::kWorld : k - 1, b = std::min(k, 2);
        s.system.joints.push_back({a, b, local(a, bar.corner[k]), local(b, bar.corner[k]), {}});
        if (!has_hinges || !(is_redundant || k == 0 || k == 3)) continue;
        const Vec3 beside = bar.corner[k] + Vec3{0, 0, 0.3};
        s.system.joints.push_back({a, b, local(a, bar.corner[k]), local(b, beside), {0, 0, 1}});
    }
    return s;
}

TEST(SpecMultibody, T23_loops) {
    for (const bool is_redundant : {false, true}) {
        World world(four_bar_scene(is_redundant));
        double gap = 0;
        for (int k = 0; k < (is_long() ? 10000 : kSlowBuild ? 200 : 1000); ++k) {
            ASSERT_TRUE(world.step().ok);
            gap = std::max(gap, world.frame().max_joint_error);
        }
        EXPECT_LE(gap, 1e-6) << is_redundant;
        EXPECT_GT(length(world.frame().velocities[0]), 1e-3);  // it moves

        Scenario s = four_bar(is_redundant);
        Bender one(Bender::Solver::S1, s.system, {});
        for (int k = 0; k < (is_long() ? 10000 : kSlowBuild ? 20 : 300); ++k) {
            ASSERT_TRUE(one.step(s.start).is_closed) << is_redundant << " " << k;
            ASSERT_LE(largest_gap(s.system, s.start), 1.001e-6);
        }
    }
    // Balls alone close the loop with 12 independent rows, which S2 takes as they are.
    Scenario s = four_bar(false, false);
    Bender two(Bender::Solver::S2, s.system, {});
    for (int k = 0; k < (is_long() ? 10000 : 300); ++k) {
        ASSERT_TRUE(two.step(s.start).is_closed) << k;
        ASSERT_LE(largest_gap(s.system, s.start), 1.001e-6);
    }
}

// The angles that `impuls validate --law squeezer` compares with: loops close at the published start, and an
// integration of our own arrives at the published end (test set for initial value problems, t = 0.03 s).
TEST(SpecMultibody, squeezer_reference_is_the_published_one) {
    EXPECT_LT(reference::squeezer_gap(reference::squeezer_start().q), 1e-15);
    const auto end = reference::squeezer_after(0.03, kSlowBuild ? 3000 : 6000);
    const double published[] = {15.81077119629904,   -15.75637105984298, 0.04082224013073101,
                                -0.5347301163226948, 0.5244099658805304, 0.5347301163226948,
                                1.048080741042263};
    for (std::size_t k = 0; k < 7; ++k) EXPECT_NEAR(end.q[k], published[k], 1e-6) << k;
    EXPECT_LT(reference::squeezer_gap(end.q), 1e-15);
}

}  // namespace
}  // namespace impuls
