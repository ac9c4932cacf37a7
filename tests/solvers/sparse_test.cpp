// The sparse joint solver: against a dense one, order and fill, redundant and contradicting joints.
#include "solvers/sparse.h"

#include <gtest/gtest.h>

#include "solvers/random_problems.h"

namespace impuls {
namespace {
using namespace test;

std::unique_ptr<ProblemSolver> sparse() {
    return make_solver(Solver::Sparse);
}

std::size_t coupling_blocks(const Problem& p) {
    SparseEquations equations;
    std::vector<std::uint8_t> taken(p.rows.rows.size());
    equations.prepare(p, taken);
    EXPECT_EQ(std::count(taken.begin(), taken.end(), 1), static_cast<long>(taken.size()));
    return equations.coupling_blocks();
}

TEST(SparseSolver, trees_and_loops_equal_a_dense_solve) {
    for (unsigned seed = 0; seed < 8; ++seed) {
        Random random(seed);
        Problem p = random_tree(random, 12, seed % 2 == 1);
        for (int loop = 0; loop < 3; ++loop) {
            const auto b = 2 + random.index(11), a = 1 + random.index(b - 1);
            p.rows.begin_block();
            const Vec3 d = random.vector(), ra = random.vector(), rb = random.vector();
            add_row(p, a, b, d, ra, rb, 0.1);
            p.rows.rows.back().compliance = loop == 0 ? 0.2 : 0;
        }
        const Problem expected = densely(p);
        if (complementarity_error(expected) > 1e-10) continue;
        sparse()->solve(p, {10});
        EXPECT_LE(velocity_difference(p, expected), 1e-9) << seed;
    }
}

// Joints of a chain in any order: least degree finds the ends and makes no fill.
TEST(SparseSolver, chains_have_no_fill) {
    Random random(1);
    const std::uint32_t n = 60;
    Problem p;
    add_static(p);
    for (std::uint32_t k = 0; k < n; ++k) add_body(p, random);
    std::vector<std::uint32_t> order;
    for (std::uint32_t k = 0; k < n; ++k) order.push_back(k);
    for (std::uint32_t k = n; k > 1; --k) std::swap(order[k - 1], order[random.index(k)]);
    for (const std::uint32_t k : order) add_joint(p, random, k, k + 1, 3);
    EXPECT_EQ(coupling_blocks(p), n - 1);
    sparse()->solve(p, {10});
    EXPECT_LE(complementarity_error(p), 1e-11);
}

// A net of bodies with springy joints between neighbours.
TEST(SparseSolver, nets_stay_sparse) {
    Random random(2);
    const std::uint32_t n = 10;
    Problem p;
    add_static(p);
    for (std::uint32_t k = 0; k < n * n; ++k) add_body(p, random);
    const auto at = [&](std::uint32_t i, std::uint32_t j) { return 1 + i * n + j; };
    for (std::uint32_t i = 0; i < n; ++i)
        for (std::uint32_t j = 0; j < n; ++j) {
            if (i + 1 < n) add_joint(p, random, at(i, j), at(i + 1, j), 3);
            if (j + 1 < n) add_joint(p, random, at(i, j), at(i, j + 1), 3);
        }
    for (Row& row : p.rows.rows) row.compliance = 0.01;
    const std::size_t joints = 2 * n * (n - 1);
    EXPECT_LT(coupling_blocks(p), joints * joints / 2 / 6);  // dense: joints^2 / 2
    sparse()->solve(p, {10});
    EXPECT_LE(complementarity_error(p), 1e-10);
}

TEST(SparseSolver, structure_may_change_between_solves) {
    auto solver = sparse();
    for (const int n : {5, 9, 9, 3, 12}) {
        Random random(static_cast<unsigned>(n));
        Problem p = random_tree(random, n);
        solver->solve(p, {10});
        EXPECT_LE(complementarity_error(p), 1e-11) << n;
    }
}

// The same bodies, held by more or fewer rows.
TEST(SparseSolver, joints_may_change_their_rows_between_solves) {
    auto solver = sparse();
    for (const int rows : {3, 5, 6, 2, 3}) {
        Random random(3);
        Problem p;
        add_static(p);
        for (int k = 0; k < 6; ++k) add_body(p, random);
        for (std::uint32_t k = 0; k < 6; ++k) add_joint(p, random, k, k + 1, rows);
        const Problem expected = densely(p);
        solver->solve(p, {10});
        EXPECT_LE(velocity_difference(p, expected), 1e-9) << rows;
    }
}

// A planar four-bar linkage with hinges in space: 20 rows of rank 17, one axis off by a milliradian, so that
// the rows contradict each other. Asked again and again to close an error that cannot be closed, impulses
// must not grow.
class FourBar : public testing::TestWithParam<Solver> {};
INSTANTIATE_TEST_SUITE_P(, FourBar, testing::Values(Solver::Sparse, Solver::Tree, Solver::Direct));

TEST_P(FourBar, contradiction_does_not_grow) {
    for (const double tilt : {0.0, 1e-5, 1e-3}) {
        Problem p;
        add_static(p);
        const Vec3 corners[] = {{0, 0, 0}, {0, 1, 0}, {1, 1, 0}, {1, 0, 0}};
        const Vec3 centres[] = {{}, {0, 0.5, 0}, {0.5, 1, 0}, {1, 0.5, 0}};
        for (int k = 1; k < 4; ++k) add_node(p, 1, {}, diagonal({12, 12, 12}));
        p.nodes.w[1] = {0, 0, 1}, p.nodes.v[1] = {-0.5, 0, 0.1};
        for (std::uint32_t j = 0; j < 4; ++j) {
            const std::uint32_t a = j, b = (j + 1) % 4;
            p.rows.begin_block();
            for (int r = 0; r < 3; ++r) {
                Vec3 d;
                d[r] = 1;
                add_row(p, a, b, d, corners[j] - centres[a], corners[j] - centres[b], 0);
            }
            const Vec3 axis = j == 3 ? Vec3{std::sin(tilt), 0, std::cos(tilt)} : Vec3{0, 0, 1};
            const Vec3 across[] = {cross({0, 1, 0}, axis), {0, 1, 0}};
            for (const Vec3& t : across) {
                p.rows.add().bias = j == 3 ? 1e-3 : 0;  // what cannot be closed
                p.rows.add_part(a, {}, -t);
                p.rows.add_part(b, {}, t);
            }
        }
        auto solver = make_solver(GetParam());
        double largest = 0;
        for (int again = 0; again < 100; ++again) {
            solver->solve(p, {50});
            for (const Row& row : p.rows.rows) largest = std::max(largest, std::abs(row.impulse));
        }
        EXPECT_LT(largest, 100) << tilt;
        EXPECT_LT(length(p.nodes.v[2]), 10) << tilt;
    }
}

}  // namespace
}  // namespace impuls
