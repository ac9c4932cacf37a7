// Impacts by every preset: what is elastic and smooth keeps its energy, whatever its shape.
#include <cmath>

#include "validate/presets.h"

namespace impuls {
namespace {

constexpr double kImpactDt = 1.0 / 60;

// A cube of 0.1 m, turned, dropped from 0.5 m.
Scene elastic_cube(const MethodDesc& method) {
    Scene scene = law_scene(kImpactDt, {0, -kGravity, 0}, 0, 1);
    scene.settings.method = method;
    scene.bodies.push_back(law_ground());
    BodyDesc cube = law_body("cube", Box{{0.1, 0.1, 0.1}}, {0, 0.5, 0});
    cube.mass = 1, cube.orientation = normalized(Quat{1, 0.2, 0.3, 0.1});
    scene.bodies.push_back(cube);
    return scene;
}

double energy_of_cube(const MethodDesc& method) {
    World world(elastic_cube(method));
    const double before = world.frame().energy.total;
    run_until(world, 20);
    return world.frame().energy.total / before;
}
double gain_of_cube(const MethodDesc& method) {
    World world(elastic_cube(method));
    return run_for_gain(world, 20);
}

// A spinning box thrown at a wall without gravity: kinetic energy after it, relative.
double energy_of_throw(const MethodDesc& method) {
    Scene scene = law_scene(kImpactDt, {}, 0, 1);
    scene.settings.method = method;
    scene.bodies.push_back(law_ground());
    BodyDesc box = law_body("box", Box{{0.08, 0.1, 0.06}}, {0, 0.23, 0});
    box.orientation = normalized(Quat{-0.12, 0.47, -1.68, -0.18});
    box.velocity = {-0.19, -1, -0.24}, box.angular_velocity = {2, 4, 5.4};
    scene.bodies.push_back(box);
    World world(scene);
    const double before = world.frame().energy.kinetic;
    run_until(world, 0.8);
    return world.frame().energy.kinetic / before;
}

// One ball hits two that touch: its velocity after it, and the energy.
double three_balls(const MethodDesc& method, bool energy) {
    Scene scene = law_scene(kImpactDt, {}, 0, 1);
    scene.settings.method = method;
    const double reach = 0.2 * std::sqrt(0.75);
    for (const Vec3& place : {Vec3{-0.05, 0, 0}, Vec3{reach, 0.1, 0}, Vec3{reach, -0.1, 0}}) {
        BodyDesc ball = law_body("b" + std::to_string(scene.bodies.size()), Sphere{0.1}, place);
        ball.mass = 1;
        if (scene.bodies.empty()) ball.velocity = {1, 0, 0};
        scene.bodies.push_back(ball);
    }
    World world(scene);
    run_until(world, 1);
    return energy ? world.frame().energy.kinetic : world.velocity(world.find_body("b0")).x;
}

// A gap that a whole number of substeps closes.
double whole_gap(const MethodDesc& method) {
    Scene scene = law_scene(0.01, {}, 0, 0.9);
    scene.settings.method = method;
    scene.bodies.push_back(law_ground());
    BodyDesc ball = law_body("ball", Sphere{0.1}, {0, 0.5, 0});
    ball.velocity = {0, -2, 0};
    scene.bodies.push_back(ball);
    World world(scene);
    run_until(world, 0.5);
    return world.velocity(world.find_body("ball")).y;
}

// A ball of 0.5 kg at 3 m/s hits a rod of 2 kg and 1 m, 0.4 m below its hinge: turn of the rod.
constexpr double kArm = 0.4, kAboutHinge = 2.0 / 3;
double percussion(const MethodDesc& method) {
    Scene scene = law_scene(0.01, {}, 0, 0.5);
    scene.settings.method = method;
    BodyDesc rod = law_body("rod", Box{{0.05, 1, 0.05}}, {0, -0.5, 0});
    rod.mass = 2, rod.inertia = Vec3{1, 1, 1} / 6;
    BodyDesc ball = law_body("ball", Sphere{0.05}, {-0.2, -kArm, 0});
    ball.mass = 0.5, ball.velocity = {3, 0, 0};
    scene.bodies = {rod, ball};
    scene.joints.push_back(law_joint("", "rod", HingeJoint{.anchor = {}, .axis = {0, 0, 1}}));
    World world(scene);
    run_until(world, 0.2);
    return world.angular_velocity(world.find_body("rod")).z;
}

}  // namespace

std::vector<LawResult> check_preset_impacts() {
    return by_presets({
        {"elastic cube",
         1,
         kImpactDt,
         {1e-6, 1e-6, 0.05, kNoPromise},
         "E/E0 after 20 s of bouncing",
         energy_of_cube},
        {"elastic cube, gain", 0, kImpactDt, {1e-3, 1e-3, 1e-3, 1e-3}, "of the energy at work", gain_of_cube},
        {"thrown box",
         1,
         kImpactDt,
         {1e-6, 1e-6, 0.02, kNoPromise},
         "E/E0 after an elastic impact",
         energy_of_throw},
        {"ball on two",
         -0.2,
         kImpactDt,
         {0.025, 5e-4, 0.05, kNoPromise},
         "m/s, of 1 m/s",
         [](const MethodDesc& m) { return three_balls(m, false); }},
        {"ball on two, energy",
         0.5,
         kImpactDt,
         {1e-5, 1e-5, 1e-5, kNoPromise},
         "J",
         [](const MethodDesc& m) { return three_balls(m, true); }},
        {"rebound from a whole gap", 1.8, 0.01, {1e-9, 1e-9, 1e-6, 1e-6}, "m/s, e = 0.9", whole_gap},
        {"percussion",
         1.5 * 0.5 * 3 * kArm / (kAboutHinge + 0.5 * kArm * kArm),
         0.01,
         {1e-3, 1e-3, 0.01, kNoPromise},
         "rad/s, a hinged rod struck",
         percussion},
    });
}

}  // namespace impuls
