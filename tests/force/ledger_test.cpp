// The books of energy at force level: kinetic and potential energy + dissipated - supplied stays, to 1e-9 of
// what there is where all is smooth, and to 1e-6 with impacts and friction. Eight scenes of different things
// together.
#include "scene_of.h"

namespace impuls::at_force_level {
namespace {

void expect_booked(const Scene& scene, double share, double energy) {
    Watched w(scene);
    w.unbooked();
    const double end = is_long() ? 100 : 1;
    while (w.world.time() < end - 1e-9) {
        ASSERT_NO_FATAL_FAILURE(w.step());
        ASSERT_NEAR(w.unbooked(), 0, share * energy) << w.world.time();
    }
    const auto& e = w.world.frame().energy;
    EXPECT_GT(std::abs(e.dissipated) + std::abs(e.supplied), 1e-3 * energy);  // something was booked
}

SpringForce spring_to(const Vec3& a, const Vec3& b, double stiffness, double damping) {
    SpringForce spring;
    spring.anchor_a = a;
    spring.anchor_b = b;
    spring.stiffness = stiffness;
    spring.damping = damping;
    return spring;
}

TEST(ForceLevelLedger, springs_dampers_and_drag) {
    Scene scene = scene_of("+tolerance=1e-11");
    add(scene, "a", Sphere{0.1}, {1, 0, 0}, {0, 1, 2});
    add(scene, "b", Box{{0.1, 0.2, 0.3}}, {2, 0, 0}, {0, -1, 0}).angular_velocity = {1, 2, 3};
    add_force(scene, "", "a", spring_to({}, {1, 0, 0}, 50, 0.3));
    add_force(scene, "a", "b", spring_to({1, 0, 0}, {2.05, 0.1, 0}, 30, 0));
    add_force(scene, "", "b", DragForce{});
    DamperForce damper;
    damper.anchor_b = {1, 0, 0};
    damper.anchor_a = {0, 3, 0};
    damper.damping = 0.2;
    add_force(scene, "", "a", damper);
    expect_booked(scene, 1e-9, kG);
}

TEST(ForceLevelLedger, torques_and_forces_with_an_interval) {
    Scene scene = scene_of("+tolerance=1e-11");
    BodyDesc& body = add(scene, "body", Box{{0.1, 0.2, 0.3}}, {});
    body.angular_velocity = {1, 0.1, 0};
    body.linear_damping = 0.3;
    body.angular_damping = 0.2;
    ConstantForce push;
    push.anchor = {0.05, 0.1, 0};
    push.force = {0, 12, 1};
    push.axes = ForceAxes::Body;
    add_force(scene, "", "body", push, 0.013, 0.517);
    TorqueForce torque;
    torque.torque = {0, 0, 0.01};
    add_force(scene, "", "body", torque, 0.1, 0.8);
    expect_booked(scene, 1e-9, kG);
}

TEST(ForceLevelLedger, motors_springs_and_dampers_of_joints) {
    Scene scene = scene_of("+tolerance=1e-11");
    HingeJoint first, second;
    first.axis = second.axis = {0, 0, 1};
    first.turn.speed = 3;
    first.turn.max_force = 20;
    second.anchor = {1, 0, 0};
    second.turn.stiffness = 5;
    second.turn.damping = 0.2;
    add(scene, "upper", Box{{1, 0.1, 0.1}}, {0.5, 0, 0}).collides = false;
    add(scene, "lower", Box{{1, 0.1, 0.1}}, {1.5, 0, 0}).collides = false;
    add_joint(scene, "", "upper", first);
    add_joint(scene, "upper", "lower", second);
    expect_booked(scene, 1e-8, 2 * kG);  // the motor's force has a corner where it reaches its limit
}

TEST(ForceLevelLedger, a_wheel_on_a_body_that_moves_by_itself) {
    Scene scene = scene_of("+tolerance=1e-11");
    BodyDesc& carriage = add(scene, "carriage", Box{{0.1, 0.1, 0.1}}, {}, {0.5, 0, 0});
    carriage.kind = BodyKind::Kinematic;
    carriage.mass.reset();
    carriage.angular_velocity = {0, 1, 0};
    BodyDesc& bob = add(scene, "bob", Box{{0.1, 0.5, 0.1}}, {0.3, -0.25, 0}, {0.5, 0, -0.3});
    bob.angular_velocity = {0, 1, 0};  // with the carriage: nothing jumps
    bob.collides = false;
    add_joint(scene, "carriage", "bob", HingeJoint{.anchor = {0.3, 0, 0}, .axis = {0, 0, 1}, .turn = {}});
    expect_booked(scene, 1e-9, kG);
}

TEST(ForceLevelLedger, bounces_and_friction) {
    Scene scene = scene_of("+tolerance=1e-9");
    scene.materials[0].restitution = 0.7;
    scene.materials[0].friction = 0.4;
    add_floor(scene);
    for (int k = 0; k < 3; ++k)
        add(scene, "ball" + std::to_string(k), Sphere{0.1}, {0.19 * k, 0.3 + 0.25 * k, 0.02 * k},
            {1.0 - k, 0, 0})
            .angular_velocity = {3, 0, 1.0 * k};
    expect_booked(scene, 1e-6, 3 * kG);
}

TEST(ForceLevelLedger, a_box_that_tumbles) {
    Scene scene = scene_of("+tolerance=1e-9");
    scene.materials[0].restitution = 0.4;
    scene.materials[0].friction = 0.5;
    add_floor(scene);
    add(scene, "box", Box{{0.2, 0.3, 0.4}}, {0, 0.6, 0}, {1, 0, 0}).angular_velocity = {2, 1, 3};
    expect_booked(scene, 1e-6, kG);
}

TEST(ForceLevelLedger, contacts_that_yield_on_a_belt) {
    Scene scene = scene_of("+tolerance=1e-9+contact=linear+sink=0.01");
    scene.materials[0].restitution = 0.5;
    scene.materials[0].friction = 0.3;
    add_floor(scene).surface_velocity = {1, 0, 0.5};
    add(scene, "ball", Sphere{0.1}, {0, 0.3, 0});
    expect_booked(scene, 1e-6, kG);
}

TEST(ForceLevelLedger, impacts_through_joints_and_limits) {
    Scene scene = scene_of("+tolerance=1e-9");
    scene.materials[0].restitution = 0.6;
    add_floor(scene);
    HingeJoint hinge;
    hinge.anchor = {0, 1, 0};
    hinge.axis = {0, 0, 1};
    hinge.turn.lower = -1;
    hinge.turn.restitution = 0.5;
    hinge.turn.friction = 0.05;
    add(scene, "rod", Box{{1, 0.1, 0.1}}, {0.5, 1, 0});
    add_joint(scene, "", "rod", hinge);
    add(scene, "ball", Sphere{0.1}, {0.8, 1.5, 0});
    expect_booked(scene, 1e-6, 2 * kG);
}

// What forces do, and energies of single bodies, by name.
TEST(ForceLevelLedger, forces_and_energies_are_measured) {
    Scene scene = scene_of("+tolerance=1e-9");
    BodyDesc& ball = add(scene, "ball", Sphere{0.1}, {0, -1, 0}, {0, 2, 0});
    ball.mass = 3;
    ball.angular_velocity = {0, 5, 0};
    SpringForce spring;
    spring.anchor_b = {0, -1, 0};
    spring.stiffness = 50, spring.length = 0.6;
    add_force(scene, "", "ball", spring);
    add_force(scene, "", "ball", TorqueForce{{0, 0.2, 0}}, 0, 0.5);
    World world(scene);
    const auto read = [&](const std::string& name) {
        double value = 0;
        find_quantity(name, *world.frame().structure).read(world.frame(), &value);
        return value;
    };
    EXPECT_NEAR(read("forces.force 0.length"), 1, 1e-14);
    EXPECT_NEAR(read("forces.force 0.force.y"), 50 * 0.4, 1e-12);
    EXPECT_NEAR(read("forces.force 0.power"), 50 * 0.4 * 2, 1e-12);
    EXPECT_NEAR(read("forces.force 1.torque.y"), 0.2, 1e-15);
    EXPECT_NEAR(read("forces.force 1.power"), 0.2 * 5, 1e-14);
    EXPECT_EQ(read("forces.count"), 2);
    EXPECT_NEAR(read("forces.power.sum"), 41, 1e-12);
    EXPECT_NEAR(read("kinetic_energy(ball)"), 0.5 * 3 * 4 + 0.5 * 0.4 * 3 * 0.01 * 25, 1e-12);
    EXPECT_NEAR(read("potential_energy(ball)"), -3 * kG, 1e-12);
    EXPECT_NEAR(read("kinetic_energy(ball) + potential_energy(ball) + 50/2*0.4^2"), read("energy.total"),
                1e-12);
    EXPECT_THROW(read("kinetic_energy(ball, ball)"), InputError);
    EXPECT_THROW(read("kinetic_energy(bell)"), InputError);
    EXPECT_THROW(read("forces.force 0.strength"), InputError);
    while (world.time() < 0.6) ASSERT_TRUE(world.step().ok);
    EXPECT_EQ(read("forces.force 1.torque.y"), 0);  // its time is over
}

}  // namespace
}  // namespace impuls::at_force_level
