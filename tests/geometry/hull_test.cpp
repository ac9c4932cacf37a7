// Convex hulls: regular bodies, brute force, order, orientation, hostile input.
#include "geometry/hull.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <set>

#include "geometry/oracles.h"

namespace impuls {
namespace {

// Closed, convex, outward: every vertex behind every plane, faces counter-clockwise about their normals.
void expect_sound(const HullResult& result, std::span<const Vec3> points, double size) {
    ASSERT_TRUE(result.ok()) << result.error;
    const Hull& hull = result.hull;
    EXPECT_EQ(hull.vertices.size() + hull.face_count(), hull.edges.size() + 2);
    for (std::size_t i = 0; i < hull.source.size(); ++i) EXPECT_EQ(hull.vertices[i], points[hull.source[i]]);
    EXPECT_TRUE(std::is_sorted(hull.source.begin(), hull.source.end()));
    for (std::size_t f = 0; f < hull.face_count(); ++f) {
        const HullPlane& plane = hull.planes[f];
        EXPECT_NEAR(length(plane.normal), 1, 1e-15);
        for (const Vec3& p : points) ASSERT_LE(dot(plane.normal, p) - plane.offset, 1e-13 * size);
        const auto face = hull.face(f);
        ASSERT_GE(face.size(), 3u);
        EXPECT_EQ(face[0], *std::min_element(face.begin(), face.end()));
        for (std::size_t i = 0; i < face.size(); ++i) {
            const Vec3 a = hull.vertices[face[i]], b = hull.vertices[face[(i + 1) % face.size()]],
                       c = hull.vertices[face[(i + 2) % face.size()]];
            EXPECT_NEAR(dot(plane.normal, a), plane.offset, 1e-13 * size);
            EXPECT_GE(dot(plane.normal, cross(b - a, c - b)), -1e-13 * size * size);
        }
    }
}

std::vector<Vec3> cube_grid(int n) {
    std::vector<Vec3> points;
    for (int i = 0; i <= n; ++i)
        for (int j = 0; j <= n; ++j)
            for (int k = 0; k <= n; ++k)
                points.push_back(Vec3{1.0 * i, 1.0 * j, 1.0 * k} / n - Vec3{0.5, 0.5, 0.5});
    return points;
}

TEST(Hull, CubeOfGridPointsHasSixQuads) {
    const auto points = cube_grid(6);
    const HullResult result = convex_hull(points);
    expect_sound(result, points, 1);
    EXPECT_EQ(result.hull.vertices.size(), 8u);
    EXPECT_EQ(result.hull.face_count(), 6u);
    EXPECT_EQ(result.hull.edges.size(), 12u);
    for (const HullPlane& plane : result.hull.planes) EXPECT_DOUBLE_EQ(plane.offset, 0.5);
}

TEST(Hull, TurnedGridStaysACube) {
    oracle::Random random(11);
    for (int n = 0; n < 200; ++n) {
        const Pose X{random.vector(5), random.rotation()};
        auto points = cube_grid(3);
        for (Vec3& p : points) p = X * p;
        const HullResult result = convex_hull(points);
        ASSERT_TRUE(result.ok()) << result.error;
        EXPECT_EQ(result.hull.face_count(), 6u);
        EXPECT_EQ(result.hull.vertices.size(), 8u);
    }
}

TEST(Hull, EdgesKnowTheirFaces) {
    const auto points = cube_grid(1);
    const Hull hull = convex_hull(points).hull;
    for (const HullEdge& edge : hull.edges) {
        EXPECT_LT(edge.a, edge.b);
        const Vec3 along = hull.vertices[edge.b] - hull.vertices[edge.a];
        // Crossing a convex edge from left to right turns the normal about the edge's direction.
        EXPECT_GT(dot(cross(hull.planes[edge.left].normal, hull.planes[edge.right].normal), along), 0);
    }
}

TEST(Hull, RandomPointsMatchBruteForce) {
    oracle::Random random(12);
    for (int n = 0; n < 300; ++n) {
        std::vector<Vec3> points;
        for (int i = 0; i < 4 + n % 20; ++i) points.push_back(random.vector(1));
        const HullResult result = convex_hull(points);
        expect_sound(result, points, 1);
        std::set<std::array<double, 3>> corners, expected;
        const auto triangles = oracle::brute_hull(points);
        for (const auto& t : triangles)
            for (const auto& p : t) {
                expected.insert(
                    {static_cast<double>(p[0]), static_cast<double>(p[1]), static_cast<double>(p[2])});
            }
        for (const Vec3& v : result.hull.vertices) corners.insert({v.x, v.y, v.z});
        EXPECT_EQ(corners, expected);
        EXPECT_EQ(result.hull.face_count(), triangles.size());
    }
}

TEST(Hull, SameForAnyPowerOfTwoSize) {
    oracle::Random random(13);
    std::vector<Vec3> points;
    for (int i = 0; i < 500; ++i) points.push_back(random.direction() + Vec3{0.2, 3, -1});
    const Hull a = convex_hull(points).hull;
    for (const int k : {-300, -7, 7, 300}) {
        auto scaled = points;
        for (Vec3& p : scaled) p *= std::ldexp(1.0, k);
        const Hull b = convex_hull(scaled).hull;
        EXPECT_EQ(a.corners, b.corners);
        EXPECT_EQ(a.source, b.source);
        for (std::size_t f = 0; f < a.face_count(); ++f) {
            EXPECT_EQ(a.planes[f].normal, b.planes[f].normal);
            EXPECT_EQ(std::ldexp(a.planes[f].offset, k), b.planes[f].offset);
        }
    }
}

TEST(Hull, HundredThousandPoints) {
    oracle::Random random(14);
    std::vector<Vec3> sphere, ball;
    for (int i = 0; i < 100000; ++i) {
        sphere.push_back(random.direction());
        ball.push_back(sphere.back() * random.uniform(0, 1));
    }
    const HullResult result = convex_hull(sphere);
    ASSERT_TRUE(result.ok()) << result.error;
    EXPECT_GT(result.hull.vertices.size(), 99900u);
    EXPECT_TRUE(convex_hull(ball).ok());
}

TEST(Hull, ReportsWhatHasNoHull) {
    EXPECT_EQ(convex_hull({}).error, "0 points are fewer than 4");
    EXPECT_EQ(convex_hull(std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}).error,
              "3 points are fewer than 4");
    const std::vector<Vec3> square{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {0.5, 0.2, 0}};
    EXPECT_EQ(convex_hull(square).error, "the points lie in one plane");
    EXPECT_FALSE(convex_hull(std::vector<Vec3>(10, Vec3{1, 2, 3})).ok());
    EXPECT_FALSE(convex_hull(std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}}).ok());
    auto bad = square;
    bad[2].x = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(convex_hull(bad).error, "a point is not finite");
    const double huge = 1.7e308;
    EXPECT_FALSE(
        convex_hull(std::vector<Vec3>{{huge, 0, 0}, {-huge, 0, 0}, {0, huge, 0}, {0, 0, huge}}).ok());
}

