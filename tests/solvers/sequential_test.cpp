// The sequential solver against closed forms and against its own complementarity conditions.
#include "solvers/sequential.h"

#include <gtest/gtest.h>

#include <random>

namespace impuls {
namespace {

void add_round_node(Problem& p, double inv_mass, const Vec3& v, double inv_inertia = 0) {
    p.nodes.inv_mass.push_back(inv_mass);
    p.nodes.inv_inertia.push_back(diagonal({inv_inertia, inv_inertia, inv_inertia}));
    p.nodes.v.push_back(v);
    p.nodes.w.emplace_back();
}

TEST(SequentialSolver, two_masses_stop_approaching_and_keep_momentum) {
    Problem p;
    add_round_node(p, 1.0, {3, 0, 0});
    add_round_node(p, 0.5, {-1, 0, 0});
    p.contacts.add(0, 1, {1, 0, 0}, {}, {});
    SequentialSolver().solve(p, {1});
    EXPECT_NEAR(p.nodes.v[0].x, (1 * 3 + 2 * -1) / 3.0, 1e-15);
    EXPECT_NEAR(p.nodes.v[1].x, p.nodes.v[0].x, 1e-15);
}

TEST(SequentialSolver, separating_contact_gives_nothing) {
    Problem p;
    add_round_node(p, 1, {-1, 0, 0});
    add_round_node(p, 1, {1, 0, 0});
    p.contacts.add(0, 1, {1, 0, 0}, {}, {});
    SequentialSolver().solve(p, {5});
    EXPECT_EQ(p.contacts.impulse_n[0], 0);
    EXPECT_EQ(p.nodes.v[0].x, -1);
}

// Coulomb: sliding friction is mu times normal impulse and opposes the slip, in any direction.
TEST(SequentialSolver, sliding_friction_is_isotropic) {
    for (int k = 0; k < 36; ++k) {
        const double angle = k * 0.1745;
        Problem p;
        add_round_node(p, 0, {});
        add_round_node(p, 1, {5 * std::cos(angle), -1, 5 * std::sin(angle)}, 2.0);
        p.contacts.add(0, 1, {0, 1, 0}, {}, {0.3, -1, -0.2});
        p.contacts.friction[0] = 0.4;
        SequentialSolver().solve(p, {200});
        const auto& c = p.contacts;
        const Vec3 f = c.t1[0] * c.impulse_1[0] + c.t2[0] * c.impulse_2[0];
        EXPECT_NEAR(length(f), 0.4 * c.impulse_n[0], 1e-12);
        Vec3 slip = p.nodes.v[1] + cross(p.nodes.w[1], c.rb[0]);
        slip.y = 0;
        EXPECT_NEAR(dot(normalized(f), normalized(slip)), -1, 1e-9) << angle;
    }
}

// Sliding on a polygon: no corner dissipates more, as the complementarity problem has it.
TEST(SequentialSolver, pyramid_dissipates_most) {
    for (int k = 0; k < 12; ++k) {
        const double angle = 0.1 + 0.5 * k;
        Problem p;
        add_round_node(p, 0, {});
        add_round_node(p, 1, {5 * std::cos(angle), -1, 5 * std::sin(angle)});
        p.contacts.add(0, 1, {0, 1, 0}, {}, {});
        p.contacts.friction[0] = 0.4;
        p.contacts.friction_set = FrictionSet(FrictionModel::Pyramid, 6);
        SequentialSolver().solve(p, {100});
        const auto& c = p.contacts;
        const double u1 = dot(p.nodes.v[1], c.t1[0]), u2 = dot(p.nodes.v[1], c.t2[0]);
        double most = 0;
        for (int h = 0; h < 6; ++h)
            most = std::min(
                most, 0.4 * c.impulse_n[0] *
                          (std::cos(1.0471975511965976 * h) * u1 + std::sin(1.0471975511965976 * h) * u2));
        EXPECT_LT(most, -1);
        EXPECT_NEAR(c.impulse_1[0] * u1 + c.impulse_2[0] * u2, most, 1e-9) << angle;
        EXPECT_TRUE(
            c.friction_set.contains(0.4 * c.impulse_n[0] * (1 + 1e-12), c.impulse_1[0], c.impulse_2[0]));
    }
}

// Torques against turning: bounded by the load, against the turn, and no more than stops it.
TEST(SequentialSolver, turning_is_resisted) {
    for (const double spin : {0.05, 2.0}) {
        Problem p;
        add_round_node(p, 0, {});
        add_round_node(p, 1, {0, -1, 0}, 4.0);
        p.nodes.w[1] = {0.6 * spin, 0.5 * spin, 0.8 * spin};
        p.contacts.add(0, 1, {0, 1, 0}, {}, {0, -0.1, 0});
        p.contacts.rolling[0] = 0.1, p.contacts.torsion[0] = 0.05;
        SequentialSolver().solve(p, {5});
        EXPECT_NEAR(p.contacts.impulse_n[0], 1, 1e-15);
        const double rolling = std::max(0.0, spin - 4 * 0.1), torsion = std::max(0.0, 0.5 * spin - 4 * 0.05);
        EXPECT_NEAR(p.nodes.w[1].x, 0.6 * rolling, 1e-12);
        EXPECT_NEAR(p.nodes.w[1].z, 0.8 * rolling, 1e-12);
        EXPECT_NEAR(p.nodes.w[1].y, torsion, 1e-12);
    }
}

TEST(SequentialSolver, least_impulse_is_given_and_more_where_needed) {
    for (const double least : {0.5, 1.5}) {
        Problem p;
        add_round_node(p, 0, {});
        add_round_node(p, 1, {0, -1, 0});
        p.contacts.add(0, 1, {0, 1, 0}, {}, {});
        p.contacts.least[0] = least;
        SequentialSolver().solve(p, {3});
        EXPECT_NEAR(p.contacts.impulse_n[0], std::max(1.0, least), 1e-15);
    }
}

TEST(SequentialSolver, running_surface_is_followed) {
    Problem p;
    add_round_node(p, 0, {});
    add_round_node(p, 1, {0, -1, 0});
    p.contacts.add(0, 1, {0, 1, 0}, {}, {});
    p.contacts.friction[0] = 10;
    p.contacts.bias_1[0] = 0.3, p.contacts.bias_2[0] = -0.2;
    SequentialSolver().solve(p, {3});
    EXPECT_NEAR(dot(p.nodes.v[1], p.contacts.t1[0]), -0.3, 1e-15);
    EXPECT_NEAR(dot(p.nodes.v[1], p.contacts.t2[0]), 0.2, 1e-15);
}

// Random joints and contacts: joints closed, impulses and gaps complementary, linear momentum kept.
TEST(SequentialSolver, converges_to_complementarity) {
    std::mt19937 rng(5);
    std::uniform_real_distribution<double> u(-1, 1);
    const auto random = [&] { return Vec3{u(rng), u(rng), u(rng)}; };
    for (int trial = 0; trial < 20; ++trial) {
        Problem p;
        Vec3 before{};
        for (int k = 0; k < 6; ++k) {
            add_round_node(p, 1 + k, random(), 3);
            before += p.nodes.v[k] / p.nodes.inv_mass[k];
        }
        for (std::uint32_t k = 0; k + 1 < 6; ++k)
            p.contacts.add(k, k + 1, normalized(random()), random(), random());
        for (auto& mu : p.contacts.friction) mu = 0.3;
        for (std::uint32_t j = 0; j < 2; ++j) {
            p.rows.begin_block();
            const Vec3 ra = random(), rb = random();
            for (int r = 0; r < 3; ++r) {
                Vec3 d;
                d[r] = 1;
                p.rows.add();
                p.rows.add_part(j, -d, -cross(ra, d));
                p.rows.add_part(j + 3, d, cross(rb, d));
            }
        }
        SequentialSolver().solve(p, {20000});
        Vec3 after{};
        for (int k = 0; k < 6; ++k) after += p.nodes.v[k] / p.nodes.inv_mass[k];
        EXPECT_LT(length(after - before), 1e-12);
        const auto& c = p.contacts;
        for (std::size_t k = 0; k < c.size(); ++k) {
            const Vec3 v = p.nodes.v[c.b[k]] + cross(p.nodes.w[c.b[k]], c.rb[k]) - p.nodes.v[c.a[k]] -
                           cross(p.nodes.w[c.a[k]], c.ra[k]);
            EXPECT_GT(dot(v, c.n[k]), -1e-9);
            EXPECT_LT(c.impulse_n[k] * dot(v, c.n[k]), 1e-9);
        }
        for (const Row& row : p.rows.rows) EXPECT_NEAR(velocity_of(p, row), 0, 1e-9);
    }
}

TEST(SequentialSolver, redundant_joint_rows_do_no_harm) {
    Problem p;
    add_round_node(p, 0, {});
    add_round_node(p, 1, {1, 2, 3});
    p.rows.begin_block();
    for (const Vec3& axis : {Vec3{1, 0, 0}, Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}}) {
        p.rows.add();
        p.rows.add_part(0, -axis, {});
        p.rows.add_part(1, axis, {});
    }
    SequentialSolver().solve(p, {3});
    EXPECT_LT(length(p.nodes.v[1]), 1e-12);
}

// A bounded row (a motor with limited force, a limit) gives what it may, and not more.
TEST(SequentialSolver, bounded_rows_are_complementary) {
    for (const double upper : {0.5, 1.5, 3.0}) {
        Problem p;
        add_round_node(p, 0, {});
        add_round_node(p, 0.5, {1, 0, 0});
        p.rows.begin_block();
        Row& row = p.rows.add();
        row.lower = -upper, row.upper = upper;
        row.bias = -2;  // wants 2 m/s: an impulse of 2
        p.rows.add_part(1, {1, 0, 0}, {});
        SequentialSolver().solve(p, {3});
        EXPECT_NEAR(p.rows.rows[0].impulse, std::min(2.0, upper), 1e-15);
        EXPECT_NEAR(p.nodes.v[1].x, 1 + 0.5 * std::min(2.0, upper), 1e-15);
    }
}

// Compliance: J v + bias + c p = 0.
TEST(SequentialSolver, compliant_rows_yield) {
    Problem p;
    add_round_node(p, 0.25, {3, 0, 0});
    p.rows.begin_block();
    p.rows.add().compliance = 0.75;
    p.rows.add_part(0, {1, 0, 0}, {});
    SequentialSolver().solve(p, {2});
    EXPECT_NEAR(p.rows.rows[0].impulse, -3, 1e-15);
    EXPECT_NEAR(p.nodes.v[0].x, 3 - 0.75, 1e-15);
}

}  // namespace
}  // namespace impuls
