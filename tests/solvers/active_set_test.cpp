// Loads that sweeps find too slowly, by the equations of what carries (solvers/active_set.h).
#include <gtest/gtest.h>

#include "solvers/random_problems.h"
#include "support/counting_new.h"

namespace impuls {
namespace {
using namespace test;

constexpr SolveSettings kUsual{50, 1e-9, 0.1};

// n boxes on four corners each, all falling with the speed of a step; the last is `ratio` times as heavy.
Problem column(int n, double ratio) {
    Problem p;
    add_static(p);
    for (int k = 0; k < n; ++k) {
        const double inverse = k + 1 < n ? 1 : 1 / ratio;
        const auto body = add_node(p, inverse, {0, -0.1, 0}, diagonal(Vec3{6, 6, 6} * inverse));
        for (int corner = 0; corner < 4; ++corner) {
            const Vec3 r{corner % 2 ? 0.5 : -0.5, -0.5, corner < 2 ? 0.5 : -0.5};
            const auto c = p.contacts.add(body - 1, body, {0, 1, 0}, Vec3{r.x, body > 1 ? 0.5 : 0, r.z}, r);
            p.contacts.friction[c] = 0.5;
        }
    }
    return p;
}

TEST(ActiveSet, heavy_loads_are_carried_at_once) {
    for (const double ratio : {1000.0, 8000.0}) {
        Problem p = column(6, ratio), swept = p;
        make_solver(Solver::Sparse)->solve(p, kUsual);
        EXPECT_LT(complementarity_error(p), 10 * kUsual.tolerance) << ratio;
        double carried = 0;
        for (int k = 0; k < 4; ++k) carried += p.contacts.impulse_n[static_cast<std::size_t>(k)];
        EXPECT_NEAR(carried, 0.1 * (5 + ratio), 1e-6 * ratio) << ratio;
        make_solver(Solver::Sequential)->solve(swept, kUsual);
        EXPECT_GT(complementarity_error(swept), 1e-3) << ratio;
    }
}

// Whatever it is tried on: no worse than the sweeps alone.
TEST(ActiveSet, never_leaves_more_to_do) {
    for (unsigned seed = 0; seed < 40; ++seed) {
        Random random(seed);
        Problem p;
        add_static(p);
        for (int k = 0; k < 8; ++k) add_body(p, random, random.uniform(0.1, 10));
        add_contacts(p, random, 14, seed % 2 ? 0.4 : 0);
        Problem swept = p;
        const SolveResult refined = make_solver(Solver::Sparse)->solve(p, {50, 1e-10, 1e-3});
        const SolveResult plain = make_solver(Solver::Sequential)->solve(swept, {50, 1e-10});
        EXPECT_LE(refined.residual, plain.residual * (1 + 1e-9) + 1e-10) << seed;
    }
}

// Lengths and velocities times 2^7: the same bits, rescaled.
TEST(ActiveSet, is_scale_free) {
    Problem p = column(6, 1000), large = p;
    for (Vec3& v : large.nodes.v) v = v * 128.0;
    for (auto* arms : {&large.contacts.ra, &large.contacts.rb})
        for (Vec3& r : *arms) r = r * 128.0;
    for (Mat3& i : large.nodes.inv_inertia) i = diagonal(Vec3{i.c0.x, i.c1.y, i.c2.z} * 0x1p-14);
    const auto solver = make_solver(Solver::Sparse);
    solver->solve(p, kUsual);
    solver->solve(large, {50, 128e-9, 12.8});
    for (std::size_t k = 0; k < p.contacts.size(); ++k)
        EXPECT_EQ(large.contacts.impulse_n[k], 128 * p.contacts.impulse_n[k]) << k;
}

TEST(ActiveSet, allocates_nothing_when_warm) {
    const auto solver = make_solver(Solver::Sparse);
    const Problem start = column(6, 1000);
    Problem p = start;
    solver->solve(p, kUsual);
    p = start;
    const long before = allocations;
    solver->solve(p, kUsual);
    EXPECT_EQ(allocations, before);
}

}  // namespace
}  // namespace impuls
