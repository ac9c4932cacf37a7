// Particles and contacts with weighted parts, by every solver: pendulums of particles against closed forms, a
// rigid sphere that hits a free sheet of two triangles, and one that comes to rest in a pinned one.
#include <gtest/gtest.h>

#include "constraints/contact_side.h"
#include "solvers/direct.h"
#include "solvers/particles.h"

namespace impuls {
namespace {
using namespace test;

class EverySolver : public testing::TestWithParam<Solver> {
  protected:
    std::unique_ptr<ProblemSolver> solver_ = make_solver(GetParam());
};

INSTANTIATE_TEST_SUITE_P(, EverySolver, testing::ValuesIn([] {
                             std::vector<Solver> all;
                             for (std::size_t k = 0; k < EnumNames<Solver>::names.size(); ++k)
                                 all.push_back(static_cast<Solver>(k));
                             return all;
                         }()),
                         [](const auto& test) {
                             return EnumNames<Solver>::names[static_cast<std::size_t>(test.param)];
                         });

// From 90 degrees a quarter of the period is K(sin 45 deg) sqrt(l/g), K = 1.8540746773013719.
TEST_P(EverySolver, pendulum_of_a_particle_has_the_period_of_the_elliptic_integral) {
    Network net;
    net.gravity = {0, -9.81, 0};
    net.add(0, {0, 0, 0});
    net.add(0.3, {0.8, 0, 0});
    net.link(0, 1);
    const double h = 1e-3;
    double t = 0, before = net.x[1].x;
    while (net.x[1].x > 0) {
        before = net.x[1].x;
        net.step(*solver_, h, {10});
        t += h;
    }
    t -= h * net.x[1].x / (net.x[1].x - before);
    EXPECT_NEAR(t / (1.8540746773013719 * std::sqrt(0.8 / 9.81)), 1, 2e-6);
    EXPECT_NEAR(length(net.x[1]), 0.8, 1e-12);
}

TEST_P(EverySolver, pendulum_of_many_particles_keeps_lengths_and_energy) {
    Network net;
    net.gravity = {0, -9.81, 0};
    net.add(0, {0, 0, 0});
    for (std::uint32_t k = 1; k <= 5; ++k) {
        net.add(0.1 * k, {0.2 * k, 0, 0.05 * k});
        net.link(k - 1, k);
    }
    const double start = net.energy(), scale = 1.5 * 9.81;
    for (int k = 0; k < 150; ++k) {
        net.step(*solver_, 2e-3, {300, 1e-13});
        ASSERT_NEAR(net.energy(), start, 2e-4 * scale) << k;
        for (const Link& link : net.links)
            ASSERT_NEAR(length(net.x[link.b] - net.x[link.a]), link.length, 1e-9) << k;
    }
    EXPECT_LT(net.x[5].y, -0.3);
}

TEST_P(EverySolver, free_net_of_particles_keeps_its_momenta) {
    Random random(3);
    Network net;
    for (std::uint32_t k = 0; k < 6; ++k) {
        const Vec3 v = random.vector(), x = random.vector();
        net.add(random.uniform(0.1, 2), x, v);
        for (std::uint32_t i = k < 2 ? 0 : k - 2; i < k; ++i) net.link(i, k);
    }
    // Velocities that keep the distances, to begin with.
    net.make_rows();
    solver_->solve(net.problem, {2000, 1e-14});
    const Momenta start = momenta_of(net.problem.nodes, net.x);
    const double energy = net.energy();
    for (int k = 0; k < 60; ++k) net.step(*solver_, 2e-3, {400, 1e-13});
    const Momenta end = momenta_of(net.problem.nodes, net.x);
    EXPECT_LE(length(end.linear - start.linear), 1e-12);
    EXPECT_LE(length(end.angular - start.angular), 1e-12);
    EXPECT_NEAR(net.energy(), energy, 1e-4 * energy);
}

// A sphere (node 0, the only body) and a sheet of two triangles, corners 1..4, with the edge 1-3 in common.
struct Sheet {
    Network net{};
    double radius = 0.2;
    static constexpr std::uint32_t kTriangles[2][3] = {{1, 2, 3}, {1, 3, 4}};

