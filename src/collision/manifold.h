// Where and how two colliders touch.
#pragma once

#include <cstdint>

#include "base/raw_array.h"
#include "impuls/vec.h"

namespace impuls {

inline constexpr int kMaxManifoldPoints = 8;

struct ManifoldPoint {
    Vec3 position{};            // W, midway between the two surfaces
    double separation = 0;      // m along the normal, negative when penetrating
    std::uint32_t feature = 0;  // names the touching features; the same from step to step while they touch
};

struct Manifold {
    Manifold() {}  // written out, so that nobody zeroes the points

    Vec3 normal{};  // W, from a to b
    int count = 0;
    RawArray<ManifoldPoint, kMaxManifoldPoints> points;  // set up to `count`
};

}  // namespace impuls
