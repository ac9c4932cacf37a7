// Contacts of what rolls (rolling.h).
#include "steppers/blocks/rolling.h"

#include <algorithm>

#include "math/rotation.h"
#include "steppers/blocks/tuning.h"
#include "steppers/contacts.h"

namespace impuls::blocks {
namespace {

// A node half a pass ahead.
Pose middle_pose(const Context& c, const IslandNode& node) {
    const double t = 0.5 * c.pass.time;
    return {node.pose.position + node.v * t, turned(node.pose.orientation, node.w * t)};
}

}  // namespace

void roll(const Context& c, std::size_t p, SearchRun& to) {
    const IslandPair& pair = c.island.pairs[p];
    const IslandNode &a = c.island.nodes[pair.a], &b = c.island.nodes[pair.b];
    const double turn = c.pass.time * std::max(length(a.w), length(b.w)), most = kMostTurn * pair.size;
    if (turn < kLeastTurn || turn > kMostTurn) return;
    const Pose at_a = middle_pose(c, a), at_b = middle_pose(c, b);
    impuls::find_contacts(*pair.collider_a, at_a, *pair.collider_b, at_b, pair.margin,
                          *c.contacts.pairs[p].cache, to.found);
    // The same feature then, if it has not moved too far over a body that moves.
    const auto change = [&](ContactPoint& now) {
        for (const Manifold& next : to.found)
            for (int i = 0; i < next.count; ++i) {
                const ManifoldPoint& then = next.points[static_cast<std::size_t>(i)];
                if (then.feature != now.feature) continue;
                const Vec3 by_a = then.position - now.position - (at_a.position - a.pose.position),
                           by_b = then.position - now.position - (at_b.position - b.pose.position);
                if (a.is_dynamic && length_squared(by_a) > most * most) return false;
                if (b.is_dynamic && length_squared(by_b) > most * most) return false;
                // Another face, or a seam that was passed over (seams.h).
                if (length_squared(next.normal - now.normal) > kMostTurn * kMostTurn) return false;
                now.anchor_a = Rounded3(by_a);
                now.anchor_b = Rounded3(by_b);
                now.normal_b = Rounded3(next.normal - now.normal);
                return true;
            }
        return false;
    };
    for (std::size_t m = to.manifolds.size(); m-- > 0 && to.manifolds[m].pair == p;) {
        BlockManifold& manifold = to.manifolds[m];
        if (manifold.count > 2) continue;
        ContactPoint* const points = to.points->data() + manifold.first;
        manifold.rolls = std::all_of(points, points + manifold.count, change);
        to.has_rolling = to.has_rolling || manifold.rolls;
    }
}

void find_rolling(Context& c) {
    for (BlockNode& node : c.bodies.nodes) node.is_rolling = false;
    if (!c.contacts.has_rolling) return;
    const auto& manifolds = c.contacts.manifolds;
    const auto partner_of = [&](const BlockManifold& m, std::uint32_t k) {
        return c.island.nodes[m.a == k ? m.b : m.a].is_dynamic;
    };
    for (const BlockManifold& m : manifolds)
        if (m.rolls)
            for (const std::uint32_t k : {m.a, m.b})
                c.bodies.nodes[k].is_rolling = c.island.nodes[k].is_dynamic && !c.island.nodes[k].is_joined;
    for (const BlockManifold& m : manifolds)
        for (const std::uint32_t k : {m.a, m.b})
            if (!m.rolls || !(m.impulse > 0) || partner_of(m, k)) c.bodies.nodes[k].is_rolling = false;
}

}  // namespace impuls::blocks
