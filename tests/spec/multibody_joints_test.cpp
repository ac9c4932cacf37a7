// Joints of multibody systems in running worlds (specification: multibody, T7, T22, T35): they stay closed
// under kicks, yield to walls, and their motors and springs keep momentum and the laws of oscillators.
#include <algorithm>
#include <functional>

#include "impuls/frame.h"
#include "spec/joint_world.h"

namespace impuls {
namespace {

constexpr double kBarLength = 0.5;

BodyDesc bar(const std::string& name, const Vec3& position) {
    BodyDesc body;
    body.name = name;
    body.shape = Box{{kBarLength, 0.1, 0.1}};
    body.mass = 5;
    body.position = position;
    body.collides = false;
    return body;
}

double angle_of(const Quat& q) {
    return 2 * std::atan2(length(Vec3{q.x, q.y, q.z}), std::abs(q.w));
}
double angle_between(const Vec3& s, const Vec3& u) {
    return std::atan2(length(cross(s, u)), dot(s, u));
}

AxisDesc motor(double speed, double most) {
    AxisDesc axis;
    axis.speed = speed, axis.max_force = most;
    return axis;
}

// A joint of the text, and how far its rotations are off with these orientations of a and b (both 1 at the
// start).
struct TextJoint {
    Joint joint;
    std::function<double(const Quat&, const Quat&)> angle{};
};

std::vector<TextJoint> text_joints() {
    const Vec3 p{0.25, 0, 0}, s{0.3, 0.5, 0.8}, y{0, 1, 0}, z{0, 0, 1};
    const auto locked = [](const Quat& a, const Quat& b) { return angle_of(conjugate(a) * b); };
    const auto common = [=](const Quat& a, const Quat& b) {
        return angle_between(rotate(a, s), rotate(b, s));
    };
    const auto kept = [](const Vec3& u, const Vec3& v) {
        return [=](const Quat& a, const Quat& b) {
            return std::abs(angle_between(rotate(a, u), rotate(b, v)) - angle_between(u, v));
        };
    };
    const std::vector<Vec3> ring{p, {1, 0.5, 0.2}, {1.5, 0, -0.2}, {0.9, -0.6, 0.1}};
    return {{BallJoint{p}},
            {PointOnLineJoint{p, s}},
            {RailJoint{p, ring, true}},
            {PointOnPlaneJoint{p, s}},
            {PointOnEllipsoidJoint{p, {1, 0, 0}, {1, 0, 0}, y, 0.75, 0.6, 1.2}},
            {PointOnTorusJoint{p, {1, 0, 0}, y, 0.5, 0.25}},
            {HingeJoint{p, s}, common},
            {HingeJoint{p, s, motor(4, 20)}, common},
            {SliderJoint{p, s}, locked},
            {SliderJoint{p, s, motor(0.5, 200)}, locked},
            {RailJoint{p, ring, true, false}, locked},
            {UniversalJoint{p, y, z}, kept(y, z)},
            {FixedJoint{p}, locked},
            {Rotation3Joint{}, locked},
            {Rotation2Joint{s}, common},
            {Rotation1Joint{s, z}, kept(s, z)}};
}

// Every joint of the text, J1 to J9, with motors where it has them, under gravity and kicked again and again:
// no point is off by more than the tolerance, in any step, and no angle by more than that at the end of a
// rod. What a plane or a line lets fall is begun anew when it is 180 m away: a kilometre away the end of that
// lever moves at kilometres a second, and 1e-5 m are met.
TEST(SpecMultibody, T7_joints_keep_their_constraint) {
    for (const TextJoint& kind : text_joints()) {
        const std::string name =
            std::visit([](const auto& joint) { return std::string(joint.kType); }, kind.joint);
        Scene scene;
        scene.settings.dt = 0.01;
        scene.settings.method = parse_method("default+tolerance=1e-7");
        scene.bodies = {bar("a", {}), bar("b", {0.5, 0, 0})};
        scene.joints.push_back(joint_of("hook", "", "a", BallJoint{{-0.25, 0, 0}}));
        scene.joints.push_back(joint_of("j", "a", "b", kind.joint));
        double worst = 0, bent = 0;
        for (int run = 0; run < (is_long() ? 170 : 1); ++run) {
            World world(scene);
            for (int k = 0; k < 600; ++k) {
                if (k % 20 == 0) {
                    const double s = k + 600 * run;
                    world.apply(
                        ApplyImpulse{"b", {3 * std::sin(s), 2 * std::cos(2 * s), std::sin(3 * s)}, {}, {}});
                }
                ASSERT_TRUE(world.step().ok) << name;
                const Frame& frame = world.frame();
                worst = std::max(worst, frame.max_joint_error);
                if (kind.angle)
                    bent =
                        std::max(bent, kind.angle(frame.orientations[0], frame.orientations[1]) * kBarLength);
            }
        }
        EXPECT_LT(worst, 1e-6) << name;
        EXPECT_LT(bent, 1e-6) << name;
    }
}

// A sled of two bodies on a ball joint, on a floor without friction, is drawn to the right, where a wall is.
// The hand is a kinematic body.
Scene behind_a_wall(const Joint& guide) {
    Scene scene;
    scene.settings.dt = 0.01;
    MaterialDesc ice;
    ice.name = "ice", ice.friction = 0;
    scene.materials = {ice};
    const auto add = [&](const std::string& name, const Shape& shape, const Vec3& position, BodyKind kind) {
        BodyDesc body;
        body.name = name, body.material = "ice";
        body.shape = shape, body.position = position, body.kind = kind;
        if (kind == BodyKind::Dynamic) body.mass = 2;
        scene.bodies.push_back(body);
    };
    add("floor", Plane{}, {}, BodyKind::Static);
    add("wall", Box{{0.2, 2, 2}}, {1.1, 1, 0}, BodyKind::Static);
    add("sled", Box{{0.4, 0.4, 0.4}}, {0, 0.2, 0}, BodyKind::Dynamic);
    add("trailer", Box{{0.4, 0.4, 0.4}}, {-0.5, 0.2, 0}, BodyKind::Dynamic);
    add("hand", Sphere{0.05}, {3, 0.2, 0}, BodyKind::Kinematic);
    scene.bodies.back().collides = false;
    scene.joints.push_back(joint_of("hook", "sled", "trailer", BallJoint{{-0.25, 0.2, 0}}));
    scene.joints.push_back(joint_of("guide", "hand", "sled", guide));
    return scene;
}

struct Strain {
    double open = 0, deep = 0, force = 0, torque = 0;
};

Strain run_for(World& world, double seconds) {
    Strain worst;
    const double end = world.time() + seconds;
    while (world.time() < end - 1e-9) {
        step(world);
        const Frame& frame = world.frame();
        worst.open = std::max(worst.open, frame.joints[0].error);
        worst.deep = std::max(worst.deep, frame.max_penetration);
        worst.force = std::max(worst.force, length(frame.joints[1].force));
        worst.torque = std::max(worst.torque, length(frame.joints[1].torque));
    }
    return worst;
}

Vec3 place(World& world, const char* name) {
    return world.pose(world.find_body(name)).position;
}

// A3: it pushes on the wall with its force and no more; when the wall is gone the sled arrives without
// passing its goal, and follows when the hand moves on.
TEST(SpecMultibody, T22_drag_respects_constraints) {
    const double force = 20;
    World world(behind_a_wall(DragJoint{{3, 0.2, 0}, {0, 0.2, 0}, force}));
    Strain held = run_for(world, 2);
    EXPECT_NEAR(place(world, "sled").x, 0.8, 1e-5);
    EXPECT_NEAR(length(world.frame().joints[1].force), force, 1e-6 * force);
    world.apply(Remove{.bodies = {"wall"}});
    const Strain freed = run_for(world, 3);
    EXPECT_LT(length(place(world, "sled") - Vec3{3, 0.2, 0}), 1e-5);
    SetBody move;
    move.body = "hand", move.velocity = Vec3{0, 0, 0.5};
    world.apply(move);
    const Strain led = run_for(world, 2);
    move.velocity = Vec3{};
    world.apply(move);
    const Strain back = run_for(world, 2);
    EXPECT_LT(length(place(world, "sled") - Vec3{3, 0.2, 1}), 1e-5);
    for (const Strain& strain : {held, freed, led, back}) {
        EXPECT_LT(strain.open, 1e-6);
        EXPECT_LT(strain.deep, 1e-6);
        EXPECT_LT(strain.force, force * (1 + 1e-9));
    }
}

// A1 and A2: the sled has the hand's velocity unless the wall stands in its way; one behind a wall gives up
// nothing else, and once free it has the hand's velocity and turn again.
TEST(SpecMultibody, T22_follower_respects_constraints) {
    const double force = 30, torque = 2;
    World world(behind_a_wall(FollowerJoint{{0, 0.2, 0}, force, torque}));
    SetBody move;
    move.body = "hand", move.velocity = Vec3{0.5, 0, 0};
    world.apply(move);
    const Strain led = run_for(world, 1);
    EXPECT_LT(length(world.velocity(world.find_body("sled")) - Vec3{0.5, 0, 0}), 1e-6);
    const Strain held = run_for(world, 2);
    EXPECT_NEAR(place(world, "sled").x, 0.8, 1e-5);
    world.apply(Remove{.bodies = {"wall"}});
    const Strain freed = run_for(world, 1);
    EXPECT_LT(length(world.velocity(world.find_body("sled")) - Vec3{0.5, 0, 0}), 1e-6);
    EXPECT_LT(length(world.angular_velocity(world.find_body("sled"))), 1e-6);
    for (const Strain& strain : {led, held, freed}) {
        EXPECT_LT(strain.open, 1e-6);
        EXPECT_LT(strain.deep, 1e-6);
        EXPECT_LT(strain.force, force * (1 + 1e-9));
    }
}

// Motors and springs between free bodies: what one gets the other loses.
TEST(SpecMultibody, T35_motors_and_springs_keep_momentum) {
    SliderJoint slider{{0.5, 0.1, 0}, {1, 0.2, 0.3}, {}};
    slider.slide.stiffness = 80, slider.slide.damping = 3, slider.slide.rest = 0.3;
    HingeJoint hinge{{1.5, 0, 0.1}, {0.2, 1, 0.5}, {}};
    hinge.turn.speed = 6, hinge.turn.max_force = 20;
    Scene scene = joint_scene(0.01);
    scene.bodies = {block("a", {}, 1, 0.1), block("b", {1, 0, 0}, 3, 0.2), block("c", {2, 0, 0}, 2, 0.3)};
    scene.joints = {joint_of("slider", "a", "b", slider), joint_of("hinge", "b", "c", hinge)};
    World world(scene);
    double fastest = 0;
    for (int k = 0; k < 500; ++k) {
        step(world);
        ASSERT_LT(length(world.frame().linear_momentum), 1e-12);
        ASSERT_LT(length(world.frame().angular_momentum), 1e-12);
        fastest = std::max(fastest, length(world.angular_velocity(world.find_body("c"))));
    }
    EXPECT_GT(fastest, 1);
    EXPECT_NEAR(axis_of(world, 1).velocity, 6, 1e-6);
}

// Slider and damped spring: x = x0 exp(-d t) cos(w t) + ..., w^2 = k/m - d^2, d = c/2m, from the crossings of
// zero and the extremes between them.
TEST(SpecMultibody, T35_damped_spring) {
    const double m = 2, k = 50, c = 0.8, d = c / (2 * m), w = std::sqrt(k / m - d * d);
    AxisDesc slide;
    slide.stiffness = k, slide.damping = c, slide.rest = 1;
    World world(on_slider(slide, 0.01, m));
    std::vector<double> times, extremes{0};
    double before = -1, time = 0;
    while (world.time() < 12) {
        step(world);
        const double x = axis_of(world).position - 1;
        if (before * x < 0) {
            times.push_back(time + (world.time() - time) * before / (before - x));
            extremes.push_back(0);
        }
        if (std::abs(x) > std::abs(extremes.back())) extremes.back() = x;
        before = x, time = world.time();
    }
    const double half = (times.back() - times.front()) / static_cast<double>(times.size() - 1);
    EXPECT_NEAR(kPi / half, w, 0.01 * w);
    // From the second extreme to the last whole one.
    const std::size_t last = extremes.size() - 2;
    const double decay =
        std::log(std::abs(extremes[1] / extremes[last])) / (half * static_cast<double>(last - 1));
    EXPECT_NEAR(decay, d, 0.01 * d);
}

// A motor with little torque reaches its speed as fast as that allows; a servo its angle, without passing it.
TEST(SpecMultibody, T35_capped_motor_and_servo) {
    const double inertia = 0.5, torque = 2, speed = 6;
    AxisDesc motor;
    motor.speed = speed, motor.max_force = torque;
    World running(on_hinge(motor, 0.01, inertia));
    while (running.time() < 1 - 1e-9) {
        step(running);
        ASSERT_NEAR(axis_of(running).velocity, torque / inertia * running.time(), 1e-9);
    }
    step(running, 100);
    EXPECT_NEAR(axis_of(running).velocity, speed, 1e-9);
    AxisDesc servo;
    servo.target = 2.5, servo.max_force = torque;
    World turning(on_hinge(servo, 0.01, inertia));
    double farthest = 0;
    for (int k = 0; k < 400; ++k) {
        step(turning);
        farthest = std::max(farthest, axis_of(turning).position);
        ASSERT_LE(std::abs(axis_of(turning).force), torque * (1 + 1e-12));
    }
    EXPECT_NEAR(axis_of(turning).position, 2.5, 1e-6);
    EXPECT_LT(farthest, 2.5 * (1 + 1e-6));
}

}  // namespace
}  // namespace impuls
