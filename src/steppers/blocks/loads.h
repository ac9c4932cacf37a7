// What contacts bear at rest: weights passed down from body to body (from group to group of bodies that
// joints hold together), shared by the contacts below in proportion to their last impulses. Stress that
// contacts only have from one another is not in it.
#pragma once

#include <cstdint>
#include <vector>

#include "base/raw_vector.h"

namespace impuls::blocks {

struct Context;

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

// Groups of dynamic nodes that joints hold together.
void group_nodes(Context& c);

// BlockManifold::load of all manifolds.
void estimate_loads(Context& c);

}  // namespace impuls::blocks
