// A flyball governor after the one of the IFToMM library (arms, links, balls, a sliding collar with a spring
// on a free shaft; sizes are ours): the balls swing out and back as the shaft turns. Two loops of hinges and
// a slider. By symmetry only the angle q of the arms from the vertical and the angle f of the shaft are free:
//     A q'' + A_q q'^2 / 2 = J_q f'^2 / 2 - V_q,     J f' = const
// with the shaft's moment J(q), the mass A(q) of the swing and the potential V(q); Runge-Kutta with small
// steps.
#include <cmath>

#include "validate/law_files.h"

namespace impuls {
namespace {

constexpr double kArm = 1, kLink = 0.5, kWidth = 0.05;  // m; links join the arms in their middle
constexpr double kArmMass = 1, kLinkMass = 0.5, kBallMass = 5, kCollarMass = 2;
constexpr double kBall = 0.1, kShaftMoment = 0.2, kCollarMoment = 0.05, kStiffness = 400;
constexpr double kAngle = 0.5, kSpeed = 5;  // at the start

// Moments of a rod along and across.
double along(double mass) {
    return mass * kWidth * kWidth / 6;
}
double across(double mass, double length) {
    return mass * (length * length + kWidth * kWidth) / 12;
}

struct Swing {
    double q = kAngle, rate = 0, f = 0;
};

double shaft_moment(double q) {
    const double s2 = std::sin(q) * std::sin(q), c2 = std::cos(q) * std::cos(q);
    const double arm = (kArmMass * kArm * kArm / 4 + across(kArmMass, kArm)) * s2 + along(kArmMass) * c2;
    const double link =
        (kLinkMass * kLink * kLink / 4 + across(kLinkMass, kLink)) * s2 + along(kLinkMass) * c2;
    const double ball = kBallMass * (kArm * kArm * s2 + 0.4 * kBall * kBall);
    return kShaftMoment + kCollarMoment + 2 * (arm + link + ball);
}
double shaft_moment_slope(double q) {
    const double arm = kArmMass * kArm * kArm / 4 + across(kArmMass, kArm) - along(kArmMass);
    const double link = kLinkMass * kLink * kLink / 4 + across(kLinkMass, kLink) - along(kLinkMass);
    return 2 * (arm + link + kBallMass * kArm * kArm) * std::sin(2 * q);
}
double swing_mass(double q) {
    const double s2 = std::sin(q) * std::sin(q), l2 = kLink * kLink;
    return 2 * (kArmMass * kArm * kArm / 4 + across(kArmMass, kArm) +
                kBallMass * (kArm * kArm + 0.4 * kBall * kBall) + kLinkMass * l2 * (0.25 + 2 * s2) +
                across(kLinkMass, kLink)) +
           4 * kCollarMass * l2 * s2;
}
double swing_mass_slope(double q) {
    return (4 * kLinkMass + 4 * kCollarMass) * kLink * kLink * std::sin(2 * q);
}
double potential_slope(double q) {
    const double weight =
        kGravity * (kArmMass * kArm + 2 * kBallMass * kArm + 3 * kLinkMass * kLink + 2 * kCollarMass * kLink);
    const double way = 2 * kLink * (std::cos(kAngle) - std::cos(q));  // of the collar, up
    return weight * std::sin(q) + kStiffness * way * 2 * kLink * std::sin(q);
}

Swing swing_after(double seconds) {
    const double momentum = shaft_moment(kAngle) * kSpeed;
    const auto slope = [&](const Swing& s) {
        const double turn = momentum / shaft_moment(s.q);
        const double force = 0.5 * shaft_moment_slope(s.q) * turn * turn - potential_slope(s.q) -
                             0.5 * swing_mass_slope(s.q) * s.rate * s.rate;
        return Swing{s.rate, force / swing_mass(s.q), turn};
    };
    const auto moved = [](const Swing& s, const Swing& d, double h) {
        return Swing{s.q + h * d.q, s.rate + h * d.rate, s.f + h * d.f};
    };
    constexpr int kSteps = 100000;
    const double h = seconds / kSteps;
    Swing s;
    for (int k = 0; k < kSteps; ++k) {
        const Swing k1 = slope(s), k2 = slope(moved(s, k1, h / 2)), k3 = slope(moved(s, k2, h / 2)),
                    k4 = slope(moved(s, k3, h));
        s = moved(moved(moved(moved(s, k1, h / 6), k2, h / 3), k3, h / 3), k4, h / 6);
    }
    return s;
}

// Everything turns with the shaft at the start; arms hang from the origin.
Scene governor_scene(double dt) {
    Scene scene = law_scene(dt);
    const auto add = [&](BodyDesc body) {
        body.collides = false;
        body.angular_velocity = {0, kSpeed, 0};
        body.velocity = cross(body.angular_velocity, body.position);
        scene.bodies.push_back(body);
    };
    const Vec3 collar{0, -2 * kLink * std::cos(kAngle), 0};
    add(law_part("shaft", {}, kShaftMoment));
    add(law_part("collar", collar, kCollarMoment, kCollarMass));
    scene.joints.push_back(law_joint("", "shaft", HingeJoint{{}, {0, 1, 0}, {}}));
    SliderJoint slider{collar, {0, 1, 0}, {}};
    slider.slide.stiffness = kStiffness;
    scene.joints.push_back(law_joint("shaft", "collar", slider));
    for (const double side : {-1.0, 1.0}) {
        const std::string arm = side < 0 ? "arm a" : "arm b", link = side < 0 ? "link a" : "link b",
                          ball = side < 0 ? "ball a" : "ball b";
        const Vec3 down{side * std::sin(kAngle), -std::cos(kAngle), 0};  // along the arm
        const auto rod = [&](const std::string& name, const Vec3& centre, double length, double mass,
                             double turn) {
            BodyDesc body = law_body(name, Box{{kWidth, length, kWidth}}, centre);
            body.mass = mass;
            body.orientation = from_axis_angle({0, 0, 1}, turn);
            add(body);
        };
        rod(arm, down * (0.5 * kArm), kArm, kArmMass, side * kAngle);
        rod(link, (down * (0.5 * kArm) + collar) * 0.5, kLink, kLinkMass, -side * kAngle);
        BodyDesc mass = law_body(ball, Sphere{kBall}, down * kArm);
        mass.mass = kBallMass;
        add(mass);
        scene.joints.push_back(law_joint("shaft", arm, HingeJoint{{}, {0, 0, 1}, {}}));
        scene.joints.push_back(law_joint(arm, ball, FixedJoint{down * kArm}));
        scene.joints.push_back(law_joint(arm, link, HingeJoint{down * (0.5 * kArm), {0, 0, 1}, {}}));
        scene.joints.push_back(law_joint("collar", link, HingeJoint{collar, {0, 0, 1}, {}}));
    }
    return scene;
}

}  // namespace

std::vector<LawResult> check_governor() {
    const double seconds = 3;
    const Swing exact = swing_after(seconds);
    Scene scene = governor_scene(0.004);
    World world(scene);
    const double first = world.frame().energy.total;
    double worst = 0;
    while (world.time() < seconds - 0.5 * world.dt()) {
        if (!world.step().ok) return {law_result("governor", 1, 0, 0, world.dt(), "stopped")};
        worst = std::max(worst, std::abs(world.frame().energy.total - first));
    }
    const Vec3 collar = world.pose(world.find_body("collar")).position;
    const double dt = world.dt(), height = -2 * kLink * std::cos(exact.q);
    return {law_result("governor: height of the collar", height, collar.y, 1e-3, dt, "m, after 3 s"),
            law_result("governor: angle of the shaft", exact.f, law_axis(world, 0).position, 1e-3, dt, "rad"),
            law_result("governor: energy", 0, worst, 1e-3, dt, "J, largest change",
                       0.5 * shaft_moment(kAngle) * kSpeed * kSpeed)};
}

}  // namespace impuls
