// Numbers for the corners, edges and faces of a box, used in feature ids. They name what touches on each box,
// so an id stays the same when only the choice of reference face changes.
#pragma once

#include <array>
#include <cstdint>

#include "impuls/vec.h"

namespace impuls::narrow {

using Signs = std::array<bool, 3>;  // which side of each local axis; true is the positive one

// 0..7: bit i is set on the positive side of axis i.
constexpr std::uint32_t corner_number(const Signs& s) {
    return (s[0] ? 1u : 0u) | (s[1] ? 2u : 0u) | (s[2] ? 4u : 0u);
}
// 8..19: the edge along `axis`, placed by the signs of the two other axes.
constexpr std::uint32_t edge_number(int axis, const Signs& s) {
    const auto u = static_cast<std::size_t>((axis + 1) % 3), v = static_cast<std::size_t>((axis + 2) % 3);
    return 8u + 4u * static_cast<std::uint32_t>(axis) + (s[u] ? 1u : 0u) + (s[v] ? 2u : 0u);
}
// 20..25
constexpr std::uint32_t face_number(int axis, bool positive) {
    return 20u + 2u * static_cast<std::uint32_t>(axis) + (positive ? 1u : 0u);
}

constexpr Vec3 corner(const Vec3& half, const Signs& s) {
    return {s[0] ? half.x : -half.x, s[1] ? half.y : -half.y, s[2] ? half.z : -half.z};
}

constexpr std::uint32_t pair_feature(std::uint32_t on_a, std::uint32_t on_b) {
    return on_a | on_b << 8;
}

}  // namespace impuls::narrow
