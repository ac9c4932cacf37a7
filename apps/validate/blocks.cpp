// The laws of contact under the preset `fast` (stepper blocks), with bounds of its own: positions are first
// order in a substep, impulses are floats.
#include <cmath>

#include "validate/law_files.h"

namespace impuls {
namespace {

constexpr double kBlockFriction = 0.5, kBlockDt = 1.0 / 60;

Scene fast_scene(const Vec3& gravity, double friction, double restitution = 0) {
    Scene scene = law_scene(kBlockDt, gravity, friction, restitution);
    scene.settings.method = parse_method("fast");
    scene.bodies.push_back(law_ground());
    return scene;
}

Scene tilted(double angle, const Shape& shape, double height) {
    Scene scene = fast_scene({kGravity * std::sin(angle), -kGravity * std::cos(angle), 0}, kBlockFriction);
    scene.bodies.push_back(law_body("body", shape, {0, height, 0}));
    return scene;
}

double speed_of(const Scene& scene, double seconds) {
    World world(scene);
    run_until(world, seconds);
    return world.velocity(world.find_body("body")).x;
}

// Dropped by 2 m: height of the first rebound.
double rebound(double e) {
    Scene scene = fast_scene({0, -kGravity, 0}, 0, e);
    scene.bodies.push_back(law_body("body", Sphere{0.5}, {0, 2.5, 0}));
    World world(scene);
    const BodyId ball = world.find_body("body");
    while (world.velocity(ball).y <= 0 && world.time() < 2) world.step();
    const double v = world.velocity(ball).y;
    return world.pose(ball).position.y - 0.5 + v * v / (2 * kGravity);
}

// A ball of mass 1 at 3 m/s meets one of mass 2 at rest: speeds after it.
std::pair<double, double> collision(double e) {
    Scene scene = fast_scene({}, 0, e);
    BodyDesc a = law_body("a", Sphere{0.5}, {0, 3, 0}), b = law_body("b", Sphere{0.5}, {2, 3, 0});
    a.mass = 1, b.mass = 2, a.velocity = {3, 0, 0};
    scene.bodies.push_back(a), scene.bodies.push_back(b);
    World world(scene);
    run_until(world, 1);
    return {world.velocity(world.find_body("a")).x, world.velocity(world.find_body("b")).x};
}

}  // namespace

std::vector<LawResult> check_blocks() {
    const Box box{{1, 0.5, 1}};
    const double angle = 0.6, slow = 0.3, steep = 1.2;
    double sticks = 0.3, slips = 0.7;
    while (slips - sticks > 1e-5) {
        const double middle = 0.5 * (sticks + slips);
        (speed_of(tilted(middle, box, 0.25), 1) > 1e-3 ? slips : sticks) = middle;
    }
    std::vector<LawResult> results{
        law_result("fast: angle of slip", std::atan(kBlockFriction), 0.5 * (sticks + slips), 1e-3, kBlockDt,
                   "rad"),
        law_result("fast: sliding acceleration",
                   kGravity * (std::sin(angle) - kBlockFriction * std::cos(angle)),
                   speed_of(tilted(angle, box, 0.25), 2) / 2, 1e-3, kBlockDt, "m/s^2"),
        law_result("fast: creep while sticking", 0, speed_of(tilted(0.4, box, 0.25), 2), 1e-5, kBlockDt,
                   "m/s, after 2 s", 1),
        law_result("fast: rolling acceleration", 5.0 / 7 * kGravity * std::sin(slow),
                   speed_of(tilted(slow, Sphere{0.5}, 0.5), 2) / 2, 1e-3, kBlockDt, "m/s^2"),
        law_result("fast: slipping sphere", kGravity * (std::sin(steep) - kBlockFriction * std::cos(steep)),
                   speed_of(tilted(steep, Sphere{0.5}, 0.5), 2) / 2, 1e-3, kBlockDt, "m/s^2")};
    for (const double e : {1.0, 0.8, 0.5})
        results.push_back(law_result("fast: rebound with " + std::to_string(e).substr(0, 3), 2 * e * e,
                                     rebound(e), 0.02, kBlockDt, "m, from 2 m"));
    const auto [elastic_a, elastic_b] = collision(1);
    const auto [plastic_a, plastic_b] = collision(0);
    results.push_back(law_result("fast: elastic collision, mass 1", -1, elastic_a, 1e-5, kBlockDt, "m/s"));
    results.push_back(law_result("fast: elastic collision, mass 2", 2, elastic_b, 1e-5, kBlockDt, "m/s"));
    results.push_back(law_result("fast: plastic collision", 1, plastic_a, 1e-5, kBlockDt, "m/s"));
    results.push_back(
        law_result("fast: momentum of it", 3, plastic_a + 2 * plastic_b, 1e-6, kBlockDt, "kg m/s"));
    Scene scene = fast_scene({0, -kGravity, 0}, kBlockFriction);
    scene.bodies[0].surface_velocity = {100, 0, 0};
    scene.bodies.push_back(law_body("body", box, {0, 0.25, 0}));
    results.push_back(law_result("fast: conveyor", kBlockFriction * kGravity, speed_of(scene, 2) / 2, 1e-3,
                                 kBlockDt, "m/s^2"));
    scene = fast_scene({0, -kGravity, 0}, kBlockFriction);
    for (int k = 0; k < 5; ++k)
        scene.bodies.push_back(law_body("b" + std::to_string(k), Box{}, {0, 0.5 + k, 0}));
    for (BodyDesc& b : scene.bodies)
        if (b.kind == BodyKind::Dynamic) b.mass = 2;
    World world(scene);
    run_until(world, 5);
    double sum = 0;
    for (const Contact& c : world.frame().contacts)
        if (c.a == 0) sum += c.force.y;
    results.push_back(law_result("fast: weight of five boxes", 10 * kGravity, sum, 1e-5, kBlockDt, "N"));
    for (LawResult& result : results) result.preset = "fast";
    return results;
}

}  // namespace impuls
