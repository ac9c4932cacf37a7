// The reference methods (tests/reference) against each other and the engine against them: accelerations by
// Lagrange multipliers, Baraff's tree and Featherstone's algorithm; Bender's three solvers; the `accurate`
// preset on a chain.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "base/rng.h"
#include "reference/accelerations.h"
#include "reference/bender.h"
#include "spec/joint_world.h"
#include "support/slow_build.h"

namespace impuls {
namespace {

using reference::Bender;
using reference::States;

class Draw {
  public:
    double number(double low, double high) { return rng_.uniform(low, high); }
    Vec3 vector(double size) {
        const double x = number(-size, size);
        const double y = number(-size, size);
        return {x, y, number(-size, size)};
    }
    Quat rotation() { return rng_.rotation(); }

  private:
    Rng rng_{11, 3};
};

// Bodies of any shape, each held to an earlier one or to the world, turning at random.
reference::Scenario random_tree(Draw& draw, int n) {
    reference::Scenario s;
    s.system.gravity = draw.vector(10);
    for (int k = 0; k < n; ++k) {
        const double mass = std::pow(10, draw.number(-1, 1));
        const Vec3 moments = (draw.vector(0.3) + Vec3{1, 1, 1}) * (0.2 * mass);
        s.system.rods.push_back({mass, moments, draw.vector(2)});
        const int parent = static_cast<int>(draw.number(0, k + 1)) - 1;
        s.system.joints.push_back({parent, k, draw.vector(1), draw.vector(1), {}});
        const Quat q = draw.rotation();
        s.start.push_back({{}, q, {}, draw.vector(3)});
    }
    follow_joints(s.system, s.start);
    return s;
}

double largest(const reference::Accelerations& a) {
    double out = 0;
    for (const reference::Acceleration& x : a) out = std::max({out, length(x.v), length(x.w)});
    return out;
}

double difference(const reference::Accelerations& a, reference::Accelerations b) {
    for (std::size_t k = 0; k < a.size(); ++k) b[k].v -= a[k].v, b[k].w -= a[k].w;
    return largest(b) / largest(a);
}

TEST(SpecMultibody, references_agree_on_accelerations) {
    Draw draw;
    reference::BaraffTree baraff;
    for (const int n : {1, 2, 3, 8, 20, 40})
        for (int repeat = 0; repeat < 10; ++repeat) {
            const reference::Scenario s = random_tree(draw, n);
            ASSERT_TRUE(s.system.is_tree());
            ASSERT_LT(largest_gap(s.system, s.start), 1e-12);
            ASSERT_LT(largest_slip(s.system, s.start), 1e-11);
            const auto oracle = featherstone(s.system, s.start);
            EXPECT_LT(difference(oracle, lagrange_dense(s.system, s.start)), 1e-10) << n;
            EXPECT_LT(difference(oracle, baraff.accelerations(s.system, s.start)), 1e-10) << n;
        }
}

// Rounding does not pile up along a thousand links, straight and a little bent.
TEST(SpecMultibody, references_agree_on_a_long_chain) {
    reference::Scenario s = reference::chain(1000, 0.5, 0.1, 5);
    reference::BaraffTree baraff;
    for (int k = 0; k < 3; ++k) {
        const auto oracle = featherstone(s.system, s.start);
        EXPECT_LT(difference(oracle, baraff.accelerations(s.system, s.start)), 1e-10) << k;
        step_featherstone(s.system, s.start, 1e-3);
    }
}

// Featherstone's equations conserve what they must: energy of a chain, fourth order in the step.
TEST(SpecMultibody, reference_chain_keeps_its_energy) {
    const auto change = [](int steps) {
        reference::Scenario s = reference::chain(5, 0.5, 0.1, 5);
        const double first = energy(s.system, s.start);
        for (int k = 0; k < steps; ++k) step_featherstone(s.system, s.start, 0.5 / steps);
        return std::abs(energy(s.system, s.start) - first);
    };
    const double coarse = change(100), fine = change(200);
    EXPECT_LT(coarse, 1e-4);
    EXPECT_GT(coarse / fine, 12);
}

// The engine's most exact preset against Featherstone's equations, one second of a chain of five: within what
// its own step lets expect, four times less with half the turn.
TEST(SpecMultibody, accurate_follows_the_reduced_equations) {
    reference::Scenario s = reference::chain(5, 0.5, 0.1, 5);
    const int frames = 60;
    for (int k = 0; k < frames * 64; ++k) step_featherstone(s.system, s.start, 1.0 / (frames * 64));
    const auto error = [&](const char* method) {
        Scene scene;
        scene.settings.dt = 1.0 / frames;
        scene.settings.method = parse_method(method);
        for (int k = 0; k < 5; ++k) {
            BodyDesc body;
            body.name = "r" + std::to_string(k);
            body.shape = Box{{0.5, 0.1, 0.1}};
            body.mass = 5;
            body.position = {0.5 * k + 0.25, 0, 0};
            body.collides = false;
            scene.bodies.push_back(body);
            scene.joints.push_back(joint_of("j" + std::to_string(k),
                                            k == 0 ? "" : "r" + std::to_string(k - 1), body.name,
                                            BallJoint{{0.5 * k, 0, 0}}));
        }
        World world(scene);
        step(world, frames);
        double worst = 0;
        for (std::size_t k = 0; k < 5; ++k)
            worst = std::max(worst, length(world.frame().positions[k] - s.start[k].x));
        return worst;
    };
    const double accurate = error("accurate"), finer = error("accurate+turn=0.01");
    EXPECT_LT(accurate, 1e-4);
    EXPECT_LT(finer, accurate / 3);
    RecordProperty("accurate_error_m", std::to_string(accurate));
}

States run(Bender::Solver solver, reference::Scenario s, const reference::BenderOptions& options, int steps) {
    Bender method(solver, s.system, options);
    for (int k = 0; k < steps; ++k) EXPECT_TRUE(method.step(s.start).is_closed) << k;
    return s.start;
}

// The three solvers lead to the same motion: states after 100 steps with tolerances of 1e-10.
TEST(SpecMultibody, T10_bender_solvers_agree) {
    reference::BenderOptions options;
    options.position_tolerance = options.velocity_tolerance = 1e-10;
    const auto compare = [&](const reference::Scenario& s, const char* name) {
        const States one = run(Bender::Solver::S1, s, options, 100),
                     two = run(Bender::Solver::S2, s, options, 100),
                     three = run(Bender::Solver::S3, s, options, 100);
        EXPECT_LT(farthest(one, two), 1e-7) << name;
        EXPECT_LT(farthest(one, three), 1e-7) << name;
        for (std::size_t k = 0; k < one.size(); ++k) {
            EXPECT_LT(length(one[k].w - three[k].w), 1e-6) << name;
            EXPECT_LT(length(two[k].w - three[k].w), 1e-6) << name;
        }
    };
    options.h = 0.01;
    compare(reference::chain(kSlowBuild ? 3 : 6), "chain");
    reference::Scenario tree = reference::tree(kSlowBuild ? 3 : 4);
    tree.start[0].w = {0, 1, 1};
    follow_joints(tree.system, tree.start);
    compare(tree, "tree");
}

// S3 against the dense factorisation of S2, impulses for random velocities.
TEST(SpecMultibody, T10_linear_time_is_the_dense_solve) {
    Draw draw;
    for (const int n : {1, 5, 60}) {
        const reference::Scenario s = random_tree(draw, n);
        Bender dense(Bender::Solver::S2, s.system, {}), linear(Bender::Solver::S3, s.system, {});
        dense.factor(s.start), linear.factor(s.start);
        std::vector<Vec3> wanted(static_cast<std::size_t>(n));
        for (Vec3& w : wanted) w = draw.vector(1);
        const auto &a = dense.solve(wanted), &b = linear.solve(wanted);
        double size = 0, off = 0;
        for (std::size_t k = 0; k < a.size(); ++k)
            size = std::max(size, length(a[k])), off = std::max(off, length(a[k] - b[k]));
        EXPECT_LT(off, 1e-12 * size) << n;
    }
}

}  // namespace
}  // namespace impuls
