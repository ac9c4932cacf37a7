// Every kind of bad shape is found, with its path; good shapes pass.
#include "geometry/shape_check.h"

#include <gtest/gtest.h>

#include <limits>

#include "geometry/oracles.h"
#include "geometry/tessellate.h"

namespace impuls {
namespace {

const double kNan = std::numeric_limits<double>::quiet_NaN();
const double kInf = std::numeric_limits<double>::infinity();

Mesh cube_mesh() {
    const TriangleMesh box = tessellate(Box{{1, 1, 1}});
    Mesh mesh{"", box.vertices, {}};
    for (const auto& t : box.triangles) mesh.triangles.insert(mesh.triangles.end(), t.begin(), t.end());
    return mesh;
}

// Exactly one problem, at this path, with this text in its message.
void expect_problem(const Shape& shape, const std::string& path, const std::string& text) {
    const auto problems = check_shape(shape);
    ASSERT_EQ(problems.size(), 1u) << text;
    EXPECT_EQ(problems[0].path, path);
    EXPECT_NE(problems[0].message.find(text), std::string::npos) << problems[0].message;
}

TEST(ShapeCheck, GoodShapesPass) {
    const std::vector<Vec3> tetrahedron{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (const Shape& shape :
         {Shape{Sphere{}}, Shape{Box{}}, Shape{Capsule{}}, Shape{Cylinder{}}, Shape{Cone{}}, Shape{Plane{}},
          Shape{Ellipsoid{}}, Shape{Convex{tetrahedron}}, Shape{cube_mesh()},
          Shape{HeightField{2, 1, {0, 1, 2, 3}}}, Shape{Point{}},
          Shape{Compound{{{{1, 0, 0}, {2, 0, 0, 0}, Convex{tetrahedron}}, {{}, {}, cube_mesh()}}}},
          Shape{Sphere{1e-30}}, Shape{Box{{1e20, 1e-20, 1}}}}) {
        const auto problems = check_shape(shape);
        EXPECT_TRUE(problems.empty()) << shape.index() << problems[0].path << ": " << problems[0].message;
    }
}

TEST(ShapeCheck, SizesAtWhichVolumesFail) {
    expect_problem(Sphere{1e-120}, "", "too small: its volume is 0");
    expect_problem(Sphere{1e-70}, "", "too small: its moment of inertia");
    expect_problem(Sphere{1e110}, "", "too large: its volume is inf");
    expect_problem(Box{{1e300, 1e300, 1}}, "", "too large");
    expect_problem(Box{{kInf, 1, 1}}, "", "too large");
    expect_problem(Ellipsoid{{1e-150, 1e-150, 1e-150}}, "", "too small");
    expect_problem(Cylinder{kNan, 1}, "", "its volume is nan");
    expect_problem(Capsule{1e-200, 1}, "", "too small");
    expect_problem(Cone{1e200, 1}, "", "too large");
    EXPECT_TRUE(check_shape(Sphere{-1}).empty());  // reported with its field
    EXPECT_TRUE(check_shape(Sphere{0}).empty());
}

TEST(ShapeCheck, BadHulls) {
    expect_problem(Convex{}, "/points", "0 points are fewer than 4");
    expect_problem(Convex{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}}, "/points", "3 points are fewer than 4");
    expect_problem(Convex{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}}}, "/points", "one plane");
    expect_problem(Convex{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.2, 0.2, 1e-12}}}, "/points", "flat");
    expect_problem(Convex{std::vector<Vec3>(9, Vec3{1, 1, 1})}, "/points", "all the same");
    expect_problem(Convex{{{0, 0, 0}, {1, 0, 0}, {0, kNan, 0}, {0, 0, 1}}}, "/points/2",
                   "not a finite point");
    expect_problem(Convex{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, -kInf}}}, "/points/3",
                   "not a finite point");
    const double s = 1e-130, l = 1e150;
    expect_problem(Convex{{{0, 0, 0}, {s, 0, 0}, {0, s, 0}, {0, 0, s}}}, "/points", "too small");
    expect_problem(Convex{{{0, 0, 0}, {l, 0, 0}, {0, l, 0}, {0, 0, l}}}, "/points", "too large");
    expect_problem(Convex{{{0, 0, 0}, {1.7e308, 0, 0}, {-1.7e308, 1, 0}, {0, 0, 1}}}, "/points",
                   "too far apart");
}

