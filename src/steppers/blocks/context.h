// What the stages of a step by blocks work on: the world as it was, the island, and a scratch struct for each
// topic. Functions take all of it and say by their names what they change.
#pragma once

#include <cstddef>

#include "solvers/blocks/contacts.h"
#include "steppers/blocks/scratch.h"
#include "steppers/blocks/tuning.h"
#include "steppers/island.h"
#include "steppers/results.h"

namespace impuls::blocks {

// A run of substeps for which geometry is frozen.
struct Pass {
    double time = 0;  // s
    double left = 0;  // s until the step ends, from the start of the pass
    bool is_first = true;
    int substeps = 1;

    double substep() const { return time / substeps; }
};

struct Context {
    const WorldView& view;
    Island& island;
    const Fineness& fineness;
    BodyScratch& bodies;
    ContactScratch& contacts;
    LoadScratch& loads;
    JointScratch& joints;
    BlockContacts& solver;
    ContactResults& results;      // contact points are written in place, from first_point on
    std::size_t first_point = 0;  // of this island
    Vec3 up{};                    // against gravity; 0 without
    int passes = 1;               // of the step
    Pass pass{};                  // the present one
    int substeps = 0;             // of the whole step; until they are chosen, those of the last one
    bool is_lost = false;
    bool has_overlap = false, has_deep = false;  // see Results, after the last pass
};

inline constexpr std::size_t kPrefetchDistance = 6;  // items: what they refer to is scattered in memory

// Calls f(k) for every node, in parallel.
template <class F>
void for_nodes(const Context& c, F&& f) {
    c.view.executor.parallel_for(c.island.nodes.size(), 256, [&](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k) f(k);
    });
}

inline double inv_mass_of(const Island& island, std::uint32_t a, std::uint32_t b) {
    return island.nodes[a].inv_mass + island.nodes[b].inv_mass;
}

}  // namespace impuls::blocks
