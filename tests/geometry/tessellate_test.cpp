// Tessellations: closed, outward, on the surface, and converging to the volume of the shape.
#include "geometry/tessellate.h"

#include <gtest/gtest.h>

#include <map>

#include "geometry/mass_properties.h"
#include "geometry/oracles.h"

namespace impuls {
namespace {

bool is_closed(const TriangleMesh& mesh) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, int> edges;
    for (const auto& t : mesh.triangles)
        for (int i = 0; i < 3; ++i) ++edges[{t[i], t[(i + 1) % 3]}];
    for (const auto& [edge, count] : edges) {
        const auto back = edges.find({edge.second, edge.first});
        if (count != 1 || back == edges.end()) return false;
    }
    return !edges.empty();
}

double volume(const TriangleMesh& mesh) {
    return static_cast<double>(oracle::moments(mesh).volume);
}

const Shape kRoundShapes[] = {Sphere{0.6}, Capsule{0.3, 0.9}, Cylinder{0.4, 1.1}, Cone{0.5, 0.8},
                              Ellipsoid{{0.2, 0.5, 0.9}}};

TEST(Tessellate, RoundShapesAreClosedForAnySegments) {
    for (const Shape& shape : kRoundShapes) {
        for (const int segments : {-1, 0, 3, 4, 5, 6, 7, 32}) {
            const TriangleMesh mesh = tessellate(shape, segments);
            EXPECT_TRUE(is_closed(mesh)) << shape.index() << " with " << segments;
            EXPECT_GT(volume(mesh), 0);
        }
    }
}

// The volume defect of inscribed facets falls as segments^-2, from below.
TEST(Tessellate, VolumeConvergesToTheClosedForm) {
    for (const Shape& shape : kRoundShapes) {
        const double exact = mass_properties(shape, 1).mass;
        const double coarse = exact - volume(tessellate(shape, 32)),
                     fine = exact - volume(tessellate(shape, 128));
        EXPECT_GT(fine, 0);
        EXPECT_NEAR(coarse / fine, 16, 0.3) << shape.index();
    }
}

// Distance from the surface by each shape's implicit equation.
TEST(Tessellate, VerticesLieOnTheSurface) {
    for (const Vec3& v : tessellate(Sphere{0.6}, 24).vertices) EXPECT_NEAR(length(v), 0.6, 2e-16);
    for (const Vec3& v : tessellate(Ellipsoid{{0.2, 0.5, 0.9}}, 24).vertices)
        EXPECT_NEAR(length(Vec3{v.x / 0.2, v.y / 0.5, v.z / 0.9}), 1, 4e-16);
    for (const Vec3& v : tessellate(Capsule{0.3, 0.9}, 24).vertices) {
        const double y = std::max(0.0, std::abs(v.y) - 0.45);
        EXPECT_NEAR(length(Vec3{v.x, y, v.z}), 0.3, 2e-16);
    }
    for (const Vec3& v : tessellate(Cylinder{0.4, 1.1}, 24).vertices) {
        EXPECT_EQ(std::abs(v.y), 0.55);
        const double r = std::hypot(v.x, v.z);
        EXPECT_TRUE(r == 0 || std::abs(r - 0.4) < 2e-16);
    }
    for (const Vec3& v : tessellate(Cone{0.5, 0.8}, 24).vertices) {
        const double r = std::hypot(v.x, v.z);
        EXPECT_TRUE((r == 0 && std::abs(v.y) == 0.4) || (std::abs(r - 0.5) < 2e-16 && v.y == -0.4));
    }
}

TEST(Tessellate, CorneredShapesKeepTheirVolume) {
    EXPECT_TRUE(is_closed(tessellate(Box{{1, 2, 3}})));
    EXPECT_DOUBLE_EQ(volume(tessellate(Box{{1, 2, 3}})), 6);
    const TriangleMesh box = tessellate(Box{{1, 2, 3}});
    const TriangleMesh hull = tessellate(Convex{box.vertices});
    EXPECT_TRUE(is_closed(hull));
    EXPECT_EQ(hull.triangles.size(), 12u);
    EXPECT_DOUBLE_EQ(volume(hull), 6);
    Mesh mesh{"", box.vertices, {}};
    for (const auto& t : box.triangles) mesh.triangles.insert(mesh.triangles.end(), t.begin(), t.end());
    EXPECT_DOUBLE_EQ(volume(tessellate(mesh)), 6);
    const Compound two{{{{5, 0, 0}, normalized(Quat{1, 1, 0, 0}), mesh}, {{}, {}, Box{{1, 1, 1}}}}};
    EXPECT_TRUE(is_closed(tessellate(two)));
    EXPECT_NEAR(volume(tessellate(two)), 7, 1e-14);
}

TEST(Tessellate, SheetsFaceUp) {
    const TriangleMesh plane = tessellate(Plane{}, 32, 6);
    const TriangleMesh field = tessellate(HeightField{3, 0.5, {0, 1, 0, 2, -1, 3, 0, 0, 1}});
    EXPECT_EQ(plane.triangles.size(), 2u);
    EXPECT_EQ(field.triangles.size(), 8u);
    EXPECT_EQ(field.vertices[5], (Vec3{0.5, 3, 0}));
    double area = 0;
    for (const TriangleMesh* mesh : {&plane, &field}) {
        for (const auto& [a, b, c] : mesh->triangles) {
            const Vec3 n =
                cross(mesh->vertices[b] - mesh->vertices[a], mesh->vertices[c] - mesh->vertices[a]);
            EXPECT_GT(n.y, 0);
            area += n.y / 2;
        }
    }
    EXPECT_DOUBLE_EQ(area, 36 + 1);
}

TEST(Tessellate, BadShapesGiveNoTriangles) {
    EXPECT_TRUE(tessellate(Point{}).triangles.empty());
    EXPECT_TRUE(tessellate(Convex{{{0, 0, 0}, {1, 0, 0}}}).triangles.empty());
    EXPECT_TRUE(tessellate(Mesh{"", {{0, 0, 0}}, {0, 1, -5, 0}}).triangles.empty());
    EXPECT_TRUE(tessellate(HeightField{0, 1, {1, 2}}).triangles.empty());
    EXPECT_TRUE(tessellate(HeightField{-3, 1, {1, 2}}).triangles.empty());
    EXPECT_TRUE(tessellate(HeightField{2, 1, {1, 2}}).triangles.empty());
}

}  // namespace
}  // namespace impuls
