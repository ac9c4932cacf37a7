// The tree solver against a dense factorisation: trees, loops, redundant and contradicting rows, cost.
#include "solvers/tree.h"

#include <gtest/gtest.h>

#include "solvers/random_problems.h"

namespace impuls {
namespace {
using namespace test;

std::unique_ptr<ProblemSolver> tree() {
    return make_solver(Solver::Tree);
}

TEST(TreeSolver, random_trees_equal_a_dense_solve) {
    for (unsigned seed = 0; seed < 12; ++seed) {
        Random random(seed);
        Problem p = random_tree(random, 15, seed % 2 == 1);
        if (seed % 3 == 0)
            for (std::size_t r = 0; r < p.rows.rows.size(); r += 5) p.rows.rows[r].compliance = 0.3;
        const Problem expected = densely(p);
        tree()->solve(p, {10});
        EXPECT_LE(velocity_difference(p, expected), 1e-12) << seed;
        double largest = 0, worst = 0;
        for (std::size_t r = 0; r < p.rows.rows.size(); ++r) {
            largest = std::max(largest, std::abs(expected.rows.rows[r].impulse));
            worst = std::max(worst, std::abs(p.rows.rows[r].impulse - expected.rows.rows[r].impulse));
        }
        EXPECT_LE(worst, 1e-12 * largest) << seed;
    }
}

TEST(TreeSolver, particles_and_bodies_that_cannot_turn) {
    Random random(1);
    Problem p;
    add_static(p);
    for (int k = 0; k < 10; ++k) {
        add_node(p, 1.0 + k, random.vector(), diagonal({0, 0, k % 2 == 0 ? 0.0 : 2.0}));
        add_joint(p, random, static_cast<std::uint32_t>(k), static_cast<std::uint32_t>(k + 1), 3);
    }
    const Problem expected = densely(p);
    tree()->solve(p, {10});
    EXPECT_LE(velocity_difference(p, expected), 1e-12);
}

// A net of particles on rods (one row each) and a body that turns about one axis, yielding and rigid.
TEST(TreeSolver, loops_of_particles) {
    for (const double compliance : {0.0, 0.2}) {
        Random random(8);
        Problem p;
        add_static(p);
        const auto rod = [&](std::uint32_t a, std::uint32_t b) {
            p.rows.begin_block();
            const Vec3 d = normalized(random.vector()), arm = random.vector();
            add_row(p, a, b, d, {}, arm, random.uniform(-1, 1));
            p.rows.rows.back().compliance = compliance;
        };
        for (std::uint32_t k = 1; k <= 6; ++k) {
            add_node(p, 1.0 / k, random.vector(), diagonal({0, k == 6 ? 1.5 : 0, 0}));
            p.nodes.w.back() = {0, 0, 0.7};
            rod(k - 1, k);
        }
        for (std::uint32_t k = 3; k <= 6; ++k) rod(k - 3, k);
        const Problem expected = densely(p);
        tree()->solve(p, {10});
        EXPECT_LE(velocity_difference(p, expected), 1e-12) << compliance;
        EXPECT_LE(complementarity_error(p), 1e-13) << compliance;
        for (std::size_t k = 1; k < 7; ++k) {  // nothing turns that cannot
            EXPECT_EQ(p.nodes.w[k].x, 0) << k;
            EXPECT_EQ(p.nodes.w[k].z, 0.7) << k;
        }
    }
}

// A body that can turn and not move, one that can move and not turn, and one that turns about a slanted axis.
TEST(TreeSolver, directions_that_are_locked) {
    Random random(9);
    Problem p;
    add_static(p);
    const Vec3 axis = normalized(Vec3{1, 2, 3});
    const Mat3 about_axis{axis * axis.x, axis * axis.y, axis * axis.z};
    add_node(p, 0, {}, diagonal({1, 2, 3}));
    add_node(p, 0.5, random.vector(), diagonal({0, 0, 0}));
    add_node(p, 2, random.vector(), about_axis);
    add_joint(p, random, 1, 2, 2);
    add_joint(p, random, 2, 3, 2);
    add_joint(p, random, 3, 1, 1);  // a loop
    const Problem expected = densely(p);
    tree()->solve(p, {10});
    EXPECT_LE(velocity_difference(p, expected), 1e-12);
    EXPECT_EQ(length(p.nodes.v[1]), 0);
    EXPECT_EQ(length(p.nodes.w[2]), 0);
    EXPECT_LE(length(cross(p.nodes.w[3], axis)), 1e-14);
}

// Trees and loops, some of whose rows yield and some of whose nodes are particles, and blocks over three
// nodes, against the solver that pivots.
TEST(TreeSolver, random_problems_equal_the_direct_solver) {
    int loops = 0;
    for (unsigned seed = 0; seed < 40; ++seed) {
        Random random(seed);
        Problem p = random_tree(random, 6, seed % 2 == 1);
        for (int k = 0; k < 3; ++k) {
            const auto particle = add_node(p, 1, random.vector(), diagonal({0, 0, 0}));
            add_joint(p, random, random.index(particle), particle, 1 + k);
        }
        for (unsigned loop = 0; loop < seed % 4; ++loop) {
            const auto b = 2 + random.index(8), a = 1 + random.index(b - 1);
            add_joint(p, random, a, b, 1);
            p.rows.rows.back().compliance = 0.1;
            ++loops;
        }
        if (seed % 3 == 0) {  // as a gear between bodies on a third
            p.rows.begin_block();
            p.rows.add().compliance = 0.2;
            for (std::uint32_t k = 1; k <= 3; ++k) p.rows.add_part(k, {}, random.vector());
        }
        for (std::size_t r = 0; r < p.rows.rows.size(); r += 4) p.rows.rows[r].compliance = 0.3;
        Problem expected = p;
        make_solver(Solver::Direct)->solve(expected, {100});
        ASSERT_LE(complementarity_error(expected), 1e-9) << seed;
        tree()->solve(p, {10});
        EXPECT_LE(complementarity_error(p), 1e-11) << seed;
        EXPECT_LE(velocity_difference(p, expected), 1e-8) << seed;
    }
    EXPECT_GE(loops, 40);
}

TEST(TreeSolver, heavy_ends_do_no_harm) {
    for (const double heavy : {1e4, 1e8}) {
        Random random(2);
        Problem p;
        add_static(p);
        for (std::uint32_t k = 0; k < 25; ++k) {
            add_body(p, random, k == 24 ? heavy : 1);
            add_joint(p, random, k, k + 1, 3);
        }
        tree()->solve(p, {10});
        EXPECT_LE(complementarity_error(p), 1e-11) << heavy;
    }
}

TEST(TreeSolver, loops_equal_a_dense_solve) {
    int compared = 0;
    for (unsigned seed = 0; seed < 12; ++seed) {
        Random random(seed);
        Problem p = random_tree(random, 15, seed % 2 == 1);
        for (int loop = 0; loop < 4; ++loop) {  // few enough to leave every body something
            const auto b = 2 + random.index(13), a = 1 + random.index(b - 1);
            p.rows.begin_block();
            const Vec3 d = random.vector(), ra = random.vector(), rb = random.vector();
            add_row(p, a, b, d, ra, rb, 0.1);
        }
        const Problem expected = densely(p);
        if (complementarity_error(expected) > 1e-10) continue;  // no solution
        tree()->solve(p, {10});
        EXPECT_LE(velocity_difference(p, expected), 1e-9) << seed;
        EXPECT_LE(complementarity_error(p), 1e-11) << seed;
        ++compared;
    }
    EXPECT_GE(compared, 6);
}

// Two hinges on the same pair of bodies ask for everything twice; with other biases they contradict.
TEST(TreeSolver, redundant_and_contradicting_joints_stay_bounded) {
    for (const double contradiction : {0.0, 1.0}) {
        Problem p;
        Random random(4);
        add_static(p);
        add_body(p, random);
        for (int twice = 0; twice < 2; ++twice) {
            p.rows.begin_block();
            for (int r = 0; r < 3; ++r) {
                Vec3 d;
                d[r] = 1;
                add_row(p, 0, 1, d, {}, {0.1, 0.2, 0.3}, twice * contradiction);
            }
        }
        for (int again = 0; again < 20; ++again) tree()->solve(p, {10});
        for (const Row& row : p.rows.rows) EXPECT_LT(std::abs(row.impulse), 10) << contradiction;
        if (contradiction == 0) {
            EXPECT_LE(complementarity_error(p), 1e-12);
        }
    }
}

TEST(TreeSolver, momentum_is_kept) {
    Random random(5);
    Problem p = random_tree(random, 40, true);
    Vec3 before{}, after{};
    for (std::size_t k = 1; k < p.nodes.size(); ++k) before += p.nodes.v[k] / p.nodes.inv_mass[k];
    tree()->solve(p, {10});
    for (std::size_t k = 1; k < p.nodes.size(); ++k) after += p.nodes.v[k] / p.nodes.inv_mass[k];
    EXPECT_LE(length(after - before), 1e-13);
}

// Twice the joints are twice the work, whatever the shape of the tree.
TEST(TreeSolver, cost_is_linear_in_joints) {
    const auto work = [](int n, auto parent_of) {
        Random random(6);
        Problem p;
        add_static(p);
        for (int k = 0; k < n; ++k) {
            const auto body = add_body(p, random);
            add_joint(p, random, parent_of(body), body, 3);
        }
        return static_cast<double>(tree()->solve(p, {1}).work);
    };
    const auto chain = [](std::uint32_t k) { return k - 1; };
    const auto binary = [](std::uint32_t k) { return k / 2; };
    const auto star = [](std::uint32_t k) { return k > 1 ? 1u : 0u; };
    EXPECT_EQ(work(200, chain), 2 * work(100, chain));
    EXPECT_EQ(work(2000, chain), 20 * work(100, chain));
    EXPECT_EQ(work(200, binary), 2 * work(100, binary));
    EXPECT_EQ(work(200, star), 2 * work(100, star));
    EXPECT_EQ(work(100, chain), 3 * 100 * 3);  // factored once, passed twice
}

}  // namespace
}  // namespace impuls
