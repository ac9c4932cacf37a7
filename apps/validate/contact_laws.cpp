// Laws of contact beyond Coulomb's and Newton's: static, rolling and torsional friction, running surfaces,
// Poisson's restitution, and impacts that pass from ball to ball.
#include <cmath>

#include "validate/law_files.h"

namespace impuls {
namespace {

constexpr double kRadius = 0.2;

// A body on the ground, of a material with friction 0.5 and what `change` makes of it.
template <class Change>
World on_ground(const BodyDesc& body, const Vec3& gravity, Change&& change) {
    Scene scene = law_scene(0.01, gravity, 0.5);
    change(scene.materials[0]);
    scene.bodies = {law_ground(), body};
    return World(scene);
}

double speed_of(const World& world) {
    return world.velocity(world.find_body("body")).x;
}

}  // namespace

// On a slope of tan = t a block at rest stays for t < mu_s; one that slides goes on for t > mu_d.
std::vector<LawResult> check_static_friction() {
    const double mu = 0.5, mu_s = 0.7;
    const auto after = [&](double angle, double push) {
        BodyDesc block = law_body("body", Box{{1, 0.2, 1}}, {0, 0.1, 0});
        block.velocity = {push, 0, 0};
        World world = on_ground(block, {kGravity * std::sin(angle), -kGravity * std::cos(angle), 0},
                                [&](MaterialDesc& m) { m.static_friction = mu_s; });
        run_until(world, 0.5);
        return speed_of(world);
    };
    double sticks = 0.3, slips = 0.9;
    while (slips - sticks > 1e-5) {
        const double middle = 0.5 * (sticks + slips);
        (after(middle, 0) > 1e-6 ? slips : sticks) = middle;
    }
    const double angle = 0.55;  // tan = 0.61: between both
    return {law_result("static friction: angle of slip", std::atan(mu_s), 0.5 * (sticks + slips), 1e-4, 0.01,
                       "rad"),
            law_result("static friction: sliding on below it",
                       kGravity * (std::sin(angle) - mu * std::cos(angle)), (after(angle, 1) - 1) / 0.5, 1e-4,
                       0.01, "m/s^2")};
}

// a = -5/7 g r/R for a solid sphere.
std::vector<LawResult> check_rolling_friction() {
    BodyDesc ball = law_body("body", Sphere{kRadius}, {0, kRadius, 0});
    ball.velocity = {1, 0, 0}, ball.angular_velocity = {0, 0, -1 / kRadius};
    World world = on_ground(ball, {0, -kGravity, 0}, [](MaterialDesc& m) { m.rolling_friction = 0.01; });
    run_until(world, 1);
    return {law_result("rolling friction: deceleration", 5.0 / 7 * kGravity * 0.01 / kRadius,
                       1 - speed_of(world), 1e-6, world.dt(), "m/s^2")};
}

// I dw/dt = -r m g.
std::vector<LawResult> check_torsional_friction() {
    BodyDesc ball = law_body("body", Sphere{kRadius}, {0, kRadius, 0});
    ball.angular_velocity = {0, 8, 0};
    World world = on_ground(ball, {0, -kGravity, 0}, [](MaterialDesc& m) { m.torsional_friction = 0.005; });
    run_until(world, 1);
    return {law_result("torsional friction: slowing of the spin",
                       2.5 * kGravity * 0.005 / (kRadius * kRadius),
                       8 - world.angular_velocity(world.find_body("body")).y, 1e-6, world.dt(), "rad/s^2")};
}

// mu g up to the speed of the belt.
std::vector<LawResult> check_conveyor() {
    Scene scene = law_scene(0.01, {0, -kGravity, 0}, 0.25);
    BodyDesc belt = law_ground();
    belt.surface_velocity = {2, 0, 0};
    scene.bodies = {belt, law_body("body", Box{{0.3, 0.3, 0.3}}, {0, 0.15, 0})};
    World world(scene);
    run_until(world, 0.5);
    const double slipping = speed_of(world);
    run_until(world, 2);
    return {law_result("conveyor: acceleration", 0.25 * kGravity, slipping / 0.5, 1e-6, world.dt(), "m/s^2"),
            law_result("conveyor: speed of the belt", 2, speed_of(world), 1e-9, world.dt(), "m/s")};
}

// A ball whose centre of mass is off its middle sticks to rough ground as it hits: with
// W = [1/m + x^2/I, xR/I; xR/I, 1/m + R^2/I] Newton has v_n' = -e v_n, Poisson v_n' = -e (v_n - W_nt/W_tt
// v_t).
std::vector<LawResult> check_poisson() {
    const double m = 2, moment = 0.1, r = 0.3, x = 0.12, e = 0.6, vn = -2, vt = -0.4;
    const double coupling = x * r / moment / (1 / m + r * r / moment);
    std::vector<LawResult> results;
    for (const auto law : {RestitutionLaw::Newton, RestitutionLaw::Poisson}) {
        Scene scene = law_scene(0.0001, {}, 5, e);
        ContactDesc contact;
        contact.a = contact.b = "m", contact.restitution_law = law;
        scene.contacts = {contact};
        BodyDesc ball = law_body("body", Sphere{r}, {0, r + 1e-5, 0});
        ball.mass = m, ball.inertia = Vec3{moment, moment, moment}, ball.center_of_mass = Vec3{-x, 0, 0};
        ball.velocity = {vt, vn, 0};
        scene.bodies = {law_ground(), ball};
        World world(scene);
        run_until(world, 0.0002);
        const double w = world.angular_velocity(world.find_body("body")).z;
        const double after = world.velocity(world.find_body("body")).y + w * x;  // of the point that touched
        const bool is_newton = law == RestitutionLaw::Newton;
        results.push_back(law_result(
            is_newton ? "restitution by Newton: normal velocity" : "restitution by Poisson: normal velocity",
            is_newton ? -e * vn : -e * (vn - coupling * vt), after, 1e-3, world.dt(), "m/s"));
    }
    return results;
}

// 1, 2 and 3 of five touching balls come; as many leave, with the same velocity.
std::vector<LawResult> check_cradle() {
    std::vector<LawResult> results;
    for (int in = 1; in <= 3; ++in) {
        Scene scene = law_scene(0.01, {}, 0, 1);
        scene.settings.method = parse_method("default+impacts=propagating+blocks_from=0");
        for (int k = 0; k < 5; ++k) {
            scene.bodies.push_back(
                law_body("ball" + std::to_string(k), Sphere{0.1}, {0.2 * k + (k < in ? 0 : 0.1), 0, 0}));
            if (k < in) scene.bodies.back().velocity = {1, 0, 0};
        }
        World world(scene);
        const double before = world.frame().energy.kinetic;
        run_until(world, 0.5);
        double off = 0;
        for (int k = 0; k < 5; ++k) {
            const Vec3 v = world.velocity(world.find_body("ball" + std::to_string(k)));
            off = std::max(off, length(v - Vec3{k >= 5 - in ? 1.0 : 0.0, 0, 0}));
        }
        const std::string name = "cradle, " + std::to_string(in) + " in: ";
        results.push_back(law_result(name + "velocities", 0, off, 1e-9, world.dt(), "m/s, largest error", 1));
        results.push_back(
            law_result(name + "energy", before, world.frame().energy.kinetic, 1e-12, world.dt(), "J"));
    }
    return results;
}

}  // namespace impuls
