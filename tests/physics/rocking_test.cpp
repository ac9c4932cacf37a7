// Bodies that rock and roll without slipping lose nothing, under `fast` too: an ellipsoid of axes a, b that
// rocks on a plane, w^2 = g (a^2/b - b)/(k^2 + b^2) for small angles; a cylinder far from where its floor has
// its origin, whose levers must not be rounded by that way.
#include <algorithm>
#include <cmath>
#include <string>

#include "physics/contact_scenes.h"

namespace impuls {
namespace {

Scene rough_ground(double dt) {
    MaterialDesc rough;
    rough.friction = 1;
    rough.restitution = 0;
    Scene scene = scene_of(rough, true);
    scene.settings.method = parse_method("fast+sleep=off");
    scene.settings.dt = dt;
    return scene;
}

// Damping by w^2 h/4, of velocities half a substep h off, would be 3 % in 10 s with dt = 0.01 and 16
// substeps.
TEST(Rocking, keeps_its_amplitude_and_period) {
    constexpr double kA = 0.5, kB = 0.3, kC = 0.4, kAngle = 0.03;
    // I/m about the axis of rocking, z, through the centre; then about the point of contact.
    const double gyration2 = (kA * kA + kB * kB) / 5;
    const double rate = std::sqrt(kG * (kA * kA / kB - kB) / (gyration2 + kB * kB));
    for (const double dt : {0.01, 1.0 / 60}) {
        Scene scene = rough_ground(dt);
        // The lowest point of the ellipsoid is sqrt((a sin)^2 + (b cos)^2) below its centre.
        const double height = std::hypot(kA * std::sin(kAngle), kB * std::cos(kAngle));
        scene.bodies.push_back(body_of("b", Ellipsoid{{kA, kB, kC}}, {0, height, 0}));
        scene.bodies.back().orientation = from_axis_angle({0, 0, 1}, kAngle);
        World world(scene);
        const double period = 2 * kPi / rate, time = 10 * period;
        double first = 0, last = 0, least = world.frame().energy.total, gained = 0, crossed = 0, before = 0;
        int crossings = 0;
        while (world.time() < time) {
            run(world, world.time() + dt);
            const double spin = spin_of(world, "b").z, energy = world.frame().energy.total;
            if (world.time() < period) first = std::max(first, std::abs(spin));
            if (world.time() > time - period) last = std::max(last, std::abs(spin));
            least = std::min(least, energy);
            gained = std::max(gained, energy - least);
            if (before < 0 && spin >= 0) {
                crossed = world.time() - dt * spin / (spin - before);
                ++crossings;
            }
            before = spin;
        }
        EXPECT_NEAR(last / first, 1, 2e-3) << dt;
        EXPECT_NEAR(first, kAngle * rate, 0.01 * kAngle * rate) << dt;
        // It starts at rest, turned one way: the n-th time that it stops to turn back is after n periods less
        // a half.
        EXPECT_NEAR(crossed / (crossings - 0.5), period, 3e-3 * period) << dt;
        const double rocking =
            0.5 * kG * (kA * kA / kB - kB) * kAngle * kAngle * world.mass(world.find_body("b"));
        EXPECT_LT(gained, 0.02 * rocking) << dt;
    }
}

TEST(Rocking, a_cylinder_rolls_on_far_from_its_floors_origin) {
    Scene scene = rough_ground(1.0 / 60);
    scene.bodies.push_back(body_of("b", Cylinder{0.2, 0.4}, {20, 0.2, 2}));
    scene.bodies.back().orientation = from_axis_angle({1, 0, 0}, 0.5 * kPi);
    scene.bodies.back().velocity = {1, 0, 0};
    scene.bodies.back().angular_velocity = {0, 0, -5};
    World world(scene);
    run(world, 1);  // it sinks by its sag, which changes its lever
    const double speed = velocity_of(world, "b").x;
    EXPECT_NEAR(speed, 1, 1e-3);
    run(world, 21);
    EXPECT_NEAR(velocity_of(world, "b").x, speed, 2e-5);
}

}  // namespace
}  // namespace impuls
