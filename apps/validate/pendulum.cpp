// Laws of pendulums on the ball joint. A body swinging from angle a about a pivot at distance d from its
// centre, moment I about the pivot, has the period 4 sqrt(I / (m g d)) K(sin(a/2)).
#include <cmath>

#include "validate/law_files.h"

namespace impuls {
namespace {

Scene pendulum_scene(double dt, const BodyDesc& body) {
    Scene scene = law_scene(dt);
    scene.bodies.push_back(body);
    JointDesc pivot;
    pivot.name = "pivot";
    pivot.b = body.name;
    pivot.joint = BallJoint{};
    scene.joints.push_back(pivot);
    return scene;
}

// Time of `count` full swings, from upward zero crossings of x.
double period(World& world, BodyId id, int count) {
    std::vector<double> crossings;
    double last = world.pose(id).position.x;
    while (static_cast<int>(crossings.size()) <= count && world.time() < 1000) {
        if (!world.step().ok) return 0;
        const double now = world.pose(id).position.x;
        if (last < 0 && now >= 0) crossings.push_back(world.time() - world.dt() * now / (now - last));
        last = now;
    }
    return (crossings.back() - crossings.front()) / count;
}

BodyDesc bob(double angle, double length) {
    BodyDesc body = law_body("bob", Sphere{0.01}, Vec3{std::sin(angle), -std::cos(angle), 0} * length);
    body.mass = 1;
    return body;
}

}  // namespace

std::vector<LawResult> check_pendulum() {
    std::vector<LawResult> results;
    for (const double angle : {0.1, 1.0, 2.5}) {
        const double length = 1, inertia = length * length + 0.4 * 0.01 * 0.01;
        World world(pendulum_scene(0.001, bob(angle, length)));
        const double exact =
            4 * std::sqrt(inertia / (kGravity * length)) * std::comp_ellint_1(std::sin(angle / 2));
        const std::string name = "pendulum: period at " + std::to_string(angle).substr(0, 3) + " rad";
        results.push_back(
            law_result(name, exact, period(world, world.find_body("bob"), 5), 1e-5, world.dt(), "s"));
    }
    // Energy of the 1 rad swing over a minute, relative to m g L (1 - cos a).
    World world(pendulum_scene(0.001, bob(1, 1)));
    const double before = world.frame().energy.total;
    double worst = 0;
    for (int k = 0; k < 60000; ++k) {
        world.step();
        if (k % 10 == 0) worst = std::max(worst, std::abs(world.frame().energy.total - before));
    }
    results.push_back(law_result("pendulum: energy drift in 60 s", 0, worst, 1e-5, world.dt(), "J",
                                 kGravity * (1 - std::cos(1.0))));
    return results;
}

// A rod of length L hung at its end: I = m (L^2 + a^2)/12 + m (L/2)^2 for a square section of edge a.
std::vector<LawResult> check_physical_pendulum() {
    const double length = 1.5, edge = 0.1, angle = 0.8;
    BodyDesc rod =
        law_body("rod", Box{{edge, length, edge}}, Vec3{std::sin(angle), -std::cos(angle), 0} * (length / 2));
    rod.orientation = from_axis_angle({0, 0, 1}, angle);
    World world(pendulum_scene(0.001, rod));
    const double inertia = (length * length + edge * edge) / 12 + length * length / 4;  // per mass
    const double exact =
        4 * std::sqrt(inertia / (kGravity * length / 2)) * std::comp_ellint_1(std::sin(angle / 2));
    return {law_result("physical pendulum: period", exact, period(world, world.find_body("rod"), 5), 1e-5,
                       world.dt(), "s, rod of 1.5 m at 0.8 rad")};
}

// Hanging: m g. Swinging through the lowest point from angle a: m g (3 - 2 cos a).
std::vector<LawResult> check_joint_reaction() {
    World still(pendulum_scene(0.001, bob(0, 1)));
    run_until(still, 0.5);
    World swinging(pendulum_scene(0.001, bob(1, 1)));
    double largest = 0;
    while (swinging.time() < 2) {
        swinging.step();
        largest = std::max(largest, length(swinging.frame().joints[0].force));
    }
    return {law_result("joint reaction: hanging", kGravity, still.frame().joints[0].force.y, 1e-9, still.dt(),
                       "N"),
            law_result("joint reaction: swinging", kGravity * (3 - 2 * std::cos(1.0)), largest, 1e-4,
                       swinging.dt(), "N, at the lowest point")};
}

}  // namespace impuls
