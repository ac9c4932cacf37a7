// Laws of contact with a plane. On an incline gravity is turned instead of the plane.
#include <cmath>

#include "validate/law_files.h"

namespace impuls {
namespace {

constexpr double kFriction = 0.5;

Scene incline(double angle, const Shape& shape, double height, double friction = kFriction) {
    Scene scene = law_scene(0.01, {kGravity * std::sin(angle), -kGravity * std::cos(angle), 0}, friction);
    scene.bodies.push_back(law_ground());
    scene.bodies.push_back(law_body("body", shape, {0, height, 0}));
    return scene;
}

// Speed along the incline after `seconds`.
double speed_after(const Scene& scene, double seconds) {
    World world(scene);
    run_until(world, seconds);
    return world.velocity(world.find_body("body")).x;
}

}  // namespace

// Dropped from 1 m: after n bounces the apex is e^(2n) m. In flight the apex is y + v^2 / 2g at any time.
std::vector<LawResult> check_restitution() {
    std::vector<LawResult> results;
    for (const double e : {1.0, 0.8, 0.5}) {
        Scene scene = law_scene(0.01, {0, -kGravity, 0}, 0, e);
        scene.bodies.push_back(law_ground());
        scene.bodies.push_back(law_body("ball", Sphere{0.5}, {0, 1.5, 0}));
        World world(scene);
        const BodyId ball = world.find_body("ball");
        int bounces = 0;
        double apex = 0, last = 0;
        while (bounces < 3 && world.time() < 10) {
            world.step();
            const double v = world.velocity(ball).y;
            if (last < 0 && v > 0) {
                ++bounces;
                apex = world.pose(ball).position.y - 0.5 + v * v / (2 * kGravity);
            }
            last = v;
        }
        results.push_back(
            law_result("restitution " + std::to_string(e).substr(0, 3) + ": height after 3 bounces",
                       std::pow(e, 6), apex, 1e-9, world.dt(), "m"));
    }
    return results;
}

// A box slips when tan(angle) > mu, and then accelerates at g (sin - mu cos). The critical angle is found by
// bisection on whether the box has moved after 1 s.
std::vector<LawResult> check_incline() {
    const Box box{{1, 0.5, 1}};
    double sticks = 0.3, slips = 0.7;
    while (slips - sticks > 1e-6) {
        const double middle = 0.5 * (sticks + slips);
        (speed_after(incline(middle, box, 0.25), 1) > 1e-9 ? slips : sticks) = middle;
    }
    const double angle = 0.6;
    const double acceleration = kGravity * (std::sin(angle) - kFriction * std::cos(angle));
    return {
        law_result("incline: angle of slip", std::atan(kFriction), 0.5 * (sticks + slips), 1e-5, 0.01, "rad"),
        law_result("incline: sliding acceleration", acceleration,
                   speed_after(incline(angle, box, 0.25), 2) / 2, 1e-5, 0.01, "m/s^2"),
        law_result("incline: creep while sticking", 0, speed_after(incline(0.4, box, 0.25), 2), 1e-9, 0.01,
                   "m/s, after 2 s", 1)};
}

// Rolling without slip: a = 5/7 g sin as long as tan(angle) <= 7/2 mu. Beyond, the sphere slips:
// a = g (sin - mu cos) and the spin grows at 5/2 mu g cos / r.
std::vector<LawResult> check_rolling() {
    const double angle = 0.3, steep = 1.2;
    World world(incline(steep, Sphere{0.5}, 0.5));
    run_until(world, 2);
    const double spin = -world.angular_velocity(world.find_body("body")).z;
    return {law_result("rolling: acceleration", 5.0 / 7 * kGravity * std::sin(angle),
                       speed_after(incline(angle, Sphere{0.5}, 0.5), 2) / 2, 1e-9, 0.01, "m/s^2"),
            law_result("slipping sphere: acceleration",
                       kGravity * (std::sin(steep) - kFriction * std::cos(steep)),
                       world.velocity(world.find_body("body")).x / 2, 1e-9, 0.01, "m/s^2"),
            law_result("slipping sphere: spin", 2.5 * kFriction * kGravity * std::cos(steep) / 0.5 * 2, spin,
                       1e-9, 0.01, "rad/s, after 2 s")};
}

// A stack of five boxes: what the ground carries is the weight of all.
std::vector<LawResult> check_weight() {
    Scene scene = law_scene(0.01, {0, -kGravity, 0}, kFriction);
    scene.bodies.push_back(law_ground());
    for (int k = 0; k < 5; ++k) {
        BodyDesc box = law_body("box" + std::to_string(k), Box{}, {0, 0.5 + k, 0});
        box.mass = 2;
        scene.bodies.push_back(box);
    }
    World world(scene);
    run_until(world, 5);
    double sum = 0;
    for (const auto& contact : world.frame().contacts)
        if (contact.a == 0 || contact.b == 0) sum += contact.a == 0 ? contact.force.y : -contact.force.y;
    return {law_result("weight: force on the ground", 5 * 2 * kGravity, sum, 1e-6, world.dt(),
                       "N, stack of 5 boxes")};
}

}  // namespace impuls
