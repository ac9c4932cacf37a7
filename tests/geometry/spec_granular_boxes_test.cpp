// Bounding boxes of convex polyhedra (granular spec T8): three methods against each other and brute force.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "base/rng.h"
#include "geometry/grains.h"
#include "geometry/polyhedron_bounds.h"
#include "support/full_size.h"
#include "support/slow_build.h"

namespace impuls {
namespace {

Polyhedron body(std::vector<Vec3> vertices, const Vec3& radii = {1, 1, 1}, const Vec3& offset = {}) {
    for (Vec3& v : vertices) v = scale(v, radii) + offset;
    const HullResult result = convex_hull(vertices);
    EXPECT_TRUE(result.ok()) << result.error;
    return make_polyhedron(result.hull);
}

// World coordinates of all vertices by the quaternion itself.
Aabb brute_box(const Polyhedron& p, const Pose& X) {
    Aabb box;
    for (const Vec3& v : p.hull.vertices) {
        const Vec3 x = X * v;
        for (int i = 0; i < 3; ++i)
            box.min[i] = std::min(box.min[i], x[i]), box.max[i] = std::max(box.max[i], x[i]);
    }
    return box;
}

double difference(const Aabb& a, const Aabb& b) {
    return std::max(length(a.min - b.min), length(a.max - b.max));
}

int orientations(int everything) {
    return is_long() ? everything : everything / (kSlowBuild ? 2000 : 200);
}

TEST(SpecGranular, T8_ellipsoid_box_contains_all_vertices) {
    Rng rng(8, 0);
    for (const int n : {4, 6, 12, 22, 62, 462}) {
        for (const Vec3& radii : {Vec3{1, 1, 1}, Vec3{2, 1, 0.5}}) {
            const Polyhedron p = body(grain_directions(n), radii, {0.3, -0.2, 0.7});
            ASSERT_EQ(p.hull.vertices.size(), static_cast<std::size_t>(n));
            for (int k = 0; k < orientations(1000000 / 12); ++k) {
                const Pose X{{}, rng.rotation()};
                const Mat3 R = to_matrix(X.orientation);
                const Aabb box = bounds_ellipsoid(p.boxes, X);
                for (const Vec3& v : p.hull.vertices) {
                    const Vec3 x = R * v;
                    ASSERT_TRUE(overlaps(box, {x, x})) << n << " " << k;
                }
            }
        }
    }
}

// Independent route: x_max^2 = (Q^-1)_xx for the quadratic form Q = R diag(1/a^2) R^T.
TEST(SpecGranular, T8_half_extents_equal_those_of_the_quadratic_form) {
    Rng rng(8, 1);
    BoxPlan plan;
    plan.radii = {2, 1, 0.5};
    for (int k = 0; k < 2000; ++k) {
        const Pose X{{}, rng.rotation()};
        const Mat3 R = to_matrix(X.orientation);
        const Mat3 Q = R * (diagonal({0.25, 1, 4}) * transpose(R)), inverse_Q = inverse(Q);
        const Aabb box = bounds_ellipsoid(plan, X);
        for (int i = 0; i < 3; ++i) ASSERT_NEAR(box.max[i], std::sqrt(inverse_Q[i][i]), 1e-14 * 2);
    }
}

// Vertices on an ellipsoid about their mean: that ellipsoid is found.
TEST(SpecGranular, T8_ellipsoid_of_grains_is_their_own) {
    for (const int n : {22, 62, 462}) {
        const Polyhedron p = body(grain_directions(n), {2, 1, 0.5}, {5, 6, 7});
        EXPECT_LT(length(p.boxes.radii - Vec3{2, 1, 0.5}), 1e-12) << n;
        EXPECT_LT(length(p.boxes.center - Vec3{5, 6, 7}), 1e-13) << n;
    }
}

TEST(SpecGranular, T8_volume_ratios) {
    const std::pair<int, double> expected[]{{4, 2.45}, {6, 1.85}, {12, 1.31}, {62, 1.057}, {462, 1.008}};
    for (const auto& [n, ratio] : expected) {
        const Polyhedron p = body(grain_directions(n));
        Rng rng(8, 2);
        const int count = kSlowBuild ? 4000 : 20000;
        double sum = 0;
        for (int k = 0; k < count; ++k) {
            const Pose X{{}, rng.rotation()};
            const auto volume = [](const Aabb& b) {
                const Vec3 e = b.max - b.min;
                return e.x * e.y * e.z;
            };
            sum += volume(bounds_ellipsoid(p.boxes, X)) / volume(brute_box(p, X));
        }
        EXPECT_NEAR(sum / count, ratio, 0.02 * ratio) << n;
        EXPECT_NEAR(p.boxes.looseness, ratio, 0.3 * ratio) << n;
    }
}

// Climbing and min-max give the tight box, whatever the shape and place.
TEST(SpecGranular, T8_climb_and_min_max_are_tight) {
    Rng rng(8, 3);
    for (const int n : {4, 6, 12, 22, 42, 62, 102, 202, 462}) {
        for (const Vec3& radii : {Vec3{1, 1, 1}, Vec3{3, 1, 0.2}}) {
            const Polyhedron p = body(grain_directions(n), radii, {0.1, 0.2, 0.3});
            for (int k = 0; k < 300; ++k) {
                const Pose X{{rng.uniform(-5, 5), 2, 1}, rng.rotation()};
                const Aabb tight = brute_box(p, X);
                ASSERT_LT(difference(bounds_min_max(p.view(), X), tight), 1e-14 * 8) << n;
                ASSERT_LT(difference(bounds_climb(p.view(), p.boxes, X), tight), 1e-14 * 8) << n;
                const Aabb chosen = bounds(p, X);
                for (int i = 0; i < 3; ++i) {
                    ASSERT_LE(chosen.min[i], tight.min[i] + 1e-13);
                    ASSERT_GE(chosen.max[i], tight.max[i] - 1e-13);
                }
            }
        }
    }
}

// Few vertices: min-max. A loose ellipsoid is never chosen, however many vertices there are.
TEST(PolyhedronBounds, MethodFollowsVertexCountAndTightness) {
    EXPECT_EQ(body(grain_directions(4)).boxes.method, BoxMethod::MinMax);
    EXPECT_EQ(body(grain_directions(462)).boxes.method, BoxMethod::Ellipsoid);
    std::vector<Vec3> cone{{0, 1, 0}};
    for (int k = 0; k < 200; ++k) {
        const double angle = 0.01 * std::numbers::pi * k;
        cone.push_back({std::cos(angle), -1, std::sin(angle)});
    }
    EXPECT_EQ(body(cone).boxes.method, BoxMethod::Climb);
}

}  // namespace
}  // namespace impuls
