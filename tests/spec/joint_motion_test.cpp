// Wheels of a turning car, and all kinds of joints under random kicks (specification: constraints, T1, T13).
#include "base/rng.h"
#include "math/rotation.h"
#include "spec/joint_fixture.h"
#include "spec/joint_world.h"

namespace impuls {
namespace {

// A car with four wheels at 100 rad/s in a fast turn, two of them being steered.
Scene turning_car() {
    Scene scene = joint_scene(0.01);
    BodyDesc car = block("car", {}, 100, 30);
    car.angular_velocity = {0, 1.5, 0};
    scene.bodies.push_back(car);
    for (int k = 0; k < 4; ++k) {
        const std::string name = "wheel" + std::to_string(k);
        const Vec3 place{k % 2 ? 1.2 : -1.2, -0.3, k < 2 ? 0.8 : -0.8};
        BodyDesc wheel = block(name, place, 1, 0.05);
        wheel.velocity = cross(car.angular_velocity, place);
        wheel.angular_velocity = car.angular_velocity + Vec3{0, 0, 100};
        scene.bodies.push_back(wheel);
        Hinge2Joint joint{place, {0, 1, 0}, {0, 0, 1}, {}, {}, {}};
        joint.steer.target = k % 2 ? 0.3 : 0, joint.steer.rate = 2;
        joint.spin.speed = 100, joint.spin.max_force = 5;
        scene.joints.push_back(joint_of("hub" + std::to_string(k), "car", name, joint));
    }
    return scene;
}

struct Axles {
    double worst = 0;          // rad, between a wheel's axle and where the joint has it
    double infinitesimal = 0;  // rad, how far one update q += h/2 w q with the same velocity would bend it
    double turn = 0;           // rad/s, fastest turn of an axle
    double open = 0;           // m, of any joint
};

Axles watch_axles(World& world, int steps) {
    Axles axles;
    for (int n = 0; n < steps; ++n) {
        step(world);
        axles.open = std::max(axles.open, world.frame().max_joint_error);
        for (int k = 0; k < 4; ++k) {
            const std::string name = "wheel" + std::to_string(k);
            const double steer = axis_of(world, 2 * k).position;
            const Vec3 wanted = direction(world, "car", {std::sin(steer), 0, std::cos(steer)});
            const Vec3 axle = direction(world, name.c_str(), {0, 0, 1}), w = spin(world, name.c_str());
            axles.worst = std::max(axles.worst, std::asin(std::min(1.0, length(cross(axle, wanted)))));
            axles.turn = std::max(axles.turn, length(cross(w, axle)));
            const Quat q = world.pose(world.find_body(name)).orientation;
            const Quat dq = Quat{0, w.x, w.y, w.z} * q;
            const double c = 0.005;
            const Quat rough =
                normalized(Quat{q.w + c * dq.w, q.x + c * dq.x, q.y + c * dq.y, q.z + c * dq.z});
            const Vec3 a = rotate(turned(q, w * 0.01), {0, 0, 1}), b = rotate(rough, {0, 0, 1});
            axles.infinitesimal =
                std::max(axles.infinitesimal, std::asin(std::min(1.0, length(cross(a, b)))));
        }
    }
    return axles;
}

// The exponential map keeps the axle where the joint has it, within a degree; moved by q += h/2 w q it would
// bend off in every step.
TEST(SpecConstraints, T13_wheels_of_a_turning_car) {
    World world(turning_car());
    const Axles axles = watch_axles(world, 300);
    const double degree = kPi / 180;
    RecordProperty("worst_degrees", std::to_string(axles.worst / degree));
    EXPECT_LT(axles.open, 1e-3);
    EXPECT_LT(axles.worst, degree);
    EXPECT_GT(axles.infinitesimal, axles.worst);
    EXPECT_NEAR(axis_of(world, 2).position, 0.3, 0.02);
}

// With linear closure: a wheel that spins at W about its axle and turns with it at T moves for h about the
// one axis W u + T s, on a cone of half angle T/W. Its axle then is T/W (1 - cos W h) out of the plane in
// which the joint's rows, those of the start, let it turn: a degree at W h = 1. Substeps with joints are so
// short that nothing turns by more than 0.1 rad; looking ahead takes the rest away.
TEST(SpecConstraints, T13_linear_closure_bends_by_the_cone_of_a_substep) {
    for (const int n : {1, 8, 20, 40}) {
        Scene scene = turning_car();
        // Rows have this closure.
        scene.settings.method =
            parse_method("default+closure=linear+articulated=off+substeps=" + std::to_string(n));
        World world(scene);
        const Axles axles = watch_axles(world, 60);
        const double cone = axles.turn / 100 * (1 - std::cos(std::min(0.1, 100 * 0.01 / n)));
        RecordProperty("degrees_with_" + std::to_string(n), std::to_string(axles.worst * 180 / kPi));
        EXPECT_LT(axles.worst, 1.3 * cone) << n;
        EXPECT_GT(axles.worst, 0.7 * cone) << n;
        EXPECT_LT(axles.worst, kPi / 180) << n;
    }
}

// The same with wheels that know their axle: what is left is of the turn of the axle alone.
TEST(SpecConstraints, T13_partial_finite_rotation_keeps_the_axles) {
    double worst[2] = {};
    for (const bool is_apart : {false, true}) {
        Scene scene = turning_car();
        scene.settings.method = parse_method("default+closure=linear+articulated=off");
        for (std::size_t k = 1; is_apart && k < scene.bodies.size(); ++k)
            scene.bodies[k].spin_axis = {0, 0, 1};
        World world(scene);
        worst[is_apart] = watch_axles(world, 60).worst;
    }
    RecordProperty("degrees_apart", std::to_string(worst[1] * 180 / kPi));
    EXPECT_LT(worst[1], 0.1 * worst[0]);
}

// All kinds at once, kicked at random: joints stay closed. 10^5 steps in long mode.
TEST(SpecConstraints, T1_all_joints_survive_kicks) {
    Scene scene;
    scene.settings.dt = 0.01;
    scene.settings.gravity = {0, -2, 0};
    scene.settings.method = parse_method("fast+closure=preview");
    int count = 0;
    for (const JointCase& c : joint_cases()) {
        const std::string number = std::to_string(count++);
        const std::vector<Vec3> places{{0, 0, 0}, {1, 0.2, -0.3}, {0.3, 1.5, 0.2}};
        for (int k = 0; k < 3; ++k) {
            BodyDesc body;
            body.name = std::string(1, static_cast<char>('a' + k)) + number;
            body.shape = Box{{0.4 + 0.1 * k, 0.3, 0.5 - 0.1 * k}};
            body.mass = 1 + k;
            body.position = places[k];
            body.ignores = {0};
            body.linear_damping = body.angular_damping = 0.5;
            scene.bodies.push_back(body);
        }
        scene.joints.push_back(
            joint_of(c.name, "a" + number, "b" + number, c.joint, c.has_frame ? "c" + number : ""));
        // Wheels and racks run in bearings.
        const auto bearing = [&](const char* body, const Joint& joint) {
            scene.joints.push_back(
                joint_of(c.name + " bearing of " + body, "c" + number, body + number, joint));
        };
        if (const auto* gear = std::get_if<GearJoint>(&c.joint)) {
            bearing("a", HingeJoint{places[0], gear->axis_a, {}});
            bearing("b", HingeJoint{places[1], gear->axis_b, {}});
        }
        if (const auto* rack = std::get_if<RackAndPinionJoint>(&c.joint)) {
            bearing("a", HingeJoint{places[0], rack->axis, {}});
            bearing("b", SliderJoint{places[1], rack->direction, {}});
        }
        // The ends of a rope stay away from its wheels, where it would have no direction.
        if (const auto* pulley = std::get_if<PulleyJoint>(&c.joint)) {
            const auto guide = [](const Vec3& end, const Vec3& wheel) {
                AxisDesc slide;
                slide.lower = -1, slide.upper = 0.8 * length(wheel - end);
                return SliderJoint{end, wheel - end, slide};
            };
            bearing("a", guide(pulley->anchor_a, pulley->wheel_a));
            bearing("b", guide(pulley->anchor_b, pulley->wheel_b));
        }
    }
    World world(scene);
    Rng rng(2024, 0);
    double worst = 0;
#ifdef NDEBUG
    const int steps = is_long() ? 100000 : 2000;
#else
    const int steps = 400;  // sanitizers are slow
#endif
    for (int k = 0; k < steps; ++k) {
        if (k % 5 == 0) {
            const auto body =
                static_cast<std::size_t>(rng.uniform() * static_cast<double>(scene.bodies.size()));
            const auto any = [&] {
                const double x = rng.uniform(-1, 1), y = rng.uniform(-1, 1);
                return Vec3{x, y, rng.uniform(-1, 1)};
            };
            ApplyImpulse kick{scene.bodies[body].name, any() * 2, any() * 0.05, {}};
            world.apply(kick);
        }
        step(world);
        const Frame& frame = world.frame();
        for (std::size_t j = 0; j < frame.joints.size(); ++j) {
            worst = std::max(worst, frame.joints[j].error);
            ASSERT_LT(frame.joints[j].error, 1e-4) << scene.joints[j].name << " in step " << k;
        }
    }
    RecordProperty("worst_error", std::to_string(worst));
}

}  // namespace
}  // namespace impuls
