// Laws of free translation: bodies that touch nothing.
//
// Translation is advanced exactly for a constant force, so only rounding is left, whatever the step.
#include <cmath>

#include "validate/law_files.h"

namespace impuls {

// y(t) = y0 - g t^2 / 2, v(t) = -g t
std::vector<LawResult> check_free_fall() {
    Scene scene = law_scene(0.01);
    scene.bodies.push_back(law_body("ball", Sphere{0.5}, {0, 100, 0}));
    World world(scene);
    run_until(world, 4);
    const double t = world.time();
    const BodyId ball = world.find_body("ball");
    return {law_result("free fall: distance", 0.5 * kGravity * t * t, 100 - world.pose(ball).position.y,
                       1e-12, world.dt(), "m, after 4 s"),
            law_result("free fall: speed", kGravity * t, -world.velocity(ball).y, 1e-12, world.dt(),
                       "m/s, after 4 s")};
}

// Thrown at speed v and angle a: apex v^2 sin^2 a / 2g, range v^2 sin 2a / g. In flight the apex is
// y + vy^2 / 2g at any time, and the point where it comes down is x + vx times the time left.
std::vector<LawResult> check_projectile() {
    const double speed = 20, angle = 0.7;
    Scene scene = law_scene(0.01);
    BodyDesc ball = law_body("ball", Box{{0.2, 0.1, 0.3}}, {});
    ball.velocity = {speed * std::cos(angle), speed * std::sin(angle), 0};
    ball.angular_velocity = {3, 5, -2};
    scene.bodies.push_back(ball);
    World world(scene);
    run_until(world, 2);
    const BodyId id = world.find_body("ball");
    const Vec3 x = world.pose(id).position, v = world.velocity(id);
    const double apex = x.y + v.y * v.y / (2 * kGravity);
    const double left = (v.y + std::sqrt(v.y * v.y + 2 * kGravity * x.y)) / kGravity;
    return {law_result("projectile: apex", std::pow(speed * std::sin(angle), 2) / (2 * kGravity), apex, 1e-12,
                       world.dt(), "m"),
            law_result("projectile: range", speed * speed * std::sin(2 * angle) / kGravity, x.x + v.x * left,
                       1e-12, world.dt(), "m")};
}

}  // namespace impuls
