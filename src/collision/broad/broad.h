// Broad phases: boxes in, overlapping pairs out. The pairs are exactly those of the boxes given now, in an
// order that depends on nothing but their numbers; what a phase remembers from call to call only saves time.
// Called by the pair stage of a step; settings.broad_phase chooses one.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "geometry/aabb.h"
#include "impuls/executor.h"
#include "impuls/settings.h"

namespace impuls {

using Pair = std::pair<std::uint32_t, std::uint32_t>;  // first < second

class BroadPhase {
  public:
    virtual ~BroadPhase() = default;

    // All pairs of overlapping boxes (touching counts), sorted. `ids` name the boxes, ascending: by them a
    // phase recognises boxes when others were added or removed since the last call. Boxes may be infinite or
    // empty, but hold no NaN; fewer than 2^31 of them. No allocation once warm.
    virtual void find_pairs(std::span<const Aabb> boxes, std::span<const std::uint64_t> ids,
                            Executor& executor, std::vector<Pair>& out) = 0;
};

std::unique_ptr<BroadPhase> make_broad_phase(BroadPhaseKind kind);

// By testing each with each: the oracle of the others.
void find_pairs_brute_force(std::span<const Aabb> boxes, std::vector<Pair>& out);

}  // namespace impuls
