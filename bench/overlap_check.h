// How deep two solids are in each other, in double precision and by nothing but definitions: the same judge
// for every engine, and none of the code it judges. Balls by distance of centres; polyhedra by separating
// axes: the depth is the smallest overlap over all face normals and all cross products of edges (for convex
// polyhedra that is exactly the smallest translation that separates them). A ball against a polyhedron by the
// closest point of all faces.
#pragma once

#include <cstddef>
#include <vector>

#include "bench/model.h"

namespace impuls::bench {

// Negative: apart by at least that much.
double overlap_depth(const Solid& a, const Pose& X_WA, const Solid& b, const Pose& X_WB, double give_up);

struct OverlapReport {
    double max = 0, p99 = 0, mean = 0;  // m, over the pairs that overlap
    std::size_t overlapping = 0;
    std::size_t touching = 0;  // pairs closer than kTouch
};

inline constexpr double kTouch = 0.005;  // m

// All pairs of bodies that may collide: not both static, not joined.
OverlapReport check_overlaps(const Model& model, const std::vector<BodyState>& states);

}  // namespace impuls::bench
