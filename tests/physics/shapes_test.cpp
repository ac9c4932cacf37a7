// Every shape at rest, rolling and sliding, against closed forms; and sliding over surfaces of many pieces,
// which must feel like one plane.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "impuls/world.h"
#include "support/constants.h"

namespace impuls {
namespace {

BodyDesc body(const std::string& name, const Shape& shape, const Vec3& at,
              BodyKind kind = BodyKind::Dynamic) {
    BodyDesc b;
    b.name = name, b.shape = shape, b.position = at, b.kind = kind, b.material = "m";
    if (kind == BodyKind::Dynamic) b.mass = 2;
    return b;
}

Scene scene_with(double friction) {
    Scene scene;
    MaterialDesc m;
    m.name = "m", m.friction = friction;
    scene.materials.push_back(m);
    return scene;
}

// A flat slab of nx by nz squares, two triangles each, closed below.
Mesh mesh_floor(int nx, int nz, double edge) {
    Mesh mesh;
    const auto id = [&](int i, int j, int side) { return (side * (nz + 1) + j) * (nx + 1) + i; };
    for (int side = 0; side < 2; ++side)
        for (int j = 0; j <= nz; ++j)
            for (int i = 0; i <= nx; ++i)
                mesh.vertices.push_back({(i - 0.5 * nx) * edge, -1.0 * side, (j - 0.5 * nz) * edge});
    const auto quad = [&](int a, int b, int c, int d) {
        for (const int v : {a, b, c, a, c, d}) mesh.triangles.push_back(v);
    };
    for (int j = 0; j < nz; ++j)
        for (int i = 0; i < nx; ++i) {
            quad(id(i, j, 0), id(i, j + 1, 0), id(i + 1, j + 1, 0), id(i + 1, j, 0));
            quad(id(i, j, 1), id(i + 1, j, 1), id(i + 1, j + 1, 1), id(i, j + 1, 1));
        }
    for (int i = 0; i < nx; ++i) {
        quad(id(i, 0, 0), id(i + 1, 0, 0), id(i + 1, 0, 1), id(i, 0, 1));
        quad(id(i + 1, nz, 0), id(i, nz, 0), id(i, nz, 1), id(i + 1, nz, 1));
    }
    for (int j = 0; j < nz; ++j) {
        quad(id(0, j + 1, 0), id(0, j, 0), id(0, j, 1), id(0, j + 1, 1));
        quad(id(nx, j, 0), id(nx, j + 1, 0), id(nx, j + 1, 1), id(nx, j, 1));
    }
    return mesh;
}

Shape flat_field(int nx, int nz, double edge) {
    HeightField f;
    f.columns = nx + 1, f.spacing = edge;
    f.heights.assign(static_cast<std::size_t>((nx + 1) * (nz + 1)), 0);
    return f;
}

Shape box_floor(int nx, int nz, double edge) {
    Compound c;
    for (int j = 0; j < nz; ++j)
        for (int i = 0; i < nx; ++i)
            c.parts.push_back(
                {{(i + 0.5 - 0.5 * nx) * edge, -0.5, (j + 0.5 - 0.5 * nz) * edge}, {}, Box{{edge, 1, edge}}});
    return c;
}

struct Sliding {
    double noise = 0;  // largest normal velocity, m/s
    double height = 0, lowest = 1e9;
    Vec3 velocity{}, spin{};
};

// Slides without friction at an angle to the edges of the floor.
Sliding slide(const Shape& floor, const Shape& shape, double height, const Quat& q = {}) {
    Scene scene = scene_with(0);
    scene.bodies.push_back(body("floor", floor, {}, BodyKind::Static));
    scene.bodies.push_back(body("slider", shape, {-2, height, -1.03}));
    scene.bodies.back().orientation = q;
    scene.bodies.back().velocity = {2, 0, 1};
    World world(scene);
    const BodyId id = world.find_body("slider");
    Sliding out;
    for (int k = 0; k < 100; ++k) {
        const StepStatus status = world.step();
        EXPECT_TRUE(status.ok) << status.message;
        if (k < 10) continue;
        out.noise = std::max(out.noise, std::abs(world.velocity(id).y));
        out.height = std::max(out.height, world.pose(id).position.y);
        out.lowest = std::min(out.lowest, world.pose(id).position.y);
    }
    out.velocity = world.velocity(id), out.spin = world.angular_velocity(id);
    return out;
}

const Convex kPebble{{{0.3, -0.2, 0.2},
                      {-0.25, -0.2, 0.3},
                      {-0.3, -0.2, -0.2},
                      {0.2, -0.2, -0.3},
                      {0.2, 0.25, 0.1},
                      {-0.2, 0.2, 0.15},
                      {0, 0.3, -0.2}}};

void expect_no_bump(const Shape& floor) {
    const Quat lying = from_axis_angle({0, 0, 1}, 1.5707963267948966);
    const struct {
        const char* name;
        Shape shape;
        double height;
        Quat q;
    } sliders[] = {{"box", Box{{0.4, 0.3, 0.5}}, 0.15, {}},
                   {"turned box", Box{{0.4, 0.3, 0.5}}, 0.15, from_axis_angle({0, 1, 0}, 0.4)},
                   {"sphere", Sphere{0.2}, 0.2, {}},
                   {"capsule", Capsule{0.2, 0.4}, 0.2, lying},
                   {"cylinder", Cylinder{0.2, 0.3}, 0.15, {}},
                   {"lying cylinder", Cylinder{0.2, 0.3}, 0.2, lying},
                   {"ellipsoid", Ellipsoid{{0.3, 0.2, 0.3}}, 0.2, {}},
                   {"convex", kPebble, 0.2, {}}};
    for (const auto& s : sliders) {
        SCOPED_TRACE(s.name);
        const Sliding out = slide(floor, s.shape, s.height, s.q);
        EXPECT_LT(out.noise, 1e-6);
        EXPECT_NEAR(out.height, s.height, 1e-6);
        EXPECT_NEAR(out.lowest, s.height, 2e-3 * s.height);
        EXPECT_NEAR(out.velocity.x, 2, 1e-6);
        EXPECT_NEAR(out.velocity.z, 1, 1e-6);
        EXPECT_LT(length(out.spin), 1e-6);
    }
}

TEST(Surface, SlidingOverAMeshOfTenThousandTrianglesHasNoBumps) {
    const Mesh floor = mesh_floor(70, 70, 0.1);
    ASSERT_GE(floor.triangles.size() / 3 / 2, 9800u);
    expect_no_bump(floor);
}

TEST(Surface, SlidingOverAHeightFieldHasNoBumps) {
    expect_no_bump(flat_field(70, 70, 0.1));
}

TEST(Surface, SlidingOverFlushBoxesOfACompoundHasNoBumps) {
    expect_no_bump(box_floor(14, 14, 0.5));
}

// Rests: position, no motion, and the floor carries the weight.
void expect_rest(const Shape& floor, const Shape& shape, const Quat& q, double height, double drop = 0.02) {
    Scene scene = scene_with(0.5);
    scene.bodies.push_back(body("floor", floor, {}, BodyKind::Static));
    scene.bodies.push_back(body("thing", shape, {0.013, height + drop, 0.021}));
    scene.bodies.back().orientation = q;
    World world(scene);
    const BodyId id = world.find_body("thing");
    for (int k = 0; k < 180; ++k) {
        const StepStatus status = world.step();
        ASSERT_TRUE(status.ok) << status.message;
    }
    EXPECT_NEAR(world.pose(id).position.y, height, 2e-3 * height);
    EXPECT_LT(length(world.velocity(id)), 1e-5);
    EXPECT_LT(length(world.angular_velocity(id)), 1e-4);
    Vec3 force;
    for (const Contact& c : world.frame().contacts) force += c.force;
    EXPECT_NEAR(force.y, 2 * kG, 1e-3 * 2 * kG);
}

TEST(Shapes, RestOnAPlaneAMeshAndAHeightField) {
    const Quat lying = from_axis_angle({0, 0, 1}, 1.5707963267948966);
    const Shape floors[] = {Plane{}, mesh_floor(10, 10, 0.31), flat_field(10, 10, 0.31), Box{{4, 0, 4}}};
    for (int f = 0; f < 3; ++f) {
        SCOPED_TRACE(f);
        const auto rest = [&](const char* name, const Shape& shape, const Quat& q, double height) {
            SCOPED_TRACE(name);
            expect_rest(floors[f], shape, q, height);
        };
        rest("cylinder", Cylinder{0.3, 0.8}, {}, 0.4);
        rest("lying cylinder", Cylinder{0.3, 0.8}, lying, 0.3);
        rest("cone", Cone{0.4, 0.8}, {}, 0.4);
        rest("ellipsoid", Ellipsoid{{0.5, 0.2, 0.4}}, {}, 0.2);
        rest("convex", kPebble, {}, 0.2);
        rest("box", Box{{0.4, 0.3, 0.5}}, {}, 0.15);
        rest("capsule", Capsule{0.2, 0.4}, lying, 0.2);
        rest("sphere", Sphere{0.25}, {}, 0.25);
    }
}

// A cylinder rolls down a slope with 2/3 g sin, on a plane as on a mesh.
TEST(Shapes, ACylinderRollsWithTwoThirds) {
    const double t = 0.2;
    const Quat tilt = from_axis_angle({0, 0, 1}, -t);
    for (const Shape& floor : {Shape{Plane{}}, Shape{mesh_floor(60, 6, 0.2)}}) {
        Scene scene = scene_with(0.8);
        scene.bodies.push_back(body("floor", floor, {}, BodyKind::Static));
        scene.bodies.back().orientation = tilt;
        scene.bodies.push_back(body("c", Cylinder{0.25, 0.5}, rotate(tilt, {-2, 0.25, 0.05})));
        scene.bodies.back().orientation = tilt * from_axis_angle({1, 0, 0}, 1.5707963267948966);
        World world(scene);
        while (world.time() < 1) ASSERT_TRUE(world.step().ok);
        const double a = 2.0 / 3 * kG * std::sin(t);
        EXPECT_NEAR(length(world.velocity(world.find_body("c"))), a * world.time(), 2e-3 * a);
    }
}

}  // namespace
}  // namespace impuls
