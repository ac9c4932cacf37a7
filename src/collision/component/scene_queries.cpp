// Queries of a CollisionScene (impuls/collision.h): the index finds, this file names.
#include <algorithm>

#include "collision/component/scene_state.h"
#include "impuls/errors.h"

namespace impuls {
namespace {

bool by_slot(ProxyId a, ProxyId b) {
    return a.index < b.index;
}

}  // namespace

// An id that is not valid any more has nothing to ignore.
QuerySelection CollisionScene::State::selection(const ProxyFilter& filter) const {
    const ProxyId id = filter.ignore;
    const bool is_there = id && id.index < seen.size() && seen[id.index].generation == id.generation;
    return {filter.mask, UINT8_MAX, filter.sensors, is_there ? id.index : kNoTarget};
}

RayResult CollisionScene::ray(const RayQuery& q, const ProxyFilter& filter) const {
    const auto hit = state_->index.ray({q.origin, q.direction, q.t_max}, state_->selection(filter));
    if (!hit.hit) return {};
    return {true, state_->id_of(hit.target), hit.t, hit.normal, hit.inside};
}

void CollisionScene::ray_all(const RayQuery& q, std::vector<RayResult>& hits,
                             const ProxyFilter& filter) const {
    hits.clear();
    state_->index.ray_hits({q.origin, q.direction, q.t_max}, state_->selection(filter),
                           [&](std::uint32_t k, const RayHit& hit) {
                               hits.push_back({true, state_->id_of(k), hit.t, hit.normal, hit.inside});
                           });
    std::sort(hits.begin(), hits.end(), [](const RayResult& a, const RayResult& b) {
        return a.t != b.t ? a.t < b.t : by_slot(a.proxy, b.proxy);
    });
}

std::optional<CastResult> CollisionScene::cast(const CastQuery& q, const ProxyFilter& filter) const {
    const auto found = state_->index.cast(group_of(q.solid), q.sweep, q.duration, state_->selection(filter));
    if (found.target == kNoTarget) return {};
    return CastResult{state_->id_of(found.target), found.impact};
}

void CollisionScene::overlaps(const Placed& query, std::vector<ProxyId>& found,
                              const ProxyFilter& filter) const {
    found.clear();
    state_->index.overlaps(group_of(query.solid), query.pose, state_->selection(filter),
                           [&](std::uint32_t k) { found.push_back(state_->id_of(k)); });
    std::sort(found.begin(), found.end(), by_slot);
}

void CollisionScene::at_point(const Vec3& point, std::vector<ProxyId>& found,
                              const ProxyFilter& filter) const {
    found.clear();
    state_->index.at_point(point, state_->selection(filter),
                           [&](std::uint32_t k) { found.push_back(state_->id_of(k)); });
    std::sort(found.begin(), found.end(), by_slot);
}

std::optional<NearResult> CollisionScene::closest(const NearQuery& q, const ProxyFilter& filter) const {
    const auto found = state_->index.closest(group_of(q.placed.solid), q.placed.pose, q.max_distance,
                                             state_->selection(filter));
    if (found.target == kNoTarget) return {};
    return NearResult{state_->id_of(found.target), found.distance};
}

void CollisionScene::rays(std::span<const RayQuery> queries, std::span<RayResult> results, Executor& executor,
                          const ProxyFilter& filter) const {
    for_each_query(queries.size(), results.size(), executor,
                   [&](std::size_t k) { results[k] = ray(queries[k], filter); });
}

void CollisionScene::ray_all(std::span<const RayQuery> queries, std::span<std::vector<RayResult>> results,
                             Executor& executor, const ProxyFilter& filter) const {
    for_each_query(queries.size(), results.size(), executor,
                   [&](std::size_t k) { ray_all(queries[k], results[k], filter); });
}

void CollisionScene::casts(std::span<const CastQuery> queries, std::span<std::optional<CastResult>> results,
                           Executor& executor, const ProxyFilter& filter) const {
    for_each_query(queries.size(), results.size(), executor,
                   [&](std::size_t k) { results[k] = cast(queries[k], filter); });
}

void CollisionScene::overlaps(std::span<const Placed> queries, std::span<std::vector<ProxyId>> results,
                              Executor& executor, const ProxyFilter& filter) const {
    for_each_query(queries.size(), results.size(), executor,
                   [&](std::size_t k) { overlaps(queries[k], results[k], filter); });
}

void CollisionScene::at_point(std::span<const Vec3> queries, std::span<std::vector<ProxyId>> results,
                              Executor& executor, const ProxyFilter& filter) const {
    for_each_query(queries.size(), results.size(), executor,
                   [&](std::size_t k) { at_point(queries[k], results[k], filter); });
}

void CollisionScene::closest(std::span<const NearQuery> queries, std::span<std::optional<NearResult>> results,
                             Executor& executor, const ProxyFilter& filter) const {
    for_each_query(queries.size(), results.size(), executor,
                   [&](std::size_t k) { results[k] = closest(queries[k], filter); });
}

}  // namespace impuls
