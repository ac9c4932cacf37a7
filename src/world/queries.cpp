// Queries of a running world (impuls/query.h): the same index as CollisionScene's, with bodies, or elements
// of those that are made of particles, for targets, in uid order. Called by applications between steps.
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

BodyHit body_hit(const WorldState& s, const BodyIndex& index, std::uint32_t target) {
    const QueryTarget& t = index.target(target);
    BodyHit hit;
    hit.body = s.body_ids.id(t.object);
    if (t.element == kNoTarget) return hit;
    const NetTargets::Element& element = index.element(t.element);
    hit.particle_count = element.count;
    hit.particles = element.particles;
    return hit;
}

BodyHit hit_of(const WorldState& s, const BodyIndex& index, std::uint32_t target, const RayHit& hit,
               const RayQuery& q) {
    BodyHit out = body_hit(s, index, target);
    out.point = q.origin + q.direction * hit.t;
    out.normal = hit.normal;
    out.distance = hit.t * length(q.direction);
    out.inside = hit.inside;
    return out;
}

// The query is a.
BodyHit hit_of(const WorldState& s, const BodyIndex& index, std::uint32_t target, const Distance& d) {
    BodyHit out = body_hit(s, index, target);
    out.point = d.point_b;
    out.normal = -d.normal;
    out.distance = d.distance;
    out.inside = d.distance < 0;
    return out;
}

// Of a body of particles several elements may be found.
void sort_by_number(const WorldState& s, std::vector<BodyId>& bodies) {
    std::sort(bodies.begin(), bodies.end(),
              [&](BodyId a, BodyId b) { return s.body_ids.dense(a) < s.body_ids.dense(b); });
    bodies.erase(std::unique(bodies.begin(), bodies.end()), bodies.end());
}

std::optional<BodyHit> closest_body(const WorldState& s, const BodyIndex& index, ColliderGroup group,
                                    const Pose& pose, double max_distance, const BodyFilter& filter) {
    const auto found = index.queries().closest(group, pose, max_distance, selection(s, filter));
    if (found.target == kNoTarget) return {};
    return hit_of(s, index, found.target, found.distance);
}

}  // namespace

void BodyIndex::build(const WorldState& s) {
    const std::lock_guard lock(building_);
    if (is_current_.load(std::memory_order_relaxed)) return;
    index_.targets.clear();
    nets_.clear();
    for (std::size_t k = 0; k < s.bodies.size(); ++k) {
        if (!s.bodies.is_active[k]) continue;
        const QueryTarget body{s.bodies.colliders[k],      s.bodies.pose[k],
                               1u << s.bodies.layer[k],    bit_of(s.bodies.kind[k]),
                               s.bodies.is_sensor[k] != 0, static_cast<std::uint32_t>(k)};
        if (!s.bodies.particles[k])
            index_.targets.push_back(body);
        else if (!body.colliders.empty())
            nets_.append(*s.bodies.particles[k]->net, s.bodies.particles[k]->now.x, body, index_.targets);
    }
    index_.build(here_);
    is_current_.store(true, std::memory_order_release);
}

std::optional<BodyHit> World::ray(const RayQuery& q, const BodyFilter& filter) const {
    const BodyIndex& index = state_->index.get(*state_);
    const auto hit = index.queries().ray({q.origin, q.direction, q.t_max}, selection(*state_, filter));
    if (!hit.hit) return {};
    return hit_of(*state_, index, hit.target, hit, q);
}

void World::ray_all(const RayQuery& q, std::vector<BodyHit>& hits, const BodyFilter& filter) const {
    hits.clear();
    const WorldState& s = *state_;
    const BodyIndex& index = state_->index.get(s);
    index.queries().ray_hits(
        {q.origin, q.direction, q.t_max}, selection(s, filter),
        [&](std::uint32_t k, const RayHit& hit) { hits.push_back(hit_of(s, index, k, hit, q)); });
    std::sort(hits.begin(), hits.end(), [&](const BodyHit& a, const BodyHit& b) {
        if (a.distance != b.distance) return a.distance < b.distance;
        if (a.body != b.body) return s.body_ids.dense(a.body) < s.body_ids.dense(b.body);
        if (a.particle_count != b.particle_count) return a.particle_count > b.particle_count;
        return a.particles < b.particles;
    });
    // Of the elements of a body the nearest.
    std::size_t kept = 0;
    for (const BodyHit& hit : hits)
        if (hit.particle_count == 0 ||
            std::none_of(hits.begin(), hits.begin() + static_cast<std::ptrdiff_t>(kept),
                         [&](const BodyHit& before) { return before.body == hit.body; }))
            hits[kept++] = hit;
    hits.resize(kept);
}

std::optional<BodyCast> World::cast(const CastQuery& q, const BodyFilter& filter) const {
    const BodyIndex& index = state_->index.get(*state_);
    const auto found =
        index.queries().cast(group_of(q.solid), q.sweep, q.duration, selection(*state_, filter));
    if (found.target == kNoTarget) return {};
    const ImpactTime& i = found.impact;
    BodyCast cast{hit_of(*state_, index, found.target, i.at), i.t, i.limit};
    cast.hit.distance = i.t * length(q.sweep.velocity);
    cast.hit.inside = i.initial;
    return cast;
}

void World::overlaps(const Placed& q, std::vector<BodyId>& bodies, const BodyFilter& filter) const {
    bodies.clear();
    const WorldState& s = *state_;
    const BodyIndex& index = state_->index.get(s);
    index.queries().overlaps(group_of(q.solid), q.pose, selection(s, filter), [&](std::uint32_t k) {
        bodies.push_back(s.body_ids.id(index.target(k).object));
    });
    sort_by_number(s, bodies);
}

void World::at_point(const Vec3& point, std::vector<BodyId>& bodies, const BodyFilter& filter) const {
    bodies.clear();
    const WorldState& s = *state_;
    const BodyIndex& index = state_->index.get(s);
    index.queries().at_point(point, selection(s, filter), [&](std::uint32_t k) {
        bodies.push_back(s.body_ids.id(index.target(k).object));
    });
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
