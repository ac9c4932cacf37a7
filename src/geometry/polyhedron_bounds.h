// Bounding boxes of placed convex polyhedra, three ways (Schinner 4.1.3, corrected): all vertices; the closed
// form for an ellipsoid around them, whatever the number of vertices, but a little larger; and a climb to the
// farthest vertex in six directions. Called by colliders in every step.
#pragma once

#include "geometry/aabb.h"
#include "geometry/polyhedron.h"

namespace impuls {

Aabb bounds_min_max(const PolyhedronView& p, const Pose& X_WP);
Aabb bounds_ellipsoid(const BoxPlan& plan, const Pose& X_WP);
Aabb bounds_climb(const PolyhedronView& p, const BoxPlan& plan, const Pose& X_WP);

// By the method that p.boxes names.
Aabb bounds(const Polyhedron& p, const Pose& X_WP);

}  // namespace impuls
