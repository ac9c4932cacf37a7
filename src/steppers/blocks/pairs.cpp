// Pairs of an island by blocks: how far they can move in a step (search.h).
#include <algorithm>
#include <atomic>

#include "steppers/blocks/context.h"
#include "steppers/blocks/search.h"

namespace impuls::blocks {
namespace {

bool is_curved(const Collider& collider) {
    switch (collider.kind) {
        case ColliderKind::Sphere:
        case ColliderKind::Capsule:
        case ColliderKind::Cylinder:
        case ColliderKind::Cone:
        case ColliderKind::Ellipsoid:
        case ColliderKind::DistanceField:
            return true;
        default:
            return false;
    }
}

void prepare_pair(Context& c, std::size_t k) {
    const IslandPair& pair = c.island.pairs[k];
    BlockPair& own = c.contacts.pairs[k];
    const auto [ca, cb] = c.view.pairs.colliders[pair.pair];
    const Outline &oa = c.view.colliders.outline[ca], &ob = c.view.colliders.outline[cb];
    own.radius_a = oa.radius;
    own.radius_b = ob.radius;
    own.are_spheres = own.radius_a > 0 && own.radius_b > 0;
    own.are_centred = oa.centre == c.island.nodes[pair.a].pose.position &&
                      ob.centre == c.island.nodes[pair.b].pose.position;
    own.is_curved = !own.are_spheres && (is_curved(*pair.collider_a) || is_curved(*pair.collider_b));
    own.cache = own.are_spheres ? nullptr : &(*c.view.pairs.cache)[pair.pair];
    own.travel_left = 0;
    own.travel = travel_of(c, k, c.view.dt);
}

// Inline: compilers drop calls of functions that have no effect but prefetching.
[[gnu::always_inline]] inline void prefetch_pair(const Context& c, std::size_t k) {
    if (k >= c.island.pairs.size()) return;
    const std::uint32_t pair = c.island.pairs[k].pair;
    const auto [ca, cb] = c.view.pairs.colliders[pair];
    __builtin_prefetch(&c.view.colliders.outline[ca]);
    __builtin_prefetch(&c.view.colliders.outline[cb]);
    __builtin_prefetch(c.view.pairs.points.data() + c.view.pairs.old_start[pair]);
}

// Of the island in the last step, as the first point of a pair remembers; 0: none.
int last_substeps(const PairView& pairs, std::size_t p) {
    const auto points = pairs.old_range(p);
    return !points.empty() && points[0].key == pairs.keys[p] ? points[0].substeps : 0;
}

}  // namespace

double travel_of(const Context& c, std::size_t k, double h) {
    const IslandPair& pair = c.island.pairs[k];
    const IslandNode &a = c.island.nodes[pair.a], &b = c.island.nodes[pair.b];
    return h * (length(b.v - a.v) + c.bodies.nodes[pair.a].rim_speed + c.bodies.nodes[pair.b].rim_speed +
                h * length(b.acceleration - a.acceleration));
}

void prepare_pairs(Context& c) {
    const std::size_t count = c.island.pairs.size();
    c.contacts.pairs.resize(count);
    c.contacts.passes = {};
    std::atomic<int> substeps = 0;
    c.view.executor.parallel_for(count, 256, [&](std::size_t begin, std::size_t end) {
        int most = 0;
        PassCounter passes;
        for (std::size_t k = begin; k < end; ++k) {
            prefetch_pair(c, k + kPrefetchDistance);
            prepare_pair(c, k);
            passes.add(c.contacts.pairs[k].travel / (c.fineness.travel * c.island.pairs[k].size));
            most = std::max(most, last_substeps(c.view.pairs, c.island.pairs[k].pair));
        }
        for (int now = substeps; most > now && !substeps.compare_exchange_weak(now, most);) {
        }
        c.contacts.passes.add(passes);
    });
    c.substeps = substeps;
}

}  // namespace impuls::blocks
