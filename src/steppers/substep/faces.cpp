// Contact points on triangles of particles (faces.h).
#include "steppers/substep/faces.h"

#include <cmath>

#include "geometry/particle_net.h"

namespace impuls::substep {
namespace {

std::array<std::uint32_t, 3> corners_of(const Island& island, const IslandPatch& patch,
                                        std::uint32_t triangle) {
    const IslandRange& range = island.particles.ranges[patch.range];
    std::array<std::uint32_t, 3> nodes = range.range->net->triangles[triangle];
    for (std::uint32_t& node : nodes) node = island.node_of_part(range, node);
    return nodes;
}

// A point inside, or on an edge that belongs to this triangle; corners are particles.
bool is_own(const std::array<double, 3>& weights, std::uint8_t own_edges) {
    int zeros = 0;
    std::size_t opposite = 0;
    for (std::size_t k = 0; k < 3; ++k)
        if (weights[k] == 0) {
            ++zeros;
            opposite = k;
        }
    if (zeros == 0) return true;
    return zeros == 1 && (own_edges >> ((opposite + 1) % 3) & 1u) != 0;
}

}  // namespace

void find_face_contacts(const Island& island, const IslandPair& pair, std::vector<Manifold>& out) {
    const IslandPatch& patch = island.particles.patches[pair.patch];
    const ParticleNet& net = *island.particles.ranges[patch.range].range->net;
    const Collider& ball = patch.is_a ? *pair.collider_b : *pair.collider_a;
    const Vec3 center = island.nodes[patch.is_a ? pair.b : pair.a].pose * ball.X_BC.position;
    const auto place = [&](std::uint32_t node) { return island.nodes[node].pose.position; };
    for (std::uint32_t t = net.first_triangle[patch.lead]; t < net.first_triangle[patch.lead + 1]; ++t) {
        const auto [a, b, c] = corners_of(island, patch, t);
        const auto weights = nearest_weights(center, place(a), place(b), place(c));
        if (!is_own(weights, net.own_edges[t])) continue;
        const Vec3 point = place(a) * weights[0] + place(b) * weights[1] + place(c) * weights[2];
        const Vec3 away = center - point;
        const double distance = length(away), separation = distance - ball.radius - net.radius;
        if (!(separation <= pair.margin)) continue;
        Vec3 normal =
            distance > 0 ? away / distance : normalized(cross(place(b) - place(a), place(c) - place(a)));
        Manifold m;
        m.normal = patch.is_a ? normal : -normal;
        m.count = 1;
        m.points[0] = {point, separation, kFaceFeature + t};
        out.push_back(m);
    }
}

std::array<SidePart, 3> face_parts(const Island& island, const IslandPair& pair, const ContactPoint& point) {
    const auto nodes = corners_of(island, island.particles.patches[pair.patch], point.feature - kFaceFeature);
    const auto place = [&](std::size_t k) { return island.nodes[nodes[k]].pose.position; };
    const auto weights = nearest_weights(point.position, place(0), place(1), place(2));
    std::array<SidePart, 3> parts;
    for (std::size_t k = 0; k < 3; ++k) parts[k] = {nodes[k], weights[k], {}};
    return parts;
}

std::size_t add_row(Substep& s, const IslandPair& pair, const ContactPoint& point, const Vec3& arm_a,
                    const Vec3& arm_b) {
    ContactRows& rows = s.problem.contacts;
    if (!is_on_face(pair, point)) return rows.add(pair.a, pair.b, point.normal, arm_a, arm_b);
    const std::uint32_t face = rows.add_side(face_parts(s.island, pair, point));
    return s.island.particles.patches[pair.patch].is_a ? rows.add(face, pair.b, point.normal, {}, arm_b)
                                                       : rows.add(pair.a, face, point.normal, arm_a, {});
}

}  // namespace impuls::substep
