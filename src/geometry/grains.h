// Bodies with vertices on an ellipsoid, as the grains of Schinner (1995): tetrahedron with a vertex on +z,
// octahedron along the axes, icosahedron with poles on z, otherwise two poles and staggered rings around z.
// Numbers of vertices as in his table 4.4. Called by studies and tests; not part of a step.
#pragma once

#include <span>

#include "geometry/polyhedron.h"

namespace impuls {

// 4, 6, 12, 18, 22, 42, 52, 62, 72, 82, 102, 202, 302, 462.
std::span<const int> grain_vertex_counts();

// Points on the unit sphere; throws std::invalid_argument for other numbers.
std::vector<Vec3> grain_directions(int vertices);

// Their hull on the ellipsoid with these semi-axes.
Polyhedron make_grain(int vertices, const Vec3& radii = {1, 1, 1});

}  // namespace impuls