    Sheet(double mass, const Vec3& center, const Vec3& v, const Vec3& w) {
        const double inv = 2.5 / (mass * radius * radius);
        net.x.push_back(center);
        net.problem.nodes.add_body(1 / mass, diagonal({inv, inv, inv}), v, w);
    }
    void link_edges() {
        for (const auto& [a, b] : {std::pair{1u, 2u}, {2u, 3u}, {3u, 4u}, {4u, 1u}, {1u, 3u}}) net.link(a, b);
    }
    // Contacts within the step: the sheet's point is where both act, so that no torque is lost.
    void find_contacts(double h, double friction) {
        ContactRows& c = net.problem.contacts;
        c.clear();
        for (const auto& t : kTriangles) {
            const Footing f = footing_of(net.x[0], net.x[t[0]], net.x[t[1]], net.x[t[2]]);
            if (!f.is_inside()) continue;
            const double gap = length(net.x[0] - f.point) - radius;
            if (gap > 0.05) continue;
            const SidePart parts[] = {
                {t[0], f.weight[0], {}}, {t[1], f.weight[1], {}}, {t[2], f.weight[2], {}}};
            const auto k = c.add(c.add_side(parts), 0, f.normal, {}, f.point - net.x[0]);
            c.friction[k] = friction;
            c.bias[k] = gap > 0 ? gap / h : 0.2 * gap / h;
        }
    }
};

TEST_P(EverySolver, sphere_on_a_free_sheet_keeps_all_momenta) {
    Sheet sheet(2, {0.1, 0.3, 0.05}, {0.5, -3, 0.2}, {4, -1, 7});
    Network& net = sheet.net;
    for (const Vec3& at : {Vec3{-0.5, 0, -0.5}, {0.5, 0, -0.5}, {0.5, 0, 0.5}, {-0.5, 0, 0.5}})
        net.add(0.4, at);
    sheet.link_edges();
    const double h = 1e-3;
    double hit = 0, energy = kUnbounded;
    for (int k = 0; k < 80; ++k) {
        const Momenta before = momenta_of(net.problem.nodes, net.x);
        net.make_rows();
        for (Row& row : net.problem.rows.rows) row.bias = row.error / h;
        sheet.find_contacts(h, 0.4);
        solver_->solve(net.problem, {200, 1e-12});
        const Momenta after = momenta_of(net.problem.nodes, net.x);
        ASSERT_LE(length(after.linear - before.linear), 1e-12) << k;
        ASSERT_LE(length(after.angular - before.angular), 1e-12) << k;
        for (const double p : net.problem.contacts.impulse_n) hit += p;
        if (hit > 0 && energy == kUnbounded) energy = net.energy();
        for (std::size_t i = 0; i < net.x.size(); ++i) net.x[i] += net.problem.nodes.v[i] * h;
    }
    // Plastic, with slip: 2 kg at 3 m/s against 1.6 kg give at least half of what lumps of clay would.
    EXPECT_GT(hit, 0.5 * 3 * 2 * 1.6 / 3.6);
    EXPECT_LT(net.energy(), energy + 1e-3);
    // It did not fall through.
    const Footing f = footing_of(net.x[0], net.x[1], net.x[2], net.x[3]);
    EXPECT_GT(length(net.x[0] - f.point), sheet.radius - 1e-3);
}

// Corners 1 and 3 are pinned, 2 and 4 held by springs and dampers above them: a valley. At rest, without
// friction, each wing bears N = M g / (2 cos t), t its slope, at the lever s = r tan t about the pinned axis,
// and the spring at the corner, on the lever R, holds against it and the corner's weight.
TEST_P(EverySolver, sphere_comes_to_rest_in_a_pinned_sheet) {
    for (const double friction : {0.0, 0.4}) {
        Sheet sheet(2, {0.12, 0.45, 0}, {}, {});
        Network& net = sheet.net;
        const double corner = 0.1, stiffness = 2000, damping = 60, h = 5e-3, g = 9.81;
        const Vec3 anchors[] = {{0, 0.2, -0.5}, {0, 0.2, 0.5}};
        net.add(0, {-0.5, 0, 0});
        net.add(corner, anchors[0]);
        net.add(0, {0.5, 0, 0});
        net.add(corner, anchors[1]);
        sheet.link_edges();
        double load = 0, height = 0;
        for (int k = 0; k < 600; ++k) {
            Nodes& nodes = net.problem.nodes;
            for (const std::uint32_t i : {0u, 2u, 4u}) nodes.v[i] += Vec3{0, -g * h, 0};
            net.make_rows();
            for (Row& row : net.problem.rows.rows) row.bias = row.error / h;
            for (int side = 0; side < 2; ++side)  // implicit Euler
                for (int axis = 0; axis < 3; ++axis) {
                    const std::uint32_t node = side == 0 ? 2 : 4;
                    Vec3 d;
                    d[axis] = 1;
                    net.problem.rows.begin_block();
                    Row& row = net.problem.rows.add();
                    const double yields = h * stiffness + damping;
                    row.bias = stiffness * (net.x[node] - anchors[side])[axis] / yields;
                    row.compliance = 1 / (h * yields);
                    net.problem.rows.add_part(node, d, {});
                }
            sheet.find_contacts(h, friction);
            solver_->solve(net.problem, {400, 1e-13});
            load = 0;
            const ContactRows& c = net.problem.contacts;
            for (std::size_t i = 0; i < c.size(); ++i)
                load += dot(c.n[i] * c.impulse_n[i] + c.t1[i] * c.impulse_1[i] + c.t2[i] * c.impulse_2[i],
                            {0, 1, 0});
            height = net.x[0].y;
            for (std::size_t i = 0; i < net.x.size(); ++i) net.x[i] += nodes.v[i] * h;
        }
        EXPECT_NEAR(load / (2 * g * h), 1, 1e-6) << friction;
        EXPECT_NEAR(net.x[0].y, height, 1e-8) << friction;
        EXPECT_NEAR(net.x[0].x, 0.12, 1e-6) << friction;
        EXPECT_NEAR(net.x[0].z, 0, 1e-6) << friction;
        if (friction > 0) continue;
        const Vec3 wing = net.x[4];  // of the axis through the origin
        const double lever = std::sqrt(wing.y * wing.y + wing.z * wing.z);
        const double sine = wing.y / lever, cosine = wing.z / lever, r = sheet.radius;
        const Vec3 up{0, cosine, -sine};
        const double spring = stiffness * dot(anchors[1] - wing, up) * lever - corner * g * cosine * lever;
        EXPECT_NEAR(spring / (2 * g / (2 * cosine) * r * sine / cosine), 1, 1e-5);
        EXPECT_EQ(net.problem.contacts.size(), 2u);
    }
}

// Bodies and particles with rows between them; contacts of a body with a triangle, of a particle with a
// triangle, of two edges, and of a body with a cell of eight, two of which are points of another body.
Problem mixed(unsigned seed, double friction) {
    Random random(seed);
    Problem p;
    add_static(p);
    for (int k = 0; k < 3; ++k) add_body(p, random, random.uniform(0.5, 2));
    add_joint(p, random, 1, 2, 3);
    for (int k = 0; k < 12; ++k) {
        const Vec3 v = random.vector();
        p.nodes.add_particle(random.uniform(0.5, 3), v);
    }
    for (std::uint32_t k = 5; k < 9; ++k) {
        const Vec3 d = normalized(random.vector());
        p.rows.begin_block();
        p.rows.add().bias = random.uniform(-0.2, 0.2);
        p.rows.add_part(k - 1, -d, {});
        p.rows.add_part(k, d, {});
    }
    ContactRows& c = p.contacts;
    const auto side = [&](std::initializer_list<std::uint32_t> nodes) {
        std::vector<SidePart> parts;
        double sum = 0;
        for (const std::uint32_t node : nodes) {
            parts.push_back({node, random.uniform(0.1, 1), p.nodes.is_body(node) ? random.vector() : Vec3{}});
            sum += parts.back().weight;
        }
        for (SidePart& part : parts) part.weight /= sum;
        return c.add_side(parts);
    };
    const auto add = [&](std::uint32_t a, std::uint32_t b) {
        const auto arm = [&](std::uint32_t s) { return s < p.nodes.bodies() ? random.vector() : Vec3{}; };
        c.friction[c.add(a, b, normalized(random.vector()), arm(a), arm(b))] = friction;
    };
    add(side({4, 5, 6}), 1);
    add(7, side({8, 9, 10}));
    add(side({4, 8}), side({11, 12}));
    add(2, side({3, 3, 9, 10, 11, 12, 13, 14}));
    add(0, 15);
    return p;
}

TEST_P(EverySolver, mixed_contacts_without_friction_have_one_motion) {
    for (unsigned seed = 0; seed < 6; ++seed) {
        Problem p = mixed(seed, 0), expected = p;
        EXPECT_FALSE(DirectSolver().solve(expected, {}).fell_back);
        EXPECT_LE(complementarity_error(expected), 1e-11);
        solver_->solve(p, {30000, 1e-13});
        EXPECT_LE(complementarity_error(p, solver_->friction_set()), 1e-10) << seed;
        EXPECT_LE(velocity_difference(p, expected), 1e-8) << seed;
    }
}

TEST_P(EverySolver, friction_between_mixed_sides_is_complementary) {
    for (unsigned seed = 0; seed < 6; ++seed) {
        Problem p = mixed(seed, 0.3);
        solver_->solve(p, {30000, 1e-13});
        EXPECT_LE(complementarity_error(p, solver_->friction_set()), 1e-10) << seed;
    }
}

// The same masses as particles and as bodies that cannot turn.
TEST_P(EverySolver, particles_move_as_bodies_without_rotation) {
    const auto make = [](bool are_particles) {
        Random random(5);
        Problem p;
        add_static(p);
        for (int k = 0; k < 5; ++k) {
            const double inv = random.uniform(0.5, 2);
            const Vec3 v = random.vector();
            if (are_particles)
                p.nodes.add_particle(inv, v);
            else
                add_node(p, inv, v, diagonal({0, 0, 0}));
        }
        for (std::uint32_t k = 2; k < 5; ++k) {
            p.rows.begin_block();
            const Vec3 d = normalized(random.vector());
            p.rows.add().bias = 0.1;
            p.rows.add_part(k - 1, -d, {});
            p.rows.add_part(k, d, {});
        }
        for (std::uint32_t k = 1; k < 5; ++k)
            p.contacts.friction[p.contacts.add(k - 1, k + 1, normalized(random.vector()), {}, {})] = 0.3;
        return p;
    };
    Problem bodies = make(false), particles = make(true);
    solver_->solve(bodies, {2000, 1e-14});
    solver_->solve(particles, {2000, 1e-14});
    for (std::size_t k = 0; k < bodies.nodes.size(); ++k)
        EXPECT_LE(length(bodies.nodes.v[k] - particles.nodes.v[k]), 1e-12) << k;
}

// A side of n parts weighs, for an impulse, 1 / sum(s^2 / m): of n equal ones n times as much as one.
TEST(ContactSide, weighs_as_its_parts_together) {
    for (const std::uint32_t n : {1u, 2u, 3u, 8u}) {
        Problem p;
        const auto ball = p.nodes.add_body(1, diagonal({1, 1, 1}), {0, -2, 0}, {});
        std::vector<SidePart> parts;
        for (std::uint32_t k = 0; k < n; ++k)
            parts.push_back({p.nodes.add_particle(1 / 0.5, {}), 1.0 / n, {}});
        const auto side = p.contacts.add_side(parts);
        const auto k = p.contacts.add(side, ball, {0, 1, 0}, {}, {});
        EXPECT_NEAR(inv_mass_of(p.nodes, p.contacts, side), 1 / (0.5 * n), 1e-15);
        make_solver(Solver::Sequential)->solve(p, {1});
        const double together = -2 / (1 + 0.5 * n);
        EXPECT_NEAR(p.nodes.v[ball].y, together, 1e-15);
        for (std::uint32_t i = 1; i <= n; ++i) EXPECT_NEAR(p.nodes.v[i].y, together, 1e-15);
        EXPECT_NEAR(relative_velocity(p.nodes, p.contacts, k).y, 0, 1e-15);
    }
}

// Rows copied to another problem take their sides along.
TEST(ContactSide, is_copied_with_its_contact) {
    const Problem p = mixed(1, 0.3);
    Problem q;
    q.nodes = p.nodes;
    for (std::size_t k = p.contacts.size(); k-- > 0;) q.contacts.add(p.contacts, k);
    for (std::size_t k = 0; k < p.contacts.size(); ++k) {
        const std::size_t l = p.contacts.size() - 1 - k;
        EXPECT_EQ(relative_velocity(p.nodes, p.contacts, k), relative_velocity(q.nodes, q.contacts, l)) << k;
        EXPECT_EQ(coupling_of(p.nodes, p.contacts, k, {1, 0, 0}, k, {0, 1, 0}),
                  coupling_of(q.nodes, q.contacts, l, {1, 0, 0}, l, {0, 1, 0}))
            << k;
    }
}

}  // namespace
}  // namespace impuls
