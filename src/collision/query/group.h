// Geometry of groups of colliders that move together (a body, a Solid): every collider of one with every
// collider of the other, the first or the nearest counts. Called by the query index and the collision
// component.
#pragma once

#include <span>

#include "collision/distance/closest.h"
#include "collision/ray/ray.h"
#include "impuls/collision.h"

namespace impuls {

using ColliderGroup = std::span<const Collider>;

// Size of the smallest bounded part that has one; 0 when none has.
double size_of(ColliderGroup group);
// The smaller of two sizes, where 0 means none.
double smaller_of(double size_a, double size_b);

Aabb bounds(ColliderGroup group, const Pose& X_WB);
RayHit ray_cast(const Ray& ray, ColliderGroup group, const Pose& X_WB);
bool contains(ColliderGroup group, const Pose& X_WB, const Vec3& point);
// Infinite when farther than `limit`.
Distance distance_within(ColliderGroup a, const Pose& X_WA, ColliderGroup b, const Pose& X_WB, double limit);
// `target` (> 0, m) is the distance that counts as touching.
ImpactTime time_of_impact(ColliderGroup a, const Sweep& sweep_a, ColliderGroup b, const Sweep& sweep_b,
                          double duration, double target);

}  // namespace impuls
