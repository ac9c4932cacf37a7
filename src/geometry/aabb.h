// Axis-aligned bounding boxes.
#pragma once

#include <limits>

#include "impuls/shapes.h"
#include "impuls/vec.h"

namespace impuls {

struct Aabb {
    Vec3 min{std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity(),
             std::numeric_limits<double>::infinity()};
    Vec3 max{-std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity(),
             -std::numeric_limits<double>::infinity()};
};

constexpr bool overlaps(const Aabb& a, const Aabb& b) {
    return a.min.x <= b.max.x && b.min.x <= a.max.x && a.min.y <= b.max.y && b.min.y <= a.max.y &&
           a.min.z <= b.max.z && b.min.z <= a.max.z;
}

// True when no point is inside; such a box overlaps nothing.
constexpr bool is_empty(const Aabb& a) {
    return a.min.x > a.max.x || a.min.y > a.max.y || a.min.z > a.max.z;
}

constexpr bool contains(const Aabb& outer, const Aabb& inner) {
    return outer.min.x <= inner.min.x && inner.max.x <= outer.max.x && outer.min.y <= inner.min.y &&
           inner.max.y <= outer.max.y && outer.min.z <= inner.min.z && inner.max.z <= outer.max.z;
}

// Tight box around a shape at a pose: infinite for a plane, a point for Point, the surface of a height
// field.
Aabb bounds(const Shape& shape, const Pose& X_WB);

}  // namespace impuls
