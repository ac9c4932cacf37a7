// Contact points of an island in a substep (contacts.h).
#include "steppers/substep/contacts.h"

#include <algorithm>

#include "steppers/contacts.h"
#include "steppers/substep/faces.h"
#include "steppers/substep/tuning.h"
#include "steppers/tuning.h"

namespace impuls::substep {
namespace {

constexpr MarginPolicy kPolicy{kNearMargin};

// A point without past slides when it slips faster than forces explain.
void choose_friction(Substep& s, std::size_t first, double h) {
    for (std::size_t k = first; k < s.contacts.points.size(); ++k) {
        SubstepPoint& point = s.contacts.points[k];
        const IslandPair& pair = pair_of(s, k);
        if (!point.is_fresh) continue;
        point.is_fresh = false;
        if (pair.law->static_friction == pair.law->friction) continue;
        point.is_sliding = length(slip_of(s, pair, point)) > rest_speed(s, pair, h);
    }
}

// CSR of the old points by pair.
void find_old_starts(Substep& s) {
    ContactWork& c = s.contacts;
    c.old_start.assign(s.island.pairs.size() + 1, 0);
    for (const std::uint32_t p : c.point_pair) ++c.old_start[p + 1];
    for (std::size_t p = 0; p < s.island.pairs.size(); ++p) c.old_start[p + 1] += c.old_start[p];
}

}  // namespace

// Points farther apart than two bodies can come within h are left out. Fast pairs get only their near points
// here; what they come to farther on is found by sweep().
void find_contacts(Substep& s, double h) {
    ContactWork& c = s.contacts;
    std::swap(c.points, c.old_points);
    find_old_starts(s);
    c.points.clear();
    c.point_pair.clear();
    const auto speed = [&](std::uint32_t k) {
        const IslandNode& node = s.island.nodes[k];
        const double radius = node.body == kNoBody ? 0 : s.view.bodies.radius[node.body];
        return length(s.problem.nodes.v[k]) + length(s.problem.nodes.w[k]) * radius + h * node.pull;
    };
    c.seams.clear();
    for (std::uint32_t p = 0; p < s.island.pairs.size(); ++p) {
        IslandPair& pair = s.island.pairs[p];
        const double way = h * (speed(pair.a) + speed(pair.b));
        // Faces of particles are not swept: their balls are seen as far as they can come.
        const bool is_cut = pair.patch == kNoPatch && is_swept(pair, way);
        pair.margin = kPolicy.margin(pair, is_cut ? kSweptWay * pair.size : way);
        impuls::find_contacts(s.view, s.island, pair, c.found);
        if (s.island.nodes[pair.a].is_particle() || s.island.nodes[pair.b].is_particle()) continue;
        for (const Manifold& m : c.found) c.seams.add(s.island, p, m);
    }
    c.seams.sort(s.island);
    for (std::uint32_t p = 0; p < s.island.pairs.size(); ++p) {
        const IslandPair& pair = s.island.pairs[p];
        known_contacts(s.view, pair, c.found);
        if (pair.patch != kNoPatch) find_face_contacts(s.island, pair, c.found);
        const auto& found = c.seams.correct(s.island, p, c.found, c.corrected) ? c.corrected : c.found;
        const std::size_t first = c.points.size();
        match_points(s.view.pairs.keys[pair.pair], found,
                     std::span(c.old_points).subspan(c.old_start[p], c.old_start[p + 1] - c.old_start[p]),
                     tuning::kMatchReach * pair.size, c.points);
        c.point_pair.resize(c.points.size(), p);
        choose_friction(s, first, h);
    }
}

void store_contacts(Substep& s) {
    for (std::size_t k = 0; k < s.contacts.points.size(); ++k) {
        SubstepPoint& point = s.contacts.points[k];
        const IslandPair& pair = pair_of(s, k);
        point.levers.keep(point);
        s.results.contacts.add(pair.pair, point);
        s.results.note_depth(-point.separation, pair.size);
    }
}

double way_of(const Substep& s, const IslandPair& pair, double h) {
    const Nodes& n = s.problem.nodes;
    const auto swing = [&](std::uint32_t k) {
        const std::uint32_t body = s.island.nodes[k].body;
        return body == kNoBody ? 0 : length(n.w[k]) * s.view.bodies.radius[body];
    };
    return h * (length(n.v[pair.b] - n.v[pair.a]) + swing(pair.a) + swing(pair.b));
}

bool is_swept(const IslandPair& pair, double way) {
    if (pair.law->compliance > 0) return false;  // its impact lasts
    return way > kSweptWay * pair.size;
}

Vec3 relative_velocity(const Substep& s, const IslandPair& pair, const Vec3& position) {
    const Nodes& n = s.problem.nodes;
    return n.v[pair.b] + cross(n.w[pair.b], position - s.island.nodes[pair.b].pose.position) - n.v[pair.a] -
           cross(n.w[pair.a], position - s.island.nodes[pair.a].pose.position);
}

Vec3 relative_velocity(const Substep& s, const IslandPair& pair, const ContactPoint& point) {
    if (!is_on_face(pair, point)) return relative_velocity(s, pair, point.position);
    const Nodes& n = s.problem.nodes;
    return relative_velocity_of(
        s, pair, point, [&](std::uint32_t k, const Vec3& arm) { return n.v[k] + cross(n.w[k], arm); });
}

Vec3 surface_velocity(const Substep& s, std::uint32_t k) {
    const IslandNode& node = s.island.nodes[k];
    if (!node.has_surface) return {};
    return rotate(node.pose.orientation, s.view.bodies.surface_velocity[node.body]);
}

Vec3 slip_of(const Substep& s, const IslandPair& pair, const SubstepPoint& point) {
    const Vec3 u =
        relative_velocity(s, pair, point) + surface_velocity(s, pair.b) - surface_velocity(s, pair.a);
    return u - point.normal * dot(u, point.normal);
}

double rest_speed(const Substep& s, const IslandPair& pair, double h) {
    return h * std::max(s.island.nodes[pair.a].pull, s.island.nodes[pair.b].pull);
}

}  // namespace impuls::substep
