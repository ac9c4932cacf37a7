// Signed distance of two convex polyhedra by CGAL with exact numbers: apart, the quadratic program of
// Polytope_distance_d over big floats; overlapping, the convex hull of all differences of vertices (exact
// predicates) and the least distance of the origin from its facets, in rationals. Vertices are placed in
// double; that moves the answer by rounding only, since both numbers change by no more than the vertices do.
#pragma once

#include <span>
#include <vector>

#include "impuls/vec.h"

namespace impuls::exact {

// Zero when they touch or overlap.
double distance(std::span<const Vec3> a, std::span<const Vec3> b);

// Least distance of the origin from the border of A - B, negative outside.
double depth(std::span<const Vec3> a, std::span<const Vec3> b);

}  // namespace impuls::exact
