// Laws of basis joints, of points on curves and surfaces, and of guides.
#include <algorithm>
#include <cmath>

#include "validate/law_files.h"

namespace impuls {
namespace {

Vec3 spot(World& world, const char* body) {
    return world.pose(world.find_body(body)).position;
}
Vec3 turning(World& world, const char* body) {
    return world.angular_velocity(world.find_body(body));
}

}  // namespace

// Two bodies with parallel orientations turn at T / (I_a + I_b); a force moves the one that it acts on alone.
std::vector<LawResult> check_rotation_3() {
    const double i_a = 0.3, i_b = 0.2, mass = 2, torque = 1.5, force = 4, t = 2;
    Scene scene = law_scene(0.01, {});
    scene.bodies.push_back(law_part("a", {}, i_a));
    scene.bodies.push_back(law_part("b", {1, 0, 0}, i_b, mass));
    scene.joints.push_back(law_joint("a", "b", Rotation3Joint{}));
    scene.timeline.push_back({0, SetForce{"b", {0, force, 0}, {0, 0, torque}}});
    World world(scene);
    run_until(world, t);
    return {
        law_result("rotation_3: both turn", torque * t / (i_a + i_b), turning(world, "a").z, 1e-9, world.dt(),
                   "rad/s"),
        law_result("rotation_3: one moves", 0.5 * force / mass * t * t, spot(world, "b").y, 1e-9, world.dt(),
                   "m"),
        law_result("rotation_3: the other does not", 0, length(spot(world, "a")), 1e-12, world.dt(), "m", 1)};
}

// A torque askew to the common axis: its part along the axis turns b alone, what is across turns both.
std::vector<LawResult> check_rotation_2() {
    const double i_a = 0.3, i_b = 0.2, along = 1.5, across = 0.8, t = 0.02;
    Scene scene = law_scene(0.001, {});
    scene.bodies.push_back(law_part("a", {}, i_a));
    scene.bodies.push_back(law_part("b", {1, 0, 0}, i_b));
    scene.joints.push_back(law_joint("a", "b", Rotation2Joint{{0, 1, 0}, {}}));
    scene.timeline.push_back({0, SetForce{"b", {}, {across, along, 0}}});
    World world(scene);
    run_until(world, t);
    return {law_result("rotation_2: turn about the axis", 0.5 * along / i_b * t * t, law_axis(world).position,
                       1e-4, world.dt(), "rad"),
            law_result("rotation_2: across it both turn", across * t / (i_a + i_b), turning(world, "a").x,
                       1e-4, world.dt(), "rad/s")};
}

// A ball with an axis u at a fixed angle to s: w . s and w . u stay, so that with w = e s + f u the axis u
// goes round s at e, and the joint's torque is I e f |s x u|.
std::vector<LawResult> check_rotation_1() {
    const double inertia = 0.4, angle = 1.1, round = 2, own = 5;
    const Vec3 u{std::sin(angle), std::cos(angle), 0};
    Scene scene = law_scene(0.001, {});
    scene.bodies.push_back(law_part("b", {}, inertia));
    scene.bodies[0].angular_velocity = Vec3{0, round, 0} + u * own;
    scene.joints.push_back(law_joint("", "b", Rotation1Joint{{0, 1, 0}, u, {}}));
    World world(scene);
    const double t = 0.75 * M_PI / round;
    run_until(world, t);
    const Vec3 now = rotate(world.pose(world.find_body("b")).orientation, u);
    return {law_result("rotation_1: angle of the axes", angle, std::acos(now.y), 1e-6, world.dt(), "rad"),
            law_result("rotation_1: way round of the axis", round * world.time(), std::atan2(-now.z, now.x),
                       1e-5, world.dt(), "rad"),
            law_result("rotation_1: torque", inertia * round * own * std::sin(angle),
                       length(world.frame().joints[0].torque), 1e-4, world.dt(), "N m")};
}

// A bead on a circle is the simple pendulum: T = 2 pi / M(1, cos(a/2)) sqrt(r/g) with the
// arithmetic-geometric mean M. On a cycloid, r (e + sin e, -cos e), the time of a swing does not depend on
// how wide it is: T = 4 pi sqrt(r/g).
std::vector<LawResult> check_rail() {
    const double r = 0.8, wide = 1.5;
    const auto period_of = [](const std::vector<Vec3>& points, bool is_closed, const Vec3& start) {
        Scene scene = law_scene(0.002);
        scene.bodies.push_back(law_part("b", start, 0.01));
        scene.joints.push_back(law_joint("", "b", RailJoint{start, points, is_closed}));
        World world(scene);
        int swings = 0;
        double first = 0, last = 0, before = 0;
        while (world.time() < 12 && world.step().ok) {
            const double x = spot(world, "b").x;
            if (before > 0 && x <= 0) {
                last = world.time() - world.dt() * x / (x - before);
                if (swings++ == 0) first = last;
            }
            before = x;
        }
        return swings > 1 ? (last - first) / (swings - 1) : 0;
    };
    std::vector<Vec3> circle, cycloid;
    for (int k = 0; k < 60; ++k) {
        const double e = 2 * M_PI * k / 60;
        circle.push_back({r * std::cos(e), r * std::sin(e), 0});
    }
    const auto place = [&](double e) { return Vec3{r * (e + std::sin(e)), -r * std::cos(e), 0}; };
    for (int k = -40; k <= 40; ++k) cycloid.push_back(place(2.6 * k / 40));
    double x = 1, y = std::cos(0.5 * wide);
    for (int k = 0; k < 6; ++k) {
        const double mean = 0.5 * (x + y);
        y = std::sqrt(x * y), x = mean;
    }
    const double same = 4 * M_PI * std::sqrt(r / kGravity);
    return {law_result("rail: period on a circle", 2 * M_PI / x * std::sqrt(r / kGravity),
                       period_of(circle, true, {r * std::sin(wide), -r * std::cos(wide), 0}), 1e-4, 0.002,
                       "s, 1.5 rad wide"),
            law_result("rail: period on a cycloid, narrow", same, period_of(cycloid, false, place(0.4)), 1e-4,
                       0.002, "s"),
            law_result("rail: period on a cycloid, wide", same, period_of(cycloid, false, place(2)), 1e-4,
                       0.002, "s, the same")};
}

// On a level circle of a sphere w^2 = g / (r cos), of any surface of revolution w^2 = g y'(p) / p. On a torus
// without gravity, near the outermost circle, the way swings about it at w sqrt((R + r) / r).
std::vector<LawResult> check_surfaces() {
    const double r = 2, tilt = 0.6, w = std::sqrt(kGravity / (r * std::cos(tilt)));
    const Vec3 start{r * std::sin(tilt), -r * std::cos(tilt), 0};
    Scene sphere = law_scene(0.002);
    sphere.bodies.push_back(law_part("b", start, 0.01));
    sphere.bodies[0].velocity = {0, 0, -w * start.x};
    sphere.joints.push_back(
        law_joint("", "b", PointOnEllipsoidJoint{start, {}, {1, 0, 0}, {0, 1, 0}, r, r, r}));
    World cone(sphere);
    run_until(cone, 1);
    const Vec3 p = spot(cone, "b");

    const double ring = 1, tube = 0.25, speed = 2, rate = speed / (ring + tube);
    Scene torus = law_scene(0.001, {});
    const Vec3 outside{ring + tube, 0, 0};
    torus.bodies.push_back(law_part("b", outside, 0.01));
    torus.bodies[0].velocity = {0, 0.02, -speed};
    torus.joints.push_back(law_joint("", "b", PointOnTorusJoint{outside, {}, {0, 1, 0}, ring, tube}));
    World swing(torus);
    int crossings = 0;
    double first = 0, last = 0, before = 0;
    while (swing.time() < 12 && swing.step().ok) {
        const double y = spot(swing, "b").y;
        if (before < 0 && y >= 0) {
            last = swing.time() - swing.dt() * y / (y - before);
            if (crossings++ == 0) first = last;
        }
        before = y;
    }
    return {law_result("sphere: way round of a conical pendulum", w * cone.time(), std::atan2(-p.z, p.x),
                       1e-4, cone.dt(), "rad"),
            law_result("sphere: its height", start.y, p.y, 1e-5, cone.dt(), "m"),
            law_result("sphere: its force", kGravity / std::cos(tilt), length(cone.frame().joints[0].force),
                       1e-4, cone.dt(), "N"),
            law_result("torus: swing about the outermost circle", rate * std::sqrt((ring + tube) / tube),
                       crossings > 1 ? 2 * M_PI * (crossings - 1) / (last - first) : 0, 1e-3, swing.dt(),
                       "rad/s")};
}

// A follower with the force F takes the velocity u over in the time m u / F; what is dragged goes with full
// force for a third of its way s, and with half of it until it stops: v^2 = 2 (F/m) s / 3.
std::vector<LawResult> check_guides() {
    const double mass = 2, force = 3, speed = 1.2, s = 1.5;
    Scene scene = law_scene(0.001, {});
    BodyDesc hand = law_part("hand", {}, 0.1);
    hand.kind = BodyKind::Kinematic, hand.mass = {}, hand.velocity = {speed, 0, 0};
    scene.bodies = {hand, law_part("b", {}, 0.1, mass)};
    scene.joints.push_back(law_joint("hand", "b", FollowerJoint{{}, force, {}}));
    World towed(scene);
    run_until(towed, 0.5);
    const double early = towed.velocity(towed.find_body("b")).x;
    run_until(towed, 1);

    Scene other = law_scene(0.001, {});
    other.bodies.push_back(law_part("b", {}, 0.1, mass));
    other.joints.push_back(law_joint("", "b", DragJoint{{s, 0, 0}, {}, force}));
    World drawn(other);
    double fastest = 0;
    while (drawn.time() < 5 && drawn.step().ok)
        fastest = std::max(fastest, drawn.velocity(drawn.find_body("b")).x);
    return {law_result("follower: velocity with all its force", force / mass * 0.5, early, 1e-9, towed.dt(),
                       "m/s"),
            law_result("follower: velocity taken over", speed, towed.velocity(towed.find_body("b")).x, 1e-9,
                       towed.dt(), "m/s"),
            law_result("drag: highest speed", std::sqrt(2 * force / mass * s / 3), fastest, 2e-3, drawn.dt(),
                       "m/s"),
            law_result("drag: place at the end", s, spot(drawn, "b").x, 1e-9, drawn.dt(), "m")};
}

}  // namespace impuls
