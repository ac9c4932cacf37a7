// Three runs whose error is to follow the tolerance: smooth, with impacts, and with a closed form. Sizes of
// bodies are 1 m (a sphere of that radius of gyration), so that tolerances are metres. Judged by
// tolerance_test.cpp; the table and picture of docs/manual/force-level.md are made by bench/tolerance.cpp.
#pragma once

#include <array>
#include <cmath>
#include <cstdio>
#include <stdexcept>
#include <string>

#include "force/scenes.h"

namespace impuls::at_force_level {

inline const double kUnitRadius = 1 / std::sqrt(0.4);

inline Scene at_tolerance(double tolerance, double dt) {
    char text[64];
    std::snprintf(text, sizeof text, "+tolerance=%.0e", tolerance);
    return scene_of(text, dt);
}

inline Vec3 end_of(const Scene& scene, const std::string& body, double until) {
    World world(scene);
    while (world.time() < until - 1e-9)
        if (const StepStatus status = world.step(); !status.ok) throw std::runtime_error(status.message);
    return world.pose(world.find_body(body)).position;
}

// Two masses on springs, one under the other, let go from the side; 2 s.
inline Vec3 double_pendulum(double tolerance) {
    Scene scene = at_tolerance(tolerance, 1);
    add(scene, "a", Sphere{kUnitRadius}, {1, 0, 0}).collides = false;
    add(scene, "b", Sphere{kUnitRadius}, {2, 0, 0}).collides = false;
    SpringForce upper, lower;
    upper.anchor_b = lower.anchor_a = {1, 0, 0}, lower.anchor_b = {2, 0, 0};
    upper.stiffness = lower.stiffness = 200, upper.length = lower.length = 1;
    add_force(scene, "", "a", upper);
    add_force(scene, "a", "b", lower);
    return end_of(scene, "b", 2);
}

// A ball with drag that bounces five times with restitution 0.9.
inline Vec3 bounces(double tolerance) {
    Scene scene = at_tolerance(tolerance, 1);
    scene.materials[0].restitution = 0.9;
    add_floor(scene);
    add(scene, "ball", Sphere{kUnitRadius}, {0, kUnitRadius + 5, 0}, {3, 0, 0});
    DragForce drag;
    drag.coefficient = 0.05, drag.density = 1;
    add_force(scene, "", "ball", drag);
    return end_of(scene, "ball", 8);
}

// Kepler's ellipse with e = 0.6 about a fixed centre: after one period it is where it began.
inline Vec3 orbit(double tolerance) {
    Scene scene = at_tolerance(tolerance, 2 * kPi);
    scene.settings.gravity = {};
    BodyDesc& sun = add(scene, "sun", Sphere{kUnitRadius}, {});
    sun.kind = BodyKind::Static, sun.mass = 1, sun.collides = false;
    add(scene, "planet", Sphere{kUnitRadius}, {0.4, 0, 0}, {0, 2, 0}).collides = false;
    AttractionForce pull;
    pull.constant = 1;
    add_force(scene, "sun", "planet", pull);
    return end_of(scene, "planet", 2 * kPi);
}

// Where a body is at the end, by tolerance; beside where it should be.
struct ToleranceCase {
    const char* name;
    Vec3 (*end)(double tolerance);
    // The decade from which on the slope counts: looser than that, other bounds of a step than its error
    // decide.
    int first_of_slope;
    Vec3 reference() const { return end == orbit ? Vec3{0.4, 0, 0} : end(1e-13); }
};
// Of the bounces, a step goes no farther than half a size, so that no touch is missed: as good as a tolerance
// of 1e-5 there.
inline constexpr std::array<ToleranceCase, 3> kToleranceCases{
    {{"double pendulum", double_pendulum, 3}, {"five bounces", bounces, 5}, {"ellipse", orbit, 3}}};
inline constexpr int kFirstDecade = 3, kLastDecade = 11;

struct ToleranceErrors {
    std::array<double, kLastDecade - kFirstDecade + 1> error{};  // m, by decade
    double slope = 0;                                            // of log error over log tolerance
};
inline ToleranceErrors errors_of(const ToleranceCase& run) {
    ToleranceErrors out;
    const Vec3 reference = run.reference();
    double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (int decade = kFirstDecade; decade <= kLastDecade; ++decade) {
        const double error = length(run.end(std::pow(10.0, -decade)) - reference);
        out.error[static_cast<std::size_t>(decade - kFirstDecade)] = error;
        if (decade < run.first_of_slope) continue;
        const double x = -decade, y = std::log10(error);
        n += 1, sx += x, sy += y, sxx += x * x, sxy += x * y;
    }
    out.slope = (n * sxy - sx * sy) / (n * sxx - sx * sx);
    return out;
}

}  // namespace impuls::at_force_level
