// Contacts of an island by blocks: the narrow phase of all pairs, or what it found before.
//
// A pair that has hardly moved relative to itself since its contacts were found keeps them: each point is a
// point of either body, and its gap is what lies between the two now. Kept for pairs whose points have slid,
// and whose bodies have rotated, by less than kKept of their size, and whose travel is within what their
// margin leaves of it: features that were beyond the margin then still do not touch. All of it follows from
// the points, which are part of the state.
#pragma once

#include <cstdint>
#include <vector>

#include "base/raw_vector.h"
#include "collision/graph/pair_cache.h"
#include "collision/manifold.h"
#include "dynamics/contact.h"
#include "steppers/blocks/percentile.h"
#include "steppers/blocks/tuning.h"

namespace impuls::blocks {

struct Context;

struct BlockPair {  // parallel to Island::pairs
    bool are_spheres = false;
    bool are_centred = false;           // the colliders, at their bodies' centres
    double radius_a = 0, radius_b = 0;  // of spheres
    PairCache::Slot* cache = nullptr;   // of others
    double travel = 0;                  // m: that its surfaces can move relative to each other in a step
    double travel_left = 0;             // m: that they may move before contacts must be found anew
};

struct alignas(64) BlockManifold {     // as the solver has it
    std::uint32_t pair, first, count;  // of the island; its points in the results
    std::uint32_t a, b;                // nodes
    bool is_pushed;
    bool is_round;  // see BlockContacts::set_manifold
    const ContactLaw* law;
    double size;     // m, of the pair
    double rise;     // of the normal, against gravity
    double impulse;  // N s, normal, of all its points in the last substep
    double load;     // N, at rest
};

struct SearchRun {  // contacts of a run of pairs, by one thread
    ContactPoints* points = nullptr;
    ContactPoints own{};
    RawVector<BlockManifold> manifolds{};
    std::vector<std::uint32_t> start{};                              // points of each pair
    std::size_t first_point = 0, end_point = 0, first_manifold = 0;  // among all
    std::vector<Manifold> found{};                                   // of one pair
};

// How many passes pairs or joints ask for.
struct PassCounter : PercentileCounter<kMostPasses> {
    PassCounter() : PercentileCounter({1, 2, 3, 4}) {}
};

struct ContactScratch {
    std::vector<BlockPair> pairs{};
    PassCounter passes{};  // of the pairs
    RawVector<BlockManifold> manifolds{};
    ContactPoints old_points{};  // of the last pass
    std::vector<std::uint32_t> old_start{}, next_start{};
    std::vector<SearchRun> runs{};
};

// What blocks need to know of pairs beside IslandPair; and the number of substeps of the last step.
void prepare_pairs(Context& c);

// How far a pair's surfaces can move relative to each other in a time h.
double travel_of(const Context& c, std::size_t pair, double h);

// Points and manifolds of all pairs for the present pass.
void find_contacts(Context& c);

}  // namespace impuls::blocks
