// Convex shapes on meshes and height fields against brute force: the distance to every triangle, one by one
// (closest points of two convex bodies, tested for themselves), and, for meshes of convex bodies, the signed
// distance of the two bodies from support functions (oracle.h).
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <string>

#include "collision/convex/closest_points.h"
#include "collision/narrow/narrow.h"
#include "geometry/triangles.h"
#include "oracle.h"
#include "support/full_size.h"
#include "support/slow_build.h"
#include "support/solid_meshes.h"

namespace impuls {
namespace {

constexpr double kMargin = 0.03;
constexpr double kPrefer = 0.01;  // of the size: how much nearer an edge or corner must be than a face

// Corners up to 0.005 of the size beside a feature (beside two of its sides: sqrt 2 of that) count as on it,
// where features are tilted by 0.1 rad at most.
constexpr double kSnap = 0.005 * 1.4143 * 0.1004;

int rounds() {
    return kSlowBuild ? 20 : is_long() ? 2000 : 100;
}

struct Named {
    const char* name;
    Collider shape;
};

std::vector<Named> shapes() {
    oracle::Rng rng(4);
    std::vector<Vec3> points;
    for (int k = 0; k < 20; ++k) points.push_back(rng.direction() * 0.4);
    return {{"sphere", oracle::sphere(0.35)},
            {"box", oracle::box({0.4, 0.25, 0.3})},
            {"capsule", oracle::capsule(0.2, 0.3)},
            {"cylinder", oracle::round(ColliderKind::Cylinder, 0.3, 0.35)},
            {"cone", oracle::round(ColliderKind::Cone, 0.35, 0.35)},
            {"ellipsoid", oracle::ellipsoid({0.4, 0.3, 0.25})},
            {"convex", oracle::convex(points)}};
}

Collider as_collider(ColliderKind kind, std::shared_ptr<const ContactSurface> surface) {
    Collider c;
    c.kind = kind;
    c.size = surface->radius();
    c.surface = std::move(surface);
    return c;
}

HeightField terrain(double roughness) {
    oracle::Rng rng(11);
    HeightField f;
    f.columns = 21, f.spacing = 0.2;
    for (int k = 0; k < 21 * 21; ++k) f.heights.push_back(rng.uniform(-roughness, roughness));
    return f;
}

// The nearest of all triangles; normal from the shape to the surface.
Closest nearest_triangle(const ContactSurface& s, const Collider& shape, const Pose& X) {
    Closest best;
    best.distance = kNoLimit;
    const ConvexCore core = convex_core(shape);
    for (std::uint32_t t = 0; t < s.size(); ++t) {
        std::array<Vec3, 3> corners{};
        for (std::size_t k = 0; k < 3; ++k) corners[k] = s.vertex(s.corners(t)[k]);
        ConvexCore triangle;
        triangle.kind = ColliderKind::Convex;
        triangle.view.vertices = corners;
        triangle.center = triangle.view.center = (corners[0] + corners[1] + corners[2]) / 3;
        for (const Vec3& v : corners) triangle.reach = std::max(triangle.reach, length(v - triangle.center));
        if (length(X * core.center - triangle.center) > core.reach + core.radius + triangle.reach + 0.2)
            continue;
        const Closest c = closest_points(triangle, core, X);
        if (c.distance < best.distance) best = c;
    }
    best.normal = -best.normal;
    return best;
}

struct Deepest {
    double separation = kNoLimit;
    Vec3 normal{};
};
Deepest deepest_of(const std::vector<Manifold>& found) {
    Deepest d;
    for (const Manifold& m : found)
        for (int k = 0; k < m.count; ++k)
            if (m.points[static_cast<std::size_t>(k)].separation < d.separation)
                d = {m.points[static_cast<std::size_t>(k)].separation, m.normal};
    return d;
}

// Sinks the shape from above until it is `distance` away from the nearest triangle.
Pose hover(const ContactSurface& s, const Collider& shape, Pose X, double distance) {
    X.position.y = 2;
    for (int k = 0; k < 60; ++k) {
        const Closest c = nearest_triangle(s, shape, X);
        const double gap = std::min(c.distance, 0.15) - distance;
        if (std::abs(gap) < 1e-9) break;
        X.position.y -= gap;
    }
    return X;
}

// Apart from a rough surface: no contact beyond the margin, none missed within it, distance and normal right.
void check_apart(const Collider& surface, const Named& named) {
    oracle::Rng rng(23);
    const double tolerance = kPrefer * named.shape.size;
    for (int k = 0; k < rounds(); ++k) {
        const Pose start{{rng.uniform(-1, 1), 0, rng.uniform(-1, 1)}, rng.orientation()};
        const Pose X = hover(*surface.surface, named.shape, start, rng.uniform(1e-4, 1.3 * kMargin));
        const Closest truth = nearest_triangle(*surface.surface, named.shape, X);
        if (!(truth.distance > 0)) continue;
        std::vector<Manifold> found;
        collide(named.shape, X, surface, {}, kMargin, found);
        const Deepest claimed = deepest_of(found);
        const std::string where = std::string(named.name) + " round " + std::to_string(k);
        if (truth.distance > kMargin + kSnap * named.shape.size) {
            EXPECT_TRUE(found.empty()) << where << " at " << truth.distance << ": " << claimed.separation;
        } else if (truth.distance < kMargin - tolerance) {
            EXPECT_FALSE(found.empty()) << where << " at " << truth.distance;
            EXPECT_GE(claimed.separation, truth.distance - kSnap * named.shape.size) << where;
            EXPECT_LE(claimed.separation, truth.distance + tolerance) << where;
            // A direction whose gap is at least distance - tolerance.
            EXPECT_GE(dot(claimed.normal, truth.normal) * truth.distance, truth.distance - 1.5 * tolerance)
                << where << " at " << truth.distance;
        }
    }
}

TEST(SurfaceOracle, RoughHeightField) {
    const auto s = std::make_shared<const ContactSurface>(terrain(0.06));
    for (const Named& named : shapes()) check_apart(as_collider(ColliderKind::HeightField, s), named);
}

TEST(SurfaceOracle, VeryRoughHeightField) {
    const auto s = std::make_shared<const ContactSurface>(terrain(0.2));
    for (const Named& named : shapes()) check_apart(as_collider(ColliderKind::HeightField, s), named);
}

TEST(SurfaceOracle, RoughMesh) {
    const auto s = std::make_shared<const ContactSurface>(meshes::as_mesh(tessellate(terrain(0.06))));
    for (const Named& named : shapes()) check_apart(as_collider(ColliderKind::Mesh, s), named);
}

// Pushed down from where it first touches, by a part of its size: it is felt, and up to a tenth all contacts
// push up.
void check_deep(const Collider& surface, const Named& named, std::initializer_list<double> depths) {
    oracle::Rng rng(24);
    for (int k = 0; k < rounds(); ++k) {
        const double x = rng.uniform(-1, 1), z = rng.uniform(-1, 1);
        const Pose touching = hover(*surface.surface, named.shape, {{x, 0, z}, rng.orientation()}, 0);
        for (const double depth : depths) {
            Pose X = touching;
            X.position.y -= depth * named.shape.size;
            std::vector<Manifold> found;
            EXPECT_TRUE(collide(named.shape, X, surface, {}, kMargin, found))
                << named.name << " round " << k << ", " << depth;
            if (depth > 0.2) continue;  // the way over an edge may lead down
            for (const Manifold& m : found) EXPECT_LT(m.normal.y, 0) << named.name << " round " << k;
        }
    }
}

TEST(SurfaceOracle, DeepInAHeightField) {
    for (const double roughness : {0.06, 0.2}) {
        const auto s = std::make_shared<const ContactSurface>(terrain(roughness));
        for (const Named& named : shapes())
            check_deep(as_collider(ColliderKind::HeightField, s), named, {0.03, 0.1, 0.3, 1, 2, 10});
    }
}

// An open mesh has no inside: what is felt is a shape whose centre is still above.
TEST(SurfaceOracle, DeepInAnOpenMesh) {
    const auto s = std::make_shared<const ContactSurface>(meshes::as_mesh(tessellate(terrain(0.06))));
    for (const Named& named : shapes()) check_deep(as_collider(ColliderKind::Mesh, s), named, {0.03, 0.1});
}

// Centre inside a closed mesh: the way out is one that leads out. From a convex body the exit's plane does.
TEST(SurfaceOracle, InsideAClosedMesh) {
    oracle::Rng rng(32);
    std::vector<Vec3> points;
    for (int k = 0; k < 14; ++k) points.push_back(rng.direction() * 2);
    const Collider body = oracle::convex(points);
    const Collider surface = as_collider(
        ColliderKind::Mesh,
        std::make_shared<const ContactSurface>(meshes::as_mesh(to_triangles(body.polyhedron->hull))));
    int inside = 0;
    for (const Named& named : shapes())
        for (int k = 0; k < 20 * rounds(); ++k) {
            const Vec3 direction = rng.direction();
            const Pose X{direction * rng.uniform(0, 2), rng.orientation()};
            const Vec3 center = X * convex_core(named.shape).center;
            double height = -kNoLimit;
            for (const HullPlane& plane : body.polyhedron->hull.planes)
                height = std::max(height, dot(plane.normal, center) - plane.offset);
            if (height > -1e-9) continue;
            ++inside;
            std::vector<Manifold> found;
            ASSERT_TRUE(collide(named.shape, X, surface, {}, kMargin, found)) << named.name << ' ' << k;
            ASSERT_EQ(found.size(), 1u);
            const Deepest d = deepest_of(found);
            Pose out = X;
            out.position += d.normal * d.separation;
            EXPECT_GE(closest_points(named.shape, out, body, {}).distance, -1e-9) << named.name << ' ' << k;
            EXPECT_LE(d.separation, height + 1e-9);
        }
    EXPECT_GT(inside, 20 * rounds());
}

// The surface of a convex body: apart and in slight penetration (2 % of the size) the same as the body
// itself.
TEST(SurfaceOracle, MeshOfAConvexBodyIsTheBody) {
    oracle::Rng rng(31);
    std::vector<Vec3> points;
    for (int k = 0; k < 14; ++k) points.push_back(rng.direction());
    const Collider body = oracle::convex(points);
    const Collider surface = as_collider(
        ColliderKind::Mesh,
        std::make_shared<const ContactSurface>(meshes::as_mesh(to_triangles(body.polyhedron->hull))));
    for (const Named& named : shapes()) {
        const double tolerance = kPrefer * named.shape.size;
        for (int k = 0; k < rounds(); ++k) {
            const Vec3 from = rng.direction();
            Pose X{from * 2, rng.orientation()};
            const double wanted = rng.uniform(-0.004, 1.3 * kMargin);
            for (int i = 0; i < 40; ++i) {
                const double gap = closest_points(named.shape, X, body, {}).distance - wanted;
                if (std::abs(gap) < 1e-9) break;
                X.position -= from * gap;
            }
            // Any normal is a lower bound: the best of a search and of the closest points.
            oracle::Best truth = oracle::signed_distance({named.shape, X}, {body, {}});
            truth.offer({named.shape, X}, {body, {}}, closest_points(named.shape, X, body, {}).normal);
            std::vector<Manifold> found;
            collide(named.shape, X, surface, {}, kMargin, found);
            const Deepest claimed = deepest_of(found);
            const std::string where = std::string(named.name) + " round " + std::to_string(k);
            if (truth.gap > kMargin + kSnap * named.shape.size) {
                EXPECT_TRUE(found.empty()) << where << " at " << truth.gap;
            } else if (truth.gap < kMargin - tolerance) {
                EXPECT_FALSE(found.empty()) << where << " at " << truth.gap;
                EXPECT_NEAR(claimed.separation, truth.gap, tolerance) << where;
                // The claimed normal is worth the true distance.
                EXPECT_GE(oracle::gap({named.shape, X}, {body, {}}, claimed.normal),
                          truth.gap - 1.5 * tolerance)
                    << where << " at " << truth.gap;
            }
        }
    }
}

}  // namespace
}  // namespace impuls
