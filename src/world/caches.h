// What steps make anew from model and state, and may be dropped at any time: nothing here decides the future.
// Contacts and edges between two dormant bodies are state that lies aside; they are brought back first
// (drop_caches in build.cpp). Only files of src/world include this.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "areal/surface_cache.h"
#include "collision/broad/broad.h"
#include "collision/graph/groups.h"
#include "collision/graph/pair_cache.h"
#include "collision/outline.h"
#include "dynamics/body_set.h"
#include "dynamics/contact.h"
#include "steppers/schedule.h"
#include "world/active_set.h"

namespace impuls {

// From search to search for pairs (pairs.cpp).
struct PairSearch {
    std::vector<Pair> found{};  // by the broad phase; then those that are admitted, chunk by chunk
    std::vector<LastPlace> found_places{};  // of these
    std::vector<std::uint32_t> start{};     // of each chunk among the pairs, and one end
    std::vector<Pair> last{};               // the pairs of the search before
    std::vector<PairKey> last_keys{};       // likewise
    std::vector<LastPlace> places{};        // of the pairs, in these
    bool can_compare = false;               // numbers and rules are those of the search before
};

// By collider, in the order of ColliderNumbers. Boxes and outlines are those of what is active now; of the
// dormant, what they had when they became so.
struct ColliderTables {
    std::vector<double> size{};  // as in the colliders
    std::vector<Aabb> boxes{};
    std::vector<Outline> outlines{};
    std::unique_ptr<BroadPhase> broad{};
};

// Pairs that a step looks at, in the order of their keys, and the contacts of each.
struct PairTables {
    std::vector<Pair> colliders{}, bodies{};
    std::vector<PairKey> keys{};
    std::vector<std::uint32_t> edge{};  // in the graph
    PairCache cache{};
    PairSearch search{};
    std::vector<std::vector<Manifold>> screened{};  // scratch, by chunk of pairs
    std::vector<Manifold> sensed{};                 // likewise, of a sensor's pair
    // Before a step: start of each pair's points among the contacts, and one end; whether one is present.
    std::vector<std::uint32_t> old_start{};
    std::vector<std::uint8_t> has_contact{};
    // After a step: of each contact its pair; of each pair its first contact, and one end (empty when
    // contacts came or went since), and whether one of them is present (of the end: none is).
    std::vector<std::uint32_t> of_contact{}, contact_start{};
    std::vector<std::uint8_t> is_borne{};
};

// Islands of a step, and what their steppers leave behind.
struct IslandTables {
    std::vector<NodeRole> roles{};      // by body
    std::vector<Pair> contact_edges{};  // body pairs, without those that cannot touch in this step
    std::vector<Pair>
        joint_edges{};  // of active joints that hold, then those to their frames, then of forces
    // Its joint; of an edge to a frame, plus the number of joints; of a force, plus twice that number.
    std::vector<std::uint32_t> edge_joint{};
    Groups groups{};
    std::vector<std::uint8_t> is_asleep{};     // by island
    std::vector<std::uint8_t> is_supported{};  // by body, in the step just done
    IslandSchedule schedule{};
    std::vector<double> pull{};  // by body, m/s^2: see find_pulls
    std::vector<Motion> next{};  // by body; after a step, the motion before it
    ContactPoints next_contacts{};
};

// What a step visits, and what it skips (active_set.h).
struct Activity {
    ActiveLists lists{};
    Dormant dormant{};
    std::vector<std::uint8_t> quiet_steps{};  // by body: for how many nothing changed, up to 255
    bool is_still = false;  // all slept through the last step: so they do until a command comes
};

struct Caches {
    ColliderTables colliders{};
    PairTables pairs{};
    IslandTables islands{};
    Activity active{};
    std::shared_ptr<areal::SurfaceCache> surfaces = std::make_shared<areal::SurfaceCache>();
};

}  // namespace impuls
