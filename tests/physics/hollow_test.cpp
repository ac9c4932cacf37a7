// Hollow shapes: masses against closed forms, and balls inside of them against the laws of rolling.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "geometry/mass_properties.h"
#include "geometry/polyhedron_mass.h"
#include "geometry/revolved.h"
#include "geometry/shape_check.h"
#include "impuls/impuls.h"
#include "impuls/scene_file.h"
#include "support/places.h"

namespace impuls {
namespace {

// Differences of full bodies, and the textbook's torus.
TEST(Hollow, MassesAreThoseOfTheText) {
    const double pi = M_PI;
    {
        const Tube t{0.4, 0.1, 2};
        const MassProperties m = mass_properties(t, 3), out = mass_properties(Cylinder{0.5, 2}, 3),
                             in = mass_properties(Cylinder{0.4, 2}, 3);
        EXPECT_NEAR(m.mass, out.mass - in.mass, 1e-13);
        EXPECT_NEAR(m.inertia.c1.y, out.inertia.c1.y - in.inertia.c1.y, 1e-13);
        EXPECT_NEAR(m.inertia.c0.x, out.inertia.c0.x - in.inertia.c0.x, 1e-13);
    }
    {
        const MassProperties m = mass_properties(Torus{0.5, 0.1}, 2);
        EXPECT_NEAR(m.mass, 2 * 2 * pi * pi * 0.5 * 0.01, 1e-13);
        EXPECT_NEAR(m.inertia.c1.y, m.mass * (0.25 + 0.75 * 0.01), 1e-13);
        EXPECT_NEAR(m.inertia.c0.x, m.mass * (0.5 * 0.25 + 0.625 * 0.01), 1e-13);
    }
    {
        const MassProperties m = mass_properties(Bowl{0.4, 0.1, pi / 2}, 1);
        const double out = 2.0 / 3 * pi * 0.125, in = 2.0 / 3 * pi * 0.064;
        EXPECT_NEAR(m.mass, out - in, 1e-13);
        EXPECT_NEAR(m.center.y, -(out * 3.0 / 8 * 0.5 - in * 3.0 / 8 * 0.4) / m.mass, 1e-13);
        EXPECT_NEAR(m.inertia.c1.y, 0.4 * (out * 0.25 - in * 0.16), 1e-13);
    }
    {
        const auto frustum = [&](double a, double b, double h) {
            return pi * h / 3 * (a * a + a * b + b * b);
        };
        const Funnel f{0.5, 0.1, 0.3, 0.05};
        const double width = 0.05 * std::sqrt(1 + std::pow(0.4 / 0.3, 2));
        EXPECT_NEAR(mass_properties(f, 1).mass,
                    frustum(0.1 + width, 0.5 + width, 0.3) - frustum(0.1, 0.5, 0.3), 1e-13);
    }
}

// The triangles enclose what the profile says, as closely as facets can.
TEST(Hollow, TrianglesEncloseTheSameVolume) {
    const auto check = [](const auto& shape) {
        ASSERT_TRUE(check_shape(Shape(shape)).empty());
        const TriangleMesh mesh = RevolvedProfile(shape).mesh(256);
        double volume = 0;
        for (const auto& [a, b, c] : mesh.triangles)
            volume += dot(mesh.vertices[a], cross(mesh.vertices[b], mesh.vertices[c])) / 6;
        EXPECT_NEAR(volume, mass_properties(Shape(shape), 1).mass, 2e-3 * std::abs(volume));
    };
    check(Tube{0.4, 0.1, 2});
    check(Bowl{0.4, 0.1, 1.2});
    check(Bowl{0.4, 0.1, 2.2});
    check(Bowl{0.4, 0.1, 3.1415926535897932});
    check(Funnel{0.5, 0.1, 0.3, 0.05});
    check(Torus{0.5, 0.1});
}

// Distances against brute force over many points of the outline.
template <class S>
void expect_distances(const S& shape) {
    const RevolvedProfile profile(shape);
    const TriangleMesh fine = profile.mesh(256);
    std::vector<ProfileVec> outline;
    for (const Vec3& v : fine.vertices)
        if (v.x >= 0 && v.z == 0) outline.push_back({v.x, v.y});
    for (double rho = 0; rho < 0.9; rho += 0.0497)
        for (double y = -0.9; y < 0.9; y += 0.0511) {
            double least = 1e9;
            for (std::size_t k = 0; k < outline.size(); ++k) {
                const ProfileVec &a = outline[k], &b = outline[(k + 1) % outline.size()];
                const double dx = b.rho - a.rho, dy = b.y - a.y, l2 = dx * dx + dy * dy;
                const double s =
                    l2 > 0 ? std::clamp(((rho - a.rho) * dx + (y - a.y) * dy) / l2, 0.0, 1.0) : 0;
                least = std::min(least, std::hypot(rho - a.rho - s * dx, y - a.y - s * dy));
            }
            const RevolvedProfile::Nearest n = profile.nearest({rho, y});
            EXPECT_NEAR(std::hypot(n.normal.rho, n.normal.y), 1, 1e-12);
            if (n.distance > 0) {
                EXPECT_NEAR(n.distance, least, 5e-5) << rho << " " << y;
            }
        }
}
TEST(Hollow, DistancesAreThoseOfTheSurface) {
    expect_distances(Tube{0.4, 0.1, 1});
    expect_distances(Funnel{0.5, 0.1, 0.3, 0.05});
    expect_distances(Torus{0.5, 0.1});
    expect_distances(Bowl{0.4, 0.1, 1.2});
    expect_distances(Bowl{0.4, 0.1, 1.5707963267948966});
    expect_distances(Bowl{0.4, 0.1, 2.2});
}

// The height comes back: y'' = -(2/7) W^2 (y - y0) for a solid ball that rolls at angular speed W around the
// tube.
TEST(Hollow, ABallInATubeRisesByTheRootOfTwoSevenths) {
    for (const auto& [method, bound] : {std::pair{"default", 1e-3}, {"accurate", 1e-3}}) {
        Scene scene = load_scene(in_project("scenes/examples/ball-in-tube.json"));
        scene.settings.method = parse_method(method);
        scene.settings.dt = 0.002;
        World world(scene);
        const BodyId ball = world.find_body("ball");
        const double w = 9 / 0.9, period = 2 * M_PI / (w * std::sqrt(2.0 / 7));
        double lowest = 1, before = 0, turning = 0;
        while (world.time() < 0.75 * period) {
            ASSERT_TRUE(world.step().ok);
            const double v = world.velocity(ball).y;
            lowest = std::min(lowest, world.pose(ball).position.y);
            if (before < 0 && v >= 0) turning = world.time() - world.dt() * v / (v - before);
            before = v;
        }
        EXPECT_NEAR(turning, 0.5 * period, bound * 0.5 * period) << method;
        EXPECT_NEAR(lowest, 0.5 - 5 * 9.81 / (w * w), 2e-3) << method;
    }
}

// Small rolling oscillations at the bottom of a bowl: w^2 = (5/7) g/(R - r).
TEST(Hollow, ABallInABowlSwings) {
    Scene scene = parse_scene(R"j({"impuls": 1, "settings": {"dt": 0.002},
        "materials": [{"name": "m", "friction": 1}], "bodies": [
        {"name": "bowl", "kind": "static", "material": "m", "shape": {"type": "bowl", "radius": 1}},
        {"name": "ball", "material": "m", "shape": {"type": "sphere", "radius": 0.1}, "position": [0.02, "-sqrt(0.81 - 0.0004)", 0]}]})j",
                              "test.json");
    World world(scene);
    const BodyId ball = world.find_body("ball");
    const double w = std::sqrt(5.0 / 7 * 9.81 / 0.9);
    for (int k = 0; k < 400; ++k) {
        ASSERT_TRUE(world.step().ok);
        EXPECT_NEAR(world.pose(ball).position.x, 0.02 * std::cos(w * world.time()), 2e-4) << world.time();
    }
}

