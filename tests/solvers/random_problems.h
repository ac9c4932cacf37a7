// Problems for tests of solvers: nodes, joint blocks and contacts by hand or at random, and the dense
// matrices of a problem as an oracle.
#pragma once

#include <eigen3/Eigen/Dense>
#include <random>

#include "solvers/solver.h"

namespace impuls::test {

struct Random {
    std::mt19937 engine;
    explicit Random(unsigned seed) : engine(seed) {}
    double uniform(double lo, double hi) {
        return lo + (hi - lo) * static_cast<double>(engine()) / 4294967296.0;
    }
    Vec3 vector() {
        Vec3 v;
        for (int i = 0; i < 3; ++i) v[i] = uniform(-1, 1);
        return v;
    }
    std::uint32_t index(std::size_t n) { return static_cast<std::uint32_t>(engine() % n); }
};

inline std::uint32_t add_node(Problem& p, double inv_mass, const Vec3& v, const Mat3& inv_inertia) {
    p.nodes.inv_mass.push_back(inv_mass);
    p.nodes.inv_inertia.push_back(inv_inertia);
    p.nodes.v.push_back(v);
    p.nodes.w.emplace_back();
    return static_cast<std::uint32_t>(p.nodes.size() - 1);
}
inline std::uint32_t add_static(Problem& p) {
    return add_node(p, 0, {}, diagonal({0, 0, 0}));
}
// A body with a full tensor whose moments differ, moving at random.
inline std::uint32_t add_body(Problem& p, Random& random, double mass = 1) {
    Vec3 moments;
    for (int i = 0; i < 3; ++i) moments[i] = random.uniform(1.5, 6) / mass;
    const double angle = random.uniform(-3, 3);
    const Mat3 r = to_matrix(from_axis_angle(normalized(random.vector()), angle));
    const auto node = add_node(p, 1 / mass, random.vector(), r * diagonal(moments) * transpose(r));
    p.nodes.w.back() = random.vector();
    return node;
}

inline void add_row(Problem& p, std::uint32_t a, std::uint32_t b, const Vec3& d, const Vec3& ra,
                    const Vec3& rb, double bias) {
    p.rows.add().bias = bias;
    p.rows.add_part(a, -d, -cross(ra, d));
    p.rows.add_part(b, d, cross(rb, d));
}
// n spheres at rest in the dimples of an engraved incline, three points each (Erleben 2005, 5.6).
inline Problem spheres_in_dimples(int n) {
    Problem p;
    const auto incline = add_static(p);
    for (int k = 0; k < n; ++k) {
        const auto sphere = add_node(p, 1, {0.05, -0.1, 0.01 * (k % 7)}, diagonal({10, 10, 10}));
        for (int side = 0; side < 3; ++side) {
            const double c[] = {1, -0.5, -0.5}, s[] = {0, 0.75, -0.75};
            const Vec3 out = normalized(Vec3{c[side], -1, s[side]});
            p.contacts.friction[p.contacts.add(incline, sphere, -out, {}, out * 0.5)] = 0.3;
        }
    }
    return p;
}
// The same spheres one by one: what the contact graph makes of them.
inline Problem sphere_alone(const Problem& all, std::uint32_t sphere) {
    Problem p;
    add_static(p);
    add_node(p, all.nodes.inv_mass[sphere], all.nodes.v[sphere], all.nodes.inv_inertia[sphere]);
    const ContactRows& c = all.contacts;
    for (std::size_t k = 0; k < c.size(); ++k)
        if (c.b[k] == sphere)
            p.contacts.friction[p.contacts.add(0, 1, c.n[k], c.ra[k], c.rb[k])] = c.friction[k];
    return p;
}

// A block of 3 (ball), 5 (hinge) or 6 (fixed) rows with random levers and biases.
inline void add_joint(Problem& p, Random& random, std::uint32_t a, std::uint32_t b, int rows) {
    p.rows.begin_block();
    const Vec3 ra = random.vector(), rb = random.vector();
    for (int r = 0; r < rows; ++r) {
        Vec3 d;
        d[r % 3] = 1;
        const double bias = random.uniform(-1, 1);
        if (r < 3) {
            add_row(p, a, b, d, ra, rb, bias);
        } else {
            p.rows.add().bias = bias;
            p.rows.add_part(a, {}, -d);
            p.rows.add_part(b, {}, d);
        }
    }
}
// A tree of n bodies on a static node (or floating), joints of all kinds mixed.
inline Problem random_tree(Random& random, int n, bool is_floating = false) {
    Problem p;
    add_static(p);
    for (int k = 0; k < n; ++k) {
        const double mass = random.uniform(0.5, 2);
        const auto body = add_body(p, random, mass);
        if (is_floating && k == 0) continue;
        const auto parent = is_floating ? 1 + random.index(body - 1) : random.index(body);
        const int kinds[] = {3, 5, 6};
        add_joint(p, random, parent, body, kinds[random.index(3)]);
    }
    return p;
}
// Contacts between random pairs of the bodies from `first` on, and node 0.
inline void add_contacts(Problem& p, Random& random, int n, double friction) {
    for (int k = 0; k < n; ++k) {
        const auto b = 1 + random.index(p.nodes.size() - 1);
        const auto a = random.index(b);
        const Vec3 normal = normalized(random.vector());
        const Vec3 ra = random.vector(), rb = random.vector();
        const auto c = p.contacts.add(a, b, normal, ra, rb);
        p.contacts.friction[c] = friction;
    }
}

// The rows of a problem as matrices: blocks first, then normal and tangents of each contact.
struct Dense {
    Eigen::MatrixXd j, inv_m, a;  // a = J M^-1 J^T + compliance
    Eigen::VectorXd v, bias;

