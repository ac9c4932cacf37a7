// Queries of a running world (impuls/query.h): the same index as CollisionScene's, with bodies for targets,
// in uid order. Called by applications between steps.
#include <algorithm>

#include "collision/component/solid.h"
#include "world/body_index.h"

namespace impuls {
namespace {

constexpr std::uint8_t bit_of(BodyKind kind) {
    return static_cast<std::uint8_t>(1u << static_cast<unsigned>(kind));
}

QuerySelection selection(const WorldState& s, const BodyFilter& filter) {
    const unsigned kinds = (filter.statics ? bit_of(BodyKind::Static) : 0u) |
                           (filter.kinematics ? bit_of(BodyKind::Kinematic) : 0u) |
                           (filter.dynamics ? bit_of(BodyKind::Dynamic) : 0u);
    return {filter.layers, static_cast<std::uint8_t>(kinds), filter.sensors,
            filter.ignore ? s.body_ids.dense(filter.ignore) : kNoTarget};
}

BodyHit hit_of(const WorldState& s, std::uint32_t k, const RayHit& hit, const RayQuery& q) {
    return {s.body_ids.id(k), q.origin + q.direction * hit.t, hit.normal, hit.t * length(q.direction),
            hit.inside};
}

// The query is a.
BodyHit hit_of(const WorldState& s, std::uint32_t k, const Distance& d) {
    return {s.body_ids.id(k), d.point_b, -d.normal, d.distance, d.distance < 0};
}

void sort_by_number(const WorldState& s, std::vector<BodyId>& bodies) {
    std::sort(bodies.begin(), bodies.end(),
              [&](BodyId a, BodyId b) { return s.body_ids.dense(a) < s.body_ids.dense(b); });
}

std::optional<BodyHit> closest_body(const WorldState& s, const QueryIndex& index, ColliderGroup group,
                                    const Pose& pose, double max_distance, const BodyFilter& filter) {
    const auto found = index.closest(group, pose, max_distance, selection(s, filter));
    if (found.target == kNoTarget) return {};
    return hit_of(s, found.target, found.distance);
}

}  // namespace

void BodyIndex::build(const WorldState& s) {
    const std::lock_guard lock(building_);
    if (is_current_.load(std::memory_order_relaxed)) return;
    index_.targets.assign(s.bodies.size(), {});
    for (std::size_t k = 0; k < s.bodies.size(); ++k)
        if (s.bodies.is_active[k] && !s.bodies.particles[k])
            index_.targets[k] = {s.bodies.colliders[k], s.bodies.pose[k], 1u << s.bodies.layer[k],
                                 bit_of(s.bodies.kind[k]), s.bodies.is_sensor[k] != 0};
    index_.build(here_);
    is_current_.store(true, std::memory_order_release);
}

std::optional<BodyHit> World::ray(const RayQuery& q, const BodyFilter& filter) const {
    const auto hit =
        state_->index.get(*state_).ray({q.origin, q.direction, q.t_max}, selection(*state_, filter));
    if (!hit.hit) return {};
    return hit_of(*state_, hit.target, hit, q);
}

void World::ray_all(const RayQuery& q, std::vector<BodyHit>& hits, const BodyFilter& filter) const {
    hits.clear();
    const WorldState& s = *state_;
    state_->index.get(s).ray_hits(
        {q.origin, q.direction, q.t_max}, selection(s, filter),
        [&](std::uint32_t k, const RayHit& hit) { hits.push_back(hit_of(s, k, hit, q)); });
    std::sort(hits.begin(), hits.end(), [&](const BodyHit& a, const BodyHit& b) {
        if (a.distance != b.distance) return a.distance < b.distance;
        return s.body_ids.dense(a.body) < s.body_ids.dense(b.body);
    });
}

std::optional<BodyCast> World::cast(const CastQuery& q, const BodyFilter& filter) const {
    const auto found =
        state_->index.get(*state_).cast(group_of(q.solid), q.sweep, q.duration, selection(*state_, filter));
    if (found.target == kNoTarget) return {};
    const ImpactTime& i = found.impact;
    BodyCast cast{hit_of(*state_, found.target, i.at), i.t, i.limit};
    cast.hit.distance = i.t * length(q.sweep.velocity);
    cast.hit.inside = i.initial;
    return cast;
}

void World::overlaps(const Placed& q, std::vector<BodyId>& bodies, const BodyFilter& filter) const {
    bodies.clear();
    const WorldState& s = *state_;
    state_->index.get(s).overlaps(group_of(q.solid), q.pose, selection(s, filter),
                                  [&](std::uint32_t k) { bodies.push_back(s.body_ids.id(k)); });
    sort_by_number(s, bodies);
}

void World::at_point(const Vec3& point, std::vector<BodyId>& bodies, const BodyFilter& filter) const {
    bodies.clear();
    const WorldState& s = *state_;
    state_->index.get(s).at_point(point, selection(s, filter),
                                  [&](std::uint32_t k) { bodies.push_back(s.body_ids.id(k)); });
    sort_by_number(s, bodies);
}

std::optional<BodyHit> World::closest(const NearQuery& q, const BodyFilter& filter) const {
    return closest_body(*state_, state_->index.get(*state_), group_of(q.placed.solid), q.placed.pose,
                        q.max_distance, filter);
}

// A point is a ball without radius.
std::optional<BodyHit> World::closest(const Vec3& point, double max_distance,
                                      const BodyFilter& filter) const {
    const Collider ball{};
    return closest_body(*state_, state_->index.get(*state_), {&ball, 1}, {point, {}}, max_distance, filter);
}

void World::rays(std::span<const RayQuery> queries, std::span<std::optional<BodyHit>> results,
                 const BodyFilter& filter) const {
    for_each_query(queries.size(), results.size(), *state_->executor,
                   [&](std::size_t k) { results[k] = ray(queries[k], filter); });
}

void World::ray_all(std::span<const RayQuery> queries, std::span<std::vector<BodyHit>> results,
                    const BodyFilter& filter) const {
    for_each_query(queries.size(), results.size(), *state_->executor,
                   [&](std::size_t k) { ray_all(queries[k], results[k], filter); });
}

void World::casts(std::span<const CastQuery> queries, std::span<std::optional<BodyCast>> results,
                  const BodyFilter& filter) const {
    for_each_query(queries.size(), results.size(), *state_->executor,
                   [&](std::size_t k) { results[k] = cast(queries[k], filter); });
}

void World::overlaps(std::span<const Placed> queries, std::span<std::vector<BodyId>> results,
                     const BodyFilter& filter) const {
    for_each_query(queries.size(), results.size(), *state_->executor,
                   [&](std::size_t k) { overlaps(queries[k], results[k], filter); });
}

void World::at_point(std::span<const Vec3> queries, std::span<std::vector<BodyId>> results,
                     const BodyFilter& filter) const {
    for_each_query(queries.size(), results.size(), *state_->executor,
                   [&](std::size_t k) { at_point(queries[k], results[k], filter); });
}

void World::closest(std::span<const NearQuery> queries, std::span<std::optional<BodyHit>> results,
                    const BodyFilter& filter) const {
    for_each_query(queries.size(), results.size(), *state_->executor,
                   [&](std::size_t k) { results[k] = closest(queries[k], filter); });
}

}  // namespace impuls
