// Rolling and spinning by every preset: speeds, periods and inclinations that nothing changes.
#include <cmath>

#include "validate/presets.h"

namespace impuls {
namespace {

constexpr double kRollDt = 1.0 / 60, kQuarterTurn = 1.5707963267948966, kTwoPi = 6.283185307179586;

Scene rolling_scene(const MethodDesc& method, double dt, double friction) {
    Scene scene = law_scene(dt, {0, -kGravity, 0}, friction);
    scene.settings.method = method;
    scene.bodies.push_back(law_ground());
    return scene;
}

double pure_roll(const MethodDesc& method, const Shape& shape, const Quat& orientation) {
    Scene scene = rolling_scene(method, kRollDt, 0.5);
    BodyDesc body = law_body("body", shape, {0, 0.2, 0});
    body.orientation = orientation;
    body.velocity = {1, 0, 0}, body.angular_velocity = {0, 0, -5};
    scene.bodies.push_back(body);
    World world(scene);
    run_until(world, 60);
    return world.velocity(world.find_body("body")).x;
}

double nudged_ball(const MethodDesc& method) {
    Scene scene = rolling_scene(method, kRollDt, 0.5);
    BodyDesc ball = law_body("ball", Sphere{0.2}, {0, 0.2, 0});
    ball.velocity = {1e-4, 0, 0};
    scene.bodies.push_back(ball);
    World world(scene);
    run_until(world, 60);
    return world.velocity(world.find_body("ball")).x;
}

// A ball with its centre of mass 0.2 m below its centre, released 0.02 rad aside: frequency and amplitude.
struct Rocking {
    double period = 0, amplitude = 0;
};
Rocking rock(const MethodDesc& method) {
    Scene scene = rolling_scene(method, 0.01, 1);
    BodyDesc ball = law_body("ball", Sphere{0.5}, {0, 0.5, 0});
    ball.mass = 10, ball.inertia = Vec3{0.8, 0.8, 0.8}, ball.center_of_mass = Vec3{0, -0.2, 0};
    ball.orientation = from_axis_angle({0, 0, 1}, 0.02);
    scene.bodies.push_back(ball);
    World world(scene);
    const BodyId id = world.find_body("ball");
    double first = -1, last = -1, before = 0, largest = 0;
    int passages = 0;
    while (world.time() < 20) {
        world.step();
        const double rate = world.angular_velocity(id).z;
        if (before < 0 && rate >= 0) {
            last = world.time() - world.dt() * rate / (rate - before);
            if (first < 0) first = last;
            ++passages;
        }
        if (world.time() > 18) largest = std::max(largest, std::abs(2 * world.pose(id).orientation.z));
        before = rate;
    }
    return {passages > 1 ? (last - first) / (passages - 1) : 0, largest};
}

// A disk on its rim, its centre at rest: W^2 sin a = 4 g / r. Inclination after 5 s.
double eulers_disk(const MethodDesc& method) {
    const double radius = 0.1, half = 0.001, a = kQuarterTurn / 2;
    Scene scene = rolling_scene(method, 0.001, 1);
    BodyDesc disk = law_body("disk", Cylinder{radius, 2 * half}, {});
    disk.position = {0, radius * std::sin(a) + half * std::cos(a), 0};
    disk.mass = 1, disk.inertia = Vec3{0.25, 0.5, 0.25} * (radius * radius);
    disk.orientation = from_axis_angle({0, 0, 1}, -a);
    // About the diameter through the point of contact, at W sin a.
    const double rate = std::sqrt(4 * kGravity * std::sin(a) / radius);
    disk.angular_velocity = rate * Vec3{-std::cos(a), std::sin(a), 0};
    scene.bodies.push_back(disk);
    World world(scene);
    run_until(world, 5);
    const Vec3 axis = rotate(world.pose(world.find_body("disk")).orientation, {0, 1, 0});
    return std::acos(std::min(1.0, std::abs(axis.y))) * 90 / kQuarterTurn;
}

// A disk that slides and spins on its face: when it stops.
double spin_slide(const MethodDesc& method) {
    Scene scene = rolling_scene(method, 0.01, 0.3);
    BodyDesc disk = law_body("disk", Cylinder{0.2, 0.02}, {0, 0.01, 0});
    disk.velocity = {1, 0, 0}, disk.angular_velocity = {0, 2, 0};
    scene.bodies.push_back(disk);
    World world(scene);
    const BodyId id = world.find_body("disk");
    double before = 1, rate = 0;
    while (world.time() < 1) {
        world.step();
        const double v = world.velocity(id).x;
        if (v < 0.02) return world.time() - world.dt() + before / rate;
        rate = (before - v) / world.dt(), before = v;
    }
    return 1;
}

}  // namespace

std::vector<LawResult> check_preset_rolling() {
    const Quat lying = from_axis_angle({1, 0, 0}, kQuarterTurn);
    const PresetBounds rolls{1e-4, 1e-4, 1e-4, kNoPromise};
    return by_presets({
        {"rolling ball", 1, kRollDt, rolls, "m/s after 60 s",
         [](const MethodDesc& m) { return pure_roll(m, Sphere{0.2}, {}); }},
        {"rolling cylinder", 1, kRollDt, rolls, "m/s after 60 s",
         [=](const MethodDesc& m) {
             return pure_roll(m, Cylinder{0.2, 0.4}, lying);
         }},
        {"rolling ellipsoid", 1, kRollDt, rolls, "m/s after 60 s",
         [](const MethodDesc& m) {
             return pure_roll(m, Ellipsoid{{0.2, 0.2, 0.4}}, {});
         }},
        {"nudged ball", 1e-4 * 5 / 7, kRollDt, rolls, "m/s after 60 s", nudged_ball},
        {"rocking ball, period",
         kTwoPi * std::sqrt((0.8 + 10 * 0.09) / (10 * kGravity * 0.2)),
         0.01,
         {0.01, 0.01, 0.05, kNoPromise},
         "s, 0.02 rad",
         [](const MethodDesc& m) { return rock(m).period; }},
        {"rocking ball, amplitude",
         0.02,
         0.01,
         {0.01, 0.01, 0.05, kNoPromise},
         "rad after 20 s",
         [](const MethodDesc& m) { return rock(m).amplitude; }},
        {"Euler's disk",
         45,
         0.001,
         {0.2 / 45, 0.2 / 45, 3.0 / 45, kNoPromise},
         "degrees after 5 s",
         eulers_disk},
        {"spin and slide",
         0.36862,
         0.01,
         {0.03, 0.03, 0.1, kNoPromise},
         "s until it stops; quadrature over the face (Farkas et al. 2003)",
         spin_slide},
    });
}

}  // namespace impuls
