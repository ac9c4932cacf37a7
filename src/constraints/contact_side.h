// The sides of a contact point, and the only code that knows what they are made of. A side is one node with
// an arm (a body; a particle has none), or mixed: a point of an edge, a triangle or a cell, which moves with
// the weighted mean of up to eight nodes. With the parts i of both sides, a's weights negative,
//     u = sum_i s_i (v_i + w_i x arm_i),   v_i += s_i m_i^-1 P,   w_i += s_i I_i^-1 (arm_i x P)
// for the velocity u of b relative to a and an impulse P on b. Weights of a side add up to 1, so momentum is
// kept; angular momentum, too, when the arms of both sides lead to the same point.
// Solvers may treat contacts of two bodies (is_rigid) in their own way.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/assert.h"
#include "constraints/nodes.h"

namespace impuls {

// One of the nodes that a mixed side moves with; `arm` leads from a body's centre to its part of the point.
struct SidePart {
    std::uint32_t node = 0;
    double weight = 0;
    Vec3 arm{};
};
inline constexpr std::size_t kMostSideParts = 8;  // a body 1, an edge 2, a triangle 3, a cell 8

// Sides from here on are mixed: their number plus this. Below it is the number of a node.
inline constexpr std::uint32_t kMixedSide = 0x80000000;

// Where contact points are.
struct ContactGeometry {
    std::vector<std::uint32_t> a{}, b{};    // sides
    std::vector<Vec3> n{}, t1{}, t2{};      // n from a to b; t1, t2 span the tangent plane
    std::vector<Vec3> ra{}, rb{};           // from the centres of bodies to the point; else 0
    std::vector<Vec3> shift{};              // from there to where friction acts, in the tangent plane
    std::vector<SidePart> side_parts{};     // of mixed sides, one after the other
    std::vector<std::uint32_t> side_end{};  // by mixed side: end of its parts

    // Appends a mixed side, whose weights add up to 1; returns its number as an end of contacts.
    std::uint32_t add_side(std::span<const SidePart> parts);
    std::span<const SidePart> parts_of(std::uint32_t side) const {
        const std::uint32_t k = side - kMixedSide;
        IMPULS_ASSERT_INDEX(k, side_end.size());
        const std::uint32_t first = k == 0 ? 0 : side_end[k - 1];
        return {side_parts.data() + first, side_end[k] - first};
    }
};

// Calls visit(node, weight, arm) for each part of the contact's sides: those of a, with negative weights,
// then those of b.
template <class Visit>
void for_each_part(const ContactGeometry& c, std::size_t k, Visit&& visit) {
    const auto each = [&](std::uint32_t side, const Vec3& arm, double sign) {
        if (side < kMixedSide) {
            visit(side, sign, arm);
            return;
        }
        for (const SidePart& part : c.parts_of(side)) visit(part.node, sign * part.weight, part.arm);
    };
    each(c.a[k], c.ra[k], -1.0);
    each(c.b[k], c.rb[k], 1.0);
}

// Both sides are bodies.
inline bool is_rigid(const Nodes& nodes, const ContactGeometry& c, std::size_t k) {
    return std::max(c.a[k], c.b[k]) < nodes.bodies();
}

// Velocity of b relative to a.
Vec3 relative_velocity(const Nodes& nodes, const ContactGeometry& c, std::size_t k);

// An impulse on b, and its opposite on a.
void apply_impulse(Nodes& nodes, const ContactGeometry& c, std::size_t k, const Vec3& impulse);

// How much an impulse along e at point l changes the velocity along d at point k: d . K e.
double coupling_of(const Nodes& nodes, const ContactGeometry& c, std::size_t k, const Vec3& d, std::size_t l,
                   const Vec3& e);

// Inverse of the mass that a side has for an impulse through the centres of its nodes: sum of s^2 / m.
double inv_mass_of(const Nodes& nodes, const ContactGeometry& c, std::uint32_t side);

}  // namespace impuls
