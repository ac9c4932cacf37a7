// The stages of a step that concern the whole world: pairs, islands, and collecting the results.
#include <fmt/format.h>

#include <algorithm>

#include "world/state.h"

namespace impuls {
namespace {

// How far a body's surface may get from where its velocity carries it in one step.
double reach_of(const WorldState& s, std::size_t k) {
    const auto& bodies = s.bodies;
    const double speed = length(bodies.w[k]) * bodies.radius[k];
    const Vec3 acceleration = bodies.is_dynamic(k)
                                  ? s.gravity * bodies.gravity_scale[k] + bodies.force[k] * bodies.inv_mass[k]
                                  : Vec3{};
    return s.dt * (speed + s.dt * length(acceleration));
}

bool may_collide(const WorldState& s, std::uint32_t a, std::uint32_t b) {
    if (a == b || (!s.bodies.is_dynamic(a) && !s.bodies.is_dynamic(b))) return false;
    return !std::binary_search(s.connected.begin(), s.connected.end(),
                               std::pair{std::min(a, b), std::max(a, b)});
}

}  // namespace

void find_pairs(WorldState& s) {
    const std::size_t n = s.collider_body.size();
    s.boxes.resize(n);
    s.executor->parallel_for(n, 512, [&](std::size_t begin, std::size_t end) {
        for (std::size_t c = begin; c < end; ++c) {
            const auto k = s.collider_body[c];
            const Collider& collider = s.bodies.colliders[k][s.collider_number[c]];
            Aabb box = bounds(collider, s.bodies.pose[k]);
            const double margin = reach_of(s, k) + 0.05 * collider.size;
            const Vec3 way = s.bodies.v[k] * s.dt;
            for (int axis = 0; axis < 3; ++axis) {
                box.min[axis] += std::min(0.0, way[axis]) - margin;
                box.max[axis] += std::max(0.0, way[axis]) + margin;
            }
            s.boxes[c] = box;
        }
    });
    if (!s.broad) s.broad = make_broad_phase(s.structure->settings.broad_phase);
    s.broad->find_pairs(s.boxes, s.collider_ids, *s.executor, s.collider_pairs);
    std::erase_if(s.collider_pairs, [&](const Pair& p) {
        return !may_collide(s, s.collider_body[p.first], s.collider_body[p.second]);
    });
    s.body_pairs.clear();
    for (const auto& [a, b] : s.collider_pairs)
        s.body_pairs.push_back({s.collider_body[a], s.collider_body[b]});

    // Old contacts and pairs are both in the order of their keys: one pass finds each pair's old points.
    s.old_contacts.resize(s.collider_pairs.size() + 1);
    std::uint32_t c = 0;
    for (std::size_t p = 0; p < s.collider_pairs.size(); ++p) {
        const auto [a, b] = s.collider_pairs[p];
        const PairKey key{s.bodies.uid[s.collider_body[a]], s.collider_number[a],
                          s.bodies.uid[s.collider_body[b]], s.collider_number[b]};
        while (c < s.contacts.size() && s.contacts[c].key < key) ++c;
        s.old_contacts[p] = c;
    }
    s.old_contacts.back() = static_cast<std::uint32_t>(s.contacts.size());
}

void build_islands(WorldState& s) {
    s.islands.build(s.bodies, s.body_pairs, s.joints);
    s.node_of.resize(s.bodies.size());
    s.next.resize(s.bodies.size());
    for (std::size_t k = 0; k < s.bodies.size(); ++k)
        if (s.bodies.kind[k] == BodyKind::Static) s.next[k] = {s.bodies.pose[k], {}, {}};
}

namespace {

void check_result(WorldState& s) {
    for (const auto& work : s.work)
        if (!work->failure.empty()) s.status = {false, work->failure};
    for (const auto k : s.islands.free_bodies) {
        const Motion& m = s.next[k];
        if (!s.status.ok ||
            (is_finite(m.pose.position) && is_finite(m.pose.orientation) && is_finite(m.v) && is_finite(m.w)))
            continue;
        s.status = {false,
                    fmt::format("body '{}' is not finite after free motion", s.structure->bodies[k].name)};
    }
    if (!s.status.ok) s.status.message = fmt::format("step {}: {}", s.step + 1, s.status.message);
}

}  // namespace

void collect(WorldState& s) {
    check_result(s);
    if (!s.status.ok) return;
    for (std::size_t k = 0; k < s.bodies.size(); ++k)
        s.bodies.pose[k] = s.next[k].pose, s.bodies.v[k] = s.next[k].v, s.bodies.w[k] = s.next[k].w;

    // Contacts in the order of their pairs, which is the order of their keys.
    s.contact_cursor.assign(s.collider_pairs.size() + 1, 0);
    for (const auto& work : s.work)
        for (const auto& result : work->results) ++s.contact_cursor[result.pair + 1];
    for (std::size_t p = 0; p < s.collider_pairs.size(); ++p) s.contact_cursor[p + 1] += s.contact_cursor[p];
    s.next_contacts.resize(s.contact_cursor.back());
    for (const auto& work : s.work)
        for (const auto& result : work->results)
            s.next_contacts[s.contact_cursor[result.pair]++] = result.point;
    std::swap(s.contacts, s.next_contacts);
    for (const auto& work : s.work)
        for (int k = 0; k < kStages; ++k) s.stage_seconds[k] += work->stage_seconds[k];
    ++s.step;
}

}  // namespace impuls
