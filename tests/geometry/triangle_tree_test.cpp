// The tree against loops over all triangles.
#include "geometry/triangle_tree.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/rng.h"
#include "support/solid_meshes.h"

namespace impuls {
namespace {

Vec3 random_point(Rng& rng, double r) {
    return {rng.uniform(-r, r), rng.uniform(-r, r), rng.uniform(-r, r)};
}

// Nearest point of a triangle by brute force over barycentric coordinates, refined around the best.
double distance_by_search(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c) {
    double best = 1e300, u0 = 0.5, v0 = 0.5, width = 0.5;
    for (int round = 0; round < 30; ++round, width *= 0.5) {
        double bu = u0, bv = v0;
        for (int i = -8; i <= 8; ++i)
            for (int j = -8; j <= 8; ++j) {
                const double u = std::clamp(u0 + width * i / 8, 0.0, 1.0);
                const double v = std::clamp(v0 + width * j / 8, 0.0, 1.0 - u);
                const double d = length(p - (a + (b - a) * u + (c - a) * v));
                if (d < best) best = d, bu = u, bv = v;
            }
        u0 = bu, v0 = bv;
    }
    return best;
}

TEST(TriangleTree, ClosestPointOfATriangle) {
    Rng rng(1, 0);
    for (int k = 0; k < 300; ++k) {
        const Vec3 a = random_point(rng, 1), b = random_point(rng, 1), c = random_point(rng, 1),
                   p = random_point(rng, 2);
        const double d = length(p - closest_on_triangle(p, a, b, c).point);
        EXPECT_NEAR(d, distance_by_search(p, a, b, c), 1e-6) << k;
    }
    // Without area: a needle and a point.
    EXPECT_NEAR(
        length(closest_on_triangle({0.25, 1, 0}, {}, {1, 0, 0}, {0.5, 0, 0}).point - Vec3{0.25, 0, 0}), 0,
        1e-15);
    EXPECT_EQ(closest_on_triangle({1, 1, 1}, {2, 2, 2}, {2, 2, 2}, {2, 2, 2}).point, (Vec3{2, 2, 2}));
}

TEST(TriangleTree, QueriesAreThoseOfALoop) {
    const TriangleMesh m = meshes::bumpy_sphere(1, 0.3, 24);
    TriangleTree tree;
    tree.build(m.vertices, m.triangles);
    Rng rng(2, 0);
    for (int k = 0; k < 300; ++k) {
        const Vec3 p = random_point(rng, 2), d = random_point(rng, 1);
        double nearest = 1e300, first = 1e300;
        for (const auto& [a, b, c] : m.triangles) {
            const Vec3 &pa = m.vertices[a], &pb = m.vertices[b], &pc = m.vertices[c];
            nearest = std::min(nearest, length(p - closest_on_triangle(p, pa, pb, pc).point));
            const double det = dot(cross(pb - pa, pc - pa), d),
                         t = dot(cross(pb - pa, pc - pa), pa - p) / det;
            const Vec3 q = p + d * t;
            const bool inside = dot(cross(pb - pa, q - pa), cross(pb - pa, pc - pa)) >= 0 &&
                                dot(cross(pc - pb, q - pb), cross(pb - pa, pc - pa)) >= 0 &&
                                dot(cross(pa - pc, q - pc), cross(pb - pa, pc - pa)) >= 0;
            if (inside && t >= 0) first = std::min(first, t);
        }
        EXPECT_NEAR(std::sqrt(tree.closest(p).distance_squared), nearest, 1e-12);
        EXPECT_EQ(tree.closest(p, 0.99 * nearest * nearest).triangle, kNoTriangle);
        const RayOnMesh hit = tree.ray(p, d);
        EXPECT_EQ(hit.triangle != kNoTriangle, first < 1e299);
        if (first < 1e299) {
            EXPECT_NEAR(hit.t, first, 1e-9);
        }
    }
}

TEST(TriangleTree, VisitsEachOverlappingTriangleOnce) {
    const TriangleMesh m = meshes::torus(1, 0.4, 30, 20);
    TriangleTree tree;
    tree.build(m.vertices, m.triangles);
    Rng rng(3, 0);
    for (int k = 0; k < 200; ++k) {
        const Vec3 c = random_point(rng, 1.5),
                   h{rng.uniform(0, 0.5), rng.uniform(0, 0.5), rng.uniform(0, 0.5)};
        const Aabb box{c - h, c + h};
        std::vector<std::uint32_t> found, expected;
        tree.visit(box, [&](std::uint32_t t) { found.push_back(t); });
        for (std::uint32_t t = 0; t < m.triangles.size(); ++t) {
            Aabb own;
            for (const std::uint32_t v : m.triangles[t])
                for (int i = 0; i < 3; ++i) {
                    own.min[i] = std::min(own.min[i], m.vertices[v][i]);
                    own.max[i] = std::max(own.max[i], m.vertices[v][i]);
                }
            if (overlaps(own, box)) expected.push_back(t);
        }
        std::sort(found.begin(), found.end());
        EXPECT_EQ(found, expected);
    }
    tree.build({}, {});
    EXPECT_EQ(tree.closest({}).triangle, kNoTriangle);
    EXPECT_EQ(tree.ray({}, {1, 0, 0}).triangle, kNoTriangle);
}

}  // namespace
}  // namespace impuls
