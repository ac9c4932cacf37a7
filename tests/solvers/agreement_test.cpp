// All solvers on the same problems: the same motion where it is unique, complementarity everywhere.
#include <gtest/gtest.h>

#include "solvers/direct.h"
#include "solvers/random_problems.h"
#include "support/counting_new.h"

namespace impuls {
namespace {
using namespace test;

constexpr SolveSettings kPatient{30000, 1e-13};

class AllSolvers : public testing::TestWithParam<Solver> {
  protected:
    std::unique_ptr<ProblemSolver> solver_ = make_solver(GetParam());
};

INSTANTIATE_TEST_SUITE_P(, AllSolvers, testing::ValuesIn([] {
                             std::vector<Solver> all;
                             for (std::size_t k = 0; k < EnumNames<Solver>::names.size(); ++k)
                                 all.push_back(static_cast<Solver>(k));
                             return all;
                         }()),
                         [](const auto& test) {
                             return EnumNames<Solver>::names[static_cast<std::size_t>(test.param)];
                         });

TEST_P(AllSolvers, joints_alone_have_one_solution) {
    for (unsigned seed = 0; seed < 4; ++seed) {
        Random random(seed);
        Problem p = random_tree(random, 6, seed % 2 == 1);
        const Problem expected = densely(p);
        EXPECT_FALSE(solver_->solve(p, kPatient).fell_back);
        EXPECT_LE(velocity_difference(p, expected), 1e-9) << seed;
    }
}

// Bodies with contacts, joints, a motor and a limit; a start that has impulses already, and guesses.
Problem everything(unsigned seed, double friction) {
    Random random(seed);
    Problem p;
    add_static(p);
    for (int k = 0; k < 6; ++k) add_body(p, random, random.uniform(0.5, 2));
    add_contacts(p, random, 6, friction);
    for (const auto& [a, b] : {std::pair{0u, 1u}, {1u, 2u}, {1u, 3u}}) {
        add_joint(p, random, a, b, 3);
        for (std::size_t r = p.rows.rows.size() - 3; r < p.rows.rows.size(); ++r) p.rows.rows[r].bias = 0;
    }
    for (int k = 0; k < 2; ++k) {
        p.rows.begin_block();
        Row& row = p.rows.add();
        row.lower = k == 0 ? -0.1 : 0, row.upper = k == 0 ? 0.1 : kUnbounded;
        row.bias = k == 0 ? 0.5 : 0, row.guess = 0.02;
        const Vec3 axis = random.vector();
        p.rows.add_part(2, {}, -axis);
        p.rows.add_part(3, {}, axis);
    }
    for (double& guess : p.contacts.guess_n) guess = 0.1;
    return p;
}

// No contact pulls, after whatever number of sweeps: the impulse that has accumulated is never negative, from
// one solve to the next with other velocities wanted, as in the two phases of a substep.
TEST_P(AllSolvers, accumulated_impulses_of_contacts_never_pull) {
    for (unsigned seed = 0; seed < 6; ++seed) {
        Random random(seed);
        Problem p = everything(seed, seed % 2 == 0 ? 0 : 0.5);
        auto& c = p.contacts;
        double pushed = 0;
        for (int k = 0; k < 40; ++k) {
            solver_->solve(p, {1 + k % 3});
            for (std::size_t r = 0; r < c.size(); ++r) {
                EXPECT_GE(c.impulse_n[r], 0) << seed << " " << k << " " << r;
                pushed += c.impulse_n[r];
                c.guess_n[r] = c.guess_1[r] = c.guess_2[r] = 0;
                c.bias[r] = random.uniform(-1, 1);
            }
            for (Row& row : p.rows.rows) row.guess = 0;
        }
        EXPECT_GT(pushed, 0) << seed;
    }
}

TEST_P(AllSolvers, contacts_without_friction_have_one_motion) {
    for (unsigned seed = 0; seed < 8; ++seed) {
        Problem p = everything(seed, 0), expected = p;
        EXPECT_FALSE(DirectSolver().solve(expected, {}).fell_back);
        EXPECT_LE(complementarity_error(expected), 1e-11);
        solver_->solve(p, kPatient);
        EXPECT_LE(complementarity_error(p, solver_->friction_set()), 1e-10) << seed;
        EXPECT_LE(velocity_difference(p, expected), 1e-8) << seed;
    }
}

TEST_P(AllSolvers, friction_is_complementary) {
    for (unsigned seed = 0; seed < 8; ++seed) {
        Problem p = everything(seed, 0.3);
        const auto result = solver_->solve(p, kPatient);
        EXPECT_FALSE(result.fell_back) << seed;
        EXPECT_LE(complementarity_error(p, solver_->friction_set()), 1e-10) << seed;
    }
}

// Torques against rolling and spinning, bounded by the load. Along a tangent disk, polygon and square agree.
TEST_P(AllSolvers, turning_is_resisted) {
    for (const double spin : {0.05, 2.0}) {
        Problem p;
        add_static(p);
        add_node(p, 1, {0, -1, 0}, diagonal({4, 4, 4}));
        p.nodes.w[1] = {0.8 * spin, 0.5 * spin, 0};
        p.contacts.add(0, 1, {0, 1, 0}, {}, {0, -0.1, 0});
        p.contacts.rolling[0] = 0.1, p.contacts.torsion[0] = 0.05;
        EXPECT_FALSE(solver_->solve(p, {50}).fell_back);
        EXPECT_NEAR(p.contacts.impulse_n[0], 1, 1e-12);
        EXPECT_NEAR(p.nodes.w[1].x, std::max(0.0, 0.8 * spin - 4 * 0.1), 1e-12);
        EXPECT_NEAR(p.nodes.w[1].y, std::max(0.0, 0.5 * spin - 4 * 0.05), 1e-12);
        EXPECT_NEAR(p.nodes.w[1].z, 0, 1e-12);
        EXPECT_LE(complementarity_error(p, solver_->friction_set()), 1e-12);
    }
}

TEST_P(AllSolvers, turning_is_complementary_among_others) {
    for (unsigned seed = 0; seed < 8; ++seed) {
        Problem p = everything(seed, 0.3);
        for (double& c : p.contacts.rolling) c = 0.1;
        for (double& c : p.contacts.torsion) c = 0.05;
        EXPECT_FALSE(solver_->solve(p, kPatient).fell_back) << seed;
        EXPECT_LE(complementarity_error(p, solver_->friction_set()), 1e-9) << seed;
    }
}

// Contacts that yield have one solution, impulses included.
TEST_P(AllSolvers, yielding_contacts_have_one_motion) {
    for (unsigned seed = 0; seed < 8; ++seed) {
        Problem p = everything(seed, 0);
        for (double& c : p.contacts.compliance) c = 0.3;
        Problem expected = p;
        EXPECT_FALSE(DirectSolver().solve(expected, {}).fell_back);
        EXPECT_LE(complementarity_error(expected), 1e-11);
        solver_->solve(p, kPatient);
        EXPECT_LE(complementarity_error(p, solver_->friction_set()), 1e-10) << seed;
        EXPECT_LE(velocity_difference(p, expected), 1e-8) << seed;
    }
}

// Whatever is guessed for it, also friction of a point without load: what parts gets nothing.
TEST_P(AllSolvers, guesses_leave_nothing_behind_in_what_parts) {
    for (const double load : {0.0, 0.3}) {
        Problem p;
        add_static(p);
        add_node(p, 1, {2, 1, -1}, diagonal({4, 4, 4}));
        p.contacts.add(0, 1, {0, 1, 0}, {}, {0, -0.1, 0});
        p.contacts.friction[0] = 0.5, p.contacts.rolling[0] = 0.1;
        p.contacts.guess_n[0] = load, p.contacts.guess_1[0] = 0.2, p.contacts.guess_2[0] = -0.1;
        p.contacts.torque_guess[0] = {0.1, 0.2, 0};
        EXPECT_FALSE(solver_->solve(p, {50}).fell_back);
        EXPECT_EQ(p.contacts.impulse_n[0], 0);
        EXPECT_LE(length(p.nodes.v[1] - Vec3{2, 1, -1}), 1e-15);
        EXPECT_LE(length(p.nodes.w[1]), 1e-15);
    }
}

// A given impulse is its start and its guess, whatever the rest does; friction is bounded by it.
TEST_P(AllSolvers, given_and_least_impulses_are_kept) {
    Problem p;
    add_static(p);
    add_node(p, 1, {5, -1, 0}, diagonal({0, 0, 0}));
    p.contacts.add(0, 1, {0, 1, 0}, {}, {});
    p.contacts.friction[0] = 0.5;
    Problem least = p;
    p.contacts.is_given[0] = 1, p.contacts.impulse_n[0] = 0.2, p.contacts.guess_n[0] = 0.2;
    EXPECT_FALSE(solver_->solve(p, {50}).fell_back);
    EXPECT_NEAR(p.contacts.impulse_n[0], 0.4, 1e-15);
    EXPECT_NEAR(p.nodes.v[1].y, -0.8, 1e-15);
    EXPECT_NEAR(p.nodes.v[1].x, 5 - 0.5 * 0.4, 1e-12);
    least.contacts.least[0] = 1.5;
    EXPECT_FALSE(solver_->solve(least, {50}).fell_back);
    EXPECT_NEAR(least.contacts.impulse_n[0], 1.5, 1e-12);
    EXPECT_NEAR(least.nodes.v[1].y, 0.5, 1e-12);
    EXPECT_NEAR(least.nodes.v[1].x, 5 - 0.5 * 1.5, 1e-12);
}

// A box on four corners: the redundant one does no harm, and the load is its weight.
TEST_P(AllSolvers, a_box_stands_on_its_four_corners) {
    Problem p;
    add_static(p);
    add_node(p, 0.5, {0.3, -1, 0}, diagonal({3, 3, 3}));
    for (int k = 0; k < 4; ++k) {
        const Vec3 corner{k % 2 ? 0.5 : -0.5, -0.5, k < 2 ? 0.5 : -0.5};
        p.contacts.add(0, 1, {0, 1, 0}, corner, corner);
    }
    for (double& mu : p.contacts.friction) mu = 0.5;
    solver_->solve(p, kPatient);
    EXPECT_LE(length(p.nodes.v[1]), 1e-10);
    EXPECT_LE(length(p.nodes.w[1]), 1e-10);
    double load = 0;
    for (const double impulse : p.contacts.impulse_n) load += impulse;
    EXPECT_NEAR(load, 2, 1e-10);
}

TEST_P(AllSolvers, solved_problems_stay_as_they_are) {
    Problem p = everything(1, 0.3);
    solver_->solve(p, kPatient);
    for (Row& row : p.rows.rows) row.guess = 0;
    for (double& guess : p.contacts.guess_n) guess = 0;
    const Problem before = p;
    solver_->solve(p, {5});
    EXPECT_LE(velocity_difference(p, before), 1e-10);
}

// Lengths and velocities times s at equal density: the same bits, rescaled (tolerances have no units).
TEST_P(AllSolvers, is_scale_free) {
    for (const double s : {128.0, 1.0 / 128}) {
        const double mass = s * s * s;
        Problem p = everything(2, 0.3), q = p;
        // A loop, so that lengths and angles meet in one matrix.
        for (Problem* each : {&p, &q}) {
            Random random(9);
            add_joint(*each, random, 2, 4, 3);
            add_joint(*each, random, 3, 4, 5);
        }
        for (Row& row : p.rows.rows) row.length = row.is_linear ? 1 : 0.7;
        q = p;
        for (std::size_t k = 0; k < q.nodes.size(); ++k) {
            q.nodes.inv_mass[k] /= mass;
            q.nodes.inv_inertia[k] = q.nodes.inv_inertia[k] * (1 / (mass * s * s));
            q.nodes.v[k] *= s;
        }
        for (auto* arms : {&q.contacts.ra, &q.contacts.rb})
            for (Vec3& arm : *arms) arm *= s;
        for (double& guess : q.contacts.guess_n) guess *= mass * s;
        for (Row& row : q.rows.rows) {
            const double impulse = row.is_linear ? mass * s : mass * s * s;
            row.lower *= impulse, row.upper *= impulse, row.guess *= impulse;
            row.bias *= row.is_linear ? s : 1;
            row.length *= row.is_linear ? 1 : s;
            if (!row.is_linear) continue;
            for (auto k = row.first_part; k < row.first_part + row.part_count; ++k)
                q.rows.parts[k].angular *= s;
        }
        // Also where a sweep is the last because little has changed, in m/s and rad/s alike.
        EXPECT_EQ(solver_->solve(p, {40, 1e-3}).iterations, solver_->solve(q, {40, 1e-3 * s}).iterations);
        for (std::size_t k = 0; k < q.nodes.size(); ++k) {
            EXPECT_EQ(q.nodes.v[k], p.nodes.v[k] * s) << k;
            EXPECT_EQ(q.nodes.w[k], p.nodes.w[k]) << k;
        }
    }
}

TEST_P(AllSolvers, takes_no_memory_once_warm) {
    const Problem start = everything(3, 0.3);
    Problem p = start;
    solver_->solve(p, {20});
    p = start;
    const long before = allocations;
    solver_->solve(p, {20});
    EXPECT_EQ(allocations - before, 0);
}

TEST_P(AllSolvers, nothing_to_do) {
    Problem p;
    solver_->solve(p, {5});
    add_static(p);
    add_static(p);
    p.contacts.add(0, 1, {0, 1, 0}, {}, {});
    p.rows.begin_block();
    add_row(p, 0, 1, {1, 0, 0}, {}, {}, 0);
    solver_->solve(p, {5});
    EXPECT_EQ(p.nodes.v[1], Vec3{});
    EXPECT_EQ(p.rows.rows[0].impulse, 0);
}

}  // namespace
}  // namespace impuls
