// Laws of hollow shapes, and of what acts by the clock.
#include <cmath>

#include "validate/law_files.h"
#include "validate/law_scenes.h"

namespace impuls {
namespace {

Course of_time(const std::string& text) {
    Course course;
    course.expression = text;
    return course;
}

}  // namespace

// A ball that rolls inside an upright tube at the angular speed W goes up and down at W sqrt(2/7), from where
// it is set off down by 5 g/W^2 (Gualtieri et al., Am. J. Phys. 74, 2006, 497).
std::vector<LawResult> check_tube() {
    constexpr double kRadius = 0.1, kWay = 0.9, kTurn = 10, kPi = 3.141592653589793;
    Scene scene = law_scene(0.002, {0, -kGravity, 0}, 1);
    scene.bodies.push_back(law_body("tube", Tube{kRadius + kWay, 0.05, 4}, {}));
    scene.bodies.back().kind = BodyKind::Static;
    BodyDesc& ball = scene.bodies.emplace_back(law_body("ball", Sphere{kRadius}, {kWay, 0, 0}));
    ball.velocity = {0, 0, kTurn * kWay};
    ball.angular_velocity = {0, kTurn * kWay / kRadius, 0};
    World world(scene);
    const BodyId id = world.find_body("ball");
    const double half = kPi / (kTurn * std::sqrt(2.0 / 7));
    double before = 0, turning = 0, lowest = 0;
    while (world.time() < 1.5 * half && turning == 0) {
        if (!world.step().ok) break;
        const double v = world.velocity(id).y;
        lowest = std::min(lowest, world.pose(id).position.y);
        if (before < 0 && v >= 0) turning = world.time() - world.dt() * v / (v - before);
        before = v;
    }
    return {law_result("tube.time", half, turning, 1e-3, world.dt(), "s from highest to lowest"),
            law_result("tube.way", 5 * kGravity / (kTurn * kTurn), -lowest, 2e-3, world.dt(), "m down")};
}

// A motor with the speed a sin(w t), and a force F sin(w t) on a free body.
std::vector<LawResult> check_timed() {
    Scene scene = law_scene(0.005, {});
    scene.bodies.push_back(law_part("slide", {}, 1));
    SliderJoint slider{{}, {1, 0, 0}};
    slider.slide.speed = of_time("0.6*sin(4*t)");
    scene.joints.push_back(law_joint("", "slide", slider));
    scene.bodies.push_back(law_part("free", {0, 2, 0}, 1));
    ForceDesc& force = scene.forces.emplace_back();
    force.b = "free";
    force.force = ConstantForce{{0, 2, 0}, {1, 0, 0}};
    force.magnitude = of_time("30*sin(4*t)");
    World world(scene);
    run_until(world, 1);
    const auto place = [&](const char* name) { return world.pose(world.find_body(name)).position.x; };
    return {law_result("timed.motor", 0.15 * (1 - std::cos(4.0)), place("slide"), 1e-4, world.dt(), "m"),
            law_result("timed.force", 7.5 * (1 - std::sin(4.0) / 4), place("free"), 1e-4, world.dt(), "m")};
}

}  // namespace impuls
