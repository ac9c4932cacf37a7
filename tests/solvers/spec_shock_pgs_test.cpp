// Projected Gauss-Seidel against its laws of convergence, against a dense version and on boxed problems
// (Erleben 6.1; contact-graph-shock T9 to T13).
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "solvers/direct.h"
#include "solvers/pgs.h"
#include "solvers/random_problems.h"
#include "support/full_size.h"
#include "support/slow_build.h"

namespace impuls {
namespace {
using namespace test;

// A column of spheres on a floor, one contact per interface, each falling with the speed of one step.
Problem column(const std::vector<double>& masses) {
    Problem p;
    add_static(p);
    for (const double mass : masses) {
        const auto k = add_node(p, 1 / mass, {0, -1, 0}, diagonal({0, 0, 0}));
        p.contacts.add(k - 1, k, {0, 1, 0}, {}, {});
    }
    return p;
}

TEST(SpecShock, T9_two_balls_converge_like_8000_8001) {
    for (const int k : {1, 10, 1000, 64000}) {
        Problem p = column({1, 8000});
        PgsSolver().solve(p, {k});
        const double expected = -std::expm1(k * std::log1p(-1 / 8001.0));
        EXPECT_NEAR(p.contacts.impulse_n[1] / 8000, expected, 1e-9 * expected) << k;
    }
}

TEST(SpecShock, T10_column_contracts_by_cos_squared) {
    for (const int n : {5, 10, 25}) {
        Problem p = column(std::vector<double>(static_cast<std::size_t>(n), 1));
        PgsSolver solver;
        solver.solve(p, {20 * n});
        const double before = n - p.contacts.impulse_n[0];
        solver.solve(p, {1});
        const double rate = (n - p.contacts.impulse_n[0]) / before;
        const double c = std::cos(M_PI / (2 * n));
        EXPECT_NEAR(rate, c * c, 1e-4) << n;
    }
    // From rest: the share of the weight that the floor carries after k sweeps.
    const std::pair<int, double> shares[] = {{10, 0.141}, {100, 0.451}, {1000, 0.984}, {10000, 1.0}};
    for (const auto& [sweeps, share] : shares) {
        Problem p = column(std::vector<double>(25, 1));
        PgsSolver().solve(p, {sweeps});
        EXPECT_NEAR(p.contacts.impulse_n[0] / 25, share, 5e-4) << sweeps;
    }
}

// The textbook form: x_i := clamp((b_i - sum over j != i of A_ij x_j) / A_ii).
void dense_pgs(const Problem& p, int sweeps, Eigen::VectorXd& x) {
    const Dense d(p);
    const Eigen::VectorXd b = -(d.j * d.v + d.bias);
    x = Eigen::VectorXd::Zero(b.size());
    const auto joint_rows = static_cast<Eigen::Index>(p.rows.rows.size());
    for (int s = 0; s < sweeps; ++s)
        for (Eigen::Index i = 0; i < b.size(); ++i) {
            double lower, upper;
            if (i < joint_rows) {
                lower = p.rows.rows[static_cast<std::size_t>(i)].lower;
                upper = p.rows.rows[static_cast<std::size_t>(i)].upper;
            } else {
                const Eigen::Index of_contact = (i - joint_rows) % 3, n = i - of_contact;
                const double mu = p.contacts.friction[static_cast<std::size_t>((n - joint_rows) / 3)];
                upper = of_contact == 0 ? kUnbounded : mu * x[n];
                lower = of_contact == 0 ? 0 : -upper;
            }
            const double rest = b[i] - d.a.row(i).dot(x) + d.a(i, i) * x[i];
            x[i] = std::clamp(rest / d.a(i, i), lower, upper);
        }
}

TEST(SpecShock, T11_factored_equals_dense) {
    for (unsigned seed = 0; seed < (kSlowBuild ? 1 : 4); ++seed) {
        Random random(seed);
        Problem p = random_tree(random, 50);
        add_contacts(p, random, 60, 0.25);
        for (std::size_t r = 0; r < p.rows.rows.size(); r += 4) {
            p.rows.rows[r].compliance = 0.1;
            p.rows.rows[r].lower = -0.2, p.rows.rows[r].upper = 0.3;
        }
        Eigen::VectorXd expected;
        dense_pgs(p, 50, expected);
        PgsSolver().solve(p, {50});
        std::vector<double> x;
        RowSystem::load(p, x);
        double worst = 0;
        for (std::size_t i = 0; i < x.size(); ++i)
            worst = std::max(worst, std::abs(x[i] - expected[static_cast<Eigen::Index>(i)]));
        EXPECT_LE(worst, 1e-12);
    }
}

// Rows with bounds on both sides and compliance: positive definite. Bounds of normals included.
Problem boxed(Random& random, int bodies, int rows) {
    Problem p;
    add_static(p);
    for (int k = 0; k < bodies; ++k) add_body(p, random);
    for (int r = 0; r < rows; ++r) {
        p.rows.begin_block();
        const auto b = 1 + random.index(p.nodes.size() - 1), a = random.index(b);
        const Vec3 d = normalized(random.vector()), ra = random.vector(), rb = random.vector();
        const double bias = random.uniform(-1, 1);
        add_row(p, a, b, d, ra, rb, bias);
        Row& row = p.rows.rows.back();
        row.compliance = 0.2;
        if (r % 3 != 0) row.lower = -random.uniform(0, 0.3);
        if (r % 4 != 0) row.upper = random.uniform(0, 0.3);
    }
    return p;
}

TEST(SpecShock, T12_boxed_problems_are_solved) {
    for (const double relaxation : {1.0, 0.3, 0.7, 1.3, 1.7, 1.9})
        for (unsigned seed = 0; seed < 5; ++seed) {
            Random random(seed);
            Problem p = boxed(random, 20, 60);
            EXPECT_GT(complementarity_error(p), 0.1);
            PgsSolver({.relaxation = relaxation}).solve(p, {20000, 1e-14});
            EXPECT_LE(complementarity_error(p), 1e-10) << relaxation;
        }
}

TEST(SpecShock, T13_cost_is_linear_in_sweeps_and_contacts) {
    for (const int n : {25, 100}) {
        for (const int sweeps : {10, 100, 1000}) {
            Problem p = column(std::vector<double>(static_cast<std::size_t>(n), 1));
            const auto result = PgsSolver().solve(p, {sweeps});
            EXPECT_EQ(result.work, static_cast<std::uint64_t>(3 * n * sweeps));
        }
    }
}

// Any order of visits leads to the same solution where it is unique.
TEST(Pgs, order_does_not_matter_in_the_end) {
    using Order = PgsOptions::Order;
    Random random(3);
    const Problem start = boxed(random, 20, 60);
    Problem given = start;
    PgsSolver().solve(given, {20000, 1e-14});
    for (const Order order : {Order::Random, Order::LargestChangeFirst}) {
        Problem p = start;
        PgsSolver({.order = order}).solve(p, {20000, 1e-14});
        EXPECT_LE(velocity_difference(p, given), 1e-10);
        EXPECT_GT(velocity_difference(p, start), 0.1);
    }
}

TEST(Pgs, stops_by_its_criteria) {
    Problem p = column(std::vector<double>(10, 1));
    EXPECT_EQ(PgsSolver().solve(p, {7}).iterations, 7);
    p = column(std::vector<double>(10, 1));
    const auto absolute = PgsSolver().solve(p, {100000, 1e-6});
    EXPECT_LT(absolute.iterations, 100000);
    EXPECT_LE(absolute.residual, 1e-6);
    p = column(std::vector<double>(10, 1));
    const auto relative = PgsSolver({.relative_tolerance = 1e-6}).solve(p, {100000});
    EXPECT_LT(relative.iterations, absolute.iterations);  // the weight of ten is larger than one
    // A warm start that is right already is still improved `least_iterations` times.
    EXPECT_EQ(PgsSolver({.least_iterations = 5}).solve(p, {100, 1}).iterations, 5);
}

// Work of all spheres as one group, divided by that of each as its own.
double gain_by_groups(ProblemSolver& solver, int n) {
    const Problem all = spheres_in_dimples(n);
    Problem together = all;
    const SolveSettings settings{1000, 1e-12};
    const auto one = solver.solve(together, settings).work;
    std::uint64_t apart = 0;
    double difference = 0;
    for (std::uint32_t k = 1; k <= static_cast<std::uint32_t>(n); ++k) {
        Problem alone = sphere_alone(all, k);
        apart += solver.solve(alone, settings).work;
        difference = std::max(difference, length(alone.nodes.v[1] - together.nodes.v[k]));
    }
    EXPECT_LT(difference, 1e-9);
    return static_cast<double>(one) / static_cast<double>(apart);
}

// Work is pivots times variables; a pivot's time even grows with their square. Times: solve/direct/dimples of
// the benchmark.
TEST(SpecShock, T2_groups_pay_for_a_pivoting_solver) {
    DirectSolver direct(4, 100000);
    EXPECT_GE(gain_by_groups(direct, is_long() ? 120 : 25), 20);
    PgsSolver pgs;
    EXPECT_GE(gain_by_groups(pgs, 120), 0.95);
}

}  // namespace
}  // namespace impuls
