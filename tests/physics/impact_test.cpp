// Impacts against closed forms, for the presets that find them in different ways: a corner that sticks, and a
// rocking block.
#include <gtest/gtest.h>

#include <cmath>

#include "impuls/impuls.h"
#include "math/rotation.h"

namespace impuls {
namespace {

class Impacts : public testing::TestWithParam<const char*> {
  protected:
    // On rough ground, at 960 Hz.
    static Scene scene_with(const Box& box, const Vec3& position, const Quat& orientation) {
        Scene scene;
        scene.settings.dt = 1.0 / 960;
        scene.settings.method = parse_method(GetParam());
        scene.materials.emplace_back().name = "m";
        scene.materials[0].friction = 5, scene.materials[0].density = 1000;
        BodyDesc b;
        b.name = "ground", b.kind = BodyKind::Static, b.shape = Plane{}, b.material = "m";
        scene.bodies.push_back(b);
        b.name = "box", b.kind = BodyKind::Dynamic, b.shape = box, b.position = position,
        b.orientation = orientation;
        scene.bodies.push_back(b);
        return scene;
    }
};

// A cube of mass m and edge a falls on a corner r from its centre, which stays where it touches. The velocity
// of the corner is undone: along r by 1/m, across it by 1/m + r^2/I, I = m a^2/6. What is left of the kinetic
// energy is (m - 1/(1/m + r^2/I)) v^2 sin^2/2, the angle being that between r and the vertical.
TEST_P(Impacts, a_corner_that_sticks_leaves_the_energy_of_turning) {
    const double a = 0.2, m = 1000 * a * a * a, inertia = m * a * a / 6;
    const Quat q = rotation_by(normalized(Vec3{1, 0.3, 0.2}) * 0.6);
    Vec3 r{0, 1, 0};
    for (int k = 0; k < 8; ++k) {
        const Vec3 corner = rotate(q, Vec3{k & 1 ? 0.5 : -0.5, k & 2 ? 0.5 : -0.5, k & 4 ? 0.5 : -0.5} * a);
        if (corner.y < r.y) r = corner;
    }
    World world(scene_with(Box{{a, a, a}}, {0, 1 - r.y, 0}, q));
    double before = 0, after = 0;
    while (world.time() < 1 && after == 0) {
        before = std::max(before, world.frame().energy.kinetic);
        ASSERT_TRUE(world.step().ok);
        if (world.frame().energy.kinetic < 0.5 * before) after = world.frame().energy.kinetic;
    }
    const double v2 = 2 * 9.81 * 1, r2 = length_squared(r), sine2 = 1 - r.y * r.y / r2;
    EXPECT_NEAR(before, 0.5 * m * v2, 0.01 * m * v2);
    const double left = 0.5 * v2 * sine2 * (m - 1 / (1 / m + r2 / inertia));
    EXPECT_NEAR(after, left, 0.015 * left);
}

// Housner 1963: a block of half width b and half height h that rocks from one edge to the other keeps
// 1 - (3/2) sin^2(atan(b/h)) of its angular velocity, here 0.85.
TEST_P(Impacts, a_rocking_block_slows_down_as_housner_says) {
    const double b = 0.1, h = 0.3, tilt = 0.15;
    const Vec3 centre{b - (b * std::cos(tilt) + h * std::sin(tilt)), b * std::sin(tilt) + h * std::cos(tilt),
                      0};
    World world(scene_with(Box{{2 * b, 2 * h, 0.2}}, centre, rotation_by({0, 0, tilt})));
    double last = 0, ratio = 0;
    while (world.time() < 1 && ratio == 0) {
        ASSERT_TRUE(world.step().ok);
        const double w = world.frame().angular_velocities[1].z;
        if (std::abs(last) > 1 && std::abs(w) < 0.95 * std::abs(last)) ratio = w / last;
        last = w;
    }
    EXPECT_NEAR(ratio, 1 - 1.5 * b * b / (b * b + h * h), 0.01);
}

INSTANTIATE_TEST_SUITE_P(Presets, Impacts, testing::Values("default", "fast"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace impuls