// Slivers, clusters, duplicates, near-planes: a sound hull or an error, never a crash.
TEST(Hull, NastyPointsGiveAHullOrAnError) {
    oracle::Random random(15);
    for (int n = 0; n < 2000; ++n) {
        std::vector<Vec3> points;
        const double thickness = std::pow(10.0, random.uniform(-17, 0));
        const double snap = std::pow(2.0, std::floor(random.uniform(0, 50)));
        const int count = 4 + n % 200;
        for (int i = 0; i < count; ++i) {
            Vec3 p = n % 2 ? random.vector(1) : random.direction();
            p.z *= thickness;
            if (n % 3 == 0) p = {std::round(p.x * snap) / snap, std::round(p.y * snap) / snap, p.z};
            if (n % 5 == 0 && i > 3 && i % 2) p = points[i / 2] + random.vector(thickness * 1e-3);
            points.push_back(p);
        }
        const HullResult result = convex_hull(points);
        // Thicker than 1e-12 of its size there must be a hull, and every point behind all its planes.
        if (thickness > 1e-12) {
            EXPECT_TRUE(result.ok()) << result.error << " at thickness " << thickness;
        }
        if (thickness < 1e-6) continue;
        for (const HullPlane& plane : result.hull.planes)
            for (const Vec3& p : points) EXPECT_LE(dot(plane.normal, p) - plane.offset, 1e-8 * thickness);
    }
}

TEST(Hull, QhullStaysSilent) {
    testing::internal::CaptureStderr();
    testing::internal::CaptureStdout();
    convex_hull(std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {0.5, 0.2, 0}});
    convex_hull(std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.2, 0.2, 1e-15}});
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
    EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
}

}  // namespace
}  // namespace impuls
