// Closed loops of joints: a four-bar linkage without and with redundant joints, by the engine and by Bender's
// solvers.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "reference/acyclic_parts.h"
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

        for (const auto solver : {Bender::Solver::S1, Bender::Solver::S4}) {
            Scenario s = four_bar(is_redundant);
            Bender method(solver, s.system, {});
            for (int k = 0; k < (is_long() ? 10000 : kSlowBuild ? 20 : 300); ++k) {
                ASSERT_TRUE(method.step(s.start).is_closed) << is_redundant << " " << k;
                ASSERT_LE(largest_gap(s.system, s.start), 1.001e-6);
            }
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

// A rope ladder of n meshes that begins level and falls: side k on the left and on the right, then rung k.
Scenario ladder(int n) {
    Scenario s;
    s.system.gravity = {0, -kG, 0};
    const Quat across = from_axis_angle({0, 1, 0}, 0.5 * kPi);  // along -z
    for (int k = 0; k < n; ++k) {
        for (const double z : {-0.5, 0.5, 0.0}) {
            s.system.rods.push_back(reference::box_rod(1, 1, 0.1));
            s.start.push_back({{k + (z == 0 ? 1 : 0.5), 0, z}, z == 0 ? across : Quat{}, {}, {}});
        }
        const int left = 3 * k, right = left + 1, rung = left + 2;
        const Vec3 end{0.5, 0, 0};
        for (const int side : {left, right}) {
            const double z = side == left ? -0.5 : 0.5;
            if (k == 0)
                s.system.joints.push_back({reference::kWorld, side, {0, 0, z}, -end, {}});
            else
                s.system.joints.push_back({side - 3, side, end, -end, {}});
            s.system.joints.push_back({side, rung, end, side == left ? end : -end, {}});
        }
    }
    return s;
}

// Any graph of joints falls into few parts without loops, of similar size, that cover it.
TEST(SpecMultibody, loops_are_split_into_acyclic_parts) {
    for (const int n : {1, 2, 5, 20}) {
        const Scenario s = ladder(n);
        const reference::AcyclicParts parts(s.system);
        std::vector<int> covered(s.system.joints.size(), 0);
        std::size_t least = s.system.joints.size(), most = 0;
        for (std::size_t p = 0; p < parts.count(); ++p) {
            std::vector<int> tree(s.system.rods.size() + 1);  // of each body, the world the last
            for (std::size_t k = 0; k < tree.size(); ++k) tree[k] = static_cast<int>(k);
            for (const std::size_t j : parts.joints_of(p)) {
                ++covered[j];
                const auto of = [&](int body) {
                    return body == reference::kWorld ? tree.back() : tree[static_cast<std::size_t>(body)];
                };
                const int a = of(s.system.joints[j].a), b = of(s.system.joints[j].b);
                ASSERT_NE(a, b) << "a loop";
                std::replace(tree.begin(), tree.end(), a, b);
            }
            least = std::min(least, parts.joints_of(p).size());
            most = std::max(most, parts.joints_of(p).size());
        }
        EXPECT_EQ(std::count(covered.begin(), covered.end(), 1), std::ssize(covered));
        EXPECT_LE(parts.count(), 3u) << n;
        EXPECT_LE(most - least, 2u) << n;
    }
    // Each part is solved exactly, so there is less to go around for than with joint after joint.
    const int n = kSlowBuild ? 2 : 5, steps = kSlowBuild ? 20 : 200;
    int rounds[2] = {};
    for (const auto solver : {Bender::Solver::S1, Bender::Solver::S4}) {
        Scenario s = ladder(n);
        Bender method(solver, s.system, {});
        const double first = energy(s.system, s.start), weight = 3 * n * kG;
        for (int k = 0; k < steps; ++k) {
            const auto counts = method.step(s.start);
            ASSERT_TRUE(counts.is_closed) << k;
            ASSERT_LE(largest_gap(s.system, s.start), 1.001e-6);
            rounds[solver == Bender::Solver::S4] += counts.position;
        }
        EXPECT_NEAR(energy(s.system, s.start), first, 1e-4 * weight * n);
    }
    EXPECT_LT(2 * rounds[1], rounds[0]);
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
