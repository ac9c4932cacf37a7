// Rows of all joints by themselves: momentum, ranks, errors removed, rates against finite differences, and
// the corrected formulas of Erleben 2005 section 4.9 and 4.10 (specification: constraints, T1, T2, T14).
#include <gtest/gtest.h>

#include "math/arc_tangent.h"
#include "spec/joint_fixture.h"

namespace impuls {
namespace {

// Number of independent rows of a block, by elimination of J M^-1 J^T.
int rank_of(const Problem& problem, std::span<const Row> rows) {
    const auto n = rows.size();
    std::vector<std::vector<double>> m(n, std::vector<double>(n));
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j)
            for (const RowPart& x : problem.rows.parts_of(rows[i]))
                for (const RowPart& y : problem.rows.parts_of(rows[j]))
                    if (x.node == y.node)
                        m[i][j] += problem.nodes.inv_mass[x.node] * dot(x.linear, y.linear) +
                                   dot(x.angular, problem.nodes.inv_inertia[x.node] * y.angular);
    int rank = 0;
    std::vector<bool> used(n);
    for (std::size_t k = 0; k < n; ++k) {
        std::size_t best = n;
        for (std::size_t i = 0; i < n; ++i)
            if (!used[i] && (best == n || m[i][i] > m[best][best])) best = i;
        if (m[best][best] < 1e-9) break;
        used[best] = true, ++rank;
        for (std::size_t i = 0; i < n; ++i) {
            if (used[i]) continue;
            const double f = m[i][best] / m[best][best];
            for (std::size_t j = 0; j < n; ++j) m[i][j] -= f * m[best][j];
        }
    }
    return rank;
}

TEST(SpecConstraints, T1_rows_keep_momentum) {
    for (JointCase c : joint_cases()) {
        SCOPED_TRACE(c.name);
        visit_axes(c.joint, [](const char*, AxisDesc& axis) { axis = busy_axis(); });
        JointBench bench(c);
        bench.wander(5);
        bench.displace(1e-3);  // not quite closed
        bench.make(Phase::Displacement, 0.01);
        ASSERT_FALSE(bench.problem.rows.rows.empty());
        for (const Row& row : bench.problem.rows.rows) {
            Vec3 force, moment;
            double size = 0;
            for (const RowPart& part : bench.problem.rows.parts_of(row)) {
                force += part.linear;
                moment += part.angular + cross(bench.bodies.pose[part.node].position, part.linear);
                size = std::max(size, length(part.linear) + length(part.angular));
            }
            EXPECT_GT(size, 0.1);
            EXPECT_LT(length(force), 1e-12);
            EXPECT_LT(length(moment), 1e-12);
        }
    }
}

TEST(SpecConstraints, T1_ranks_and_freedoms) {
    for (const JointCase& c : joint_cases()) {
        SCOPED_TRACE(c.name);
        for (std::uint64_t seed : {1, 2, 3}) {
            JointBench bench(c, seed);
            for (int k = 0; k < 2; ++k) {
                bench.make(Phase::Velocity, 0.01);
                EXPECT_EQ(rank_of(bench.problem, bench.equations()), c.rank);
                EXPECT_EQ(bench.equations().size(), static_cast<std::size_t>(c.rank));
                bench.wander(seed);
            }
        }
    }
}

TEST(SpecConstraints, T1_one_step_removes_the_error) {
    for (const JointCase& c : joint_cases()) {
        if (c.rank == 0) continue;
        SCOPED_TRACE(c.name);
        Rng rng(7, 3);
        double worst = 0;
        for (int k = 0; k < 20; ++k) {
            JointBench bench(c, 1 + k);
            EXPECT_LT(bench.error(), 1e-14);
            bench.wander(k);
            ASSERT_LT(bench.error(), 1e-11);
            bench.set_random_velocities(rng, 1);
            bench.drift(1e-3);
            EXPECT_GT(bench.error(), 1e-5);
            bench.rest();
            bench.displace(0.01);
            worst = std::max(worst, bench.error());
        }
        EXPECT_LT(worst, 1e-5);
    }
}

TEST(SpecConstraints, T2_recovery_is_the_share_corrected) {
    for (const JointCase& c : joint_cases()) {
        if (c.rank == 0) continue;
        SCOPED_TRACE(c.name);
        for (const double share : {0.2, 0.5, 0.8}) {
            JointBench bench(c);
            Rng rng(11, 3);
            bench.set_random_velocities(rng, 1);
            bench.drift(1e-4);
            double before = bench.error();
            for (int k = 0; k < 3; ++k) {
                bench.rest();
                bench.displace(0.01, share);
                const double after = bench.error();
                EXPECT_NEAR(after / before, 1 - share, 0.01);
                before = after;
            }
        }
    }
}

// Errors and coordinates change at the rates that the rows say.
TEST(SpecConstraints, rates_are_derivatives) {
    for (JointCase c : joint_cases()) {
        SCOPED_TRACE(c.name);
        JointBench bench(c);
        bench.wander(9);
        Rng rng(13, 1);
        for (int k = 0; k < 5; ++k) {
            const auto state = bench.bodies;
            AxisLog log, ahead, behind;
            bench.set_random_velocities(rng, 1);
            bench.make(Phase::Velocity, 0, 1, &log);
            std::vector<double> expected, errors;
            for (const Row& row : bench.equations()) expected.push_back(velocity_of(bench.problem, row));
            const double e = 1e-5;
            bench.drift(e);
            bench.make(Phase::Velocity, 0);
            for (const Row& row : bench.equations()) errors.push_back(row.error);
            bench.bodies = state;
            bench.drift(-e);
            bench.make(Phase::Velocity, 0);
            for (std::size_t r = 0; r < expected.size(); ++r)
                EXPECT_NEAR((errors[r] - bench.equations()[r].error) / (2 * e), expected[r], 1e-7) << r;

            // Coordinates: along motions that the equations allow.
            bench.bodies = state, bench.refresh_inertia();
            bench.make(Phase::Velocity, 0);
            bench.solver.solve(bench.problem, {50, 0});
            bench.drift(e);
            bench.make(Phase::Velocity, 0, 1, &ahead);
            bench.bodies = state;
            bench.drift(-e);
            bench.make(Phase::Velocity, 0, 1, &behind);
            bench.bodies = state, bench.refresh_inertia();
            ASSERT_EQ(log.axes.size(), axis_count(c.joint));
            for (std::size_t n = 0; n < log.axes.size(); ++n)
                EXPECT_NEAR((ahead.axes[n].position - behind.axes[n].position) / (2 * e),
                            velocity_of(log.axes[n].rate, bench.problem.nodes), 1e-7)
                    << n;
        }
    }
}

// Erleben 4.10 prints the angle with the other sign: here b turned by +0.3 about the axis reads +0.3.
TEST(SpecConstraints, hinge_angle_has_the_sign_of_the_turn) {
    const Vec3 s = normalized(Vec3{0.6, 0.7, -0.3}), p{0.4, -0.2, 0.3};
    for (const double angle : {0.3, -0.3, 2.9, -2.9}) {
        JointBench bench({"hinge", HingeJoint{p, s, {}}, 5});
        const Quat turn = from_axis_angle(s, angle);
        Pose& b = bench.bodies.pose[1];
        b = {p + rotate(turn, b.position - p), turn * b.orientation};
        AxisLog log;
        bench.make(Phase::Velocity, 0, 1, &log);
        EXPECT_NEAR(log.axes[0].position, angle, 1e-14);
        EXPECT_LT(bench.error(), 1e-14);
        Nodes spin = bench.problem.nodes;  // turning on the same way makes it grow
        spin.v.assign(3, {}), spin.w.assign(3, {});
        spin.w[1] = s * 2;
        EXPECT_NEAR(velocity_of(log.axes[0].rate, spin), 2, 1e-12);
    }
}

// As printed, limits of a slider report speed and give angular momentum when both bodies turn as one.
TEST(SpecConstraints, slider_coordinate_ignores_common_motion) {
    SliderJoint slider{{0.4, -0.2, 0.3}, {0.6, 0.7, -0.3}, busy_axis()};
    JointBench bench({"slider", slider, 5});
    bench.wander(3);
    const Vec3 w{0.3, -0.8, 0.5}, v{1, 2, 3};
    for (int k = 0; k < 2; ++k) {
        bench.problem.nodes.w[k] = w;
        bench.problem.nodes.v[k] = v + cross(w, bench.bodies.pose[k].position);
    }
    bench.make(Phase::Velocity, 0.01);
    for (const Row& row : bench.problem.rows.rows) EXPECT_NEAR(velocity_of(bench.problem, row), 0, 1e-12);
}

// Both limits push back into the range: the printed upper one would let it go on.
TEST(SpecConstraints, limits_push_inwards) {
    for (const bool is_upper : {false, true}) {
        SliderJoint slider{{}, {1, 0, 0}, {}};
        (is_upper ? slider.slide.upper : slider.slide.lower) = 0;
        JointBench bench({"slider", slider, 5});
        const double beyond = is_upper ? 0.01 : -0.01;
        bench.bodies.pose[1].position += Vec3{beyond, 0, 0};
        bench.rest();
        AxisLog log;
        bench.displace(0.1);
        bench.make(Phase::Velocity, 0, 1, &log);
        EXPECT_NEAR(log.axes[0].position, 0, 0.01 * 0.01) << is_upper;  // both bodies turn a little
        EXPECT_GT(length(bench.problem.nodes.v[1]), 0.01);
    }
}

// The reach cone asks C = s_a . s_b - cos(cone) >= 0: its row is the gradient of C, up to a positive factor.
TEST(SpecConstraints, cone_row_is_the_gradient) {
    BallJoint ball{{0.4, -0.2, 0.3}, {0.6, 0.7, -0.3}, 0.5, {}};
    JointBench bench({"ball", ball, 3});
    Rng rng(5, 5);
    for (int k = 0; k < 10; ++k) {
        bench.wander(k);
        const auto state = bench.bodies;
        bench.set_random_velocities(rng, 1);
        bench.make(Phase::Velocity, 0);
        ASSERT_EQ(bench.problem.rows.rows.size(), 4u);
        const double rate = velocity_of(bench.problem, bench.problem.rows.rows[3]);
        const auto cosine = [&](double h) {
            bench.bodies = state;
            bench.drift(h);
            const auto g = geometry_of(bench.joints, 0, poses_of(bench.joints, 0, bench.bodies));
            return dot(x_of(g.X_WJa), x_of(g.X_WJb));
        };
        const double e = 1e-5, slope = (cosine(e) - cosine(-e)) / (2 * e), c = cosine(0);
        // The row is that of -angle: d(cos)/dt = sin * d(-angle)/dt.
        EXPECT_NEAR(slope, std::sqrt(1 - c * c) * rate, 1e-7);
        bench.bodies = state, bench.refresh_inertia();
    }
}

TEST(SpecConstraints, T14_compliance_of_an_overdetermined_pair) {
    // Two hinges on the same pair and axis: ten rows of rank five, singular without compliance.
    const double h = 0.01, k_erp = 0.8, softness = 0.05;  // velocity per impulse
    JointBench bench({"hinge", HingeJoint{{0.4, -0.2, 0.3}, {0, 1, 0}, {}}, 5});
    JointDesc second;
    second.joint = HingeJoint{{0.4, 0.5, 0.3}, {0, 1, 0}, {}};
    bench.joints.add(second, bench.bodies, 0, 1);
    bench.problem.nodes.inv_mass[0] = 0;  // a is held
    bench.bodies.inv_mass.set(0, 0), bench.bodies.inv_inertia.set(0, {});
    bench.refresh_inertia();
    const double load = 3;  // N, upwards on b
    double violation = 0, sum = 0;
    for (int k = 0; k < 200; ++k) {
        auto& problem = bench.problem;
        problem.nodes.v[1] *= 0.5, problem.nodes.w[1] *= 0.5;  // to rest quickly
        problem.nodes.v[1] += Vec3{0, load * h * problem.nodes.inv_mass[1], 0};
        problem.rows.clear();
        for (std::size_t j = 0; j < 2; ++j) {
            JointRows out{problem.rows, 0, 1, 2, Phase::Displacement, h, k_erp};
            make_rows(bench.joints, j, poses_of(bench.joints, j, bench.bodies), out);
        }
        for (Row& row : problem.rows.rows) row.compliance = softness;
        bench.solver.solve(problem, {400, 1e-13});
        violation = problem.rows.rows[1].error, sum = problem.rows.rows[1].impulse / h;
        bench.drift(h);
    }
    // Each of the two carries half of the load; K (force) is softness * h, as J u = b - K lambda.
    EXPECT_NEAR(sum, -load / 2, 0.01 * load);
    EXPECT_NEAR(violation, softness * h * (load / 2) / (k_erp / h), 0.01 * violation);
}

// Row with compliance and recovery as a spring: with k_erp = h k / (h k + c) and K = 1 / (h (h k + c)) for
// each impulse it is implicit Euler for m x'' = -k x - c x'.
TEST(SpecConstraints, T14_compliance_and_recovery_are_a_spring) {
    const double h = 0.01, k = 200, k_erp_with[] = {1, h * k / (h * k + 2)};
    for (const double k_erp : k_erp_with) {
        const double c = h * k / k_erp - h * k;
        JointBench bench({"fixed", FixedJoint{{1, 0.2, -0.3}}, 6});  // at the centre of b; a is held
        Nodes& nodes = bench.problem.nodes;
        nodes.inv_mass[0] = 0;
        bench.bodies.inv_mass.set(0, 0);
        bench.bodies.inv_inertia.set(0, {});
        bench.refresh_inertia();
        nodes.v[1] = {1, 0, 0};
        const double start = bench.bodies.pose[1].position.x;
        double first = 0, last = 0, before = 0;
        int crossings = 0;
        for (int step = 1; crossings < 11 && step < 1000; ++step) {
            bench.problem.rows.clear();
            JointRows out{bench.problem.rows, 0, 1, 2, Phase::Displacement, h, k_erp};
            make_rows(bench.joints, 0, poses_of(bench.joints, 0, bench.bodies), out);
            for (Row& row : bench.problem.rows.rows) row.compliance = 1 / (h * (h * k + c));
            bench.solver.solve(bench.problem, {400, 1e-14});
            bench.drift(h);
            const double x = bench.bodies.pose[1].position.x - start;
            if (before * x < 0) {
                last = h * (step - x / (x - before));
                if (crossings++ == 0) first = last;
            }
            before = x;
        }
        ASSERT_EQ(crossings, 11);
        const double m = 1 / nodes.inv_mass[1], exact = std::sqrt(k / m - c * c / (4 * m * m));
        EXPECT_NEAR(10 * 2 * kHalfPi / (last - first), exact, 0.02 * exact) << c;
    }
}

TEST(SpecConstraints, T12_finite_rotation) {
    const Vec3 w{60, 0, 80};
    Quat q;
    const double h = 0.01;
    for (int k = 0; k < 1000; ++k) q = turned(q, w * h);
    const Quat exact = from_axis_angle(w, 100 * h * 1000);
    const Quat off = conjugate(exact) * q;
    EXPECT_LT(2 * length(Vec3{off.x, off.y, off.z}), 1e-9);
    // The infinitesimal update turns by 2 atan(w h / 2) instead.
    const Quat dq{1, 0.5 * h * w.x, 0.5 * h * w.y, 0.5 * h * w.z};
    const Quat small = normalized(dq);
    EXPECT_NEAR(2 * arc_tangent(length(Vec3{small.x, small.y, small.z}), small.w), 2 * std::atan(0.5), 1e-12);
}

TEST(SpecConstraints, arc_tangent_is_that_of_libm) {
    Rng rng(3, 0);
    for (int k = 0; k < 20000; ++k) {
        const double x = rng.uniform(-1, 1);
        const double y = rng.uniform(-1, 1) * (k % 3 == 0 ? 1e-6 : 1);
        ASSERT_NEAR(arc_tangent(y, x), std::atan2(y, x), 1e-15);
    }
    EXPECT_EQ(arc_tangent(0, 1), 0);
    EXPECT_EQ(arc_tangent(0, 0), 0);
    EXPECT_NEAR(arc_tangent(0, -1), 2 * kHalfPi, 1e-15);
    EXPECT_NEAR(arc_tangent(1, 0), kHalfPi, 1e-15);
}

}  // namespace
}  // namespace impuls
