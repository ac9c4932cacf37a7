// Exact signed distance of a point from a simple collider, with its gradient. Closed forms; the ellipsoid by
// Newton's method. Uses + - * / and sqrt only. Called for samples of distance field solids.
#pragma once

#include "collision/collider.h"

namespace impuls::narrow {

struct PointDistance {
    double distance = 0;  // negative inside
    Vec3 normal{};        // unit; outwards
};

// p and the result in the collider's frame. Plane, sphere, box, capsule, cylinder, cone, ellipsoid, convex.
PointDistance point_distance(const Collider& collider, const Vec3& p);

// Not more than the distance, and quick.
double distance_bound(const Collider& collider, const Vec3& p);

}  // namespace impuls::narrow
