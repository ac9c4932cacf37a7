// Colliders from shapes and their bounds, checked with support functions and transformed corners.
#include "collision/collider.h"
#include "collision/make_colliders.h"
#include "collision/shape_cache.h"

#include <gtest/gtest.h>

#include "collision/oracle.h"

namespace impuls {
namespace {

TEST(Colliders, KindsThatCanCollide) {
    EXPECT_TRUE(can_collide(Sphere{}));
    EXPECT_TRUE(can_collide(Box{}));
    EXPECT_TRUE(can_collide(Capsule{}));
    EXPECT_TRUE(can_collide(Plane{}));
    EXPECT_TRUE(can_collide(Cylinder{}));
    EXPECT_TRUE(can_collide(Mesh{}));
    EXPECT_FALSE(can_collide(Point{}));
}

TEST(Colliders, SizesAndPlaces) {
    std::vector<Collider> out;
    ShapeCache cache;
    const Pose X_BS{{0, 1, 0}, from_axis_angle({0, 0, 1}, 1.5707963267948966)};
    make_colliders(Box{{2, 4, 6}}, X_BS, true, cache, out);
    make_colliders(Compound{{{{1, 0, 0}, {}, Sphere{0.25}}, {{0, 2, 0}, {}, Capsule{0.5, 3}}}}, X_BS, true,
                   cache, out);
    make_colliders(Point{}, X_BS, true, cache, out);
    ASSERT_EQ(out.size(), 3u);
    EXPECT_EQ(out[0].kind, ColliderKind::Box);
    EXPECT_EQ(out[0].half, (Vec3{1, 2, 3}));
    EXPECT_EQ(out[0].size, 1);
    EXPECT_EQ(out[0].X_BC, X_BS);
    EXPECT_EQ(out[1].kind, ColliderKind::Sphere);
    EXPECT_EQ(out[1].radius, 0.25);
    EXPECT_NEAR(length(out[1].X_BC.position - Vec3{0, 2, 0}), 0, 1e-15);
    EXPECT_EQ(out[2].kind, ColliderKind::Capsule);
    EXPECT_EQ(out[2].half, (Vec3{0.5, 1.5, 0.5}));
    EXPECT_NEAR(length(out[2].X_BC.position - Vec3{-2, 1, 0}), 0, 1e-15);
}

// A cube of side 1: cells of 1/64 m unless the description says otherwise; equal descriptions share a field.
TEST(Colliders, FieldOfAMovingMeshHasTheCellsOfItsDescription) {
    const TriangleMesh cube = tessellate(Box{});
    Mesh mesh;
    mesh.vertices = cube.vertices;
    for (const auto& t : cube.triangles) mesh.triangles.insert(mesh.triangles.end(), t.begin(), t.end());
    Mesh coarse = mesh;
    coarse.field_cells = 16;
    ShapeCache cache;
    std::vector<Collider> out;
    for (const Mesh& m : {mesh, coarse, mesh}) make_colliders(m, {}, true, cache, out);
    ASSERT_EQ(out.size(), 3u);
    EXPECT_NEAR(out[0].field->field.cell(), 1.0 / 64, 1e-12);
    EXPECT_NEAR(out[1].field->field.cell(), 1.0 / 16, 1e-12);
    EXPECT_EQ(out[0].field, out[2].field);
}

TEST(Colliders, BoundsAreTheSupportsAlongTheAxes) {
    oracle::Rng rng(8);
    for (int k = 0; k < 300; ++k) {
        for (Collider c :
             {oracle::sphere(0.7), oracle::box({0.2, 0.5, 1}), oracle::capsule(0.3, 0.8),
              oracle::round(ColliderKind::Cylinder, 0.4, 0.7), oracle::round(ColliderKind::Cone, 0.6, 0.5),
              oracle::ellipsoid({0.3, 0.6, 0.9}),
              oracle::convex({{1, 0, 0}, {-1, 0.2, 0}, {0, 1, 0}, {0, 0, 1}, {0.1, -0.5, -0.7}})}) {
            c.X_BC = {rng.direction(), rng.orientation()};
            const Pose X_WB{rng.direction() * 3, rng.orientation()};
            const oracle::Body body{c, X_WB * c.X_BC};
            const Aabb box = bounds(c, X_WB);
            for (int i = 0; i < 3; ++i) {
                Vec3 e;
                e[i] = 1;
                ASSERT_NEAR(box.max[i], oracle::support(body, e), 1e-12);
                ASSERT_NEAR(box.min[i], -oracle::support(body, -e), 1e-12);
            }
        }
    }
    const Aabb all = bounds(oracle::plane(), {{1, 2, 3}, {}});
    EXPECT_EQ(all.min.x, -std::numeric_limits<double>::infinity());
    EXPECT_EQ(all.max.z, std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace impuls
