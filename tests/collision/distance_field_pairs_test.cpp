// Solids with distance fields against every other kind: closed forms, brute force, and bodies that must end
// up apart.
#include "collision/narrow/distance_field_pairs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>

#include "base/rng.h"
#include "collision/narrow/narrow.h"
#include "collision/narrow/point_distance.h"
#include "collision/oracle.h"
#include "geometry/field_solid.h"
#include "support/counting_new.h"
#include "support/solid_meshes.h"

namespace impuls {
namespace {

using Manifolds = std::vector<Manifold>;

Collider solid(const TriangleMesh& mesh, int resolution = 32, bool regions = true) {
    DistanceFieldReport report;
    FieldSolidOptions options;
    options.field.resolution = resolution;
    options.regions = regions;
    Collider c;
    c.kind = ColliderKind::DistanceField;
    c.field = make_field_solid(mesh, options, report);
    EXPECT_EQ(report.error, "");
    c.size = c.field->size;
    return c;
}

Collider round(ColliderKind kind, double r, double h) {
    return {kind, {r, h, r}, r, std::min(r, h), {}};
}
Collider ellipsoid(const Vec3& r) {
    return {ColliderKind::Ellipsoid, r, 0, std::min({r.x, r.y, r.z}), {}};
}
Collider convex(const std::vector<Vec3>& points) {
    Collider c;
    c.kind = ColliderKind::Convex;
    c.polyhedron = std::make_shared<const Polyhedron>(make_polyhedron(convex_hull(points).hull));
    c.size = c.polyhedron->in_radius;
    return c;
}
Collider height_field(double height) {
    HeightField field;
    field.columns = 9, field.spacing = 0.5;
    field.heights.assign(81, height);
    Collider c;
    c.kind = ColliderKind::HeightField;
    c.surface = std::make_shared<const ContactSurface>(field);
    return c;
}
Collider mesh_floor(const Vec3& side, int n) {
    const TriangleMesh box = meshes::box(side, n);
    Mesh mesh;
    mesh.vertices = box.vertices;
    for (const auto& t : box.triangles) mesh.triangles.insert(mesh.triangles.end(), t.begin(), t.end());
    Collider c;
    c.kind = ColliderKind::Mesh;
    c.surface = std::make_shared<const ContactSurface>(mesh);
    return c;
}

Manifolds collide_all(const Collider& a, const Pose& X_WA, const Collider& b, const Pose& X_WB,
                      double margin) {
    Manifolds out;
    collide(a, X_WA, b, X_WB, margin, out);
    return out;
}

double deepest(const Manifolds& all, Vec3* normal = nullptr) {
    double s = 1e300;
    for (const Manifold& m : all)
        if (oracle::min_separation(m) < s) {
            s = oracle::min_separation(m);
            if (normal) *normal = m.normal;
        }
    return s;
}

std::vector<std::tuple<double, double, double, double, std::uint32_t>> flat(const Manifolds& all) {
    std::vector<std::tuple<double, double, double, double, std::uint32_t>> out;
    for (const Manifold& m : all)
        for (int i = 0; i < m.count; ++i) {
            const ManifoldPoint& p = m.points[static_cast<std::size_t>(i)];
            out.emplace_back(p.position.x, p.position.y, p.position.z, p.separation, p.feature);
        }
    return out;
}

TEST(SpecShock, T24_tree_query_is_brute_force) {
    const Collider shapes[] = {solid(meshes::u_shape(1, 1)), solid(meshes::torus(1, 0.4, 40, 20)),
                               solid(meshes::bumpy_sphere(1, 0.4, 32))};
    Rng rng(1, 0);
    int touching = 0;
    for (int k = 0; k < 600; ++k) {
        const Collider &a = shapes[k % 3], &b = shapes[k / 3 % 3];
        const Pose X_WA{{}, rng.rotation()};
        const Pose X_WB{{rng.uniform(-3, 3), rng.uniform(-3, 3), rng.uniform(-3, 3)}, rng.rotation()};
        const double margin = k % 4 * 0.06;  // up to two cells and beyond the band
        Manifolds tree, force;
        narrow::field_field(a, X_WA, b, X_WB, margin, tree);
        narrow::field_field_by_force(a, X_WA, b, X_WB, margin, force);
        ASSERT_EQ(flat(tree), flat(force)) << k;
        touching += !tree.empty();
    }
    EXPECT_GT(touching, 100);
}

// Pushes b out of a along the deepest normal, as long as they are in each other.
Vec3 pushed_apart(const Collider& a, const Collider& b, Vec3 at) {
    for (int round = 0; round < 30; ++round) {
        Vec3 normal;
        const double s = deepest(collide_all(a, {}, b, {at, {}}, 0), &normal);
        if (s > -1e-3) break;
        at -= normal * s;
    }
    return at;
}

// Two aligned cubes, the upper one 40 % inside the lower.
TEST(SpecShock, T26_face_centroids_separate_aligned_cubes) {
    const Vec3 start{0, 0.6, 0};
    const Collider with = solid(meshes::cube(1, 5)), without = solid(meshes::cube(1, 5), 32, false);
    Vec3 normal;
    EXPECT_NEAR(deepest(collide_all(with, {}, with, {start, {}}, 0), &normal), -0.4, 1e-6);
    EXPECT_NEAR(normal.y, 1, 1e-6);
    const Vec3 end = pushed_apart(with, with, start);
    EXPECT_NEAR(end.y, 1, 2e-3);
    EXPECT_NEAR(length(end - Vec3{0, end.y, 0}), 0, 2e-3);

    EXPECT_GT(deepest(collide_all(without, {}, without, {start, {}}, 0)), -0.05);  // nothing that pushes up
    EXPECT_LT(pushed_apart(without, without, start).y, 0.7);
}

TEST(DistanceFieldPairs, SimpleShapesOnAFlatFace) {
    const Collider box = solid(meshes::box({2, 1, 2}, 2), 48);
    const double depth = 0.03, top = 0.5;
    const struct {
        Collider shape;
        double height;  // of the centre above the lowest point
    } cases[] = {
        {oracle::sphere(0.3), 0.3},
        {oracle::box({0.3, 0.2, 0.25}), 0.2},
        {oracle::capsule(0.2, 0.4), 0.6},
        {round(ColliderKind::Cylinder, 0.3, 0.25), 0.25},
        {round(ColliderKind::Cone, 0.3, 0.25), 0.25},
        {ellipsoid({0.4, 0.2, 0.3}), 0.2},
        {convex({{0.3, -0.2, 0.3}, {-0.3, -0.2, 0.3}, {0.3, -0.2, -0.3}, {-0.3, -0.2, -0.3}, {0, 0.4, 0}}),
         0.2},
        {solid(meshes::torus(0.4, 0.1, 64, 32)), 0.1}};
    for (const auto& [shape, height] : cases) {
        SCOPED_TRACE(name_of(shape.kind));
        const Pose X{{0.11, top + height - depth, -0.07}, {}};
        Vec3 n;
        const Manifolds all = collide_all(box, {}, shape, X, 0);
        ASSERT_FALSE(all.empty());
        EXPECT_NEAR(deepest(all, &n), -depth, 2e-3);
        EXPECT_NEAR(n.y, 1, 1e-3);
        for (int i = 0; i < all[0].count; ++i)
            EXPECT_NEAR(all[0].points[static_cast<std::size_t>(i)].position.y, top - 0.5 * depth,
                        0.5 * depth + 2e-3);
        Manifolds mirrored = collide_all(shape, X, box, {}, 0);
        if (shape.kind != ColliderKind::DistanceField) {
            EXPECT_EQ(flat(mirrored), flat(all));
        }
        EXPECT_NEAR(mirrored[0].normal.y, -1, 1e-3);
        EXPECT_TRUE(collide_all(box, {}, shape, {{0, top + height + 0.1, 0}, {}}, 0.02).empty());
    }
}

TEST(DistanceFieldPairs, SolidsOnGrounds) {
    const Collider ring = solid(meshes::torus(0.5, 0.2, 64, 32), 40);
    const struct {
        Collider ground;
        Vec3 at;
    } cases[] = {{oracle::plane(), {}},
                 {oracle::box({2, 0.5, 2}), {0, -0.5, 0}},
                 {height_field(0), {}},
                 {mesh_floor({4, 1, 4}, 3), {0, -0.5, 0}}};
    for (const auto& [ground, at] : cases) {
        SCOPED_TRACE(name_of(ground.kind));
        for (const double depth : {0.01, 0.15}) {
            Vec3 n;
            const Manifolds all = collide_all(ring, {{0.1, 0.2 - depth, 0.05}, {}}, ground, {at, {}}, 0);
            ASSERT_FALSE(all.empty());
            EXPECT_NEAR(deepest(all, &n), -depth, 2e-3);
            EXPECT_NEAR(n.y, -1, 1e-6);
            // Points all around the ring's middle, or it would tip.
            for (int k = 0; k < 16; ++k) {
                double farthest = -1;
                for (int i = 0; i < all[0].count; ++i) {
                    const Vec3 p = all[0].points[static_cast<std::size_t>(i)].position - Vec3{0.1, 0, 0.05};
                    farthest = std::max(farthest,
                                        p.x * std::cos(k * 0.3926990817) + p.z * std::sin(k * 0.3926990817));
                }
                EXPECT_GT(farthest, 0.2);
            }
        }
        EXPECT_TRUE(collide_all(ring, {{0, 0.25, 0}, {}}, ground, {at, {}}, 0.02).empty());
    }
}

// Not convex: a ball in the gap of a U touches nothing, a wider one both prongs; a rod through a ring is
// free.
TEST(DistanceFieldPairs, HollowsAreHollow) {
    const Collider u = solid(meshes::u_shape(1, 1), 48);  // gap between x = 1 and 2, above y = 1
    EXPECT_TRUE(collide_all(u, {}, oracle::sphere(0.45), {{1.5, 2, 0}, {}}, 0.01).empty());
    const Manifolds both = collide_all(u, {}, oracle::sphere(0.53), {{1.5, 2.2, 0}, {}}, 0);
    double left = 0, right = 0;
    for (const Manifold& m : both) left = std::min(left, m.normal.x), right = std::max(right, m.normal.x);
    EXPECT_LT(left, -0.99);
    EXPECT_GT(right, 0.99);
    EXPECT_NEAR(deepest(both), -0.03, 1e-3);

    const Collider ring = solid(meshes::torus(1, 0.3, 64, 32), 48);
    EXPECT_TRUE(collide_all(ring, {}, oracle::capsule(0.5, 3), {}, 0.05).empty());
    EXPECT_TRUE(collide_all(ring, {}, round(ColliderKind::Cylinder, 0.6, 3), {}, 0.02).empty());
    EXPECT_NEAR(deepest(collide_all(ring, {}, oracle::capsule(0.5, 3), {{0.25, 0, 0}, {}}, 0)), -0.05, 3e-3);
    EXPECT_NEAR(deepest(collide_all(ring, {}, round(ColliderKind::Cylinder, 0.6, 3), {{0.2, 0, 0}, {}}, 0)),
                -0.1, 3e-3);
    // Two links of a chain.
    const Quat across = from_axis_angle({1, 0, 0}, 1.5707963267948966);
    EXPECT_TRUE(collide_all(ring, {}, ring, {{1, 0, 0}, across}, 0.05).empty());
    EXPECT_NEAR(deepest(collide_all(ring, {}, ring, {{1.45, 0, 0}, across}, 0)), -0.05, 0.01);
}

// Random poses that overlap deeply, pushed apart by all contacts together: no value is bad, the push is
// bounded, and after a hundred rounds the overlap is gone.
TEST(DistanceFieldPairs, DeepOverlapsResolve) {
    const Collider shapes[] = {solid(meshes::bumpy_sphere(0.6, 0.3, 32)), solid(meshes::cube(1, 3))};
    Rng rng(3, 0);
    for (int k = 0; k < 60; ++k) {
        const Collider &a = shapes[k % 2], &b = shapes[k / 2 % 2];
        const Pose X_WA{{}, rng.rotation()};
        Pose X_WB{{rng.uniform(-0.5, 0.5), rng.uniform(-0.5, 0.5), rng.uniform(-0.5, 0.5)}, rng.rotation()};
        double s = 0;
        for (int round = 0; round < 100; ++round) {
            Vec3 sum;
            const Manifolds all = collide_all(a, X_WA, b, X_WB, 0);
            s = all.empty() ? 0 : deepest(all);
            for (const Manifold& m : all) sum += m.normal * -oracle::min_separation(m);
            ASSERT_TRUE(is_finite(sum));
            if (s > -0.02) break;
            X_WB.position += sum * 0.3;
        }
        EXPECT_GT(s, -0.02) << k;
        EXPECT_LT(length(X_WB.position), 2) << k;
    }
}

TEST(DistanceFieldPairs, ScaleWithPowersOfTwo) {
    const double f = 0x1p-7;
    const Collider one = solid(meshes::u_shape(1, 1)),
                   small = solid(meshes::scaled(meshes::u_shape(1, 1), f));
    const Collider box = oracle::box({0.5, 0.4, 0.3}), small_box = oracle::box(Vec3{0.5, 0.4, 0.3} * f);
    Rng rng(4, 0);
    int points = 0;
    for (int k = 0; k < 60; ++k) {
        const Pose X{{rng.uniform(-1, 3), rng.uniform(-1, 3), rng.uniform(-1, 1)}, rng.rotation()};
        const Pose Y{X.position * f, X.orientation};
        for (const auto& [big, little] : {std::pair{&one, &small}, std::pair{&box, &small_box}}) {
            auto expected = flat(collide_all(one, {}, *big, X, 0.05));
            for (auto& [x, y, z, s, id] : expected) x *= f, y *= f, z *= f, s *= f;
            EXPECT_EQ(flat(collide_all(small, {}, *little, Y, 0.05 * f)), expected);
            points += static_cast<int>(expected.size());
        }
    }
    EXPECT_GT(points, 100);
}

TEST(DistanceFieldPairs, NoAllocationOnceWarm) {
    const Collider u = solid(meshes::u_shape(1, 1));
    const Collider others[] = {u,
                               oracle::sphere(0.5),
                               oracle::box({0.5, 0.5, 0.5}),
                               height_field(0),
                               oracle::plane(),
                               round(ColliderKind::Cone, 0.5, 0.5)};
    const Pose X{{1, 0.3, 0.2}, from_axis_angle({1, 2, 3}, 1)};
    Manifolds out;
    const auto all = [&] {
        out.clear();
        for (const Collider& c : others) collide(u, X, c, {}, 0.01, out);
    };
    all();
    ASSERT_GT(out.size(), 5u);
    const long before = allocations;
    all();
    EXPECT_EQ(allocations - before, 0);
}

// Distances of simple shapes: gradients by differences, values by balls that touch (the nearest surface point
// is at the distance along the normal).
TEST(PointDistance, IsADistance) {
    const Collider shapes[] = {oracle::sphere(0.5),
                               oracle::box({0.5, 0.3, 0.4}),
                               oracle::capsule(0.2, 0.5),
                               round(ColliderKind::Cylinder, 0.4, 0.6),
                               round(ColliderKind::Cone, 0.5, 0.4),
                               ellipsoid({0.7, 0.2, 0.4}),
                               convex(meshes::cube(1, 1).vertices)};
    Rng rng(5, 0);
    for (const Collider& c : shapes) {
        SCOPED_TRACE(name_of(c.kind));
        for (int k = 0; k < 2000; ++k) {
            const Vec3 p{rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1)};
            const narrow::PointDistance d = narrow::point_distance(c, p);
            EXPECT_NEAR(length(d.normal), 1, 1e-9);
            EXPECT_NEAR(narrow::point_distance(c, p - d.normal * d.distance).distance, 0, 1e-8);
            EXPECT_LE(narrow::distance_bound(c, p), d.distance + 1e-12);
            // Never more than the way to another point's surface: 1-Lipschitz.
            const Vec3 q{rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1)};
            EXPECT_LE(std::abs(narrow::point_distance(c, q).distance - d.distance),
                      length(p - q) * (1 + 1e-9));
        }
    }
}

}  // namespace
}  // namespace impuls
