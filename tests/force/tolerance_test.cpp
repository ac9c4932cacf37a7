// The tolerance controls the error: decade by decade from 1e-3 to 1e-11, on worlds. Sizes of bodies are 1 m
// (a sphere of that radius of gyration), so that tolerances are metres; references are closed, or the same
// with a tolerance of 1e-13. IMPULS_PRINT prints the rows of the table of docs/manual/force-level.md.
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

#include "scene_of.h"

namespace impuls::at_force_level {
namespace {

const double kUnitRadius = 1 / std::sqrt(0.4);

Scene at_tolerance(double tolerance, double dt) {
    char text[64];
    std::snprintf(text, sizeof text, "+tolerance=%.0e", tolerance);
    return scene_of(text, dt);
}

Vec3 end_of(const Scene& scene, const std::string& body, double until) {
    Watched w(scene);
    w.run(until);
    return w.at(body);
}

// Two masses on springs, one under the other, let go from the side; 2 s.
Vec3 double_pendulum(double tolerance) {
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
Vec3 bounces(double tolerance) {
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
Vec3 orbit(double tolerance) {
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

// The slope counts from a decade on: looser than that, other bounds of a step than its error decide.
void check(const char* name, const std::function<Vec3(double)>& run, const Vec3& reference,
           int first_of_slope = 3) {
    double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (int decade = 3; decade <= 11; ++decade) {
        const double tolerance = std::pow(10.0, -decade), error = length(run(tolerance) - reference);
        EXPECT_LE(error, 100 * tolerance) << name;
        if (std::getenv("IMPULS_PRINT")) std::printf("%s %.0e %.2g\n", name, tolerance, error);
        if (decade < first_of_slope) continue;
        const double x = std::log10(tolerance), y = std::log10(error);
        n += 1, sx += x, sy += y, sxx += x * x, sxy += x * y;
    }
    const double slope = (n * sxy - sx * sy) / (n * sxx - sx * sx);
    if (std::getenv("IMPULS_PRINT")) std::printf("%s slope %.2f\n", name, slope);
    EXPECT_NEAR(slope, 1, 0.15) << name;
}

TEST(ForceLevelTolerance, controls_a_double_pendulum_on_springs) {
    check("pendulum", double_pendulum, double_pendulum(1e-13));
}
TEST(ForceLevelTolerance, controls_five_bounces) {
    // A step goes no farther than half a size, so that no touch is missed: as good as a tolerance of 1e-5
    // here.
    check("bounces", bounces, bounces(1e-13), 5);
}
TEST(ForceLevelTolerance, controls_an_orbit) {
    check("orbit", orbit, {0.4, 0, 0});
}

}  // namespace
}  // namespace impuls::at_force_level
