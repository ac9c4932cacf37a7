// Friction and rest by every preset: what must stay stays, what must slide slides.
#include <cmath>

#include "validate/presets.h"

namespace impuls {
namespace {

constexpr double kSeamDt = 1.0 / 60;

// A smooth box crosses the seam of two flush static boxes at 1 m/s.
double seam(const MethodDesc& method) {
    Scene scene = law_scene(kSeamDt);
    scene.settings.method = method;
    for (const double side : {-1.0, 1.0}) {
        BodyDesc slab = law_body(side < 0 ? "left" : "right", Box{{4, 1, 4}}, {2 * side, -0.5, 0});
        slab.kind = BodyKind::Static;
        scene.bodies.push_back(slab);
    }
    BodyDesc box = law_body("box", Box{{0.3, 0.2, 0.3}}, {-0.25, 0.1, 0});
    box.velocity = {1, 0, 0};
    scene.bodies.push_back(box);
    World world(scene);
    run_until(world, 0.5);
    return world.velocity(world.find_body("box")).x;
}

// Boxes on top of each other on a slope: way of the topmost, m.
double way_on_slope(const MethodDesc& method, double slope, int boxes, double seconds, bool has_static) {
    const double angle = std::atan(slope);
    Scene scene = law_scene(0.01, {kGravity * std::sin(angle), -kGravity * std::cos(angle), 0}, 0.5);
    scene.settings.method = method;
    if (has_static) scene.materials[0].friction = 0.3, scene.materials[0].static_friction = 0.6;
    scene.bodies.push_back(law_ground());
    for (int k = 0; k < boxes; ++k)
        scene.bodies.push_back(
            law_body("b" + std::to_string(k), Box{{0.4, 0.2, 0.4}}, {0, 0.1 + 0.2 * k, 0}));
    World world(scene);
    const BodyId top = world.find_body("b" + std::to_string(boxes - 1));
    run_until(world, seconds);
    return world.pose(top).position.x;
}

// A block on a belt, held by a spring: time from slip to slip.
constexpr double kBeltSpeed = 0.1, kBeltSpring = 40;
double stick_slip(const MethodDesc& method) {
    Scene scene = law_scene(0.01, {0, -kGravity, 0}, 0.3);
    scene.settings.method = method;
    scene.materials[0].static_friction = 0.6;
    BodyDesc belt = law_body("belt", Box{{10, 1, 2}}, {0, -0.5, 0});
    belt.kind = BodyKind::Static, belt.surface_velocity = {kBeltSpeed, 0, 0};
    BodyDesc block = law_body("block", Box{{0.2, 0.1, 0.2}}, {0, 0.05, 0});
    block.mass = 1;
    scene.bodies = {belt, block};
    DistanceJoint spring{.anchor_a = {-3, 0.05, 0}, .anchor_b = {0, 0.05, 0}};
    spring.length = AxisDesc{.stiffness = kBeltSpring, .rest = 3};
    scene.joints.push_back(law_joint("", "block", spring));
    World world(scene);
    const BodyId id = world.find_body("block");
    const double middle = 0.3 * kGravity / kBeltSpring;
    double first = -1, last = -1, before = 0;
    int slips = 0;
    while (world.time() < 10) {
        world.step();
        const double x = world.pose(id).position.x;
        if (before > middle && x <= middle) {
            last = world.time() - world.dt() * (middle - x) / (before - x);
            if (first < 0) first = last;
            ++slips;
        }
        before = x;
    }
    return slips > 1 ? (last - first) / (slips - 1) : 0;
}
// Stick 2 D / V, slip (pi + 2 atan(V / (w D))) / w, D = (mu_s - mu) m g / k.
double stick_slip_time() {
    const double rate = std::sqrt(kBeltSpring), half = 0.3 * kGravity / kBeltSpring;
    return 2 * half / kBeltSpeed + (std::acos(-1.0) + 2 * std::atan(kBeltSpeed / (rate * half))) / rate;
}

// A box rides 0.5 m from the middle of a table that turns at 2 rad/s: how far it gets from where it stood.
double turntable(const MethodDesc& method) {
    Scene scene = law_scene(0.01, {0, -kGravity, 0}, 1);
    scene.settings.method = method;
    BodyDesc table = law_body("table", Cylinder{5, 0.2}, {0, -0.1, 0});
    table.kind = BodyKind::Kinematic, table.angular_velocity = {0, 2, 0};
    BodyDesc box = law_body("box", Box{{0.1, 0.1, 0.1}}, {0.5, 0.05, 0});
    box.velocity = {0, 0, -1}, box.angular_velocity = {0, 2, 0};
    scene.bodies = {table, box};
    World world(scene);
    run_until(world, 5);
    const Vec3 p = world.pose(world.find_body("box")).position;
    return std::hypot(p.x - 0.5 * std::cos(10), p.z + 0.5 * std::sin(10));
}

}  // namespace

std::vector<LawResult> check_preset_friction() {
    const PresetBounds stays{1e-4, 1e-5, 1e-3, kNoPromise};
    const double steep = std::atan(0.525);
    return by_presets({
        {"seam", 1, kSeamDt, {1e-3, 1e-3, 1e-3, 1e-3}, "m/s, over flush boxes", seam},
        {"5 % below friction", 0, 0.01, stays, "m in 5 s",
         [](const MethodDesc& m) { return way_on_slope(m, 0.475, 1, 5, false); }},
        {"5 % above friction",
         0.5 * kGravity * (std::sin(steep) - 0.5 * std::cos(steep)),
         0.01,
         {0.01, 0.01, 0.05, kNoPromise},
         "m in 1 s",
         [](const MethodDesc& m) { return way_on_slope(m, 0.525, 1, 1, false); }},
        {"below static friction", 0, 0.01, stays, "m in 5 s, above kinetic friction",
         [](const MethodDesc& m) { return way_on_slope(m, 0.45, 1, 5, true); }},
        {"three boxes on a slope", 0, 0.01, stays, "m in 10 s",
         [](const MethodDesc& m) { return way_on_slope(m, 0.35, 3, 10, false); }},
        {"stick and slip", stick_slip_time(), 0.01, {0.02, 0.02, 0.1, kNoPromise}, "s", stick_slip},
        {"turntable", 0, 0.01, {1e-5, 1e-6, 1e-4, kNoPromise}, "m in 5 s", turntable},
    });
}

}  // namespace impuls
