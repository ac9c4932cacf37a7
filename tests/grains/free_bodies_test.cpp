// Bodies that move freely among grains: they are pushed and push, substep by substep. Weight, momentum, light
// plates, joints, and results that do not depend on the step of the world.
#include <gtest/gtest.h>

#include <cmath>

#include "impuls/impuls.h"

namespace impuls {
namespace {

constexpr double kG = 9.81;

// A box without a lid, 0.1 m wide, with a bed of grains.
Scene bed(std::int64_t count, bool is_round = false) {
    Scene scene;
    scene.settings.dt = 1.0 / 120;
    scene.materials = {{.name = "default", .density = 2000, .friction = 0.5, .restitution = 0.2}};
    scene.bodies.push_back({.name = "floor", .kind = BodyKind::Static, .shape = Plane{}});
    for (const double side : {-1.0, 1.0}) {
        scene.bodies.push_back({.name = side < 0 ? "left" : "right",
                                .kind = BodyKind::Static,
                                .shape = Box{{0.02, 0.4, 0.2}},
                                .position = {side * 0.06, 0.2, 0}});
        scene.bodies.push_back({.name = side < 0 ? "back" : "front",
                                .kind = BodyKind::Static,
                                .shape = Box{{0.2, 0.4, 0.02}},
                                .position = {0, 0.2, side * 0.06}});
    }
    GrainsDesc grains;
    grains.name = "sand", grains.count = count;
    if (is_round)
        grains.shape = SphereGrain{0.01};
    else
        grains.shape = EllipsoidGrain{{0.01, 0.0095, 0.009}, 12, 0.1, 4};
    grains.place = BlockPlace{{-0.045, 0, -0.045}, {0.045, 0.4, 0.045}};
    scene.grains = {grains};
    scene.granular.modulus = 1e6;  // overlaps of some per cent
    return scene;
}

double value(World& world, const std::string& name) {
    double out = 0;
    const Frame& frame = world.frame();
    find_quantity(name, *frame.structure, frame.groups).read(frame, &out);
    return out;
}

void run_until(World& world, double time) {
    while (world.time() < time - 1e-9) {
        const StepStatus status = world.step();
        ASSERT_TRUE(status.ok) << status.message;
    }
}

// Top of the bed, and mass of a grain.
double top_of(World& world) {
    return value(world, "grains.position.y.max") + 0.01;
}
constexpr double kGrainMass = 2000 * 4.2e-6 * 0.85;  // about: a ball of 1 cm

BodyDesc plate(double mass, double height, const Vec3& velocity = {}) {
    BodyDesc body;
    body.name = "plate", body.shape = Box{{0.06, 0.006, 0.06}}, body.mass = mass;
    body.position = {0.004, height, -0.003};
    body.velocity = velocity;
    return body;
}

// A plate as heavy as one grain, and one ten times lighter, come down on many grains at once.
TEST(FreeBodies, a_plate_of_one_grain_mass_is_not_thrown) {
    for (const double mass : {kGrainMass, 0.1 * kGrainMass}) {
        World world(bed(27));
        run_until(world, 0.3);
        const double start = top_of(world) + 0.01;
        world.apply(Put{.bodies = {plate(mass, start)}});
        double highest = 0, fastest = 0;
        const BodyId id = [&] {
            EXPECT_TRUE(world.step().ok);
            return world.find_body("plate");
        }();
        for (int k = 0; k < 30; ++k) {
            ASSERT_TRUE(world.step().ok);
            highest = std::max(highest, world.pose(id).position.y);
            fastest = std::max(fastest, length(world.velocity(id)));
        }
        EXPECT_LT(highest, start + 1e-9) << mass;
        EXPECT_LT(fastest, 1.1 * std::sqrt(2 * kG * 0.03)) << mass << ": no faster than it falls";
        EXPECT_LT(length(world.velocity(id)), 0.02) << mass;
        EXPECT_GT(world.pose(id).position.y, 0.015) << mass << ": it lies on the bed, not in it";
        for (const Warning& w : world.warnings()) EXPECT_NE(w.kind, WarningKind::GrainSubstep) << describe(w);
    }
}

// Without gravity: grains, a free plate, and two boxes on a hinge that are hit.
TEST(FreeBodies, momentum_of_grains_and_bodies_stays) {
    for (const bool is_round : {true, false}) {
        Scene scene;
        scene.settings.gravity = {};
        scene.settings.dt = 1.0 / 240;
        scene.materials = {{.name = "default", .density = 2000, .friction = 0.5, .restitution = 0.5}};
        GrainsDesc grains;
        grains.name = "sand", grains.count = 27, grains.velocity = {0.3, -1, 0.2};
        if (is_round)
            grains.shape = SphereGrain{0.01};
        else
            grains.shape = EllipsoidGrain{{0.01, 0.009, 0.008}, 12, 0.1, 4};
        grains.place = BlockPlace{{-0.04, 0.03, -0.04}, {0.04, 0.3, 0.04}};
        scene.grains = {grains};
        scene.granular.modulus = 1e6;
        scene.bodies = {plate(0.05, 0.01, {0, 0.4, 0})};
        BodyDesc arm{.name = "arm", .shape = Box{{0.05, 0.02, 0.05}}, .position = {0.07, 0.01, 0}};
        arm.mass = 0.1;
        BodyDesc hand{.name = "hand", .shape = Box{{0.05, 0.02, 0.05}}, .position = {0.12, 0.01, 0}};
        hand.mass = 0.03;
        hand.velocity = {0, 0.5, 0};
        scene.bodies.push_back(arm);
        scene.bodies.push_back(hand);
        JointDesc hinge;
        hinge.name = "hinge", hinge.a = "arm", hinge.b = "hand",
        hinge.joint = HingeJoint{.anchor = {0.095, 0.01, 0}, .axis = {0, 0, 1}};
        scene.joints = {hinge};
        World world(scene);
        const Vec3 p = world.frame().linear_momentum, l = world.frame().angular_momentum;
        const double size = length(p);
        double pushed = 0;
        for (int k = 0; k < 40; ++k) {
            ASSERT_TRUE(world.step().ok);
            EXPECT_LT(length(world.frame().linear_momentum - p), 1e-10 * size) << k;
            EXPECT_LT(length(world.frame().angular_momentum - l), 1e-10 * size * 0.1) << k;
            pushed = std::max(pushed, std::abs(value(world, "grain_walls[0].force.y")));
            EXPECT_LT(world.frame().max_joint_error, 1e-6);
        }
        EXPECT_GT(pushed, 0.1);
        EXPECT_LT(world.velocity(world.find_body("plate")).y, 0.3) << "it was hit";
    }
}

// A pan on a spring of a slider: the spring is shortened by the weight of pan and grains, and its joint, as
// well as one that is stiff, reads it.
TEST(FreeBodies, a_scale_reads_the_weight) {
    for (const bool has_spring : {false, true}) {
        Scene scene = bed(30, true);
        scene.bodies.resize(1);
        Compound pan;
        pan.parts.push_back({{0, 0, 0}, {}, Box{{0.12, 0.01, 0.12}}});
        for (const double side : {-1.0, 1.0}) {
            pan.parts.push_back({{side * 0.055, 0.05, 0}, {}, Box{{0.01, 0.1, 0.12}}});
            pan.parts.push_back({{0, 0.05, side * 0.055}, {}, Box{{0.12, 0.1, 0.01}}});
        }
        BodyDesc body{.name = "pan", .shape = pan, .position = {0, 0.1, 0}};
        body.mass = 0.2;
        body.linear_damping = 8;
        scene.bodies.push_back(body);
        scene.grains[0].place = BlockPlace{{-0.045, 0.11, -0.045}, {0.045, 0.4, 0.045}};
        JointDesc joint;
        joint.name = "scale", joint.b = "pan";
        SliderJoint slider{.anchor = {0, 0.1, 0}, .axis = {0, 1, 0}};
        const double k = 400;
        slider.slide.stiffness = k;
        slider.slide.damping = 10;
        joint.joint = has_spring ? Joint(slider) : Joint(FixedJoint{.anchor = {0, 0.1, 0}});
        scene.joints = {joint};
        World world(scene);
        run_until(world, 1.2);
        const double sand = 30 * 2000 * 4.0 / 3 * 3.14159265358979 * 1e-6, weight = (sand + 0.2) * kG;
        double mean = 0;
        for (int step = 0; step < 20; ++step) {
            ASSERT_TRUE(world.step().ok);
            mean += world.frame().joints[0].force.y / 20;
        }
        if (has_spring) {
            EXPECT_NEAR(0.1 - world.pose(world.find_body("pan")).position.y, weight / k, 0.005 * weight / k);
        } else {
            EXPECT_NEAR(mean, weight, 0.005 * weight);
        }
    }
}

// The substep decides, not the step between frames.
TEST(FreeBodies, results_do_not_depend_on_the_step_of_the_world) {
    std::vector<double> heights, tops;
    for (const double dt : {1.0 / 60, 1.0 / 600}) {
        Scene scene = bed(30, true);
        scene.settings.dt = dt;
        scene.granular.substep = 1.0 / 6000;
        scene.granular.modulus = 1e6;
        scene.bodies.push_back(plate(0.03, 0.12, {0.05, -0.3, 0}));
        World world(scene);
        run_until(world, 0.3);
        heights.push_back(world.pose(world.find_body("plate")).position.y);
        tops.push_back(value(world, "grains.position.y.mean"));
    }
    EXPECT_NEAR(heights[0], heights[1], 0.01 * heights[1]);
    EXPECT_NEAR(tops[0], tops[1], 0.01 * tops[1]);
}

TEST(FreeBodies, have_the_same_bits_on_threads_and_from_checkpoints) {
    Scene scene = bed(30);
    scene.bodies.push_back(plate(0.01, 0.1));
    World one(scene, std::make_shared<Executor>(1)), four(scene, std::make_shared<Executor>(4));
    for (int k = 0; k < 20; ++k) {
        ASSERT_TRUE(one.step().ok);
        ASSERT_TRUE(four.step().ok);
        ASSERT_EQ(one.state_hash(), four.state_hash()) << k;
    }
    World other(scene);
    other.restore(one.checkpoint());
    one.drop_caches();
    for (int k = 0; k < 10; ++k) {
        ASSERT_TRUE(one.step().ok);
        ASSERT_TRUE(other.step().ok);
        ASSERT_EQ(one.state_hash(), other.state_hash()) << k;
    }
}

// A step that is given up midway leaves everything as it was.
TEST(FreeBodies, a_step_may_be_taken_back) {
    Scene scene = bed(20, true);
    scene.bodies.push_back(plate(0.01, 0.12));
    World world(scene), reference(scene);
    for (int k = 0; k < 15; ++k) {
        ASSERT_TRUE(world.step().ok);
        ASSERT_TRUE(reference.step().ok);
    }
    int asked = 0;
    world.interrupt_when([&] { return ++asked == 20; });
    EXPECT_TRUE(world.step().interrupted);
    EXPECT_EQ(world.state_hash(), reference.state_hash());
    ASSERT_TRUE(world.step().ok);
    ASSERT_TRUE(reference.step().ok);
    EXPECT_EQ(world.state_hash(), reference.state_hash());
}

}  // namespace
}  // namespace impuls
