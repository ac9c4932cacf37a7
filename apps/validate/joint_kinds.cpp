// Laws of the kinds of joints, each by a motion or a force with a closed form; what acts along axes is in
// joints.cpp.
#include <algorithm>
#include <cmath>

#include "validate/law_files.h"

namespace impuls {
namespace {

Vec3 place(World& world, const char* body) {
    return world.pose(world.find_body(body)).position;
}

}  // namespace

// Down an axis of slope 3 : 4, with a torque about it.
std::vector<LawResult> check_cylindrical() {
    const double inertia = 0.2, torque = 0.5, t = 2;
    Scene scene = law_scene(0.01);
    scene.bodies.push_back(law_part("b", {}, inertia, 3));
    scene.joints.push_back(law_joint("", "b", CylindricalJoint{{}, {4, -3, 0}, {}, {}}));
    scene.timeline.push_back({0, SetForce{"b", {}, Vec3{0.8, -0.6, 0} * torque}});
    World world(scene);
    run_until(world, t);
    return {law_result("cylindrical: way along the axis", 0.5 * 0.6 * kGravity * t * t,
                       law_axis(world, 0).position, 1e-9, world.dt(), "m, slope 3 : 4"),
            law_result("cylindrical: angle about it", 0.5 * torque / inertia * t * t,
                       law_axis(world, 1).position, 1e-9, world.dt(), "rad")};
}

// Two shafts at an angle b; the first turns at W. With its arm across the plane of both at the start, the
// angles e, f of the shafts have tan f = cos b tan e, so that the second turns at W cos b / (1 - sin^2 b
// sin^2 e).
std::vector<LawResult> check_universal() {
    const double bend = 0.6, speed = 10;
    const Vec3 out{std::cos(bend), std::sin(bend), 0};
    Scene scene = law_scene(0.001, {});
    scene.bodies.push_back(law_part("a", {-1, 0, 0}, 0.1));
    scene.bodies.push_back(law_part("b", out, 0.1));
    scene.bodies[0].angular_velocity = {speed, 0, 0};
    scene.bodies[1].angular_velocity = out * (speed * std::cos(bend));
    HingeJoint drive{{-1, 0, 0}, {1, 0, 0}, {}};
    drive.turn.speed = speed;
    scene.joints.push_back(law_joint("", "a", drive));
    scene.joints.push_back(law_joint("", "b", HingeJoint{out, out, {}}));
    scene.joints.push_back(
        law_joint("a", "b", UniversalJoint{{}, {0, 0, 1}, {-std::sin(bend), std::cos(bend), 0}, {}, {}}));
    World world(scene);
    double worst = 0, fastest = 0;
    while (world.time() < 2 * M_PI / speed && world.step().ok) {
        const double s = std::sin(bend) * std::sin(law_axis(world, 0).position),
                     now = law_axis(world, 1).velocity;
        worst = std::max(worst, std::abs(now - speed * std::cos(bend) / (1 - s * s)));
        fastest = std::max(fastest, now);
    }
    return {
        law_result("universal: second shaft, worst of a turn", 0, worst, 1e-5, world.dt(), "rad/s", speed),
        law_result("universal: second shaft, fastest", speed / std::cos(bend), fastest, 1e-4, world.dt(),
                   "rad/s")};
}

// A wheel with the moment I that spins at W and is steered at w needs the torque I W w across both; at rest
// its spring is longer by m g / k.
std::vector<LawResult> check_hinge2() {
    const double inertia = 0.1, spin = 50, steer = 1, mass = 2, stiffness = 400;
    Scene scene = law_scene(0.001, {});
    scene.bodies.push_back(law_part("b", {}, inertia, mass));
    scene.bodies[0].angular_velocity = {0, steer, spin};
    Hinge2Joint wheel;
    wheel.steer.speed = steer, wheel.spin.speed = spin;
    scene.joints.push_back(law_joint("", "b", wheel));
    World turning(scene);
    run_until(turning, 0.5);

    wheel = {};
    wheel.suspension.emplace();
    wheel.suspension->stiffness = stiffness, wheel.suspension->damping = 2 * std::sqrt(stiffness * mass);
    scene.settings.gravity = {0, -kGravity, 0};
    scene.bodies[0].angular_velocity = {};
    scene.joints[0] = law_joint("", "b", wheel);
    World hanging(scene);
    run_until(hanging, 3);
    return {law_result("hinge2: torque that turns a spinning wheel", inertia * spin * steer,
                       length(turning.frame().joints[0].torque), 1e-3, turning.dt(), "N m"),
            law_result("hinge2: sag of the suspension", -mass * kGravity / stiffness,
                       law_axis(hanging, 2).position, 1e-6, hanging.dt(), "m")};
}

std::vector<LawResult> check_fixed() {
    const double inertia = 0.1, mass = 3, arm = 1.5, torque = 2, t = 2;
    Scene beam = law_scene(0.01);
    beam.bodies.push_back(law_part("b", {arm, 0, 0}, inertia, mass));
    beam.joints.push_back(law_joint("", "b", FixedJoint{{}}));
    World cantilever(beam);
    run_until(cantilever, 1);

    Scene pair = law_scene(0.01, {});
    pair.bodies.push_back(law_part("a", {-arm, 0, 0}, inertia, mass));
    pair.bodies.push_back(law_part("b", {arm, 0, 0}, inertia, mass));
    pair.joints.push_back(law_joint("a", "b", FixedJoint{{}}));
    pair.timeline.push_back({0, SetForce{"b", {}, {0, 0, torque}}});
    World turning(pair);
    run_until(turning, t);
    return {law_result("fixed: moment of a cantilever", mass * kGravity * arm,
                       length(cantilever.frame().joints[0].torque), 1e-9, cantilever.dt(), "N m"),
            law_result("fixed: two bodies turn as one", torque * t / (2 * (inertia + mass * arm * arm)),
                       turning.angular_velocity(turning.find_body("b")).z, 1e-6, turning.dt(), "rad/s")};
}

// Thrown across the slope of a plane inclined by 3 : 4, with a spin: a parabola in the plane, the spin stays.
std::vector<LawResult> check_planar() {
    const double mass = 2, across = 1.3, spin = 4, t = 2;
    const Vec3 normal{0.6, 0.8, 0};
    Scene scene = law_scene(0.01);
    scene.bodies.push_back(law_part("b", {}, 0.1, mass));
    scene.bodies[0].velocity = {0, 0, across};
    scene.bodies[0].angular_velocity = normal * spin;
    scene.joints.push_back(law_joint("", "b", PlanarJoint{{}, normal, {}}));
    World world(scene);
    run_until(world, t);
    const Vec3 p = place(world, "b");
    return {law_result("planar: way down the plane", 0.5 * 0.6 * kGravity * t * t, dot(p, Vec3{0.8, -0.6, 0}),
                       1e-9, world.dt(), "m, slope 3 : 4"),
            law_result("planar: way across", across * t, p.z, 1e-9, world.dt(), "m"),
            law_result("planar: angle", spin * t, law_axis(world).position, 1e-9, world.dt(), "rad"),
            law_result("planar: force of the plane", mass * 0.8 * kGravity,
                       length(world.frame().joints[0].force), 1e-9, world.dt(), "N")};
}

// A bead on a rod that turns at W: r'' = W^2 r, from rest on the rod r = r_0 cosh W t.
std::vector<LawResult> check_point_on_line() {
    const double speed = 2, start = 0.5, t = 1.5;
    Scene scene = law_scene(0.001, {});
    scene.bodies.push_back(law_part("rod", {}, 1));
    scene.bodies[0].angular_velocity = {0, 0, speed};
    scene.bodies.push_back(law_part("bead", {start, 0, 0}, 0.01));
    scene.bodies[1].velocity = {0, speed * start, 0};
    HingeJoint drive{{}, {0, 0, 1}, {}};
    drive.turn.speed = speed;
    scene.joints.push_back(law_joint("", "rod", drive));
    scene.joints.push_back(law_joint("rod", "bead", PointOnLineJoint{{start, 0, 0}, {1, 0, 0}, {}}));
    World world(scene);
    run_until(world, t);
    return {law_result("point_on_line: bead on a turning rod", start * std::cosh(speed * t),
                       length(place(world, "bead")), 1e-5, world.dt(), "m"),
            law_result("point_on_line: force of the rod",
                       2 * speed * speed * start * std::sinh(speed * (t - 0.5 * world.dt())),
                       length(world.frame().joints[1].force), 1e-5, world.dt(),
                       "N, in the middle of the last step")};
}

// The foot of a rod, 1 m from its middle, slides freely on a table. The middle falls straight down, and with
// the angle e above the table w^2 = 2 m g l (sin e_0 - sin e) / (I + m l^2 cos^2 e).
std::vector<LawResult> check_point_on_plane() {
    const double inertia = 1.0 / 3, mass = 1, angle = 1.2;
    Scene scene = law_scene(0.001);
    const Vec3 foot{-std::cos(angle), -std::sin(angle), 0};
    scene.bodies.push_back(law_part("b", {}, inertia, mass));
    scene.joints.push_back(law_joint("", "b", PointOnPlaneJoint{foot, {0, 1, 0}}));
    World world(scene);
    double sine = std::sin(angle);
    while (sine > 0.2 && world.time() < 5 && world.step().ok) sine = place(world, "b").y - foot.y;
    const double w2 = 2 * mass * kGravity * (std::sin(angle) - sine) / (inertia + mass * (1 - sine * sine));
    return {law_result("point_on_plane: a rod falls on a smooth table", -std::sqrt(w2),
                       world.angular_velocity(world.find_body("b")).z, 1e-5, world.dt(), "rad/s"),
            law_result("point_on_plane: its middle falls straight down", 0, place(world, "b").x, 1e-9,
                       world.dt(), "m", 1)};
}

std::vector<LawResult> check_rack_and_pinion() {
    const double inertia = 0.3, mass = 2, radius = 0.25, torque = 3, t = 2;
    Scene scene = law_scene(0.01, {});
    scene.bodies.push_back(law_part("pinion", {}, inertia));
    scene.bodies.push_back(law_part("rack", {0, -radius, 0}, 0.1, mass));
    scene.joints.push_back(law_joint("", "pinion", HingeJoint{{}, {0, 0, 1}, {}}));
    scene.joints.push_back(law_joint("", "rack", SliderJoint{{0, -radius, 0}, {1, 0, 0}, {}}));
    scene.joints.push_back(
        law_joint("pinion", "rack", RackAndPinionJoint{{0, -radius, 0}, {0, 0, 1}, {1, 0, 0}, radius}));
    scene.timeline.push_back({0, SetForce{"pinion", {}, {0, 0, torque}}});
    World world(scene);
    run_until(world, t);
    return {law_result("rack_and_pinion: way for a radian", radius,
                       law_axis(world, 1).position / law_axis(world, 0).position, 1e-9, world.dt(), "m"),
            law_result("rack_and_pinion: acceleration of the rack",
                       torque * radius / (inertia + mass * radius * radius), law_axis(world, 1).velocity / t,
                       1e-6, world.dt(), "m/s^2")};
}

// A body on a wire: all axes locked but rz, which is sprung. Frequency by counting crossings.
std::vector<LawResult> check_six_dof() {
    const double inertia = 0.4, mass = 5, stiffness = 30;
    SixDofJoint wire;
    wire.anchor = {0, 1, 0};
    wire.x_axis = {1, 0, 0}, wire.y_axis = {0, 0, -1};  // the third is up
    wire.rz.emplace();
    wire.rz->stiffness = stiffness;
    Scene scene = law_scene(0.001);
    scene.bodies.push_back(law_part("b", {}, inertia, mass));
    scene.bodies[0].angular_velocity = {0, 1, 0};
    scene.joints.push_back(law_joint("", "b", wire));
    World world(scene);
    int crossings = 0;
    double first = 0, last = 0, before = 0;
    while (world.time() < 3 && world.step().ok) {
        const double x = law_axis(world).position;
        if (before < 0 && x >= 0) {
            last = world.time() - world.dt() * x / (x - before);
            if (crossings++ == 0) first = last;
        }
        before = x;
    }
    return {law_result("six_dof: torsional pendulum", std::sqrt(stiffness / inertia),
                       2 * M_PI * (crossings - 1) / (last - first), 1e-5, world.dt(), "rad/s"),
            law_result("six_dof: locked axes carry the weight", mass * kGravity,
                       world.frame().joints[0].force.y, 1e-9, world.dt(), "N")};
}

}  // namespace impuls
