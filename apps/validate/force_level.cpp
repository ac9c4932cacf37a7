// Laws at force level (docs/manual/force-level.md): what AERO's model says in closed form, by the preset
// aero.
#include <cmath>

#include "validate/law_files.h"

namespace impuls {
namespace {

Scene force_scene(double dt, double friction, double restitution, const char* extra = "") {
    Scene scene = law_scene(dt, {0, -kGravity, 0}, friction, restitution);
    scene.settings.method = parse_method(std::string("aero+tolerance=1e-9") + extra);
    return scene;
}

// A ball of 1 m height of fall; height of the flight after three impacts.
LawResult bounce_law() {
    Scene scene = force_scene(0.01, 0, 0.8);
    scene.bodies = {law_ground(), law_body("ball", Sphere{0.1}, {0, 1.1, 0})};
    World world(scene);
    const double fall = std::sqrt(2 / kGravity);
    run_until(world, fall * (1 + 2 * (0.8 + 0.64) + 0.512));
    const double y = world.pose(world.find_body("ball")).position.y - 0.1,
                 v = world.velocity(world.find_body("ball")).y;
    return law_result("force level: height after three impacts", std::pow(0.8, 6), y + v * v / (2 * kGravity),
                      1e-6, 0.01, "m");
}

// A box on a slope below the angle of friction creeps at v_T tan a / mu.
LawResult creep_law() {
    Scene scene = force_scene(0.01, 0.5, 0, "+slip_speed=0.001");
    const double angle = 0.3;
    scene.settings.gravity = {kGravity * std::sin(angle), -kGravity * std::cos(angle), 0};
    scene.bodies = {law_ground(), law_body("box", Box{{0.4, 0.1, 0.4}}, {0, 0.05, 0})};
    World world(scene);
    run_until(world, 0.5);
    return law_result("force level: creep by regularised friction", 0.001 * std::tan(angle) / 0.5,
                      world.velocity(world.find_body("box")).x, 0.02, 0.01, "m/s");
}

// A ball that slides starts to roll at 5/7 of its speed.
LawResult roll_law() {
    Scene scene = force_scene(0.01, 0.3, 0);
    scene.bodies = {law_ground(), law_body("ball", Sphere{0.1}, {0, 0.0999, 0})};
    scene.bodies[1].velocity = {2, 0, 0};
    World world(scene);
    run_until(world, 0.4);
    return law_result("force level: a sliding ball rolls at 5/7 v", 10.0 / 7,
                      world.velocity(world.find_body("ball")).x, 0.002, 0.01, "m/s");
}

// A pendulum on a rod that yields: stretched by 3 m g / c at the lowest point.
LawResult rod_law() {
    Scene scene = force_scene(0.002, 0, 0);
    BodyDesc bob = law_body("bob", Sphere{0.05}, {1, 0, 0});
    bob.mass = 1;
    scene.bodies = {bob};
    ForceDesc rod;
    rod.b = "bob";
    rod.force = RodForce{{0, 0, 0}, {1, 0, 0}, 1e5, 190, {}};
    scene.forces = {rod};
    World world(scene);
    double stretch = 0;
    for (int k = 0; k < 400; ++k) {
        const Vec3 p = world.pose(world.find_body("bob")).position;
        if (p.x < 0 || !world.step().ok) break;
        stretch = length(p) - 1;
    }
    return law_result("force level: stretch of a rod", 3 * kGravity / 1e5, stretch, 0.02, 0.002, "m");
}

// Energy of a rod that swings on a hinge, and how far its joint is open.
std::vector<LawResult> joint_laws() {
    Scene scene = force_scene(0.01, 0, 0, "+tolerance=1e-11");
    scene.bodies = {law_body("rod", Box{{1, 0.05, 0.05}}, {0.5, 0, 0})};
    scene.bodies[0].mass = 1;
    scene.joints = {law_joint("", "rod", HingeJoint{{0, 0, 0}, {0, 0, 1}, {}})};
    World world(scene);
    run_until(world, 2);
    const Pose rod = world.pose(world.find_body("rod"));
    const auto& energy = world.frame().energy;
    return {
        law_result("force level: error of a hinge", 0, length(rod * Vec3{-0.5, 0, 0}), 1e-9, 0.01, "m", 1),
        law_result("force level: energy of a pendulum", 0, energy.total + energy.dissipated - energy.supplied,
                   1e-9, 0.01, "J", kGravity)};
}

}  // namespace

std::vector<LawResult> check_force_level() {
    std::vector<LawResult> results{bounce_law(), creep_law(), roll_law(), rod_law()};
    for (LawResult& result : joint_laws()) results.push_back(std::move(result));
    for (LawResult& result : results) result.preset = "aero";
    return results;
}

}  // namespace impuls
