// Blocks against closed forms where rows frozen for a pass, kept points or sweeps that have not converged
// used to show: what rolls keeps its speed, rocks with its amplitude and drives nothing; impacts keep energy
// and momenta, also several at once and through joints; static friction holds up to its limit.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "block_scenes.h"
#include "impuls/scene_file.h"

namespace impuls {
namespace {

// Largest E(t) - min of E before, J.
double gain_of(World& world, int steps) {
    double least = world.frame().energy.total, gain = 0;
    for (int k = 0; k < steps; ++k) {
        world.step();
        const double now = world.frame().energy.total;
        gain = std::max(gain, now - least);
        least = std::min(least, now);
    }
    return gain;
}

BodyDesc free_ball(const char* name, const Vec3& position, double radius, double mass) {
    BodyDesc ball = cube(name, position, mass);
    ball.shape = Sphere{radius};
    return ball;
}

// A sphere, a cylinder on its side and an ellipsoid about its axis, in pure roll at v = w r.
TEST(BlockTruth, what_rolls_keeps_its_speed) {
    for (int kind = 0; kind < 3; ++kind)
        for (const double v : {1e-3, 0.5}) {
            Scene scene = ground_scene(0.5, 0);
            BodyDesc body = free_ball("b", {0, 0.2, 0}, 0.2, 10);
            if (kind == 1) {
                body.shape = Cylinder{.radius = 0.2, .height = 0.3};
                body.orientation = from_axis_angle({1, 0, 0}, std::acos(0.0));
            }
            if (kind == 2) body.shape = Ellipsoid{.radii = {0.2, 0.2, 0.4}};
            body.velocity = {v, 0, 0};
            body.angular_velocity = {0, 0, -v / 0.2};
            scene.bodies.push_back(body);
            World world(scene);
            for (int k = 0; k < 600; ++k) world.step();
            EXPECT_NEAR(world.frame().velocities[1].x, v, 1e-4 * v) << kind;
        }
}

// A ball with its centre of mass 0.2 below its centre rocks by 0.3 rad: no energy comes of it, and after 5 s
// nine tenths of its energy above that at rest, 10 * 9.81 * 0.2 * (1 - cos 0.3), are left.
TEST(BlockTruth, what_rocks_is_not_driven) {
    Scene scene = ground_scene(1, 0);
    BodyDesc body = free_ball("b", {0, 0.5, 0}, 0.5, 10);
    body.inertia = Vec3{0.8, 0.8, 0.8};
    body.center_of_mass = Vec3{0, -0.2, 0};
    body.orientation = from_axis_angle({0, 0, 1}, 0.3);
    scene.bodies.push_back(body);
    scene.settings.dt = 0.01;
    World world(scene);
    const double swing = 10 * 9.81 * 0.2 * (1 - std::cos(0.3)), before = world.frame().energy.total;
    EXPECT_LT(gain_of(world, 500), 1e-3 * swing);
    EXPECT_GT(world.frame().energy.total, before - 0.1 * swing);
}

// The gap is a whole number of substeps.
TEST(BlockTruth, a_gap_that_closes_exactly_rebounds) {
    Scene scene = ground_scene(0, 0.9);
    scene.settings.gravity = Vec3{};
    scene.settings.dt = 0.01;
    BodyDesc ball = free_ball("b", {0, 0.5, 0}, 0.1, 1);
    ball.velocity = {0, -2, 0};
    scene.bodies.push_back(ball);
    World world(scene);
    for (int k = 0; k < 50; ++k) world.step();
    EXPECT_NEAR(world.frame().velocities[1].y, 1.8, 1e-6);
}

// A ball strikes two at once, all elastic: it comes back with a fifth of its speed (momentum and energy, by
// symmetry); angular momentum stays where the two are not hit alike.
TEST(BlockTruth, a_ball_strikes_two) {
    Scene scene = ground_scene(0, 1);
    scene.settings.gravity = Vec3{};
    const double side = std::sqrt(0.03);
    BodyDesc ball = free_ball("a", {-0.05, 9, 0}, 0.1, 1);
    ball.velocity = {1, 0, 0};
    scene.bodies.push_back(ball);
    scene.bodies.push_back(free_ball("b", {side, 9.1, 0}, 0.1, 1));
    scene.bodies.push_back(free_ball("c", {side, 8.9, 0}, 0.1, 1));
    World world(scene);
    for (int k = 0; k < 20; ++k) world.step();
    EXPECT_NEAR(world.frame().velocities[1].x, -0.2, 0.01);
    EXPECT_NEAR(world.frame().energy.kinetic, 0.5, 1e-5 * 0.5);

    scene.bodies[1].position.y += 0.03;
    World off(scene);
    const Vec3 before = off.frame().angular_momentum;
    for (int k = 0; k < 20; ++k) off.step();
    EXPECT_NEAR(off.frame().energy.kinetic, 0.5, 1e-5 * 0.5);
    EXPECT_LT(length(off.frame().angular_momentum - before), 1e-6 * length(before));
}

// Restitution of pairs that strike together may differ: each gives back e^2 of its work, at most.
TEST(BlockTruth, pairs_of_different_restitution_lose_energy_together) {
    Scene scene = ground_scene(0, 1);
    scene.settings.gravity = Vec3{};
    scene.materials.push_back(scene.materials[0]);
    scene.materials[1].name = "soft";
    ContactDesc& contact = scene.contacts.emplace_back();
    contact.a = "m", contact.b = "soft", contact.restitution = 0.2;
    const double side = std::sqrt(0.03);
    BodyDesc ball = free_ball("a", {-0.05, 9, 0}, 0.1, 1), soft = free_ball("b", {side, 9.1, 0}, 0.1, 1);
    ball.velocity = {1, 0, 0};
    soft.material = "soft";
    scene.bodies.push_back(ball);
    scene.bodies.push_back(soft);
    scene.bodies.push_back(free_ball("c", {side, 8.9, 0}, 0.1, 1));
    World world(scene);
    EXPECT_LT(gain_of(world, 20), 1e-6);
    // Without any restitution 0.2 of the 0.5 J would be left.
    EXPECT_GT(world.frame().energy.kinetic, 0.2);
    EXPECT_LT(world.frame().energy.kinetic, 0.5);
}

// A rod on a hinge is struck at d = 0.4 m by m = 0.5 kg at 3 m/s, e = 0.5:
// w = (1 + e) m v d/(I + m d^2), I = 1/6 + 2/4 about the hinge.
TEST(BlockTruth, restitution_acts_through_joints) {
    const Scene scene = parse_scene(R"({"impuls": 1,
        "settings": {"dt": 0.01, "gravity": [0, 0, 0], "method": "fast"},
        "materials": [{"name": "m", "friction": 0, "restitution": 0.5}],
        "bodies": [
            {"name": "rod", "material": "m", "shape": {"type": "box", "size": [0.05, 1, 0.05]}, "mass": 2,
             "inertia": ["1/6", "1/6", "1/6"], "position": [0, -0.5, 0]},
            {"name": "ball", "material": "m", "shape": {"type": "sphere", "radius": 0.05}, "mass": 0.5,
             "position": [-0.2, -0.4, 0], "velocity": [3, 0, 0]}],
        "joints": [{"type": "hinge", "name": "h", "b": "rod", "anchor": [0, 0, 0], "axis": [0, 0, 1]}]})");
    World world(scene);
    for (int k = 0; k < 15; ++k) world.step();
    const double w = 1.5 * 0.5 * 3 * 0.4 / (1. / 6 + 0.5 + 0.5 * 0.16);
    EXPECT_NEAR(world.frame().angular_velocities[0].z, w, 1e-3 * w);
}

// tan of the slope between dynamic and static friction: what rests stays.
TEST(BlockTruth, static_friction_holds) {
    Scene scene = ground_scene(0.3, 0);
    scene.materials[0].static_friction = 0.6;
    const double angle = std::atan(0.45);
    scene.settings.gravity = Vec3{9.81 * std::sin(angle), -9.81 * std::cos(angle), 0};
    scene.bodies.push_back(cube("b", {0, 0.5, 0}));
    World world(scene);
    for (int k = 0; k < 180; ++k) world.step();
    EXPECT_LT(length(world.frame().velocities[1]), 1e-6);
}

}  // namespace
}  // namespace impuls
