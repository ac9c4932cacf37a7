// Andrews' squeezer (Schiehlen, Multibody Systems Handbook, 1990; in the IFToMM library and in Hairer and
// Wanner, Solving ODEs II, VII.7): seven bodies in a plane, here in space on ten hinges, closed to three
// loops, with one freedom where counting says -8. A torque of 0.033 N m turns the crank against a spring of
// 4530 N/m, 16 rad in 0.03 s. The angles at the end are the published ones of the test set for initial value
// problems; tests/reference/squeezer.cpp arrives at them by itself.
#include <cmath>

#include "validate/law_files.h"

namespace impuls {
namespace {

constexpr double kBeta = -0.0617138900142764496, kGamma = 0.455279819163070380, kPhi = 0.222668390165885885,
                 kDelta = 0.487364979543842550, kOmega = -kPhi, kEpsilon = 1.23054744454982119;

// A unit vector at this angle in the plane.
Vec3 at(double angle) {
    return {std::cos(angle), std::sin(angle), 0};
}
Vec3 square_to(double angle) {  // (sin, -cos)
    return {std::sin(angle), -std::cos(angle), 0};
}

Scene squeezer_scene(double dt) {
    const Vec3 a{-0.06934, -0.00227, 0}, b{-0.03635, 0.03273, 0}, c{0.014, 0.072, 0};
    const Vec3 crank = at(kBeta) * 0.007, middle = crank - at(kBeta) * 0.028;  // Theta begins at 0
    const Vec3 e4 = square_to(kPhi + kDelta), e6 = at(kOmega + kEpsilon);
    const Vec3 end5 = a + at(kDelta) * 0.04, end7 = a + square_to(kEpsilon) * 0.04;
    const Vec3 spring = b + at(kGamma) * 0.02 + square_to(kGamma) * 0.018;

    Scene scene = law_scene(dt, {});
    const auto add = [&](const char* name, const Vec3& centre, double mass, double inertia) {
        scene.bodies.push_back(law_part(name, centre, inertia, mass));
    };
    add("k1", at(kBeta) * 0.00092, 0.04325, 2.194e-6);
    add("k2", crank - at(kBeta) * 0.0115, 0.00365, 4.410e-7);
    add("k3", b + square_to(kGamma) * 0.01874 + at(kGamma) * 0.01043, 0.02373, 5.255e-6);
    add("k4", end5 + e4 * (0.02 - 0.01421), 0.00706, 5.667e-7);
    add("k5", a + at(kDelta) * 0.02308 - square_to(kDelta) * 0.00916, 0.07050, 1.169e-5);
    add("k6", end7 + e6 * (0.02 - 0.01421), 0.00706, 5.667e-7);
    add("k7", a + square_to(kEpsilon) * 0.01228 - at(kEpsilon) * 0.00449, 0.05498, 1.912e-5);

    const auto hinge = [&](const char* first, const char* second, const Vec3& at_point) {
        scene.joints.push_back(law_joint(first, second, HingeJoint{at_point, {0, 0, 1}, {}}));
    };
    hinge("", "k1", {}), hinge("k1", "k2", crank);
    hinge("", "k3", b), hinge("", "k5", a), hinge("", "k7", a);
    hinge("k5", "k4", end5), hinge("k7", "k6", end7);
    hinge("k2", "k3", middle), hinge("k2", "k4", middle), hinge("k2", "k6", middle);
    DistanceJoint pull{c, spring, AxisDesc{}};
    pull.length->stiffness = 4530, pull.length->rest = 0.07785;
    scene.joints.push_back(law_joint("", "k3", pull));
    scene.timeline.push_back({0, SetForce{"k1", {}, {0, 0, 0.033}}});
    return scene;
}

}  // namespace

std::vector<LawResult> check_squeezer() {
    World world(squeezer_scene(2e-5));
    double gap = 0;
    while (world.time() < 0.03 - 0.5 * world.dt()) {
        if (!world.step().ok) return {law_result("squeezer", 1, 0, 0, world.dt(), "stopped")};
        gap = std::max(gap, world.frame().max_joint_error);
    }
    // Axes in the order of the hinges: beta of body 1, gamma of 3, delta of 5, epsilon of 7.
    const auto angle = [&](std::size_t k, double start) { return start + law_axis(world, k).position; };
    const double dt = world.dt();
    return {
        law_result("squeezer: angle of the crank", 15.81077119629904, angle(0, kBeta), 1e-4, dt,
                   "rad, 0.03 s"),
        law_result("squeezer: angle of body 3", 0.04082224013073101, angle(2, kGamma), 1e-3, dt, "rad", 1),
        law_result("squeezer: angle of body 5", 0.5244099658805304, angle(3, kDelta), 1e-3, dt, "rad", 1),
        law_result("squeezer: angle of body 7", 1.048080741042263, angle(4, kEpsilon), 1e-3, dt, "rad", 1),
        law_result("squeezer: joints closed", 0, gap, 1e-4, dt, "of a rod of 7 mm, largest gap", 0.007)};
}

}  // namespace impuls
