// Samples of surfaces, smallest balls and the tree over them.
#include "geometry/sphere_tree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "base/rng.h"
#include "geometry/field_solid.h"
#include "geometry/smallest_ball.h"
#include "support/slow_build.h"
#include "support/solid_meshes.h"

namespace impuls {
namespace {

// Erleben 2004, table 6.4 and 6.5: 152 vertices, 450 edges, 300 faces.
TEST(SpecShock, T23_box_samples) {
    for (const double L : {1.0, 0.37}) {
        const TriangleSurface s = make_surface(meshes::cube(L, 5));
        ASSERT_EQ(s.vertices.size(), 152u);
        ASSERT_EQ(s.triangles.size(), 300u);
        for (const double threshold : {L / 45, L / 43, L / 40 * (1 - 1e-6)}) {
            const SurfaceSamples with = sample_surface(s, {threshold, 1e-4 * L * L, true});
            EXPECT_EQ(with.vertices, 56u);
            EXPECT_EQ(with.vertices + with.edges, 536u);
            EXPECT_EQ(with.points.size(), 542u);
            EXPECT_EQ(sample_surface(s, {threshold, 1e-4 * L * L, false}).points.size(), 536u);
        }
        EXPECT_NE(sample_surface(s, {L / 40, 0, true}).points.size(), 542u);
        EXPECT_NE(sample_surface(s, {L / 46, 0, true}).points.size(), 542u);
    }
}

// The same through the solid: the threshold is the cell diagonal, or the user's where that is larger.
TEST(SpecShock, T23_box_samples_of_a_solid) {
    DistanceFieldReport report;
    FieldSolidOptions options;
    options.field.resolution = 72;  // sqrt(3)/72 = 1/41.6
    EXPECT_EQ(make_field_solid(meshes::cube(1, 5), options, report)->samples.points.size(), 542u);
    options.field.resolution = kSlowBuild ? 76 : 100;
    options.threshold = 1.0 / 43;
    EXPECT_EQ(make_field_solid(meshes::cube(1, 5), options, report)->samples.points.size(), 542u);
    options.regions = false;
    EXPECT_EQ(make_field_solid(meshes::cube(1, 5), options, report)->samples.points.size(), 536u);
}

TEST(SurfaceSamples, AreOnTheSurface) {
    for (const TriangleMesh& m :
         {meshes::u_shape(1, 0.5), meshes::l_shape(1, 0.5),
          meshes::from_cells({{0, 0}, {1, 0}, {2, 0}, {0, 1}, {2, 1}, {0, 2}, {1, 2}, {2, 2}}, 1, 1),
          meshes::torus(1, 0.4, 24, 12)}) {
        const TriangleSurface s = make_surface(m);
        EXPECT_TRUE(s.is_manifold);
        const SurfaceSamples samples = sample_surface(s, {0.13, 0.01, true});
        EXPECT_GT(samples.points.size(), 20u);
        for (const Vec3& p : samples.points)
            EXPECT_LT(std::sqrt(s.tree.closest(p).distance_squared), 1e-6 * s.size);
    }
}

TEST(SurfaceSamples, RegionsAreFlatFaces) {
    // U: front, back, 3 outer sides, 2 tips, 3 inner sides.
    EXPECT_EQ(sample_surface(make_surface(meshes::u_shape(1, 0.5)), {0.1, 0.01, true}).regions, 10u);
    EXPECT_EQ(sample_surface(make_surface(meshes::u_shape(1, 0.5)), {0.1, 0.6, true}).regions, 7u);
}

// All balls through two, three or four points; the smallest that holds all points.
double smallest_radius_by_search(const std::vector<Vec3>& p) {
    double best = std::numeric_limits<double>::infinity();
    const auto offer = [&](const Vec3& c) {
        double r = 0;
        for (const Vec3& q : p) r = std::max(r, length(q - c));
        best = std::min(best, r);
    };
    for (std::size_t i = 0; i < p.size(); ++i)
        for (std::size_t j = i + 1; j < p.size(); ++j) {
            offer(0.5 * (p[i] + p[j]));
            for (std::size_t k = j + 1; k < p.size(); ++k) {
                const Vec3 u = p[j] - p[i], v = p[k] - p[i], n = cross(u, v);
                offer(p[i] +
                      cross(n, u * length_squared(v) - v * length_squared(u)) * (0.5 / length_squared(n)));
                for (std::size_t l = k + 1; l < p.size(); ++l) {
                    const Vec3 w = p[l] - p[i];
                    const Vec3 b{0.5 * length_squared(u), 0.5 * length_squared(v), 0.5 * length_squared(w)};
                    const Mat3 m = transpose({u, v, w});
                    if (std::abs(determinant(m)) > 1e-9) offer(p[i] + inverse(m) * b);
                }
            }
        }
    return best;
}

TEST(SmallestBall, IsTheSmallest) {
    Rng rng(5, 0);
    for (int k = 0; k < 200; ++k) {
        std::vector<Vec3> p(2 + static_cast<std::size_t>(rng.next() % 9));
        for (Vec3& q : p) q = {rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1)};
        const double expected = smallest_radius_by_search(p);
        EXPECT_NEAR(smallest_ball(p).radius, expected, 1e-9 * expected) << k;
    }
    std::vector<Vec3> cube = meshes::cube(2, 4).vertices;
    EXPECT_NEAR(smallest_ball(cube).radius, std::sqrt(3.0), 1e-12);
    std::vector<Vec3> same(20, Vec3{1, 2, 3});
    EXPECT_EQ(smallest_ball(same).radius, 0);
    std::vector<Vec3> line;
    for (int i = 0; i <= 10; ++i) line.push_back({0.1 * i, 0, 0});
    EXPECT_NEAR(smallest_ball(line).radius, 0.5, 1e-12);
}

void check_tree(const std::vector<Vec3>& points) {
    SphereTree tree;
    tree.build(points);
    std::vector<int> seen(points.size(), 0);
    for (const SphereTree::Leaf& leaf : tree.leaves()) {
        EXPECT_EQ(leaf.point, points[leaf.number]);
        ++seen[leaf.number];
    }
    EXPECT_EQ(std::count(seen.begin(), seen.end(), 1), static_cast<std::ptrdiff_t>(points.size()));
    // Every node's ball holds all points below it, and every point is below exactly one node without
    // children.
    std::vector<int> held(points.size(), 0);
    const auto walk = [&](auto&& self, std::uint32_t n, std::vector<Vec3>& below) -> void {
        const SphereTree::Node& node = tree.nodes()[n];
        std::vector<Vec3> own;
        for (std::uint32_t i = node.first; i < node.first + node.count; ++i) {
            if (node.has_children)
                self(self, i, own);
            else
                own.push_back(tree.leaves()[i].point), ++held[tree.leaves()[i].number];
        }
        if (!node.has_children) {
            EXPECT_LE(node.count, 8u);
        }
        for (const Vec3& p : own) EXPECT_LE(length(p - node.center), node.radius * (1 + 1e-9));
        below.insert(below.end(), own.begin(), own.end());
    };
    std::vector<Vec3> all;
    walk(walk, 0, all);
    EXPECT_EQ(all.size(), points.size());
    EXPECT_EQ(std::count(held.begin(), held.end(), 1), static_cast<std::ptrdiff_t>(points.size()));
}

TEST(SpecShock, T24_sphere_tree_holds_every_point_once) {
    check_tree(sample_surface(make_surface(meshes::cube(1, 5)), {1.0 / 43, 1e-4, true}).points);
    check_tree(meshes::bumpy_sphere(1, 0.3, 40).vertices);
    check_tree(std::vector<Vec3>(1000, Vec3{0.1, 0.2, 0.3}));
    std::vector<Vec3> growing;  // the mean cuts off a point or two at a time
    for (int i = 0; i < 400; ++i) growing.push_back({std::ldexp(1, i), 0, 0});
    check_tree(growing);
}

// Nodes of the text's tree: ours and one leaf a point. Table 6.4: 56 points have 1 + 8 + 56 = 65 nodes.
TEST(SpecShock, T24_node_count_of_the_box_vertices) {
    const SurfaceSamples s = sample_surface(make_surface(meshes::cube(1, 5)), {1.0 / 43, 1e-4, true});
    SphereTree tree;
    tree.build(std::span(s.points).first(56));
    EXPECT_EQ(tree.nodes().size() + 56, 65u);
}

}  // namespace
}  // namespace impuls
