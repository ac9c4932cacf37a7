// Neighbours of polyhedra, support vertices by walking, and the grains of the closest-feature study.
#include "geometry/polyhedron.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <stdexcept>

#include "base/rng.h"
#include "geometry/grains.h"

namespace impuls {
namespace {

Vec3 direction(Rng& rng) {
    for (;;) {
        const Vec3 v{rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1)};
        if (length(v) > 0.1 && length(v) < 1) return v / length(v);
    }
}

Polyhedron random_hull(Rng& rng, int points) {
    std::vector<Vec3> p;
    for (int i = 0; i < points; ++i) p.push_back(direction(rng) * rng.uniform(0.5, 1));
    return make_polyhedron(convex_hull(p).hull);
}

Polyhedron cube() {
    std::vector<Vec3> p;
    for (int i = 0; i < 8; ++i) p.push_back({i & 1 ? 1.0 : -1, i & 2 ? 1.0 : -1, i & 4 ? 1.0 : -1});
    return make_polyhedron(convex_hull(p).hull);
}

void expect_consistent(const Polyhedron& poly) {
    const PolyhedronView p = poly.view();
    EXPECT_EQ(p.vertices.size() + p.face_count(), p.edges.size() + 2);
    std::vector<int> sides(p.edges.size(), 0);
    for (std::uint32_t f = 0; f < p.face_count(); ++f) {
        const auto corners = p.face(f);
        const auto edges = p.edges_of_face(f);
        ASSERT_EQ(corners.size(), edges.size());
        for (std::size_t k = 0; k < corners.size(); ++k) {
            const HullEdge& e = p.edges[edges[k]];
            const std::uint32_t from = corners[k], to = corners[(k + 1) % corners.size()];
            EXPECT_EQ((std::set{e.a, e.b}), (std::set{from, to}));
            EXPECT_EQ(from < to ? e.left : e.right,
                      f);  // counter-clockwise: the face is on the left of its walk
            ++sides[edges[k]];
        }
    }
    for (const int n : sides) EXPECT_EQ(n, 2);
    std::size_t ends = 0;
    for (std::uint32_t v = 0; v < p.vertices.size(); ++v) {
        const auto around = p.edges_of_vertex(v);
        EXPECT_GE(around.size(), 3u);
        EXPECT_TRUE(std::is_sorted(around.begin(), around.end()));
        for (const auto e : around) EXPECT_TRUE(p.edges[e].a == v || p.edges[e].b == v);
        ends += around.size();
    }
    EXPECT_EQ(ends, 2 * p.edges.size());
    for (const Vec3& v : p.vertices) EXPECT_LE(length(v - p.center), poly.radius * (1 + 1e-15));
    for (const HullPlane& plane : p.planes)
        EXPECT_GE(plane.offset - dot(plane.normal, p.center), poly.in_radius * (1 - 1e-15));
    EXPECT_GT(poly.in_radius, 0);
}

TEST(Polyhedron, NeighboursAreConsistent) {
    Rng rng(1, 1);
    for (int k = 0; k < 40; ++k) expect_consistent(random_hull(rng, 6 + 3 * k));
    expect_consistent(cube());
}

TEST(Polyhedron, CubeHasItsRadii) {
    const Polyhedron c = cube();
    EXPECT_DOUBLE_EQ(c.in_radius, 1);
    EXPECT_DOUBLE_EQ(c.radius, std::sqrt(3.0));
    EXPECT_EQ(c.view().face(0).size(), 4u);
}

TEST(Polyhedron, SupportVertexIsTheFarthestFromAnyStart) {
    Rng rng(2, 1);
    for (int k = 0; k < 60; ++k) {
        const Polyhedron p = k % 4 ? random_hull(rng, 8 + 5 * k) : cube();
        for (int i = 0; i < 50; ++i) {
            const Vec3 d = direction(rng);
            double best = -1e300;
            for (const Vec3& v : p.hull.vertices) best = std::max(best, dot(v, d));
            const auto start = static_cast<std::uint32_t>(rng.next() % p.hull.vertices.size());
            EXPECT_EQ(dot(p.hull.vertices[support_vertex(p.view(), d, start)], d), best);
        }
    }
}

// Triangles only, on the ellipsoid; numbers of edges and faces as in the source's table 4.4.
TEST(Grains, FollowTheTable) {
    const Vec3 radii{1, 0.75, 0.5};
    for (const int n : grain_vertex_counts()) {
        const Polyhedron g = make_grain(n, radii);
        expect_consistent(g);
        ASSERT_EQ(g.hull.vertices.size(), static_cast<std::size_t>(n));
        EXPECT_EQ(g.hull.edges.size(), static_cast<std::size_t>(3 * n - 6));
        EXPECT_EQ(g.hull.face_count(), static_cast<std::size_t>(2 * n - 4));
        for (const Vec3& v : g.hull.vertices)
            EXPECT_NEAR(length(Vec3{v.x / radii.x, v.y / radii.y, v.z / radii.z}), 1, 1e-14);
        EXPECT_EQ(std::max_element(g.hull.vertices.begin(), g.hull.vertices.end(),
                                   [](const Vec3& a, const Vec3& b) { return a.z < b.z; })
                      ->z,
                  radii.z);
    }
    EXPECT_THROW(make_grain(7), std::invalid_argument);
}

}  // namespace
}  // namespace impuls
