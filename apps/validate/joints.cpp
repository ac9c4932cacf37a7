// Laws of joints and of what acts along their axes.
#include <cmath>

#include "validate/law_files.h"

namespace impuls {
// A motor of torque T brings an inertia I to the speed w in I w / T, and a slider falls at g sin.
std::vector<LawResult> check_motor() {
    const double inertia = 2, torque = 3, speed = 4;
    HingeJoint hinge{{}, {0, 0, 1}, {}};
    hinge.turn.speed = speed, hinge.turn.max_force = torque;
    Scene scene = law_scene(0.01, {});
    scene.bodies.push_back(law_part("b", {}, inertia));
    scene.joints.push_back(law_joint("", "b", hinge));
    World world(scene);
    double before = 0, ramp = 0;  // the time at which the line through the last speeds below reaches it
    while (ramp == 0 && world.time() < 10) {
        before = law_axis(world).velocity;
        if (!world.step().ok) break;
        if (law_axis(world).velocity > speed * (1 - 1e-9))
            ramp = world.time() - world.dt() + (speed - before) * inertia / torque;
    }
    return {law_result("motor: time to its speed", inertia * speed / torque, ramp, 1e-9, world.dt(), "s")};
}

std::vector<LawResult> check_slider() {
    Scene scene = law_scene(0.01);
    scene.bodies.push_back(law_part("b", {}, 0.2, 3));
    scene.joints.push_back(law_joint("", "b", SliderJoint{{}, {4, -3, 0}, {}}));
    World world(scene);
    run_until(world, 2);
    return {law_result("slider: way down an incline", 0.5 * 0.6 * kGravity * 4, law_axis(world).position,
                       1e-9, world.dt(), "m, slope 3 : 4"),
            law_result("slider: force across it", 3 * 0.8 * kGravity, length(world.frame().joints[0].force),
                       1e-9, world.dt(), "N")};
}

// Frequency by counting crossings; energy after them.
std::vector<LawResult> check_spring() {
    const double k = 40, m = 1.6;
    SliderJoint slider;
    slider.slide.stiffness = k;
    Scene scene = law_scene(0.001, {});
    scene.bodies.push_back(law_part("b", {}, 1, m));
    scene.bodies[0].velocity = {1, 0, 0};
    scene.joints.push_back(law_joint("", "b", slider));
    World world(scene);
    int crossings = 0;
    double first = 0, last = 0, before = 0, worst = 0;
    while (world.time() < 60) {
        if (!world.step().ok) break;
        const AxisState x = law_axis(world);
        if (before < 0 && x.position >= 0) {
            last = world.time() - world.dt() * x.position / (x.position - before);
            if (crossings++ == 0) first = last;
        }
        before = x.position;
        const double energy = 0.5 * (m * x.velocity * x.velocity + k * x.position * x.position);
        worst = std::max(worst, std::abs(energy - 0.5 * m));
    }
    return {law_result("spring: frequency", std::sqrt(k / m), 2 * M_PI * (crossings - 1) / (last - first),
                       1e-5, world.dt(), "rad/s"),
            law_result("spring: energy drift in 60 s", 0, worst, 1e-9, world.dt(), "J", 0.5 * m)};
}

// A mass falls on a stop with restitution e: the speed after the impact.
std::vector<LawResult> check_limit() {
    const double e = 0.6, height = 1;
    SliderJoint slider{{}, {0, 1, 0}, {}};
    slider.slide.lower = -height, slider.slide.restitution = e;
    Scene scene = law_scene(0.001);
    scene.bodies.push_back(law_part("b", {}, 1));
    scene.joints.push_back(law_joint("", "b", slider));
    World world(scene);
    const double fall = std::sqrt(2 * height / kGravity);
    run_until(world, fall + 0.02);
    double highest = -height;
    while (world.time() < 2.5 * fall && world.step().ok)
        highest = std::max(highest, law_axis(world).position);
    return {law_result("limit: height after the rebound", e * e * height, highest + height, 2e-3, world.dt(),
                       "m")};
}

// Two wheels: T / (I_a + r^2 I_b), and the ratio of their angles after many turns.
std::vector<LawResult> check_gear() {
    const double ratio = -2.5, i_a = 0.3, i_b = 0.1, torque = 2;
    Scene scene = law_scene(0.01, {});
    scene.bodies.push_back(law_part("a", {}, i_a));
    scene.bodies.push_back(law_part("b", {1, 0, 0}, i_b));
    scene.joints.push_back(law_joint("", "a", HingeJoint{{}, {0, 0, 1}, {}}));
    scene.joints.push_back(law_joint("", "b", HingeJoint{{1, 0, 0}, {0, 0, 1}, {}}));
    scene.joints.push_back(law_joint("a", "b", GearJoint{{0, 0, 1}, {0, 0, 1}, ratio}));
    scene.timeline.push_back({0, SetForce{"a", {}, {0, 0, torque}}});
    World world(scene);
    run_until(world, 5);
    const double alpha = torque / (i_a + ratio * ratio * i_b);
    return {law_result("gear: ratio of the angles", ratio,
                       law_axis(world, 1).position / law_axis(world, 0).position, 1e-9, world.dt()),
            law_result("gear: acceleration", alpha, law_axis(world, 0).velocity / 5, 1e-6, world.dt(),
                       "rad/s^2")};
}

std::vector<LawResult> check_screw() {
    const double m = 2, inertia = 0.01, pitch = 0.4, turn = 2 * M_PI / pitch;
    Scene scene = law_scene(0.01);
    scene.bodies.push_back(law_part("b", {}, inertia, m));
    scene.joints.push_back(law_joint("", "b", ScrewJoint{{}, {0, 1, 0}, pitch, {}}));
    World world(scene);
    run_until(world, 3);
    const double way = world.pose(world.find_body("b")).position.y,
                 turns = law_axis(world).position / (2 * M_PI);
    return {law_result("screw: way in one turn", pitch, way / turns, 1e-9, world.dt(), "m"),
            law_result("screw: way down", -0.5 * 9 * kGravity * m / (m + inertia * turn * turn), way, 1e-6,
                       world.dt(), "m")};
}

std::vector<LawResult> check_pulley() {
    const double m = 1, n = 3;
    Scene scene = law_scene(0.01);
    scene.bodies.push_back(law_part("a", {-1, -3, 0}, 0.01, m));
    scene.bodies.push_back(law_part("b", {1, -3, 0}, 0.01, n));
    scene.joints.push_back(
        law_joint("a", "b", PulleyJoint{{-1, -3, 0}, {1, -3, 0}, {-1, 0, 0}, {1, 0, 0}, 1, {}}));
    World world(scene);
    run_until(world, 0.5);
    return {law_result("pulley: Atwood's acceleration", -kGravity * (n - m) / (n + m),
                       world.velocity(world.find_body("b")).y / 0.5, 1e-9, world.dt(), "m/s^2"),
            law_result("pulley: force in the rope", 2 * m * n * kGravity / (m + n),
                       world.frame().joints[0].force.y, 1e-9, world.dt(), "N")};
}

}  // namespace impuls
