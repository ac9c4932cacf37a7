// The size of a box as the broad phases compare sizes: by the binary exponent of its longest edge, so that
// scaling a scene by powers of two changes nothing. Called by the grid and the tree of boxes.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>

#include "geometry/aabb.h"

namespace impuls {

inline double extent_of(const Aabb& b) {
    return std::max(std::max(b.max.x - b.min.x, b.max.y - b.min.y), b.max.z - b.min.z);
}

// Neither empty nor infinite.
inline bool is_regular(double extent) {
    return extent >= 0 && extent < std::numeric_limits<double>::infinity();
}

inline std::uint32_t exponent_of(double extent) {
    return static_cast<std::uint32_t>(std::bit_cast<std::uint64_t>(extent) >> 52) & 0x7ff;
}

}  // namespace impuls