TEST(ShapeCheck, ThinButRealHullsPass) {
    for (const double t : {1e-3, 1e-6, 1e-9})
        EXPECT_TRUE(check_shape(Convex{tessellate(Box{{1, t, 1}}).vertices}).empty());
    EXPECT_TRUE(check_shape(Convex{tessellate(Box{{1, 1e-6, 1e-6}}).vertices}).empty());
    auto far = tessellate(Box{{1, 1, 1}}).vertices;
    for (Vec3& p : far) p += {1e5, -1e5, 1e5};
    EXPECT_TRUE(check_shape(Convex{far}).empty());
}

TEST(ShapeCheck, BadMeshNumbers) {
    Mesh mesh = cube_mesh();
    mesh.triangles.pop_back();
    expect_problem(mesh, "/triangles", "35 vertex numbers are not a multiple of 3");
    mesh = cube_mesh();
    mesh.triangles[7] = 8;
    expect_problem(mesh, "/triangles/7", "8 is not the number of a vertex (there are 8)");
    mesh.triangles[7] = -1;
    expect_problem(mesh, "/triangles/7", "-1 is not the number of a vertex");
    mesh.triangles[7] = std::numeric_limits<std::int64_t>::min();
    EXPECT_EQ(check_shape(mesh).size(), 1u);
    mesh = cube_mesh();
    mesh.vertices[3].y = kNan;
    expect_problem(mesh, "/vertices/3", "not a finite point");
    expect_problem(Mesh{}, "/triangles", "needs triangles");
    expect_problem(Mesh{"bunny.obj", {}, {}}, "/file", "not been read");
}

TEST(ShapeCheck, BadMeshTopology) {
    Mesh mesh = cube_mesh();
    mesh.triangles.resize(33);
    expect_problem(mesh, "/triangles", "the mesh is open at the edge of vertices");
    mesh = cube_mesh();
    std::swap(mesh.triangles[0], mesh.triangles[1]);
    expect_problem(mesh, "/triangles", "triangles are oriented differently at the edge of vertices");
    mesh = cube_mesh();
    for (std::size_t i = 0; i < mesh.triangles.size(); i += 3)
        std::swap(mesh.triangles[i], mesh.triangles[i + 1]);
    expect_problem(mesh, "/triangles", "inside out");
    mesh = cube_mesh();  // a two-sided flap that hangs on one edge: closed, but its triangles coincide
    mesh.vertices.push_back({3, 3, 3});
    mesh.triangles.insert(mesh.triangles.end(), {0, 1, 8, 1, 0, 8});
    expect_problem(mesh, "/triangles", "triangles 12 and 13 have the same corners");
    mesh = cube_mesh();
    mesh.triangles.insert(mesh.triangles.end(), {0, 1, 1});
    expect_problem(mesh, "/triangles", "triangle 12 has no area (vertices 0, 1, 1)");
}

TEST(ShapeCheck, BadMeshVolume) {
    Mesh mesh = cube_mesh();
    for (Vec3& v : mesh.vertices) v = {v.x, v.y, v.x + v.y + v.z * 1e-12};
    expect_problem(mesh, "/triangles", "flat");
    mesh = cube_mesh();
    for (Vec3& v : mesh.vertices) v *= 1e-110;
    expect_problem(mesh, "/vertices", "too small");
    for (Vec3& v : mesh.vertices) v = {1, 1, 1};
    expect_problem(mesh, "/vertices", "all the same");
}

