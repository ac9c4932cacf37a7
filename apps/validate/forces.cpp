// Laws of the forces of a scene. Frequencies and decays are off by a twelfth of the square of what happens in
// a substep (docs/manual/forces.md); bounds are that, rounded up, at the dt given.
#include <cmath>

#include "validate/law_files.h"

namespace impuls {
namespace {

ForceDesc law_force(const std::string& a, const std::string& b, const Force& force) {
    ForceDesc desc;
    desc.a = a;
    desc.b = b;
    desc.force = force;
    return desc;
}

// A ball that touches nothing.
BodyDesc law_ball(const std::string& name, const Vec3& at, double mass, const Vec3& velocity = {}) {
    BodyDesc ball = law_body(name, Sphere{0.1}, at);
    ball.mass = mass;
    ball.velocity = velocity;
    ball.collides = false;
    return ball;
}

const Vec3 kStill{};

Vec3 ball_center(const World& world, const char* body) {
    return world.pose(world.find_body(body)).position;
}
Vec3 ball_velocity(const World& world, const char* body) {
    return world.velocity(world.find_body(body));
}

}  // namespace

// A spring pendulum after ten and a quarter swings, and a body on a torsion spring after as many.
std::vector<LawResult> check_spring_forces() {
    const double k = 40, m = 1.6, w = std::sqrt(k / m);
    Scene scene = law_scene(2 * M_PI / w / 400, kStill);
    scene.bodies = {law_ball("b", {0, 0, 0}, m, {1, 0, 0}), law_part("t", {0, 5, 0}, m, 2)};
    scene.bodies[1].angular_velocity = {0, 1, 0};
    scene.forces = {law_force("", "b", SpringForce{{-1, 0, 0}, {0, 0, 0}, k}),
                    law_force("", "t", TorsionSpringForce{{0, 1, 0}, k})};
    World world(scene);
    const double before = world.frame().energy.total;
    run_until(world, 10.25 * 2 * M_PI / w);
    return {
        law_result("spring force: place after 10 1/4 swings", 1 / w, ball_center(world, "b").x, 1e-5,
                   world.dt(), "m"),
        law_result("torsion spring: angle after 10 1/4 swings", 1 / w,
                   2 * std::asin(world.pose(world.find_body("t")).orientation.y), 1e-5, world.dt(), "rad"),
        law_result("spring forces: energy", before, world.frame().energy.total, 1e-9, world.dt(), "J")};
}

// What a damper leaves of a velocity after the time m/c, and where a body comes to rest on a stiff spring.
std::vector<LawResult> check_damper_force() {
    const double c = 3, m = 2;
    Scene scene = law_scene(m / c / 100);
    scene.bodies = {law_ball("b", {1, 0, 0}, m, {2, 0, 0}), law_ball("s", {0, 0, 5}, 1)};
    scene.bodies[0].gravity_scale = 0;
    scene.forces = {law_force("", "b", DamperForce{{0, 0, 0}, {1, 0, 0}, c}),
                    law_force("", "s", SpringForce{{0, 1, 5}, {0, 0, 5}, 1e6, 2000})};
    World world(scene);
    run_until(world, m / c);
    return {law_result("damper: velocity after m/c", 2 * std::exp(-1), ball_velocity(world, "b").x, 1e-6,
                       world.dt(), "m/s"),
            law_result("stiff spring: stretch at rest", -kGravity / 1e6, ball_center(world, "s").y, 1e-3,
                       world.dt(), "m, 1e6 N/m")};
}

// Atwood's machine by a stiff cable over two eyes, and what a slack cable does not do.
std::vector<LawResult> check_cable_force() {
    const double m = 3, n = 2, a = (m - n) / (m + n) * kGravity;
    Scene scene = law_scene(0.005);
    scene.bodies = {law_ball("m", {-1, 0, 0}, m), law_ball("n", {1, 0, 0}, n),
                    law_ball("free", {5, 0, 0}, 1, {0, 3, 0})};
    CableForce slack{{5, 2, 0}, {5, 0, 0}};
    slack.length = 3;
    scene.forces = {
        law_force("m", "n", CableForce{{-1, 0, 0}, {1, 0, 0}, {{-1, 9, 0}, {1, 9, 0}}, 1e6, 1000}),
        law_force("", "free", slack)};
    World world(scene);
    run_until(world, 0.5);
    return {law_result("cable: acceleration of Atwood's machine", a, ball_velocity(world, "n").y / 0.5, 1e-3,
                       world.dt(), "m/s^2"),
            law_result("cable: free flight while it is slack", 1.5 - 0.125 * kGravity,
                       ball_center(world, "free").y, 1e-9, world.dt(), "m")};
}

// A thrust that turns with its body, a torque, and a pull between two bodies.
std::vector<LawResult> check_constant_forces() {
    const double w = M_PI, radius = 2, torque = 0.7;
    Scene scene = law_scene(0.005, kStill);
    scene.bodies = {law_ball("rocket", {radius, 0, 0}, 1, {0, w * radius, 0}), law_part("t", {0, 9, 0}, 0.3),
                    law_ball("p", {-9, 0, 0}, 1), law_ball("q", {9, 0, 0}, 3)};
    scene.bodies[0].angular_velocity = {0, 0, w};
    scene.forces = {
        law_force("", "rocket", ConstantForce{{radius, 0, 0}, {-w * w * radius, 0, 0}, ForceAxes::Body}),
        law_force("", "t", TorqueForce{{0, torque, 0}}),
        law_force("p", "q", PullForce{{-9, 0, 0}, {9, 0, 0}, 3})};
    World world(scene);
    run_until(world, 2);
    return {law_result("thrust: back after one turn", 0,
                       length(ball_center(world, "rocket") - Vec3{radius, 0, 0}), 1e-4, world.dt(),
                       "m, circle of 2 m", 2 * M_PI * radius),
            law_result("torque: speed after 2 s", torque * 2 / 0.3,
                       world.angular_velocity(world.find_body("t")).y, 1e-9, world.dt(), "rad/s"),
            law_result("pull: ways of 1 kg and 3 kg", 3 * 2, ball_center(world, "p").x + 9, 1e-9, world.dt(),
                       "m"),
            law_result("pull: the other's", 2, 9 - ball_center(world, "q").x, 1e-9, world.dt(), "m")};
}

// The velocity of a fall with drag on its way to the steady one, and that.
std::vector<LawResult> check_drag() {
    const double mass = 0.5, steady = std::sqrt(2 * mass * kGravity / (1.2 * 0.47 * M_PI * 0.01));
    Scene scene = law_scene(0.01);
    scene.bodies = {law_ball("b", {0, 0, 0}, mass)};
    scene.forces = {law_force("", "b", DragForce{})};
    World world(scene);
    run_until(world, 2);
    const double soon = -ball_velocity(world, "b").y;
    run_until(world, 100);
    return {law_result("drag: after 2 s", steady * std::tanh(2 * kGravity / steady), soon, 1e-6, world.dt(),
                       "m/s"),
            law_result("drag: steady fall", steady, -ball_velocity(world, "b").y, 1e-9, world.dt(), "m/s")};
}

// Kepler: two bodies on ellipses with e = 0.6 are back after a period.
std::vector<LawResult> check_attraction() {
    const double m = 3, n = 1, e = 0.6, far = 1 + e, speed = std::sqrt((m + n) * (1 - e) / (1 + e));
    const double period = 2 * M_PI / std::sqrt(m + n);
    Scene scene = law_scene(period / 1000, kStill);
    scene.bodies = {law_ball("m", {-far * n / (m + n), 0, 0}, m, {0, -speed * n / (m + n), 0}),
                    law_ball("n", {far * m / (m + n), 0, 0}, n, {0, speed * m / (m + n), 0})};
    scene.forces = {law_force("m", "n", AttractionForce{1})};
    World world(scene);
    const double before = world.frame().energy.total;
    run_until(world, period);
    return {law_result("attraction: back after a period", 0,
                       length(ball_center(world, "n") - Vec3{far * m / (m + n), 0, 0}), 1e-4, world.dt(),
                       "m, semi-major axis 1 m", 1),
            law_result("attraction: energy", before, world.frame().energy.total, 1e-6, world.dt(), "J")};
}

}  // namespace impuls
