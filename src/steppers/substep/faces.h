// Balls that touch the faces of a body of particles (IslandPatch): contact points on a triangle or on an edge
// of it, whose side moves with the weighted mean of the corners (constraints/contact_side.h). Its corners are
// points of their own: particles touch everything by themselves. The point lies on the triangle, so that no
// angular momentum is lost. Called by contacts.cpp, rows.cpp and the impulse stepper.
#pragma once

#include <array>
#include <vector>

#include "collision/manifold.h"
#include "constraints/contact_side.h"
#include "steppers/substep/context.h"

namespace impuls::substep {

// Features from here on name a triangle of the patch's body.
inline constexpr std::uint32_t kFaceFeature = 0x40000000;

inline bool is_on_face(const IslandPair& pair, const ContactPoint& point) {
    return pair.patch != kNoPatch && point.feature >= kFaceFeature;
}

// Appends a manifold of one point for each face of the pair's patch that the ball is near to.
void find_face_contacts(const Island& island, const IslandPair& pair, std::vector<Manifold>& out);

// The corners that a point on a face moves with. Arms are 0.
std::array<SidePart, 3> face_parts(const Island& island, const IslandPair& pair, const ContactPoint& point);

// Velocity of b relative to a at a point, with velocities of nodes: v(node, arm).
template <class Velocity>
Vec3 relative_velocity_of(const Substep& s, const IslandPair& pair, const ContactPoint& point,
                          Velocity&& velocity) {
    const auto of_node = [&](std::uint32_t k) {
        return velocity(k, point.position - s.island.nodes[k].pose.position);
    };
    if (!is_on_face(pair, point)) return of_node(pair.b) - of_node(pair.a);
    Vec3 of_face;
    for (const SidePart& part : face_parts(s.island, pair, point))
        of_face += velocity(part.node, Vec3{}) * part.weight;
    const bool is_a = s.island.particles.patches[pair.patch].is_a;
    return is_a ? of_node(pair.b) - of_face : of_face - of_node(pair.a);
}

// A row of the point, with its sides and these arms of nodes.
std::size_t add_row(Substep& s, const IslandPair& pair, const ContactPoint& point, const Vec3& arm_a,
                    const Vec3& arm_b);

}  // namespace impuls::substep