    explicit Dense(const Problem& p) {
        const auto& c = p.contacts;
        const auto n = static_cast<Eigen::Index>(p.rows.rows.size() + 3 * c.size());
        const auto m = static_cast<Eigen::Index>(6 * p.nodes.size());
        j = Eigen::MatrixXd::Zero(n, m), inv_m = Eigen::MatrixXd::Zero(m, m);
        v = Eigen::VectorXd::Zero(m), bias = Eigen::VectorXd::Zero(n);
        for (std::size_t k = 0; k < p.nodes.size(); ++k)
            for (int i = 0; i < 3; ++i) {
                const auto at = static_cast<Eigen::Index>(6 * k) + i;
                v[at] = p.nodes.v[k][i], v[at + 3] = p.nodes.w[k][i];
                inv_m(at, at) = p.nodes.inv_mass[k];
                for (int q = 0; q < 3; ++q) inv_m(at + 3, at + 3 - i + q) = p.nodes.inv_inertia[k][q][i];
            }
        Eigen::Index row = 0;
        const auto put = [&](std::uint32_t node, const Vec3& linear, const Vec3& angular) {
            for (int i = 0; i < 3; ++i) {
                j(row, 6 * static_cast<Eigen::Index>(node) + i) += linear[i];
                j(row, 6 * static_cast<Eigen::Index>(node) + 3 + i) += angular[i];
            }
        };
        Eigen::VectorXd compliance = Eigen::VectorXd::Zero(n);
        for (const Row& r : p.rows.rows) {
            for (const RowPart& part : p.rows.parts_of(r)) put(part.node, part.linear, part.angular);
            bias[row] = r.bias, compliance[row] = r.compliance, ++row;
        }
        for (std::size_t k = 0; k < c.size(); ++k)
            for (const Vec3& d : {c.n[k], c.t1[k], c.t2[k]}) {
                put(c.a[k], -d, -cross(c.ra[k], d));
                put(c.b[k], d, cross(c.rb[k], d));
                bias[row] = d == c.n[k] ? c.bias[k] : 0, ++row;
            }
        a = j * inv_m * j.transpose();
        a += compliance.asDiagonal();
    }
};

// The problem with its rows solved as equations J v + bias + c p = 0 in extended precision (redundant ones:
// as well as can be).
inline Problem densely(Problem p) {
    using Matrix = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;
    using Vector = Eigen::Matrix<long double, Eigen::Dynamic, 1>;
    const Dense d(p);
    const Matrix j = d.j.cast<long double>(), inv_m = d.inv_m.cast<long double>();
    const Vector v0 = d.v.cast<long double>(), bias = d.bias.cast<long double>();
    Matrix a = j * inv_m * j.transpose();
    for (std::size_t r = 0; r < p.rows.rows.size(); ++r) {
        const auto at = static_cast<Eigen::Index>(r);
        a(at, at) += p.rows.rows[r].compliance;
    }
    Eigen::ColPivHouseholderQR<Matrix> factored(a.rows(), a.cols());
    factored.setThreshold(1e-13L);
    factored.compute(a);
    const Vector x = factored.solve(-(j * v0 + bias));
    const Vector v = v0 + inv_m * j.transpose() * x;
    for (std::size_t k = 0; k < p.nodes.size(); ++k)
        for (int i = 0; i < 3; ++i) {
            p.nodes.v[k][i] = static_cast<double>(v[static_cast<Eigen::Index>(6 * k) + i]);
            p.nodes.w[k][i] = static_cast<double>(v[static_cast<Eigen::Index>(6 * k) + 3 + i]);
        }
    for (std::size_t r = 0; r < p.rows.rows.size(); ++r)
        p.rows.rows[r].impulse = static_cast<double>(x[static_cast<Eigen::Index>(r)]);
    return p;
}

inline double velocity_difference(const Problem& p, const Problem& q) {
    double sum = 0;
    for (std::size_t k = 0; k < p.nodes.size(); ++k) sum = std::max(sum, length(p.nodes.v[k] - q.nodes.v[k]));
    for (std::size_t k = 0; k < p.nodes.bodies(); ++k)
        sum = std::max(sum, length(p.nodes.w[k] - q.nodes.w[k]));
    return sum;
}

}  // namespace impuls::test