// Every triangle with its own three vertices, as in files without sharing.
TEST(ShapeCheck, SplitVerticesAreWelded) {
    const Mesh cube = cube_mesh();
    Mesh split;
    for (const std::int64_t i : cube.triangles) {
        split.triangles.push_back(static_cast<std::int64_t>(split.vertices.size()));
        split.vertices.push_back(cube.vertices[static_cast<std::size_t>(i)]);
    }
    EXPECT_TRUE(check_shape(split).empty());
    split.vertices[4].x += 0.01;
    EXPECT_FALSE(check_shape(split).empty());
}

TEST(ShapeCheck, BadHeightFields) {
    expect_problem(HeightField{3, 1, {1, 2, 3, 4}}, "/heights",
                   "4 heights are not two or more rows of 3 columns");
    expect_problem(HeightField{3, 1, {1, 2, 3}}, "/heights", "3 heights are not two or more rows");
    expect_problem(HeightField{2, 1, {}}, "/heights", "0 heights are not");
    expect_problem(HeightField{std::numeric_limits<std::int64_t>::max(), 1, {1}}, "/heights",
                   "1 heights are not");
    expect_problem(HeightField{2, 1, {1, 2, kInf, 4}}, "/heights/2", "not a finite number");
    EXPECT_TRUE(check_shape(HeightField{0, 1, {1, 2}}).empty());  // reported with its field
    EXPECT_TRUE(check_shape(HeightField{-4, 1, {1, 2}}).empty());
}

TEST(ShapeCheck, BadCompounds) {
    expect_problem(Compound{}, "/parts", "needs parts");
    const CompoundPart good{{}, {}, Sphere{1}};
    expect_problem(Compound{{good, good, {{}, {}, Convex{{{0, 0, 0}}}}}}, "/parts/2/points",
                   "1 points are fewer");
    expect_problem(Compound{{good, {{}, {}, Sphere{1e-120}}}}, "/parts/1", "too small");
    expect_problem(Compound{{{{kNan, 0, 0}, {}, Sphere{1}}}}, "/parts/0/position", "not a finite point");
    expect_problem(Compound{{{{}, {0, 0, 0, 0}, Sphere{1}}}}, "/parts/0/orientation", "not a rotation");
    expect_problem(Compound{{{{}, {kNan, 0, 0, 0}, Sphere{1}}}}, "/parts/0/orientation", "not a rotation");
    expect_problem(Compound{{good, {{1e200, 0, 0}, {}, Sphere{1}}}}, "", "too large");
    Mesh open = cube_mesh();
    open.triangles.resize(30);
    EXPECT_EQ(check_shape(Compound{{{{}, {}, open}, {{}, {}, Convex{}}}}).size(), 2u);
}

// Random rubbish must neither crash nor hang.
TEST(ShapeCheck, SurvivesRubbish) {
    oracle::Random random(31);
    const double specials[] = {0, -0.0, kNan, kInf, -kInf, 1e308, -1e308, 5e-324, 1, 1e-300};
    const auto value = [&] {
        return specials[static_cast<int>(random.uniform(0, 9.99))] * random.uniform(0.5, 1);
    };
    for (int n = 0; n < 3000; ++n) {
        std::vector<Vec3> points(static_cast<std::size_t>(random.uniform(0, 12)));
        for (Vec3& p : points) p = {value(), value(), value()};
        std::vector<std::int64_t> triangles(static_cast<std::size_t>(random.uniform(0, 30)));
        for (std::int64_t& t : triangles) t = static_cast<std::int64_t>(random.uniform(-1, 13));
        check_shape(Convex{points});
        check_shape(Mesh{"", points, triangles});
        check_shape(Compound{{{{value(), 0, 0}, {value(), value(), 0, 0}, Convex{points}}}});
        check_shape(Ellipsoid{{value(), value(), value()}});
        tessellate(Mesh{"", points, triangles});
    }
}

}  // namespace
}  // namespace impuls
