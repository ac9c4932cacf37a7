// Laws of rotation.
#include <cmath>

#include "validate/law_files.h"

namespace impuls {
namespace {

Vec3 axis_of(const World& world, BodyId body, const Vec3& axis) {
    return rotate(world.pose(body).orientation, axis);
}

}  // namespace

// Symmetric top, moments (I1, I3, I1) about its axis y, free of torque: the axis goes around the fixed
// angular momentum L at the rate |L| / I1. The angle after 10 s is compared, turns included.
std::vector<LawResult> check_precession() {
    const double i1 = 1, i3 = 2, spin = 4, tilt = 1;
    Scene scene = law_scene(0.002, {});
    BodyDesc top = law_body("top", Sphere{0.5}, {});
    top.mass = 1;
    top.inertia = Vec3{i1, i3, i1};
    top.angular_velocity = {tilt, spin, 0};
    scene.bodies.push_back(top);
    World world(scene);
    const BodyId id = world.find_body("top");
    const Vec3 momentum{i1 * tilt, i3 * spin, 0}, along = normalized(momentum);
    const auto across = [&](const Vec3& a) { return normalized(a - along * dot(a, along)); };
    double turned = 0;
    Vec3 last = across(axis_of(world, id, {0, 1, 0}));
    for (int k = 0; k < 5000; ++k) {
        world.step();
        const Vec3 now = across(axis_of(world, id, {0, 1, 0}));
        turned += std::atan2(dot(along, cross(last, now)), dot(last, now));
        last = now;
    }
    return {law_result("torque-free precession: angle in 10 s", length(momentum) / i1 * world.time(), turned,
                       1e-5, world.dt(), "rad")};
}

// Rotation about the middle axis flips over and over. With moments A < B < C, energy E and momentum L the
// rate about the middle axis is an elliptic sine of period
//     T = 4 K(k) sqrt(A B C / ((C - B)(L^2 - 2 E A))),  k^2 = (B - A)(2 E C - L^2) / ((C - B)(L^2 - 2 E A)),
// for L^2 > 2 E B (Landau and Lifshitz, Mechanics, section 37). Its sign changes every T / 2.
std::vector<LawResult> check_dzhanibekov() {
    const double a = 1, b = 2, c = 3;
    const Vec3 start{0.001, 3, 0.01};
    const double energy2 = a * start.x * start.x + b * start.y * start.y + c * start.z * start.z;
    const double momentum2 =
        a * a * start.x * start.x + b * b * start.y * start.y + c * c * start.z * start.z;
    const double base = (c - b) * (momentum2 - energy2 * a);
    const double k = std::sqrt((b - a) * (energy2 * c - momentum2) / base);
    const double period = 4 * std::comp_ellint_1(k) * std::sqrt(a * b * c / base);

    std::vector<LawResult> results;
    for (const auto integrator : {Integrator::SemiImplicit, Integrator::Rk4}) {
        Scene scene = law_scene(0.002, {});
        scene.settings.method.integrator = integrator;
        BodyDesc body = law_body("body", Sphere{0.5}, {});
        body.mass = 1;
        body.inertia = Vec3{a, b, c};
        body.angular_velocity = start;
        scene.bodies.push_back(body);
        World world(scene);
        const BodyId id = world.find_body("body");
        std::vector<double> flips;
        double last = start.y;
        while (flips.size() < 3 && world.time() < 4 * period) {
            world.step();
            const double now = rotate_inverse(world.pose(id).orientation, world.angular_velocity(id)).y;
            if (last * now < 0) flips.push_back(world.time() - world.dt() * now / (now - last));
            last = now;
        }
        const double measured = flips.size() == 3 ? flips[2] - flips[0] : 0;
        const bool is_rk4 = integrator == Integrator::Rk4;
        results.push_back(law_result(is_rk4 ? "Dzhanibekov flip: period (rk4)" : "Dzhanibekov flip: period",
                                     period, measured, is_rk4 ? 1e-7 : 1e-4, world.dt(), "s"));
    }
    return results;
}

// Top with its tip on a ball joint, axis tilted by t: it precesses steadily at W when
//     (I1 cos t) W^2 - I3 s W + m g d = 0,  I1 about the tip, s the spin about the axis (total rate along
//     it).
std::vector<LawResult> check_heavy_top() {
    const double mass = 1, d = 0.5, i_axis = 0.08, i_center = 0.05, tilt = 0.5, rate = 1.2;
    const double i_tip = i_center + mass * d * d;
    const double spin = (i_tip * std::cos(tilt) * rate * rate + mass * kGravity * d) / (i_axis * rate);
    const Vec3 axis{std::sin(tilt), std::cos(tilt), 0};

    Scene scene = law_scene(0.001);
    BodyDesc top = law_body("top", Sphere{0.1}, axis * d);
    top.mass = mass;
    top.inertia = Vec3{i_center, i_axis, i_center};
    top.orientation = from_axis_angle({0, 0, 1}, -tilt);
    // w = W e_y + (s - W cos t) axis
    top.angular_velocity = Vec3{0, rate, 0} + axis * (spin - rate * std::cos(tilt));
    top.velocity = cross(top.angular_velocity, axis * d);
    scene.bodies.push_back(top);
    JointDesc tip;
    tip.name = "tip";
    tip.b = "top";
    tip.joint = BallJoint{};
    scene.joints.push_back(tip);
    World world(scene);
    const BodyId id = world.find_body("top");
    double turned = 0, worst_tilt = 0;
    Vec3 last = axis;
    for (int k = 0; k < 5000; ++k) {
        world.step();
        const Vec3 now = axis_of(world, id, {0, 1, 0});
        turned += std::atan2(last.z * now.x - last.x * now.z, last.x * now.x + last.z * now.z);
        worst_tilt = std::max(worst_tilt, std::abs(std::acos(now.y) - tilt));
        last = now;
    }
    return {law_result("heavy top: precession in 5 s", rate * world.time(), turned, 1e-3, world.dt(), "rad"),
            law_result("heavy top: nutation", 0, worst_tilt, 1e-3, world.dt(), "rad; should stay at its tilt",
                       1)};
}

}  // namespace impuls
