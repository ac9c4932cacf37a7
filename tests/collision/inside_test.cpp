// Queries of solids made of triangles (meshes, distance fields, height fields): rays against every triangle,
// inside and depth against closed forms; the step limit of times of impact; margins relative to sizes.
#include <gtest/gtest.h>

#include <cmath>

#include "base/rng.h"
#include "collision/distance/closest.h"
#include "collision/make_colliders.h"
#include "collision/ray/ray.h"
#include "collision/shape_cache.h"
#include "collision/sweep/time_of_impact.h"
#include "impuls/collision.h"
#include "support/solid_meshes.h"

namespace impuls {
namespace {

// An L in the xy-plane, |z| <= 0.5: [0, 2] x [0, 1] and [0, 1] x [1, 2].
Mesh l_shape() {
    Mesh mesh;
    const double x[] = {0, 2, 2, 1, 1, 0}, y[] = {0, 0, 1, 1, 2, 2};
    for (int k = 0; k < 12; ++k) mesh.vertices.push_back({x[k % 6], y[k % 6], k < 6 ? -0.5 : 0.5});
    for (const std::array<int, 3>& t : {std::array{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 5}}) {
        for (const int v : t) mesh.triangles.push_back(v + 6);
        for (const int v : {t[0], t[2], t[1]}) mesh.triangles.push_back(v);
    }
    for (int k = 0; k < 6; ++k)
        for (const int v : {k, (k + 1) % 6, (k + 1) % 6 + 6, k, (k + 1) % 6 + 6, k + 6})
            mesh.triangles.push_back(v);
    return mesh;
}

bool in_l(const Vec3& p) {
    return std::abs(p.z) <= 0.5 && p.x >= 0 && p.y >= 0 && ((p.x <= 2 && p.y <= 1) || (p.x <= 1 && p.y <= 2));
}

Collider collider_of(const Shape& shape, bool is_dynamic) {
    ShapeCache cache;
    std::vector<Collider> out;
    make_colliders(shape, {}, is_dynamic, cache, out);
    return out.at(0);
}

TEST(Inside, PointsAndRaysOfAnLAsSurfaceAndAsField) {
    const Mesh mesh = l_shape();
    const Pose X{{3, -1, 2}, normalized(Quat{1, 0.3, -0.2, 0.5})};
    for (const bool is_dynamic : {false, true}) {
        const Collider c = collider_of(mesh, is_dynamic);
        ASSERT_EQ(c.kind, is_dynamic ? ColliderKind::DistanceField : ColliderKind::Mesh);
        Rng rng(3, 14);
        int inside = 0, hits = 0;
        for (int k = 0; k < 2000; ++k) {
            const Vec3 p{rng.uniform(-0.2, 2.2), rng.uniform(-0.2, 2.2), rng.uniform(-0.7, 0.7)};
            EXPECT_EQ(contains_point(c, X, X * p), in_l(p)) << p.x << ' ' << p.y << ' ' << p.z;
            inside += in_l(p);
            // The nearest of all triangles.
            const Ray ray{p, rotate(rng.rotation(), {0, 0, 1}), 3};
            double first = 4;
            for (std::size_t t = 0; t < mesh.triangles.size(); t += 3) {
                const auto at = [&](std::size_t i) -> const Vec3& {
                    return mesh.vertices[static_cast<std::size_t>(mesh.triangles[t + i])];
                };
                const RayHit hit = ray_triangle(ray, at(0), at(1), at(2));
                if (hit.hit) first = std::min(first, hit.t);
            }
            if (in_l(p)) first = 0;
            const RayHit hit = ray_cast({X * p, rotate(X.orientation, ray.direction), 3}, c, X);
            ASSERT_EQ(hit.hit, first < 4);
            EXPECT_EQ(hit.inside, in_l(p));
            if (!hit.hit) continue;
            ++hits;
            EXPECT_NEAR(hit.t, first, 1e-12);
            EXPECT_LT(dot(hit.normal, rotate(X.orientation, ray.direction)), 0);
        }
        EXPECT_GT(inside, 500);
        EXPECT_GT(hits, 900);
    }
}

// Balls outside, across and inside an L: the distance of the centre from the L in closed form.
TEST(Inside, DistanceOfBallsIsNegativeInside) {
    const auto outside_box = [](const Vec3& p, const Vec3& low, const Vec3& high) {
        Vec3 d;
        for (int i = 0; i < 3; ++i) d[i] = std::max({0.0, low[i] - p[i], p[i] - high[i]});
        return length(d);
    };
    for (const bool is_dynamic : {false, true}) {
        const Collider c = collider_of(l_shape(), is_dynamic), ball = collider_of(Sphere{0.15}, true);
        Rng rng(8, 1);
        int counts[3] = {};
        for (int k = 0; k < 400; ++k) {
            const Vec3 p{rng.uniform(-0.4, 2.4), rng.uniform(-0.4, 2.4), rng.uniform(-0.8, 0.8)};
            const Closest d = closest(c, {}, ball, {p, {}});
            const double out = std::min(outside_box(p, {0, 0, -0.5}, {2, 1, 0.5}),
                                        outside_box(p, {0, 1, -0.5}, {1, 2, 0.5}));
            if (out > 0.15) {
                ++counts[0];
                EXPECT_NEAR(d.distance, out - 0.15, 1e-12);
            } else if (out > 0) {
                ++counts[1];
                EXPECT_LT(d.distance, 0);
            } else {
                // To the nearest wall, seen from inside: edges of the inner corner count as walls do.
                const double walls = std::min({p.x, p.y, 0.5 - std::abs(p.z), 2 - p.x, 2 - p.y});
                const double corner = length(Vec3{std::max(0.0, 1 - p.x), std::max(0.0, 1 - p.y), 0});
                const double in = std::min(walls, corner);
                if (in < 0.15) {
                    EXPECT_LT(d.distance, 0);  // it sticks out
                } else {
                    ++counts[2];
                    EXPECT_NEAR(d.distance, -(in + 0.15), 1e-12);
                    EXPECT_NEAR(length(d.p_a - d.p_b), in + 0.15, 1e-12);
                }
            }
        }
        EXPECT_GT(counts[0], 20);
        EXPECT_GT(counts[1], 20);
        EXPECT_GT(counts[2], 20);
    }
}

TEST(Inside, MeshesInMeshesAndUnderHeightFields) {
    const Solid hall(meshes::mesh_of(Box{{4, 4, 4}}, 16)), crate(meshes::mesh_of(Box{{1, 1, 1}}, 16)),
        box(Box{{1, 1, 1}});
    for (const Solid& inner : {crate, box}) {
        const Distance d = distance({hall, {}}, {inner, {{1, 0.2, 0}, {}}});
        EXPECT_NEAR(d.distance, -1.5, 1e-12);  // half a metre to the wall, and its own width
        EXPECT_LT(length(d.normal - Vec3{1, 0, 0}), 1e-12);
        EXPECT_NEAR(distance({inner, {{1, 0.2, 0}, {}}}, {hall, {}}).normal.x, -1, 1e-12);
        EXPECT_NEAR(distance({hall, {}}, {inner, {{3, 0, 0}, {}}}).distance, 0.5, 1e-12);
    }
    HeightField flat;
    flat.columns = 3, flat.heights.assign(9, 0);
    const Solid land(flat), ball(Sphere{0.1});
    EXPECT_NEAR(distance({land, {}}, {ball, {{0.2, -5, 0.1}, {}}}).distance, -5.1, 1e-12);
    CollisionScene scene;
    Executor executor(1);
    const ProxyId id = scene.add(land, {}), in = scene.add(hall, {{50, 0, 0}, {}});
    scene.update(executor);
    std::vector<ProxyId> found;
    scene.overlaps({ball, {{0.2, -5, 0.1}, {}}}, found);
    EXPECT_EQ(found, std::vector<ProxyId>{id});
    scene.overlaps({ball, {{50, 0.3, 0}, {}}}, found);
    EXPECT_EQ(found, std::vector<ProxyId>{in});
    scene.overlaps({ball, {{0.2, 5, 0.1}, {}}}, found);
    EXPECT_TRUE(found.empty());
}

TEST(Inside, TimeOfImpactWithAField) {
    const Collider field = collider_of(meshes::mesh_of(Box{{1, 1, 1}}, 16), true),
                   ball = collider_of(Sphere{0.5}, true);
    const ImpactAt i = time_of_impact(ball, {{{-5, 0.1, 0}, {}}, {8, 0, 0}, {}}, field, {}, 1, 1e-4);
    EXPECT_EQ(i.kind, Impact::Kind::Touch);
    EXPECT_NEAR(i.t, 0.5, 1e-4 / 8);
    EXPECT_LE(i.t, 0.5);
    const Collider bead = collider_of(Sphere{0.05}, true);
    EXPECT_EQ(time_of_impact(bead, {{}, {8, 0, 0}, {}}, field, {}, 1, 1e-4).kind, Impact::Kind::Initial);
}

// A ball that spins in place near a plane: the bound of its closing speed promises 1/2000 of the time a step.
TEST(Impact, StepLimitIsMarked) {
    const Solid ball(Sphere{1}), ground(Plane{});
    const Sweep spin{{{0, 2, 0}, {}}, {}, {2000, 0, 0}};
    const ImpactTime i = time_of_impact(ball, spin, ground, {}, 1);
    EXPECT_FALSE(i.hit);
    EXPECT_TRUE(i.limit);
    EXPECT_GT(i.t, 0.1);
    EXPECT_LT(i.t, 0.2);
    EXPECT_NEAR(i.at.distance, -1 + 2, 1e-12);
    CollisionScene scene;
    Executor executor(1);
    scene.add(ground, {});
    scene.update(executor);
    const auto cast = scene.cast({ball, spin, 1});
    ASSERT_TRUE(cast);
    EXPECT_TRUE(cast->impact.limit && !cast->impact.hit);
    EXPECT_FALSE(time_of_impact(ball, {{{0, 2, 0}, {}}, {}, {20, 0, 0}}, ground, {}, 1).limit);
}

// The margin is a part of the smaller ball's radius, whatever the scale; a plane has no size of its own.
TEST(CollisionScene, MarginsRelativeToSize) {
    for (const double scale : {1e-3, 1.0, 1e3}) {
        CollisionScene scene;
        Executor executor(1);
        const Solid large(Sphere{scale}), small(Sphere{0.1 * scale});
        scene.add(Solid(Plane{}), {{0, -2 * scale, 0}, {}});
        scene.add(large, {});
        scene.add(small, {{1.109 * scale, 0, 0}, {}});           // 0.009 away, and 0.1 / 10 is the margin
        scene.add(small, {{-1.111 * scale, 0, 0}, {}});          // 0.011 away
        scene.add(small, {{0, -1.891 * scale, 5 * scale}, {}});  // 0.009 over the plane
        scene.update(executor);
        const auto pairs = scene.contacts({.part = 0.1}, executor);
        ASSERT_EQ(pairs.size(), 2u);
        EXPECT_EQ(pairs[0].a.index, 0u);
        EXPECT_EQ(pairs[0].b.index, 4u);
        EXPECT_EQ(pairs[1].b.index, 2u);
        EXPECT_TRUE(scene.contacts({}, executor).empty());
        EXPECT_EQ(scene.contacts({.distance = 0.012 * scale}, executor).size(), 3u);
    }
}

}  // namespace
}  // namespace impuls
