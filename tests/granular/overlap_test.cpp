// The edge formula in the slab against the exact clipper, for all shapes and depths, and where faces
// coincide.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/rng.h"
#include "geometry/overlap.h"
#include "granular/contact.h"

namespace impuls::granular {
namespace {

Placed placed(const GrainShape& shape, const Vec3& x, const Quat& q, double size = 1) {
    return {&shape, x, q, to_matrix(q), size};
}

// The clipper's answer in world axes, relative to a.
Patch by_oracle(const Placed& a, const Placed& b) {
    OverlapFinder finder;
    Overlap found;
    const Pose X_AB{rotate_inverse(a.orientation, b.position - a.position),
                    conjugate(a.orientation) * b.orientation};
    Patch out;
    if (!finder.find(a.shape->view, b.shape->view, X_AB, found)) return out;
    out.volume = found.volume;
    const Vec3 area = rotate(a.orientation, found.area_a);
    out.area = length(area), out.normal = normalized(area);
    out.center = rotate(a.orientation, found.center);
    return out;
}

// b at a distance along a direction such that they overlap by about so much.
double pushed_together(const GrainShape& a, const Quat& qa, const GrainShape& b, const Quat& qb,
                       const Vec3& d, double depth) {
    double high = 0, low = 0;
    high = a.radius + b.radius;
    for (int k = 0; k < 60; ++k) {
        const double middle = (low + high) / 2;
        (by_oracle(placed(a, {}, qa), placed(b, d * middle, qb)).volume > 0 ? low : high) = middle;
    }
    return low - depth;
}

double worst_error(int vertices, double depth, int poses) {
    const GrainShape shape =
        vertices == 8 ? platonic_shape(6) : ellipsoid_shape(vertices, {1, 0.8, 0.7}, 0.1, 7);
    Rng draw(3, static_cast<std::uint64_t>(vertices));
    PatchFinder finder;
    double worst = 0;
    for (int k = 0; k < poses; ++k) {
        const Quat qa = draw.rotation(), qb = draw.rotation();
        const Vec3 d = rotate(draw.rotation(), {1, 0, 0});
        const Placed a = placed(shape, {}, qa);
        const Placed b = placed(shape, d * pushed_together(shape, qa, shape, qb, d, depth), qb);
        const Patch exact = by_oracle(a, b);
        PairAxis axis;
        Patch fast;
        EXPECT_TRUE(finder.between(a, b, axis, fast)) << vertices << " pose " << k;
        for (int again = 0; again < 2; ++again) {  // along the centres, then along the normal
            EXPECT_TRUE(finder.between(a, b, axis, fast));
            const double volume = std::min(exact.volume, std::pow(exact.area, 1.5));
            worst = std::max({worst, std::abs(fast.volume / volume - 1), std::abs(fast.area / exact.area - 1),
                              length(fast.center - exact.center), length(fast.normal - exact.normal)});
        }
    }
    return worst;
}

TEST(GranularOverlap, agrees_with_the_clipper) {
    for (const int vertices : {4, 8, 12, 62}) {
        EXPECT_LT(worst_error(vertices, 1e-2, 60), 1e-10) << vertices;
        EXPECT_LT(worst_error(vertices, 1e-4, 30), 1e-8) << vertices;
    }
    EXPECT_LT(worst_error(462, 1e-2, 4), 1e-10);
}

TEST(GranularOverlap, measures_flush_and_aligned_cubes) {
    const GrainShape cube = platonic_shape(6);
    const double edge = 2 / std::sqrt(3.0);
    PatchFinder finder;
    // Unturned principal axes of a cube are those of its faces: side faces coincide with those of the other.
    for (const Vec3& shift : {Vec3{}, Vec3{0.1, 0, 0}, Vec3{0.1, 0.3, 0}, Vec3{-0.2, 0.05, 0}})
        for (const double depth : {1e-2, 1e-3, 1e-5}) {
            const Placed a = placed(cube, {0.3, 0.7, -0.2}, {});
            const Placed b = placed(cube, a.position + shift + Vec3{0, 0, edge - depth}, {});
            PairAxis axis;
            Patch patch;
            ASSERT_TRUE(finder.between(a, b, axis, patch));
            const double along_x = edge - std::abs(shift.x), along_y = edge - std::abs(shift.y);
            const double area = along_x * along_y;
            // Where b stands out on one side, a's side face bounds the overlap there.
            const auto sign = [](double x) { return x > 0 ? 1.0 : x < 0 ? -1.0 : 0.0; };
            const Vec3 side{sign(shift.x) * depth * along_y, sign(shift.y) * depth * along_x, area};
            EXPECT_LT(length(patch.normal * patch.area - side), 1e-11) << shift.x << " " << depth;
            EXPECT_NEAR(patch.volume, area * depth, 1e-11 * depth + 1e-13) << shift.x << " " << depth;
        }
}

TEST(GranularOverlap, of_half_spaces_is_what_is_below_the_plane) {
    const GrainShape cube = platonic_shape(6);
    const double edge = 2 / std::sqrt(3.0);
    PatchFinder finder;
    PairAxis axis;
    Patch patch;
    // A cube on its face, its side down by a hundredth.
    ASSERT_TRUE(finder.with_plane(placed(cube, {0, edge / 2 - 0.01, 0}, {}), {{0, 1, 0}, -(edge / 2 - 0.01)},
                                  axis, patch));
    EXPECT_NEAR(patch.area, edge * edge, 1e-12);
    EXPECT_NEAR(patch.volume, edge * edge * 0.01, 1e-13);
    // On a corner: volume d^3 sqrt(3) / 2 of a corner of three right angles.
    const Vec3 up{0, 1, 0}, corner = normalized(Vec3{1, 1, 1});
    const Vec3 axis_of = normalized(cross(corner, -up));
    const Quat q = from_axis_angle(axis_of, std::acos(dot(corner, -up)));
    axis = {};
    ASSERT_TRUE(finder.with_plane(placed(cube, {0, 0.98, 0}, q), {up, -0.98}, axis, patch));
    EXPECT_NEAR(patch.volume, std::sqrt(3.0) / 2 * 0.02 * 0.02 * 0.02, 1e-15);
    EXPECT_NEAR(patch.center.y, -0.98 - 0.02 / 4, 1e-12);
}

TEST(GranularOverlap, finds_what_separates_bodies_that_are_apart) {
    const GrainShape shape = ellipsoid_shape(12, {1, 0.7, 0.5}, 0.2, 5);
    Rng draw(11, 0);
    PatchFinder finder;
    for (int k = 0; k < 200; ++k) {
        const Quat qa = draw.rotation(), qb = draw.rotation();
        const Vec3 d = rotate(draw.rotation(), {1, 0, 0});
        const double first = pushed_together(shape, qa, shape, qb, d, 0);
        const Placed a = placed(shape, {}, qa), b = placed(shape, d * (first + 1e-3), qb);
        PairAxis axis;
        Patch patch;
        EXPECT_FALSE(finder.between(a, b, axis, patch)) << k;
    }
}

}  // namespace
}  // namespace impuls::granular
