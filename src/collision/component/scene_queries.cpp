// Queries of a CollisionScene (impuls/collision.h): candidates from the tree, then exact geometry.
#include <algorithm>
#include <cmath>

#include "collision/component/scene_state.h"

namespace impuls {
namespace {

RayResult result_of(ProxyId id, const RayHit& hit) {
    return {hit.hit, id, hit.t, hit.normal, hit.inside};
}

// Distance between boxes: no point of one is nearer to the other.
double gap(const Aabb& a, const Aabb& b) {
    Vec3 d;
    for (int i = 0; i < 3; ++i) d[i] = std::max({0.0, a.min[i] - b.max[i], b.min[i] - a.max[i]});
    return length(d);
}

// A box around all places of the solid during the motion.
Aabb swept_box(const Solid& solid, const Sweep& sweep, double duration) {
    double radius = 0;
    for (const Collider& c : solid.parts().colliders) {
        if (c.kind == ColliderKind::Plane) return bounds(c, {});
        radius = std::max(radius, length(c.X_BC.position) + reach(c));
    }
    Aabb box = box_around(sweep.start.position, radius);
    const Aabb end = box_around(sweep.start.position + sweep.velocity * duration, radius);
    for (int i = 0; i < 3; ++i)
        box.min[i] = std::min(box.min[i], end.min[i]), box.max[i] = std::max(box.max[i], end.max[i]);
    return box;
}

}  // namespace

RayResult CollisionScene::ray(const RayQuery& q) const {
    const State& s = *state_;
    RayResult best;
    s.tree.visit_segment(q.origin, q.direction, q.t_max, [&](std::uint32_t slot, double) {
        const double limit = best.hit ? best.t : q.t_max;
        if (!s.passes(slot, q.mask, false)) return limit;
        const RayHit hit = ray_cast({q.origin, q.direction, limit}, *s.seen[slot].solid, s.seen[slot].pose);
        if (!hit.hit) return limit;
        // Of equal hits the lowest slot, whatever order the tree has.
        if (!best.hit || hit.t < best.t || slot < best.proxy.index) best = result_of(s.id_of(slot), hit);
        return best.t;
    });
    return best;
}

std::vector<RayResult> CollisionScene::ray_all(const RayQuery& q) const {
    const State& s = *state_;
    std::vector<RayResult> found;
    s.tree.visit_segment(q.origin, q.direction, q.t_max, [&](std::uint32_t slot, double) {
        if (!s.passes(slot, q.mask, false)) return q.t_max;
        const RayHit hit = ray_cast({q.origin, q.direction, q.t_max}, *s.seen[slot].solid, s.seen[slot].pose);
        if (hit.hit) found.push_back(result_of(s.id_of(slot), hit));
        return q.t_max;
    });
    std::sort(found.begin(), found.end(), [](const RayResult& a, const RayResult& b) {
        return a.t != b.t ? a.t < b.t : a.proxy.index < b.proxy.index;
    });
    return found;
}

void CollisionScene::rays(std::span<const RayQuery> queries, std::span<RayResult> results,
                          Executor& executor) const {
    executor.parallel_for(queries.size(), 64, [&](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k) results[k] = ray(queries[k]);
    });
}

std::optional<CastResult> CollisionScene::cast(const Solid& solid, const Sweep& sweep, double duration,
                                               std::uint32_t mask) const {
    const State& s = *state_;
    std::optional<CastResult> first;
    for (const std::uint32_t slot : s.near(swept_box(solid, sweep, duration), mask, false)) {
        const double end = first ? first->impact.t : duration;
        const ImpactTime impact =
            time_of_impact(solid, sweep, *s.seen[slot].solid, {s.seen[slot].pose, {}, {}}, end);
        if (impact.hit && (!first || impact.t < end)) first = {s.id_of(slot), impact};
    }
    return first;
}

std::vector<ProxyId> CollisionScene::overlaps(const Placed& query, std::uint32_t mask) const {
    const State& s = *state_;
    std::vector<ProxyId> found;
    for (const std::uint32_t slot : s.near(bounds(query.solid, query.pose), mask, true)) {
        const Distance d =
            distance_within(query.solid, query.pose, *s.seen[slot].solid, s.seen[slot].pose, 0);
        if (d.distance <= 0) found.push_back(s.id_of(slot));
    }
    return found;
}

std::vector<ProxyId> CollisionScene::at_point(const Vec3& point, std::uint32_t mask) const {
    const State& s = *state_;
    std::vector<std::uint32_t> slots = s.near(box_around(point, 0), mask, true);
    for (const std::uint32_t slot : s.fields)
        if (s.passes(slot, mask, true)) slots.push_back(slot);
    std::sort(slots.begin(), slots.end());
    slots.erase(std::unique(slots.begin(), slots.end()), slots.end());
    std::vector<ProxyId> found;
    for (const std::uint32_t slot : slots)
        if (contains(*s.seen[slot].solid, s.seen[slot].pose, point)) found.push_back(s.id_of(slot));
    return found;
}

std::optional<NearResult> CollisionScene::closest(const Placed& query, double max_distance,
                                                  std::uint32_t mask) const {
    const State& s = *state_;
    const Aabb box = bounds(query.solid, query.pose);
    std::optional<NearResult> best;
    for (const std::uint32_t slot : s.near(grown(box, max_distance), mask, false)) {
        const double limit = best ? best->distance.distance : max_distance;
        if (gap(box, s.boxes[slot]) > std::max(limit, 0.0)) continue;
        const Distance d = distance_within(query.solid, query.pose, *s.seen[slot].solid, s.seen[slot].pose,
                                           std::max(limit, 0.0));
        if (d.distance <= max_distance && (!best || d.distance < limit)) best = {s.id_of(slot), d};
    }
    return best;
}

}  // namespace impuls
