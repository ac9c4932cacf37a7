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

// Tight box around a shape at a pose: infinite for a plane, a point for Point, the surface of a height
// field.
Aabb bounds(const Shape& shape, const Pose& X_WB);

}  // namespace impuls
