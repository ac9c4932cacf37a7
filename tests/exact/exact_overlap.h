// The overlap of two convex bodies with proven bounds: the oracle for geometry/overlap.h, by another road.
// Hulls come from CGAL (exact rationals); every triangle of each body is clipped by all planes of the other
// on its own, in ball arithmetic (ball.h), so that every side is decided for certain and every result has a
// bound. Planes that a triangle is clear of by a millionth of the size are decided in doubles.
// So that no side is exactly zero, b is first moved by about kShift of its size in all six directions. That
// changes volume and moments by no more than the shift times the surface, and areas by the shift over the
// sine of the angle of the faces: far below what is asked of them. When a side is still undecided, or the
// bound too wide (faces parallel to the shift cut each other along a line that is known to rounding over
// shift, and corners of such faces are about a shift from the planes around them), another shift is tried,
// later with numbers of 320 bits.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "base/rng.h"
#include "impuls/vec.h"

namespace impuls::exact {

constexpr double kShift = 1e-17;

struct Body {
    std::vector<Vec3> points{};
    std::vector<std::array<std::size_t, 3>> triangles{};
    std::vector<std::size_t> distinct{};  // triangles whose planes are those of all, without repetition
};

// The convex hull; its points are in no special order.
Body hull(std::span<const Vec3> vertices);

struct Result {
    double volume = 0;
    Vec3 first_moment{};      // about a's origin
    Vec3 area_a{}, area_b{};  // integral of the outward normal over a's, b's part of the boundary
    double bound = 0;         // on the error of each of these numbers, for b as it was shifted
    int shifts = 0;           // tried until every side was certain
};

// X_AB places b in a's frame; its quaternion need not have length one. Nothing when eight shifts did not do.
std::optional<Result> overlap(const Body& a, const Body& b, const Pose& X_AB, Rng& rng);

}  // namespace impuls::exact
