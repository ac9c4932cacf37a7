// Scratch space of the block stepper, a struct for each topic; owned by the workspace and used island after
// island.
#pragma once

#include <cstdint>
#include <vector>

#include "base/raw_vector.h"
#include "collision/graph/pair_cache.h"
#include "collision/manifold.h"
#include "constraints/problem.h"
#include "dynamics/contact.h"
#include "dynamics/joint_rows.h"
#include "impuls/vec.h"
#include "steppers/blocks/percentile.h"
#include "steppers/blocks/tuning.h"
#include "steppers/seams.h"

namespace impuls::blocks {

// Bodies (bodies.h).

struct BlockNode {            // parallel to Island::nodes
    double rim_speed = 0;     // m/s: of its surface relative to its centre, at most
    bool is_touched = false;  // something pushed or holds it in this pass
    bool is_round = false;    // balls about its centre, and one moment of inertia; or it does not move
    bool is_rolling = false;  // in this pass, and nothing else (rolling.h)
};

struct RootInertia {          // of a dynamic node at the start of the pass, in units of mass, W
    Mat3 root, inverse_root;  // of the tensor
    Vec3 gyration;            // - w x (I w), in units of mass: what turning changes of w
};

struct Displacement {  // of a dynamic body in a pass
    Vec3 shift, turn;
    Vec3 of(const Vec3& r) const { return shift + cross(turn, r); }  // of its point, r from its centre
};

struct BodyScratch {
    std::vector<BlockNode> nodes{};
    std::vector<RootInertia> inertias{};    // by node
    std::vector<Vec3> surfaces{};           // by node: velocity of a running surface, W
    std::vector<Displacement> displaced{};  // by node
    double mass_unit = 1;                   // kg
    double kinematic_root = 0;              // root of the inertia of kinematic bodies, in units of mass
};

// Contacts (search.h).

struct BlockPair {  // parallel to Island::pairs
    bool are_spheres = false;
    bool are_centred = false;           // the colliders, at their bodies' centres
    bool is_curved = false;             // either collider has surfaces that are neither flat nor sharp
    double radius_a = 0, radius_b = 0;  // of spheres
    PairCache::Slot* cache = nullptr;   // of others
    double travel = 0;                  // m: that its surfaces can move relative to each other in a step
    double travel_left = 0;             // m: that they may move before contacts must be found anew
    bool is_searched = false;           // in this pass
};

struct alignas(64) BlockManifold {  // as the solver has it
    std::uint32_t pair, first;      // of the island; its points in the results
    std::uint32_t a, b;             // nodes
    std::uint8_t count;             // of points
    bool is_pushed;
    bool is_round;    // see BlockContacts::set_manifold
    bool is_of_disk;  // the points are on the rim of a flat end
    float rise;       // of the normal, against gravity
    const ContactLaw* law;
    double size;    // m, of the pair
    double load;    // N, at rest
    float impulse;  // N s, normal, of all its points in the last substep
    bool rolls;     // its points know how their levers change (roll() in search.cpp)
};
static_assert(sizeof(BlockManifold) == 64);

struct SearchRun {  // contacts of a run of pairs, by one thread
    ContactPoints* points = nullptr;
    ContactPoints own{};
    RawVector<BlockManifold> manifolds{};
    std::vector<std::uint32_t> start{};                              // points of each pair
    std::size_t first_point = 0, end_point = 0, first_manifold = 0;  // among all
    bool has_rolling = false;
    std::vector<Manifold> found{};  // of one pair
};

struct SeamSearch {                      // contacts found again, at seams
    std::vector<std::uint32_t> pairs{};  // of the island, ascending
    SearchRun run{};                     // all pairs, with these in place
    std::vector<Manifold> corrected{};
};

// How many passes pairs or joints ask for.
struct PassCounter : PercentileCounter<kMostPasses> {
    PassCounter() : PercentileCounter({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}) {}
};

struct ContactScratch {
    bool has_rolling = false;  // a manifold rolls in this pass
    std::vector<BlockPair> pairs{};
    PassCounter passes{};  // of the pairs
    RawVector<BlockManifold> manifolds{};
    ContactPoints old_points{};  // of the last pass
    std::vector<std::uint32_t> old_start{}, next_start{};
    std::vector<SearchRun> runs{};
    Seams seams{};
    SeamSearch at_seams{};
};

// Loads (loads.h).

struct Support {                    // a manifold that bears something
    std::uint32_t manifold, lower;  // the latter: group
    double rise;                    // of the normal
    double share;                   // N: weight on it
};

struct GroupDepth {
    std::uint32_t bits;  // of a float, m: how far below the highest
    std::uint32_t group;
};

struct LoadScratch {
    std::vector<std::uint32_t> group{};      // by node: the lowest node that joints hold it together with
    std::vector<double> weight{}, height{};  // by node or group
    std::vector<std::uint32_t> member_count{};
    std::vector<GroupDepth> order{}, next_order{};
    RawVector<Support> supports{};  // by the group above
    std::vector<std::uint32_t> support_start{}, cursor{};
};

// Joints (joints.h).

struct JointScratch {
    bool is_factored = true;    // in the solver
    Rows rows{};                // where the bodies are at the start of the pass
    Rows middle{};              // where they will be in its middle
    std::vector<Pose> poses{};  // by node: there, or before joints are closed
    AxisLog axis_log{};
    Nodes nodes{};
    std::vector<NodeStart> starts{};
    std::vector<std::uint32_t> row_of{};  // by row: in the solver
};

}  // namespace impuls::blocks
