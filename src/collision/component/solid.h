// What a public Solid holds: the colliders of its shape, and geometry over all of them.
#pragma once

#include <vector>

#include "collision/collider.h"
#include "collision/query/closest.h"
#include "collision/query/ray.h"
#include "impuls/collision.h"

namespace impuls {

struct Solid::Parts {
    std::vector<Collider> colliders{};
    double size = 0;  // of the smallest bounded part; 0 when all are planes
};

Aabb bounds(const Solid& solid, const Pose& X_WB);
RayHit ray_cast(const Ray& ray, const Solid& solid, const Pose& X_WB);
bool contains(const Solid& solid, const Pose& X_WB, const Vec3& point);
// Infinite when farther than `limit`.
Distance distance_within(const Solid& a, const Pose& X_WA, const Solid& b, const Pose& X_WB, double limit);
std::vector<TouchPoint> contacts(const Solid& a, const Pose& X_WA, const Solid& b, const Pose& X_WB,
                                 double margin);

}  // namespace impuls
