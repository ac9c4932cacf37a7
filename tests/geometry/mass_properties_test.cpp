// Mass properties of every shape against numerical integration in cylindrical slices, textbook values and
// invariances.
#include "geometry/mass_properties.h"

#include <gtest/gtest.h>

#include <functional>
#include <numbers>

#include "geometry/oracles.h"
#include "geometry/tessellate.h"

namespace impuls {
namespace {

using std::numbers::pi;

void expect_close(const Mat3& a, const Mat3& b, double rel) {
    double size = 0;
    for (int j = 0; j < 3; ++j)
        for (int i = 0; i < 3; ++i) size = std::max(size, std::abs(b[j][i]));
    for (int j = 0; j < 3; ++j)
        for (int i = 0; i < 3; ++i) EXPECT_NEAR(a[j][i], b[j][i], rel * size) << "entry " << i << ", " << j;
}

// A body of revolution about y with radius profile r(y), by composite 3-point Gauss quadrature of disks:
// dm = pi r^2 dy, dI_y = dm r^2/2, dI_x = dm (r^2/4 + y^2).
MassProperties slices(double from, double to, const std::function<double(double)>& radius) {
    const int n = 200000;
    const double h = (to - from) / n, g = std::sqrt(0.6);
    double m = 0, my = 0, along = 0, across = 0;
    for (int i = 0; i < n; ++i) {
        for (const auto& [at, weight] : {std::pair{-g, 5.0 / 18}, {0.0, 8.0 / 18}, {g, 5.0 / 18}}) {
            const double y = from + h * (i + 0.5 + 0.5 * at), r = radius(y), dm = weight * h * pi * r * r;
            m += dm;
            my += dm * y;
            along += dm * r * r / 2;
            across += dm * (r * r / 4 + y * y);
        }
    }
    const double y = my / m;
    across -= m * y * y;
    return {m, {0, y, 0}, diagonal({across, along, across})};
}

void expect_slices(const Shape& shape, const MassProperties& sliced) {
    const double density = 2.5;
    const MassProperties m = mass_properties(shape, density);
    EXPECT_NEAR(m.mass, density * sliced.mass, 1e-9 * m.mass);
    EXPECT_NEAR(m.center.y, sliced.center.y, 1e-9);
    EXPECT_EQ(m.center.x, 0);
    EXPECT_EQ(m.center.z, 0);
    expect_close(m.inertia, sliced.inertia * density, 1e-9);
}

TEST(MassProperties, RoundShapesMatchIntegrationBySlices) {
    expect_slices(Sphere{0.7}, slices(-0.7, 0.7, [](double y) { return std::sqrt(0.49 - y * y); }));
    expect_slices(Cylinder{0.3, 1.7}, slices(-0.85, 0.85, [](double) { return 0.3; }));
    expect_slices(Cone{0.6, 1.1}, slices(-0.55, 0.55, [](double y) { return 0.6 * (0.5 - y / 1.1); }));
    expect_slices(Capsule{0.4, 1.3}, slices(-1.05, 1.05, [](double y) {
                      const double cap = std::max(0.0, std::abs(y) - 0.65);
                      return std::sqrt(std::max(0.0, 0.16 - cap * cap));
                  }));
    expect_slices(Ellipsoid{{0.5, 0.9, 0.5}}, slices(-0.9, 0.9, [](double y) {
                      return 0.5 * std::sqrt(std::max(0.0, 1 - y * y / 0.81));
                  }));
}

TEST(MassProperties, TextbookValues) {
    const MassProperties box = mass_properties(Box{{1, 2, 3}}, 2);
    EXPECT_DOUBLE_EQ(box.mass, 12);
    EXPECT_DOUBLE_EQ(box.inertia.c0.x, 13);
    EXPECT_DOUBLE_EQ(box.inertia.c1.y, 10);
    EXPECT_DOUBLE_EQ(box.inertia.c2.z, 5);
    const MassProperties e = mass_properties(Ellipsoid{{1, 2, 3}}, 1);
    EXPECT_DOUBLE_EQ(e.mass, 8 * pi);
    EXPECT_DOUBLE_EQ(e.inertia.c0.x, 8 * pi * 13 / 5);
    EXPECT_DOUBLE_EQ(e.inertia.c1.y, 8 * pi * 10 / 5);
    EXPECT_DOUBLE_EQ(e.inertia.c2.z, 8 * pi * 5 / 5);
}

TEST(MassProperties, MasslessShapesAreZero) {
    for (const Shape& shape : {Shape{Plane{}}, Shape{Point{}}, Shape{HeightField{2, 1, {0, 0, 0, 0}}},
                               Shape{Compound{}}, Shape{Mesh{}}, Shape{Convex{}}}) {
        const MassProperties m = mass_properties(shape, 1000);
        EXPECT_EQ(m.mass, 0);
        EXPECT_EQ(m.inertia, diagonal({0, 0, 0}));
    }
}

// An L of three unit cubes as one mesh: its outline in the xy-plane pulled along z.
Mesh l_shape() {
    const double outline[6][2] = {{-0.5, -0.5}, {1.5, -0.5}, {1.5, 0.5}, {0.5, 0.5}, {0.5, 1.5}, {-0.5, 1.5}};
    Mesh mesh;
    for (const double z : {-0.5, 0.5})
        for (const auto& p : outline) mesh.vertices.push_back({p[0], p[1], z});
    const auto add = [&](std::int64_t a, std::int64_t b, std::int64_t c) {
        mesh.triangles.insert(mesh.triangles.end(), {a, b, c});
    };
    for (std::int64_t i = 1; i < 5; ++i) {
        add(6, 6 + i, 7 + i);
        add(0, i + 1, i);
    }
    for (std::int64_t i = 0; i < 6; ++i) {
        const std::int64_t j = (i + 1) % 6;
        add(i, j, j + 6);
        add(i, j + 6, i + 6);
    }
    return mesh;
}

TEST(MassProperties, ConcaveMeshMatchesCompoundOfItsBoxes) {
    const Box cube{{1, 1, 1}};
    const Compound cubes{{{{0, 0, 0}, {}, cube}, {{1, 0, 0}, {}, cube}, {{0, 1, 0}, {}, cube}}};
    const MassProperties a = mass_properties(l_shape(), 3), b = mass_properties(cubes, 3);
    // By hand: m = 9, centre (1/3, 1/3, 0), I_xy of the products = 3 sum x y - 9/9 = -1, so entry +1.
    EXPECT_DOUBLE_EQ(a.mass, 9);
    EXPECT_NEAR(a.center.x, 1.0 / 3, 1e-15);
    EXPECT_NEAR(a.inertia.c0.y, 1, 1e-14);
    EXPECT_DOUBLE_EQ(b.mass, 9);
    EXPECT_NEAR(length(a.center - b.center), 0, 1e-15);
    expect_close(a.inertia, b.inertia, 1e-14);
}

// A turned and shifted mesh equals the compound of the same mesh in that pose.
TEST(MassProperties, CompoundTurnsAndShiftsItsParts) {
    oracle::Random random(5);
    for (int n = 0; n < 50; ++n) {
        const Pose X{random.vector(3), random.rotation()};
        Mesh moved = l_shape();
        for (Vec3& v : moved.vertices) v = X * v;
        const MassProperties a = mass_properties(moved, 2);
        const MassProperties b = mass_properties(Compound{{{X.position, X.orientation, l_shape()}}}, 2);
        EXPECT_NEAR(a.mass, b.mass, 1e-13 * b.mass);
        EXPECT_NEAR(length(a.center - b.center), 0, 1e-14);
        expect_close(a.inertia, b.inertia, 1e-13);
    }
}

TEST(MassProperties, BoxHalvesMakeTheBox) {
    const Quat quarter{std::sqrt(0.5), 0, std::sqrt(0.5), 0};  // turns x into -z
    const Compound halves{{{{-0.5, 0, 0}, {}, Box{{1, 2, 3}}}, {{0.5, 0, 0}, quarter, Box{{3, 2, 1}}}}};
    const MassProperties a = mass_properties(halves, 7), b = mass_properties(Box{{2, 2, 3}}, 7);
    EXPECT_NEAR(a.mass, b.mass, 1e-13 * b.mass);
    EXPECT_NEAR(length(a.center), 0, 1e-15);
    expect_close(a.inertia, b.inertia, 1e-14);
}

TEST(MassProperties, CylinderIsTwoShorterCylinders) {
    const Compound two{{{{0, -0.5, 0}, {}, Cylinder{0.4, 1}}, {{0, 0.5, 0}, {}, Cylinder{0.4, 1}}}};
    expect_close(mass_properties(two, 1).inertia, mass_properties(Cylinder{0.4, 2}, 1).inertia, 1e-14);
}

TEST(MassProperties, UnplacedSinglePartKeepsEveryBit) {
    const Capsule capsule{0.3, 0.7};
    const MassProperties a = mass_properties(Compound{{{{}, {}, capsule}}}, 1234.5);
    const MassProperties b = mass_properties(capsule, 1234.5);
    EXPECT_EQ(a.mass, b.mass);
    EXPECT_EQ(a.center, b.center);
    EXPECT_EQ(a.inertia, b.inertia);
}

// Lengths times 2^k: mass times 2^3k, inertia times 2^5k, bit for bit.
TEST(MassProperties, PowerOfTwoScalesAreExact) {
    oracle::Random random(9);
    std::vector<Vec3> points;
    for (int i = 0; i < 40; ++i) points.push_back(random.vector(1) + Vec3{0.3, 0.1, 2});
    for (const int k : {-7, 7, -40, 40}) {
        const double s = std::ldexp(1.0, k);
        std::vector<Vec3> scaled = points;
        for (Vec3& p : scaled) p *= s;
        const Shape shapes[][2] = {
            {Convex{points}, Convex{scaled}},
            {Capsule{0.3, 0.7}, Capsule{0.3 * s, 0.7 * s}},
            {Cone{0.3, 0.7}, Cone{0.3 * s, 0.7 * s}},
            {Compound{{{{1.1, 2, 3}, {0.6, 0, 0.8, 0}, Cone{0.3, 0.7}}, {{}, {}, Sphere{0.1}}}},
             Compound{{{Vec3{1.1, 2, 3} * s, {0.6, 0, 0.8, 0}, Cone{0.3 * s, 0.7 * s}},
                       {{}, {}, Sphere{0.1 * s}}}}}};
        for (const auto& [plain, large] : shapes) {
            const MassProperties a = mass_properties(plain, 917), b = mass_properties(large, 917);
            EXPECT_EQ(b.mass, a.mass * (s * s * s));
            EXPECT_EQ(b.center, a.center * s);
            EXPECT_EQ(b.inertia, a.inertia * (s * s * s * s * s));
        }
    }
}

}  // namespace
}  // namespace impuls
