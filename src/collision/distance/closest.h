// Closest points of any two colliders, and where a point lies. Convex pairs by GJK and EPA; a plane by the
// other's support point; meshes, distance fields and height fields by the nearest triangle (piece_search.h).
// What lies wholly inside one of these has a negative distance: minus the depth of its farthest point below
// the plane that touches the surface at the nearest point. Two planes have no closest points.
// Called by distance queries, casts and time of impact.
#pragma once

#include "collision/collider.h"
#include "collision/convex/closest_points.h"

namespace impuls {

// World coordinates; poses are those of the colliders. Farther than `give_up_beyond`: `beyond` is set, and
// `distance` is a lower bound.
Closest closest(const Collider& a, const Pose& X_WA, const Collider& b, const Pose& X_WB,
                double give_up_beyond = kNoLimit);

// The same points and normal in the frame that X places theirs in.
Closest into_world(Closest c, const Pose& X);

// True when the point (world) is in the solid or on its surface; a height field is solid below.
bool contains_point(const Collider& collider, const Pose& X_WC, const Vec3& point);

// A box around what is inside a ball; used to choose triangles.
Aabb box_around(const Vec3& center, double radius);

}  // namespace impuls
