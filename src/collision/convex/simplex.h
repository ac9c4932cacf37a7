// The point of a simplex (1 to 4 points) nearest to the origin, with its smallest supporting face: the inner
// problem of GJK (Gilbert, Johnson, Keerthi 1988). All faces are tried and the nearest admissible point wins;
// faces that are degenerate to rounding are left to their own edges, which is what makes Johnson's recursion
// fail and Montanari et al. (2017) repair it. Called by gjk.cpp.
#pragma once

#include <array>

#include "base/assert.h"
#include "collision/convex/minkowski.h"

namespace impuls {

struct Simplex {
    int count = 0;
    std::array<MinkowskiPoint, 4> points{};
    std::array<double, 4> weight{};
    Vec3 v{};  // nearest point: sum of weight * points

    void push(const MinkowskiPoint& p) {
        IMPULS_ASSERT_INDEX(count, points.size());
        points[static_cast<std::size_t>(count++)] = p;
    }
    bool holds(const Vec3& w) const;
    Vec3 point_a() const;
    Vec3 point_b() const;  // in B's frame
};

// Keeps the points that carry the nearest point. With `newest_only` the last point is known to be one of
// them. Returns true when the simplex is a tetrahedron around the origin; it is then left as it is.
bool reduce(Simplex& s, bool newest_only);

}  // namespace impuls
