// Depth of penetration of two cores by the expanding polytope (van den Bergen 2001): the polytope of support
// points inside A - B grows at its face nearest to the origin until that face is on the boundary. For
// polyhedra this ends at a face of the difference. For curved shapes it ends early and a descent finds the
// minimum of the support function h(n) nearby: with the point p = (h(n) + delta) n outside the difference,
// the direction n' from its closest point to p has h(n') <= |p| - delta = h(n), and n' = n only where p's
// foot lies along n, that is at a minimum. Each step is a GJK query; the last three are extrapolated. Flat
// differences (crossing segments, a point on a segment) have depth 0 along their normal. Called by
// closest_points.cpp.
#pragma once

#include "collision/convex/minkowski.h"
#include "collision/convex/simplex.h"

namespace impuls {

struct Penetration {
    Vec3 p_a{}, p_b{};  // deepest points, in A
    Vec3 normal{};      // unit, in A: moving b by depth * normal separates
    double depth = 0;   // slightly negative where the bodies touch but are apart by rounding
    bool ok = true;
    int iterations = 0;
};

// `seed`: the simplex with which GJK found the overlap.
Penetration penetration(MinkowskiDifference& difference, const Simplex& seed);

}  // namespace impuls
