// The pivoting solver: always a solution, whatever the configuration; friction polygons; groups.
#include "solvers/direct.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "solvers/random_problems.h"
#include "support/full_size.h"

namespace impuls {
namespace {
using namespace test;

// Erleben's LCP of any size in its raw form.
TEST(Lemke, solves_positive_definite_problems) {
    for (unsigned seed = 0; seed < 50; ++seed) {
        Random random(seed);
        const int n = 3 + static_cast<int>(seed % 20);
        Eigen::MatrixXd b(n, n);
        Eigen::VectorXd q(n);
        for (int i = 0; i < n; ++i) {
            q[i] = random.uniform(-1, 1);
            for (int j = 0; j < n; ++j) b(i, j) = random.uniform(-1, 1);
        }
        const Eigen::MatrixXd m = b * b.transpose() + 0.1 * Eigen::MatrixXd::Identity(n, n);
        std::vector<double> flat, right(q.data(), q.data() + n), z;
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j) flat.push_back(m(i, j));
        const std::vector<double> cover(static_cast<std::size_t>(n), 1);
        Lemke lemke;
        ASSERT_EQ(lemke.solve(flat, right, cover, z), Lemke::Outcome::Solved);
        const Eigen::VectorXd w = m * Eigen::Map<Eigen::VectorXd>(z.data(), n) + q;
        for (int i = 0; i < n; ++i) {
            EXPECT_GE(z[static_cast<std::size_t>(i)], 0);
            EXPECT_GE(w[i], -1e-11);
            EXPECT_LE(std::abs(w[i] * z[static_cast<std::size_t>(i)]), 1e-10);
        }
    }
}

// No solution: w = -z - 1. It must say so.
TEST(Lemke, reports_a_ray) {
    std::vector<double> z;
    EXPECT_EQ(Lemke().solve(std::vector<double>{-1}, std::vector<double>{-1}, std::vector<double>{1}, z),
              Lemke::Outcome::Ray);
}

// Bodies thrown onto each other at random: faces with four points (one redundant), single points, gaps that
// may close, joints and motors. A contact that is told to push may contradict a jam; these all have
// solutions.
Problem pile(Random& random) {
    Problem p;
    add_static(p);
    const int bodies = 2 + static_cast<int>(random.index(3));
    for (int k = 0; k < bodies; ++k) add_body(p, random, random.uniform(0.2, 5));
    const int contacts = 1 + static_cast<int>(random.index(5));
    for (int k = 0; k < contacts; ++k) {
        const auto b = 1 + random.index(p.nodes.size() - 1), a = random.index(b);
        const Vec3 normal = normalized(random.vector()), ra = random.vector(), rb = random.vector();
        const bool is_face = random.index(3) == 0;
        const double mu = random.index(4) == 0 ? 0 : random.uniform(0, 1.5);
        const double bias = random.index(2) == 0 ? 0 : random.uniform(0, 0.5);
        const Vec3 side = normalized(cross(normal, random.vector())), other = cross(normal, side);
        for (int corner = 0; corner < (is_face ? 4 : 1); ++corner) {
            const Vec3 shift =
                is_face ? side * (corner % 2 ? 1.0 : -1.0) + other * (corner < 2 ? 1.0 : -1.0) : Vec3{};
            const auto c = p.contacts.add(a, b, normal, ra + shift, rb + shift);
            p.contacts.friction[c] = mu, p.contacts.bias[c] = bias;
        }
    }
    if (random.index(3) == 0) {
        const auto b = 1 + random.index(p.nodes.size() - 1), a = random.index(b);
        add_joint(p, random, a, b, 3);
        for (Row& row : p.rows.rows) row.bias = 0;
        p.rows.begin_block();
        p.rows.add().bias = 0.3;
        const Vec3 axis = random.vector();
        p.rows.add_part(b, {}, axis);
        p.rows.rows.back().lower = -0.1, p.rows.rows.back().upper = 0.2;
    }
    return p;
}

TEST(SpecConstraints, T5_velocity_lcp_always_solvable) {
    const unsigned cases = is_long() ? 10000 : 200;
    double worst = 0;
    for (unsigned seed = 0; seed < cases; ++seed) {
        Random random(seed);
        Problem p = pile(random);
        const int eta = seed % 3 == 0 ? 4 : seed % 3 == 1 ? 6 : 8;
        DirectSolver solver(eta);
        const auto result = solver.solve(p, {50});
        EXPECT_FALSE(result.fell_back) << seed;
        worst = std::max(worst, complementarity_error(p, solver.friction_set()));
    }
    EXPECT_LT(worst, 1e-8);
    RecordProperty("worst", std::to_string(worst));
}

// Painleve's rod, sliding on its lower end: beyond mu = 4/3 forces have no solution, or two; impulses have
// one.
TEST(SpecConstraints, T5_painleve_rod) {
    for (const double mu : {0.5, 1.0, 1.5, 2.0, 5.0})
        for (int degrees = 5; degrees < 90; degrees += 5) {
            const double angle = degrees * M_PI / 180, l = 1, m = 1;
            Problem p;
            add_static(p);
            const double inv_i = 12 / (m * l * l);
            add_node(p, 1 / m, {2, -0.0981, 0}, diagonal({inv_i, inv_i, inv_i}));
            const Vec3 tip{-0.5 * l * std::cos(angle), -0.5 * l * std::sin(angle), 0};
            for (const double side : {1.0, -1.0}) {  // leaning with and against the motion
                Problem q = p;
                q.contacts.add(0, 1, {0, 1, 0}, tip, Vec3{side * tip.x, tip.y, 0});
                q.contacts.friction[0] = mu;
                DirectSolver solver;
                EXPECT_FALSE(solver.solve(q, {50}).fell_back) << mu << ' ' << degrees;
                EXPECT_LT(complementarity_error(q, solver.friction_set()), 1e-8) << mu << ' ' << degrees;
            }
        }
}

// A block pulled along a plane by one step of gravity on a slope: it sticks while the pull is inside the
// polygon of its friction, mu times the polygon's radius in that direction.
TEST(SpecConstraints, T6_friction_polygon) {
    for (const int eta : {4, 6, 8})
        for (int degrees = 0; degrees < 360; degrees += 9) {
            const double azimuth = degrees * M_PI / 180, sector = 2 * M_PI / eta;
            const double in_sector = std::fmod(azimuth, sector) - sector / 2;
            const double radius = std::cos(M_PI / eta) / std::cos(in_sector);  // of the polygon
            const double mu = 0.5;
            const auto slides = [&](double tangent) {
                Problem p;
                add_static(p);
                add_node(p, 1, {}, diagonal({0, 0, 0}));
                const auto c = p.contacts.add(0, 1, {0, 1, 0}, {}, {});
                p.contacts.friction[c] = mu;
                const Vec3 pull = p.contacts.t1[0] * std::cos(azimuth) + p.contacts.t2[0] * std::sin(azimuth);
                p.nodes.v[1] = Vec3{0, -1, 0} + pull * tangent;
                DirectSolver(eta).solve(p, {50});
                return length(p.nodes.v[1]) > 1e-9;
            };
            EXPECT_FALSE(slides(mu * radius * 0.999)) << eta << ' ' << degrees;
            EXPECT_TRUE(slides(mu * radius * 1.001)) << eta << ' ' << degrees;
            EXPECT_FALSE(slides(mu * std::cos(M_PI / eta) * 0.999));
            EXPECT_TRUE(slides(mu * 1.001));
        }
}

// Two groups that share only a static node: solving them one by one or all at once is the same.
TEST(SpecConstraints, T24_contact_groups_are_independent) {
    for (unsigned seed = 0; seed < 30; ++seed) {
        Random random(seed);
        Problem groups[2] = {pile(random), pile(random)};
        for (Problem& group : groups) {  // little friction, and none on faces: there motion is unique
            auto& c = group.contacts;
            for (std::size_t k = 0; k < c.size(); ++k) {
                const bool is_face =
                    (k > 0 && c.n[k] == c.n[k - 1]) || (k + 1 < c.size() && c.n[k] == c.n[k + 1]);
                c.friction[k] = is_face ? 0 : std::min(c.friction[k], 0.1);
            }
        }
        Problem all;
        add_static(all);
        for (const Problem& group : groups) {
            const auto shift = static_cast<std::uint32_t>(all.nodes.size() - 1);
            const auto moved = [&](std::uint32_t node) { return node == 0 ? 0 : node + shift; };
            for (std::size_t k = 1; k < group.nodes.size(); ++k) {
                add_node(all, group.nodes.inv_mass[k], group.nodes.v[k], group.nodes.inv_inertia[k]);
                all.nodes.w.back() = group.nodes.w[k];
            }
            const auto& c = group.contacts;
            for (std::size_t k = 0; k < c.size(); ++k) {
                const auto added = all.contacts.add(moved(c.a[k]), moved(c.b[k]), c.n[k], c.ra[k], c.rb[k]);
                all.contacts.friction[added] = c.friction[k], all.contacts.bias[added] = c.bias[k];
            }
            for (const Block& block : group.rows.blocks) {
                all.rows.begin_block();
                for (const Row& row : group.rows.rows_of(block)) {
                    const auto first = static_cast<std::uint32_t>(all.rows.parts.size());
                    all.rows.add() = row;
                    all.rows.rows.back().first_part = first, all.rows.rows.back().part_count = 0;
                    for (const RowPart& part : group.rows.parts_of(row))
                        all.rows.add_part(moved(part.node), part.linear, part.angular);
                }
            }
        }
        DirectSolver solver(4, 1000);
        EXPECT_FALSE(solver.solve(all, {50}).fell_back);
        std::size_t at = 1;
        for (Problem& group : groups) {
            EXPECT_FALSE(solver.solve(group, {50}).fell_back);
            for (std::size_t k = 1; k < group.nodes.size(); ++k, ++at) {
                EXPECT_LE(length(group.nodes.v[k] - all.nodes.v[at]), 1e-10) << seed;
                EXPECT_LE(length(group.nodes.w[k] - all.nodes.w[at]), 1e-10) << seed;
            }
        }
    }
}

TEST(DirectSolver, falls_back_where_it_is_too_large_and_says_so) {
    Random random(1);
    Problem p = random_tree(random, 40);
    add_contacts(p, random, 40, 0);
    const auto result = DirectSolver().solve(p, {2000});
    EXPECT_TRUE(result.fell_back);
    EXPECT_LT(complementarity_error(p), 1);
}

}  // namespace
}  // namespace impuls
