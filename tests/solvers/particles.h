// Particles for tests of solvers: networks of them held at their distances, moved by RATTLE with whatever
// solver is asked, and points of triangles.
#pragma once

#include <cmath>

#include "solvers/random_problems.h"

namespace impuls::test {

struct Link {
    std::uint32_t a, b;
    double length;
};

// Distances of a network where its nodes are, or where they get within h with the velocities they have.
class Network final : public Preview {
  public:
    Problem problem{};
    std::vector<Vec3> x{};  // by node
    std::vector<Link> links{};
    Vec3 gravity{};

    std::uint32_t add(double mass, const Vec3& at, const Vec3& v = {}) {
        x.push_back(at);
        return problem.nodes.add_particle(mass > 0 ? 1 / mass : 0, v);
    }
    void link(std::uint32_t a, std::uint32_t b) { links.push_back({a, b, length(x[b] - x[a])}); }

    void make_rows() {
        problem.rows.clear();
        for (const Link& link : links) {
            const Vec3 d = normalized(x[link.b] - x[link.a]);
            problem.rows.begin_block();
            problem.rows.add().error = length(x[link.b] - x[link.a]) - link.length;
            problem.rows.add_part(link.a, -d, {});
            problem.rows.add_part(link.b, d, {});
        }
    }
    void refresh(Problem& p, std::size_t first, std::size_t last) override {
        for (std::size_t k = first; k < last; ++k) {
            const Link& link = links[k];
            const Vec3 a = x[link.a] + p.nodes.v[link.a] * h_, b = x[link.b] + p.nodes.v[link.b] * h_;
            p.rows.rows[k].error = length(b - a) - link.length;
        }
    }
    // Half a kick, displacements that lead to the right distances, drift, half a kick, velocities that keep
    // them.
    void step(ProblemSolver& solver, double h, const SolveSettings& settings) {
        h_ = h;
        kick(0.5 * h);
        make_rows();
        for (Row& row : problem.rows.rows) row.bias = row.error / h;
        solver.close_ahead(problem, *this, h, 1e-13, settings);
        for (std::size_t k = 0; k < x.size(); ++k) x[k] += problem.nodes.v[k] * h;
        kick(0.5 * h);
        make_rows();
        solver.solve(problem, settings);
    }
    double energy() const {
        double sum = 0;
        const Nodes& nodes = problem.nodes;
        for (std::uint32_t k = 0; k < x.size(); ++k) {
            if (!(nodes.inv_mass[k] > 0)) continue;
            sum += (0.5 * length_squared(nodes.v[k]) - dot(gravity, x[k])) / nodes.inv_mass[k];
            if (nodes.is_body(k)) sum += 0.5 * length_squared(nodes.w[k]) / nodes.inv_inertia[k].c0.x;
        }
        return sum;
    }

  private:
    void kick(double time) {
        for (std::size_t k = 0; k < x.size(); ++k)
            if (problem.nodes.inv_mass[k] > 0) problem.nodes.v[k] += gravity * time;
    }
    double h_ = 0;
};

// Momentum and angular momentum about the origin of bodies with round inertia and of particles; nodes that do
// not move have none.
struct Momenta {
    Vec3 linear{}, angular{};
};
inline Momenta momenta_of(const Nodes& nodes, const std::vector<Vec3>& x) {
    Momenta sum;
    for (std::uint32_t k = 0; k < nodes.size(); ++k) {
        if (nodes.inv_mass[k] == 0) continue;
        sum.linear += nodes.v[k] / nodes.inv_mass[k];
        sum.angular += cross(x[k], nodes.v[k]) / nodes.inv_mass[k];
        if (nodes.is_body(k) && nodes.inv_inertia[k].c0.x > 0)
            sum.angular += nodes.w[k] / nodes.inv_inertia[k].c0.x;
    }
    return sum;
}

// Where a sphere is nearest to the plane of a triangle: weights of its corners, and its normal on the side of
// the sphere.
struct Footing {
    double weight[3];
    Vec3 point, normal;
    bool is_inside() const { return weight[0] >= 0 && weight[1] >= 0 && weight[2] >= 0; }
};
inline Footing footing_of(const Vec3& center, const Vec3& a, const Vec3& b, const Vec3& c) {
    const Vec3 area = cross(b - a, c - a);
    Footing f{};
    f.normal = normalized(area);
    const double height = dot(center - a, f.normal);
    f.point = center - f.normal * height;
    if (height < 0) f.normal = -f.normal;
    const double total = length_squared(area);
    f.weight[1] = dot(cross(f.point - a, c - a), area) / total;
    f.weight[2] = dot(cross(b - a, f.point - a), area) / total;
    f.weight[0] = 1 - f.weight[1] - f.weight[2];
    return f;
}

}  // namespace impuls::test
