// Nodes of a problem: what has mass and moves. Bodies come first, then particles; a particle has a mass and a
// velocity, no orientation. A row's part is what it does with one node, J = (linear, angular); of a particle
// only `linear` counts. The three formulas that rows need of a node are here, for dynamics and solvers alike:
//     J v,   J_x M^-1 J_y^T,   v += M^-1 J^T p
#pragma once

#include <cstdint>
#include <vector>

#include "base/assert.h"
#include "impuls/vec.h"

namespace impuls {

struct Nodes {
    // Of all nodes.
    std::vector<double> inv_mass{};  // 0: does not move
    std::vector<Vec3> v{};
    // Of the bodies: nodes [0, bodies()).
    std::vector<Mat3> inv_inertia{};  // W
    std::vector<Vec3> w{};

    std::size_t size() const { return v.size(); }
    std::size_t bodies() const { return w.size(); }
    bool is_body(std::uint32_t node) const { return node < w.size(); }

    // Each appends a node and returns its number; bodies before particles.
    std::uint32_t add_body(double inverse_mass, const Mat3& inverse_inertia, const Vec3& velocity,
                           const Vec3& angular_velocity) {
        IMPULS_ASSERT(bodies() == size());
        inv_inertia.push_back(inverse_inertia);
        w.push_back(angular_velocity);
        return add_particle(inverse_mass, velocity);
    }
    std::uint32_t add_particle(double inverse_mass, const Vec3& velocity) {
        inv_mass.push_back(inverse_mass);
        v.push_back(velocity);
        return static_cast<std::uint32_t>(v.size() - 1);
    }
};

// What a row does with one node: linear . v + angular . w.
struct RowPart {
    std::uint32_t node = 0;
    Vec3 linear{}, angular{};
};

inline double velocity_of(const Nodes& nodes, const RowPart& part) {
    const double along = dot(part.linear, nodes.v[part.node]);
    return nodes.is_body(part.node) ? along + dot(part.angular, nodes.w[part.node]) : along;
}

// M^-1 J^T without its linear part.
inline Vec3 turn_of(const Nodes& nodes, const RowPart& part) {
    return nodes.is_body(part.node) ? nodes.inv_inertia[part.node] * part.angular : Vec3{};
}

// Of two parts with the same node.
inline double coupling_of(const Nodes& nodes, const RowPart& x, const RowPart& y) {
    const double along = nodes.inv_mass[x.node] * dot(x.linear, y.linear);
    return nodes.is_body(x.node) ? along + dot(x.angular, nodes.inv_inertia[x.node] * y.angular) : along;
}

inline void push(Nodes& nodes, const RowPart& part, double impulse) {
    nodes.v[part.node] += part.linear * (impulse * nodes.inv_mass[part.node]);
    if (nodes.is_body(part.node))
        nodes.w[part.node] += nodes.inv_inertia[part.node] * (part.angular * impulse);
}

}  // namespace impuls
