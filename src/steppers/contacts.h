// The narrow phase of an island's pair, one way for all steppers: at the present poses of its nodes, within
// the pair's margin. The margin follows a policy: a slack for rounding and for pushes from third bodies,
// relative to the pair's size, and as far as its surfaces can come in the time ahead. Each stepper has its
// slack in its tuning.h, and says how far it looks ahead.
#pragma once

#include <vector>

#include "collision/graph/pair_cache.h"
#include "steppers/island.h"

namespace impuls {

struct MarginPolicy {
    double slack;  // of the pair's size

    // For a pair whose surfaces can come closer by `way`, m.
    double margin(const IslandPair& pair, double way) const {
        return rounded_margin(pair.size, slack * pair.size + way);
    }
};

// The pair's manifolds into `out`, and kept in its cache.
inline void find_contacts(const WorldView& view, const Island& island, const IslandPair& pair,
                          std::vector<Manifold>& out) {
    contacts_between(*pair.collider_a, island.nodes[pair.a].pose, *pair.collider_b, island.nodes[pair.b].pose,
                     pair.margin, (*view.pairs.cache)[pair.pair], out);
}

// What that found last.
inline void known_contacts(const WorldView& view, const IslandPair& pair, std::vector<Manifold>& out) {
    known_contacts((*view.pairs.cache)[pair.pair], out);
}

// The manifolds into `out`, for a stepper that keeps points itself; `slot` is the pair's in the cache.
inline void find_contacts(const Island& island, const IslandPair& pair, PairCache::Slot& slot,
                          std::vector<Manifold>& out) {
    find_contacts(*pair.collider_a, island.nodes[pair.a].pose, *pair.collider_b, island.nodes[pair.b].pose,
                  pair.margin, slot, out);
}

}  // namespace impuls
