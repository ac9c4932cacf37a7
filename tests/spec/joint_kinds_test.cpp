// Each kind of joint against a closed form.
#include "spec/joint_world.h"

namespace impuls {
namespace {

Vec3 position(const World& world, const char* name) {
    return world.pose(world.find_body(name)).position;
}
Vec3 velocity(const World& world, const char* name) {
    return world.velocity(world.find_body(name));
}

// A rod swung sideways stays within its cone, and does not twist beyond its limits.
TEST(SpecConstraints, ball_cone_and_twist) {
    Scene scene = joint_scene(0.002, {0, -kG, 0});
    scene.bodies.push_back(block("b", {0, -1, 0}, 1, 0.05));
    scene.bodies[0].velocity = {3, 0, 2};
    scene.bodies[0].angular_velocity = {-2, 4, 3};
    BallJoint ball{{}, {0, -1, 0}, 0.4, {}};
    ball.twist.lower = -0.3, ball.twist.upper = 0.2;
    scene.joints.push_back(joint_of("j", "", "b", ball));
    World world(scene);
    double widest = 0, twist = 0;
    for (int k = 0; k < 3000; ++k) {
        step(world);
        const Vec3 d = direction(world, "b", {0, -1, 0});
        widest = std::max(widest, std::acos(std::min(1.0, -d.y)));
        twist = std::max(twist, std::abs(axis_of(world).position));
        ASSERT_LT(world.frame().joints[0].error, 1e-6);
    }
    EXPECT_GT(widest, 0.39);
    EXPECT_LT(widest, 0.4 + 2e-3);
    EXPECT_GT(twist, 0.19);
    EXPECT_LT(twist, 0.3 + 2e-3);
}

// Down an incline: g sin(angle), without turning.
TEST(SpecConstraints, slider_on_incline) {
    Scene scene = joint_scene(0.01, {0, -kG, 0});
    BodyDesc body = block("b", {0.3, 0.4, 0.1}, 3, 0.2);
    body.orientation = from_axis_angle({1, 2, 3}, 0.7);
    scene.bodies.push_back(body);
    scene.joints.push_back(joint_of("j", "", "b", SliderJoint{{}, {4, -3, 0}, {}}));
    World world(scene);
    step(world, 100);
    EXPECT_NEAR(axis_of(world).position, 0.5 * 0.6 * kG, 1e-9);
    EXPECT_NEAR(axis_of(world).velocity, 0.6 * kG, 1e-9);
    EXPECT_LT(length(spin(world, "b")), 1e-12);
    EXPECT_NEAR(length(world.frame().joints[0].force), 3 * 0.8 * kG, 1e-8);
}

// Slides and turns without one disturbing the other.
TEST(SpecConstraints, cylindrical_slides_and_turns) {
    Scene scene = joint_scene(0.01, {0, -kG, 0});
    scene.bodies.push_back(block("b", {0.5, 0, 0}, 2, 0.3));  // off the axis: turns as m r^2 + I
    scene.bodies[0].angular_velocity = {0, 3, 0};
    scene.bodies[0].velocity = cross(Vec3{0, 3, 0}, Vec3{0.5, 0, 0});
    CylindricalJoint joint{{}, {0, 1, 0}, {}, {}};
    joint.turn.friction = 0.8;
    scene.joints.push_back(joint_of("j", "", "b", joint));
    World world(scene);
    step(world, 100);
    EXPECT_NEAR(axis_of(world, 0).position, -0.5 * kG, 1e-6);
    EXPECT_NEAR(axis_of(world, 1).velocity, 3 - 0.8 / (0.3 + 2 * 0.25), 1e-3);
    EXPECT_NEAR(axis_of(world, 1).force, -0.8, 1e-12);
}

// Cardan's joint between shafts at an angle b: w_out = w_in cos b / (1 - sin^2 b sin^2 a), a the driving
// angle.
TEST(SpecConstraints, universal_turns_unevenly) {
    const double bend = 0.5, rate = 6;
    Scene scene = joint_scene(0.001);
    BodyDesc in = block("in", {-1, 0, 0}, 1, 0.1);
    in.kind = BodyKind::Kinematic, in.mass = {};
    in.angular_velocity = {rate, 0, 0};
    const Vec3 out_axis{std::cos(bend), 0, std::sin(bend)};
    scene.bodies.push_back(in);
    scene.bodies.push_back(block("out", out_axis, 1, 0.1));
    // Cross: first axis in the driving shaft (y), second in the driven one.
    scene.joints.push_back(
        joint_of("cross", "in", "out", UniversalJoint{{}, {0, 1, 0}, cross(out_axis, {0, 1, 0}), {}, {}}));
    scene.joints.push_back(joint_of("bearing", "", "out", HingeJoint{{}, out_axis, {}}));
    // The driving arm starts across the plane of the shafts, where the driven one is slowest.
    scene.bodies[1].angular_velocity = out_axis * (rate * std::cos(bend));
    World world(scene);
    for (int k = 0; k < 1500; ++k) {
        step(world);
        const double a = rate * world.time();
        const double expected = rate * std::cos(bend) / (1 - std::pow(std::sin(bend) * std::sin(a), 2));
        ASSERT_NEAR(dot(spin(world, "out"), out_axis), expected, 1e-3 * rate) << world.time();
        ASSERT_LT(world.frame().max_joint_error, 1e-5);
    }
    EXPECT_GT(axis_of(world, 2).position, 8);  // bearing: more than a turn
}

// The spring of a wheel bears the car: m g / k; the wheel spins freely, the steering stays.
TEST(SpecConstraints, hinge2_suspension) {
    Scene scene = joint_scene(0.005, {0, -kG, 0});
    scene.bodies.push_back(block("wheel", {1, 0, 0}, 4, 0.3));
    scene.bodies[0].angular_velocity = {0, 0, 20};
    Hinge2Joint joint{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {}, {}, AxisDesc{}};
    joint.suspension->stiffness = 400, joint.suspension->damping = 30;
    joint.steer.target = 0.2, joint.steer.rate = 1;
    joint.spin.friction = 0.1;
    scene.joints.push_back(joint_of("j", "", "wheel", joint));
    World world(scene);
    step(world, 2000);
    EXPECT_NEAR(axis_of(world, 0).position, 0.2, 1e-9);
    EXPECT_NEAR(axis_of(world, 1).velocity, 20 - 0.1 / 0.3 * 10, 0.02);
    EXPECT_GT(axis_of(world, 1).position, 100);
    EXPECT_NEAR(axis_of(world, 2).position, -4 * kG / 400, 1e-5);
    EXPECT_NEAR(axis_of(world, 2).force, 4 * kG, 1e-3);
    const Vec3 axle = direction(world, "wheel", {0, 0, 1});
    EXPECT_NEAR(axle.y, 0, 1e-6);
    EXPECT_NEAR(std::atan2(axle.x, axle.z), 0.2, 1e-5);
}

// Two bodies as one: the centre flies on, the pair turns as a whole and stays together.
TEST(SpecConstraints, fixed_makes_one_body) {
    Scene scene = joint_scene(0.005);
    scene.bodies.push_back(block("a", {0, 0, 0}, 1, 0.1));
    scene.bodies.push_back(block("b", {1, 0, 0}, 3, 0.2));
    scene.bodies[0].velocity = {0, 1, 0};
    scene.joints.push_back(joint_of("j", "a", "b", FixedJoint{{0.2, 0, 0}}));
    World world(scene);
    step(world);
    const Vec3 l = world.frame().angular_momentum;
    // Reduced: m_a m_b / (m_a + m_b) at distance 1, about the common centre.
    const double inertia = 0.1 + 0.2 + 0.75, w = -0.75 / inertia;
    for (int k = 0; k < 1000; ++k) {
        step(world);
        ASSERT_LT(length(world.frame().angular_momentum - l), 1e-10);
    }
    EXPECT_NEAR(spin(world, "a").z, w, 1e-6);
    EXPECT_NEAR(spin(world, "b").z, w, 1e-6);
    const Vec3 centre = (position(world, "a") + 3 * position(world, "b")) / 4;
    EXPECT_LT(length(centre - Vec3{0.75, 0.25 * world.time(), 0}), 1e-9);
    EXPECT_LT(world.frame().joints[0].error, 1e-7);
    EXPECT_NEAR(length(position(world, "b") - position(world, "a")), 1, 1e-6);
}

// A puck on an inclined table flies a parabola in it and keeps spinning about the normal.
TEST(SpecConstraints, planar_throw) {
    const Vec3 n = normalized(Vec3{0, 4, 3}), down = normalized(Vec3{0, -3, 4}), side{1, 0, 0};
    Scene scene = joint_scene(0.01, {0, -kG, 0});
    scene.bodies.push_back(block("b", {}, 1, 0.2));
    scene.bodies[0].velocity = 2.0 * side - 1.0 * down;
    scene.bodies[0].angular_velocity = 5.0 * n;
    scene.joints.push_back(joint_of("j", "", "b", PlanarJoint{{}, n, {}}));
    World world(scene);
    step(world, 100);
    const Vec3 p = position(world, "b");
    EXPECT_NEAR(dot(p, side), 2, 1e-9);
    EXPECT_NEAR(dot(p, down), -1 + 0.5 * 0.6 * kG, 1e-9);
    EXPECT_NEAR(dot(p, n), 0, 1e-9);
    EXPECT_NEAR(axis_of(world).position, 5, 1e-6);
}

// Rod: a conical pendulum keeps its circle, w^2 = g / (l cos).
TEST(SpecConstraints, distance_rod) {
    const double l = 2, tilt = 0.6, w = std::sqrt(kG / (l * std::cos(tilt)));
    Scene scene = joint_scene(0.002, {0, -kG, 0});
    const Vec3 start{l * std::sin(tilt), -l * std::cos(tilt), 0};
    scene.bodies.push_back(block("b", start, 1, 0.01));
    scene.bodies[0].velocity = {0, 0, w * start.x};
    scene.joints.push_back(joint_of("j", "", "b", DistanceJoint{{}, start, {}}));
    World world(scene);
    step(world, 2000);
    EXPECT_NEAR(length(position(world, "b")), l, 1e-7);
    EXPECT_NEAR(position(world, "b").y, start.y, 1e-4);
    EXPECT_NEAR(length(velocity(world, "b")), w * start.x, 1e-4);
    EXPECT_NEAR(length(world.frame().joints[0].force), kG / std::cos(tilt), 1e-3);
}

// Rope: free fall until it is taut, then it hangs at its length.
TEST(SpecConstraints, distance_rope) {
    DistanceJoint rope{{}, {0, -0.5, 0}, AxisDesc{}};
    rope.length->upper = 2;
    Scene scene = joint_scene(0.01, {0, -kG, 0});
    scene.bodies.push_back(block("b", {0, -0.5, 0}, 1.5, 0.01));
    scene.joints.push_back(joint_of("j", "", "b", rope));
    World world(scene);
    step(world, 50);
    EXPECT_NEAR(axis_of(world).position, 0.5 + 0.5 * kG * 0.25, 1e-9);
    EXPECT_EQ(axis_of(world).force, 0);
    step(world, 100);
    EXPECT_NEAR(axis_of(world).position, 2, 1e-9);
    EXPECT_NEAR(axis_of(world).force, -1.5 * kG, 1e-6);
}

TEST(SpecConstraints, distance_spring_between_free_bodies) {
    DistanceJoint joint{{0, 0, 0}, {1, 0, 0}, AxisDesc{}};
    joint.length->stiffness = 30, joint.length->rest = 0.8;
    Scene scene = joint_scene(0.005);
    scene.bodies.push_back(block("a", {0, 0, 0}, 1, 0.01));
    scene.bodies.push_back(block("b", {1, 0, 0}, 2, 0.01));
    scene.joints.push_back(joint_of("j", "a", "b", joint));
    World world(scene);
    const double w = std::sqrt(30 * 1.5);
    for (int k = 0; k < 1000; ++k) {
        step(world);
        ASSERT_NEAR(axis_of(world).position, 0.8 + 0.2 * std::cos(w * world.time()), 2e-3);
    }
    EXPECT_LT(length(world.frame().linear_momentum), 1e-12);
}

// A point of the body on a level wire, the centre below: the pendulum whose pivot slides, w^2 = m g d / I at
// small angles, since the wire takes no force along itself.
TEST(SpecConstraints, point_on_line_pendulum) {
    const double d = 0.5, inertia = 0.2;
    Scene scene = joint_scene(0.002, {0, -kG, 0});
    const double a = 0.05;
    BodyDesc body = block("b", {d * std::sin(a), -d * std::cos(a), 0}, 1, inertia);
    body.orientation = from_axis_angle({0, 0, 1}, a);
    scene.bodies.push_back(body);
    scene.joints.push_back(joint_of("j", "", "b", PointOnLineJoint{{}, {1, 0, 0}, {}}));
    World world(scene);
    const double w = std::sqrt(kG * d / inertia);
    for (int k = 0; k < 500; ++k) {
        step(world);
        const Vec3 down = direction(world, "b", {0, -1, 0});
        ASSERT_NEAR(std::atan2(down.x, -down.y), a * std::cos(w * world.time()), 0.02 * a);
        ASSERT_NEAR(position(world, "b").x, d * std::sin(a), 1e-9);
    }
}

TEST(SpecConstraints, point_on_plane_slides_down) {
    const Vec3 n = normalized(Vec3{0, 4, 3}), down = normalized(Vec3{0, -3, 4});
    Scene scene = joint_scene(0.01, {0, -kG, 0});
    scene.bodies.push_back(block("b", {}, 1, 0.2));
    scene.bodies[0].angular_velocity = {1, 2, 3};
    scene.joints.push_back(joint_of("j", "", "b", PointOnPlaneJoint{{}, n}));
    World world(scene);
    step(world, 100);
    EXPECT_NEAR(dot(position(world, "b"), down), 0.5 * 0.6 * kG, 1e-9);
    EXPECT_NEAR(dot(position(world, "b"), n), 0, 1e-9);
    EXPECT_LT(length(spin(world, "b") - Vec3{1, 2, 3}), 1e-9);
    EXPECT_NEAR(length(world.frame().joints[0].force), 0.8 * kG, 1e-8);
}

// A nut runs down its screw: a = g m / (m + I (2 pi / pitch)^2), and the turns keep to the pitch.
TEST(SpecConstraints, screw_runs_down) {
    const double m = 2, inertia = 0.01, pitch = 0.4, turn = 2 * kPi / pitch;
    Scene scene = joint_scene(0.01, {0, -kG, 0});
    scene.bodies.push_back(block("b", {}, m, inertia));
    scene.joints.push_back(joint_of("j", "", "b", ScrewJoint{{}, {0, 1, 0}, pitch, {}}));
    World world(scene);
    step(world, 300);
    const double a = kG * m / (m + inertia * turn * turn);
    EXPECT_NEAR(position(world, "b").y, -0.5 * a * 9, 1e-6 * a);
    EXPECT_NEAR(axis_of(world).position, turn * position(world, "b").y, 1e-6);
    EXPECT_LT(axis_of(world).position, -20);
}

// Torque on the first wheel turns both: T / (I_a + r^2 I_b); the frame takes what the bearings must bear.
TEST(SpecConstraints, gear_ratio) {
    const double ratio = -2.5, i_a = 0.3, i_b = 0.1, torque = 2;
    Scene scene = joint_scene(0.01);
    scene.bodies.push_back(block("a", {0, 0, 0}, 1, i_a));
    scene.bodies.push_back(block("b", {1, 0, 0}, 1, i_b));
    scene.joints.push_back(joint_of("bearing_a", "", "a", HingeJoint{{0, 0, 0}, {0, 0, 1}, {}}));
    scene.joints.push_back(joint_of("bearing_b", "", "b", HingeJoint{{1, 0, 0}, {0, 0, 1}, {}}));
    scene.joints.push_back(joint_of("gear", "a", "b", GearJoint{{0, 0, 1}, {0, 0, 1}, ratio}));
    World world(scene);
    world.apply(SetForce{"a", {}, {0, 0, torque}});
    step(world, 300);
    const double alpha = torque / (i_a + ratio * ratio * i_b);
    EXPECT_NEAR(axis_of(world, 0).velocity, 3 * alpha, 1e-6 * alpha);
    EXPECT_NEAR(axis_of(world, 0).position, 4.5 * alpha, 1e-6 * alpha);
    EXPECT_NEAR(axis_of(world, 1).position, ratio * axis_of(world, 0).position, 1e-8);
    EXPECT_GT(std::abs(axis_of(world, 1).position), 10);
}

// A gear box that floats freely: wheels in a frame, driven by a motor between frame and wheel.
TEST(SpecConstraints, gear_in_a_free_frame_keeps_angular_momentum) {
    Scene scene = joint_scene(0.005);
    scene.bodies.push_back(block("frame", {0.5, 0.2, 0.4}, 3, 0.5));
    scene.bodies.push_back(block("a", {0, 0, 0}, 1, 0.2));
    scene.bodies.push_back(block("b", {1, 0, 0}, 1, 0.1));
    HingeJoint first{{0, 0, 0}, {0, 0, 1}, {}}, second{{1, 0, 0}, {0, 1, 1}, {}};
    first.turn.speed = 5, first.turn.max_force = 1;
    scene.joints.push_back(joint_of("bearing_a", "frame", "a", first));
    scene.joints.push_back(joint_of("bearing_b", "frame", "b", second));
    JointDesc gear = joint_of("gear", "a", "b", GearJoint{{0, 0, 1}, {0, 1, 1}, 2}, "frame");
    scene.joints.push_back(gear);
    World world(scene);
    double fastest = 0;
    for (int k = 0; k < 1000; ++k) {
        step(world);
        ASSERT_LT(length(world.frame().angular_momentum), 1e-9);
        ASSERT_LT(length(world.frame().linear_momentum), 1e-10);
        fastest = std::max(fastest, length(spin(world, "frame")));
    }
    EXPECT_GT(fastest, 0.1);
    EXPECT_NEAR(axis_of(world, 0).velocity, 5, 1e-3);
    EXPECT_NEAR(axis_of(world, 1).position, 2 * axis_of(world, 0).position, 1e-4);
}

TEST(SpecConstraints, rack_and_pinion_drive) {
    const double radius = 0.25, inertia = 0.2, m = 3, torque = 1.5;
    Scene scene = joint_scene(0.01);
    scene.bodies.push_back(block("pinion", {0, 0, 0}, 1, inertia));
    scene.bodies.push_back(block("rack", {0, -2, 0}, m, 0.1));
    scene.joints.push_back(joint_of("bearing", "", "pinion", HingeJoint{{}, {0, 0, 1}, {}}));
    scene.joints.push_back(joint_of("rail", "", "rack", SliderJoint{{}, {1, 0, 0}, {}}));
    scene.joints.push_back(
        joint_of("mesh", "pinion", "rack", RackAndPinionJoint{{0, -2, 0}, {0, 0, 1}, {1, 0, 0}, radius}));
    World world(scene);
    world.apply(SetForce{"pinion", {}, {0, 0, torque}});
    step(world, 300);
    const double alpha = torque / (inertia + m * radius * radius);
    EXPECT_NEAR(axis_of(world, 0).position, 4.5 * alpha, 1e-6 * alpha);
    EXPECT_NEAR(position(world, "rack").x, radius * 4.5 * alpha, 1e-6 * alpha);
}

// Atwood's machine, also with b on two parts of the rope.
TEST(SpecConstraints, pulley_atwood) {
    for (const double ratio : {1.0, 2.0}) {
        const double m = 1, n = 3;
        Scene scene = joint_scene(0.01, {0, -kG, 0});
        scene.bodies.push_back(block("a", {-1, -3, 0}, m, 0.01));
        scene.bodies.push_back(block("b", {1, -3, 0}, n, 0.01));
        PulleyJoint pulley{{-1, -3, 0}, {1, -3, 0}, {-1, 0, 0}, {1, 0, 0}, ratio, {}};
        scene.joints.push_back(joint_of("j", "a", "b", pulley));
        World world(scene);
        step(world, 50);
        // m a'' = T - m g, n b'' = ratio T - n g, a'' = -ratio b''.
        const double b = (ratio * m - n) * kG / (n + ratio * ratio * m);
        EXPECT_NEAR(velocity(world, "b").y, 0.5 * b, 1e-9);
        EXPECT_NEAR(velocity(world, "a").y, -0.5 * ratio * b, 1e-9);
        EXPECT_NEAR(position(world, "b").y, -3 + 0.125 * b, 1e-9);
        EXPECT_NEAR(world.frame().joints[0].force.y, n * (b + kG), 1e-8);
    }
}

// Locked axes hold, the free ones do what they are told.
TEST(SpecConstraints, six_dof_mixed) {
    Scene scene = joint_scene(0.005, {0, -kG, 0});
    scene.bodies.push_back(block("b", {}, 2, 0.3));
    SixDofJoint joint{{}, {1, 0, 0}, {0, 1, 0}, {}, {}, {}, {}, {}, {}};
    joint.y = AxisDesc{}, joint.rx = AxisDesc{}, joint.rz = AxisDesc{};
    joint.y->stiffness = 200, joint.y->damping = 20;
    joint.rx->speed = 3;
    joint.rz->lower = -0.1, joint.rz->upper = 0.1;
    scene.joints.push_back(joint_of("j", "", "b", joint));
    World world(scene);
    world.apply(SetForce{"b", {5, 0, 5}, {0, 4, 0}});
    step(world, 2000);
    EXPECT_NEAR(axis_of(world, 0).position, -2 * kG / 200, 1e-5);
    EXPECT_NEAR(axis_of(world, 1).velocity, 3, 1e-6);
    EXPECT_NEAR(axis_of(world, 1).position, 30, 0.01);
    EXPECT_LE(std::abs(axis_of(world, 2).position), 0.1 + 1e-6);
    EXPECT_NEAR(position(world, "b").x, 0, 1e-6);
    EXPECT_NEAR(position(world, "b").z, 0, 1e-6);
}

// Two joints on one pair do what one joint with the equations of both does (Bender, J4 to J10): a double
// pendulum of rods askew, whirled in space.
TEST(SpecMultibody, J10_joints_composed_of_basis_joints) {
    const Vec3 p{0.5, 0, 0}, s = normalized(Vec3{0.3, 1, 0.2}), t = normalized(cross(s, Vec3{1, 0, 0}));
    struct Case {
        Joint whole, first, second;
    };
    const Case cases[] = {{HingeJoint{p, s}, BallJoint{p}, PointOnLineJoint{p + s * 0.4, s}},
                          {HingeJoint{p, s}, BallJoint{p}, Rotation2Joint{s}},
                          {UniversalJoint{p, s, t}, BallJoint{p}, Rotation1Joint{s, t}},
                          {FixedJoint{p}, BallJoint{p}, Rotation3Joint{}},
                          {SliderJoint{p, s}, PointOnLineJoint{p, s}, Rotation3Joint{}},
                          {CylindricalJoint{p, s}, PointOnLineJoint{p, s}, Rotation2Joint{s}}};
    for (const char* method : {"default", "accurate", "default+articulated=off+solver=sparse"})
        for (const Case& c : cases) {
            const auto end = [&](bool is_composed) {
                Scene scene;
                scene.settings.dt = 0.005;
                scene.settings.method = parse_method(std::string(method) + "+tolerance=1e-9");
                scene.bodies = {block("a", {0.25, 0, 0}, 1, 0.05), block("b", {0.75, 0.1, 0}, 2, 0.1)};
                scene.joints.push_back(joint_of("peg", "", "a", BallJoint{}));
                scene.joints.push_back(joint_of("j", "a", "b", is_composed ? c.first : c.whole));
                if (is_composed) scene.joints.push_back(joint_of("k", "a", "b", c.second));
                World world(scene);
                step(world, 60);
                return world.pose(world.find_body("b")).position;
            };
            EXPECT_LT(length(end(true) - end(false)), 1e-8) << method << " " << &c - cases;
            EXPECT_GT(length(end(false) - Vec3{0.75, 0.1, 0}), 0.1);
        }
}

}  // namespace
}  // namespace impuls
