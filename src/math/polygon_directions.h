// Unit directions towards the corners of regular polygons, without trigonometric functions: the edges of
// friction pyramids (Erleben 4.6).
#pragma once

#include <array>
#include <span>
#include <utility>

namespace impuls {

// Cosine and sine of 2 pi k / n, k = 0 .. n-1, for n = 4, 6 or 8; other n give those of 4.
inline std::span<const std::pair<double, double>> polygon_directions(int n) {
    using Direction = std::pair<double, double>;
    static constexpr double kHalfRoot2 = 0.70710678118654752440, kHalfRoot3 = 0.86602540378443864676;
    static constexpr std::array<Direction, 4> kSquare{{{1, 0}, {0, 1}, {-1, 0}, {0, -1}}};
    static constexpr std::array<Direction, 6> kHexagon{
        {{1, 0}, {0.5, kHalfRoot3}, {-0.5, kHalfRoot3}, {-1, 0}, {-0.5, -kHalfRoot3}, {0.5, -kHalfRoot3}}};
    static constexpr std::array<Direction, 8> kOctagon{{{1, 0},
                                                        {kHalfRoot2, kHalfRoot2},
                                                        {0, 1},
                                                        {-kHalfRoot2, kHalfRoot2},
                                                        {-1, 0},
                                                        {-kHalfRoot2, -kHalfRoot2},
                                                        {0, -1},
                                                        {kHalfRoot2, -kHalfRoot2}}};
    if (n == 6) return kHexagon;
    if (n == 8) return kOctagon;
    return kSquare;
}

}  // namespace impuls
