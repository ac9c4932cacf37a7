// Laws of impacts between moving bodies, without gravity.
#include <cmath>
#include <cstdint>

#include "validate/law_files.h"

namespace impuls {
namespace {

// Two spheres in line; the first comes at 2 m/s.
World collide_in_line(double restitution, double m1, double m2) {
    Scene scene = law_scene(0.01, {}, 0.3, restitution);
    BodyDesc first = law_body("first", Sphere{0.5}, {-2, 0, 0}),
             second = law_body("second", Sphere{0.5}, {0, 0, 0});
    first.mass = m1, second.mass = m2;
    first.velocity = {2, 0, 0};
    scene.bodies.push_back(first);
    scene.bodies.push_back(second);
    World world(scene);
    run_until(world, 2);
    return world;
}

double speed(const World& world, const char* name) {
    return world.velocity(world.find_body(name)).x;
}

}  // namespace

// v1' = v (m1 - m2)/(m1 + m2), v2' = v 2 m1/(m1 + m2); equal masses at an angle part at a right angle.
std::vector<LawResult> check_elastic_collision() {
    const World world = collide_in_line(1, 1, 3);
    Scene scene = law_scene(0.001, {}, 0, 1);
    BodyDesc a = law_body("a", Sphere{0.5}, {-1.5, 0.4, 0}), b = law_body("b", Sphere{0.5}, {0, 0, 0});
    a.velocity = {1, 0, 0};
    scene.bodies.push_back(a);
    scene.bodies.push_back(b);
    World oblique(scene);
    run_until(oblique, 2);
    const Vec3 va = oblique.velocity(oblique.find_body("a")), vb = oblique.velocity(oblique.find_body("b"));
    // The line of centres at impact has sin = 0.4 / 1, so b leaves at that angle.
    return {law_result("elastic collision: light sphere", 2.0 * (1 - 3) / 4, speed(world, "first"), 1e-12,
                       world.dt(), "m/s"),
            law_result("elastic collision: heavy sphere", 2.0 * 2 / 4, speed(world, "second"), 1e-12,
                       world.dt(), "m/s"),
            law_result("elastic collision: right angle", 0, dot(normalized(va), normalized(vb)), 1e-12,
                       oblique.dt(), "cosine between the paths", 1),
            law_result("elastic collision: oblique angle", std::asin(0.4), std::atan2(-vb.y, vb.x), 1e-3,
                       oblique.dt(), "rad")};
}

// v1' = (m1 v - e m2 v)/(m1 + m2), v2' = m1 v (1 + e)/(m1 + m2); energy lost: (1 - e^2) of the relative part.
std::vector<LawResult> check_inelastic_collision() {
    std::vector<LawResult> results;
    for (const double e : {0.0, 0.6}) {
        World world = collide_in_line(e, 2, 3);
        const std::string name = "collision with e = " + std::to_string(e).substr(0, 3);
        results.push_back(law_result(name + ": first sphere", 2.0 * (2 - e * 3) / 5, speed(world, "first"),
                                     1e-12, world.dt(), "m/s"));
        const double lost = 0.5 * (2.0 * 3 / 5) * 4 * (1 - e * e);
        results.push_back(law_result(name + ": energy lost", lost, 0.5 * 2 * 4 - world.frame().energy.kinetic,
                                     1e-12, world.dt(), "J"));
    }
    return results;
}

// A cloud of 125 spinning elastic spheres flying together, placed at random. Friction would turn energy into
// heat, so there is none for energy, and some for momentum.
std::vector<LawResult> check_conservation() {
    std::vector<LawResult> results;
    for (const double friction : {0.0, 0.5}) {
        Scene scene = law_scene(0.001, {}, friction, 1);
        std::uint32_t state = 12345;
        const auto random = [&] {  // in [-1/2, 1/2)
            state = state * 1664525u + 1013904223u;
            return (state >> 8) / 16777216.0 - 0.5;
        };
        const auto random_vector = [&] {
            const double x = random(), y = random(), z = random();
            return Vec3{x, y, z};
        };
        for (int k = 0; k < 125; ++k) {
            const Vec3 cell{k % 5 - 2.0, k / 5 % 5 - 2.0, k / 25 - 2.0};
            BodyDesc ball =
                law_body("ball" + std::to_string(k), Sphere{0.3}, cell * 1.5 + random_vector() * 0.8);
            ball.mass = 1 + 0.1 * (k % 7);
            ball.velocity = random_vector() * 2 - cell;
            ball.angular_velocity = random_vector() * 3;
            scene.bodies.push_back(ball);
        }
        World world(scene);
        const Frame before = world.frame();
        run_until(world, 3);
        const Frame& after = world.frame();
        double largest = 0;
        for (int k = 0; k < 125; ++k)
            largest += length(before.velocities[k]) * world.mass(world.frame().bodies[k]);
        if (friction == 0) {
            results.push_back(law_result("conservation: energy", before.energy.total, after.energy.total,
                                         1e-9, world.dt(), "J, 125 elastic spheres, 3 s"));
            continue;
        }
        results.push_back(law_result("conservation: linear momentum", 0,
                                     length(after.linear_momentum - before.linear_momentum), 1e-12,
                                     world.dt(), "kg m/s, with friction", largest));
        results.push_back(law_result("conservation: angular momentum", 0,
                                     length(after.angular_momentum - before.angular_momentum), 1e-12,
                                     world.dt(), "kg m^2/s, with friction", largest));
    }
    return results;
}

}  // namespace impuls