// What stands on a ring or in a funnel, or is one, rests.
TEST(Hollow, BodiesRestOnAndInThem) {
    Scene scene = parse_scene(R"({"impuls": 1, "settings": {"dt": 0.01}, "bodies": [
        {"name": "floor", "kind": "static", "shape": {"type": "plane"}},
        {"name": "ring", "shape": {"type": "torus", "radius": 0.3, "tube": 0.1}, "position": [0, 0.1, 0]},
        {"name": "cup", "kind": "static", "shape": {"type": "funnel", "radius": 0.5, "neck": 0.1, "height": 0.4, "thickness": 0.05}, "position": [4, 0.5, 0]},
        {"name": "plug", "shape": {"type": "sphere", "radius": 0.3}, "position": [4.05, 1, 0.02]},
        {"name": "crate", "shape": {"type": "box", "size": [0.3, 0.3, 0.3]}, "position": [6, -0.25, 0]},
        {"name": "bowl", "kind": "static", "shape": {"type": "bowl", "radius": 0.5, "opening": 1.3}, "position": [6, 0.6, 0]}]})",
                              "test.json");
    scene.bodies[4].position = {6, 0.5, 0};
    World world(scene);
    while (world.time() < 2) ASSERT_TRUE(world.step().ok);
    EXPECT_NEAR(world.pose(world.find_body("ring")).position.y, 0.1, 0.004);
    // Touching at the slope of the cone: its wall runs at 45 degrees from rho = 0.1 at y = 0.3.
    EXPECT_NEAR(world.pose(world.find_body("plug")).position.y, 0.3 - 0.1 + 0.3 * std::sqrt(2.0), 0.004);
    EXPECT_NEAR(world.pose(world.find_body("plug")).position.x, 4, 0.02);
    // The box's lower corners lie in the bowl: at its middle it is sqrt(R^2 - 2 a^2) below the origin.
    EXPECT_NEAR(world.pose(world.find_body("crate")).position.y,
                0.6 - std::sqrt(0.25 - 2 * 0.15 * 0.15) + 0.15, 0.01);
}

TEST(Hollow, BadSizesAreRefused) {
    for (const char* shape : {R"({"type": "tube", "thickness": 0})", R"({"type": "torus", "tube": 0.6})",
                              R"({"type": "funnel", "neck": 0.5})", R"({"type": "bowl", "opening": 4})"})
        EXPECT_THROW(
            parse_scene(
                R"({"impuls": 1, "bodies": [{"kind": "static", "shape": )" + std::string(shape) + "}]}", "t"),
            InputError)
            << shape;
}

}  // namespace
}  // namespace impuls
