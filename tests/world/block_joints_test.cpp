// Joints in islands advanced by blocks (steppers/blocks/joints.cpp): closed forms, and the promises of every
// step.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "block_scenes.h"
#include "impuls/scene_file.h"
#include "support/constants.h"
#include "support/places.h"
#include "support/slow_build.h"

namespace impuls {
namespace {

JointDesc held(const std::string& name, const std::string& a, const std::string& b, const Joint& joint) {
    JointDesc desc;
    desc.name = name, desc.a = a, desc.b = b, desc.joint = joint;
    return desc;
}

Vec3 force_on(World& world, const char* body) {
    const Frame& frame = world.frame();
    Vec3 sum;
    for (const Contact& c : frame.contacts) {
        if (frame.structure->bodies[c.b].name == body) sum += c.force;
        if (frame.structure->bodies[c.a].name == body) sum -= c.force;
    }
    return sum;
}

// Rods of a chain that lie and hang about on the ground and on a block.
Scene heap_of_chains(double scale, int chains, double height = 1.2, double pitch = 0.35) {
    Scene scene = ground_scene(0.5, 0);
    scene.settings.gravity = scene.settings.gravity * scale;
    for (int c = 0; c < chains; ++c)
        for (int k = 0; k < 6; ++k) {
            const std::string name = "r" + std::to_string(c) + "_" + std::to_string(k);
            BodyDesc b = cube(name, Vec3{0.5 * k + 0.1 * c, height + pitch * c, 0.07 * c} * scale);
            b.shape = Box{Vec3{0.44, 0.2, 0.2} * scale};
            scene.bodies.push_back(b);
            if (k == 0) continue;
            const std::string before = "r" + std::to_string(c) + "_" + std::to_string(k - 1);
            const Vec3 at = Vec3{0.5 * k - 0.25 + 0.1 * c, height + pitch * c, 0.07 * c} * scale;
            if (k % 2) {
                scene.joints.push_back(held("j" + name, before, name, BallJoint{at}));
            } else {
                HingeJoint hinge{at, {0, 0, 1}};
                hinge.turn.lower = -0.6, hinge.turn.upper = 0.6;
                scene.joints.push_back(held("j" + name, before, name, hinge));
            }
        }
    return scene;
}

TEST(BlockJoints, chains_come_to_rest_closed_and_the_ground_bears_them) {
    World world(heap_of_chains(1, 4));
    double widest = 0;
    for (int k = 0; k < 600; ++k) {
        ASSERT_TRUE(world.step().ok);
        widest = std::max(widest, world.frame().max_joint_error);
    }
    EXPECT_LT(widest, 2e-3);
    EXPECT_LT(world.frame().max_joint_error, 1e-5);
    EXPECT_NEAR(force_on(world, "ground").y, -24 * kG, 1e-3 * 24 * kG);
    EXPECT_LT(world.frame().energy.kinetic, 1e-3);
}

// They lie on each other from the start, so that no chain is left to the impulse stepper: its sweeps end when
// changes in m/s and rad/s are small alike, which is not the same at every scale.
TEST(BlockJoints, have_the_same_bits_at_any_scale) {
    const int steps = kSlowBuild ? 60 : 200;
    for (const double scale : {128.0, 1.0 / 128}) {
        World one(heap_of_chains(1, 6, 0.1, 0.2)), other(heap_of_chains(scale, 6, 0.1, 0.2));
        settle(one, steps), settle(other, steps);
        for (std::size_t k = 0; k < one.frame().positions.size(); ++k)
            EXPECT_EQ(other.frame().positions[k], one.frame().positions[k] * scale) << k;
    }
}

TEST(BlockJoints, have_the_same_bits_on_threads_and_from_checkpoints) {
    const int steps = kSlowBuild ? 60 : 200;
    World one(heap_of_chains(1, 8)), many(heap_of_chains(1, 8), std::make_shared<Executor>(3));
    settle(one, steps), settle(many, steps);
    EXPECT_EQ(one.state_hash(), many.state_hash());
    World back(heap_of_chains(1, 8));
    back.restore(one.checkpoint());
    settle(one, 20), settle(back, 20);
    EXPECT_EQ(one.state_hash(), back.state_hash());
}

// A motor with a largest force pushes a cube against a wall: that is the force of their contact.
TEST(BlockJoints, a_motor_pushes_with_its_largest_force) {
    Scene scene = ground_scene(0, 0);
    BodyDesc wall = cube("wall", {2.01, 0.6, 0});
    wall.kind = BodyKind::Static;
    scene.bodies.push_back(wall), scene.bodies.push_back(cube("piston", {1, 0.6, 0}));
    SliderJoint slider{{1, 0.6, 0}, {1, 0, 0}};
    slider.slide.speed = 0.5, slider.slide.max_force = 30;
    scene.joints.push_back(held("push", "", "piston", slider));
    World world(scene);
    settle(world, 120);
    EXPECT_NEAR(force_on(world, "wall").x, 30, 1e-3 * 30);
    EXPECT_NEAR(world.frame().axes.at(0).force, 30, 1e-3 * 30);
    EXPECT_NEAR(world.pose(world.find_body("piston")).position.y, 0.6, 1e-5);
    // Its rail bears the weight.
    EXPECT_NEAR(world.frame().joints.at(0).force.y, kG, 1e-3 * kG);
}

// A spring bears a cube and what lies on it: x = (m_1 + m_2) g/k; let go, they swing with the frequency of
// both.
TEST(BlockJoints, a_spring_bears_and_swings) {
    Scene scene = ground_scene(0.5, 0);
    scene.bodies.push_back(cube("lower", {0, 3, 0}, 2)), scene.bodies.push_back(cube("upper", {0, 4, 0}));
    SliderJoint slider{{0, 3, 0}, {0, 1, 0}};
    slider.slide.stiffness = 600;
    scene.joints.push_back(held("spring", "", "lower", slider));
    World world(scene);
    const double sag = 3 * kG / 600, period = 2 * kPi / std::sqrt(600.0 / 3);
    double lowest = 3, at = 0;
    for (int k = 0; world.time() < period; ++k) {
        settle(world, 1);
        const double y = world.pose(world.find_body("lower")).position.y;
        if (y < lowest) lowest = y, at = world.time();
    }
    EXPECT_NEAR(at, period / 2, 1.0 / 60);
    EXPECT_NEAR(3 - lowest, 2 * sag, 0.05 * sag);
    Scene damped = scene;
    std::get<SliderJoint>(damped.joints[0].joint).slide.damping = 40;
    World still(damped);
    settle(still, 300);
    EXPECT_NEAR(3 - still.pose(still.find_body("lower")).position.y, sag, 1e-4 * sag);
    EXPECT_NEAR(force_on(still, "upper").y, kG, 1e-4 * kG);
}

// An arm at its limit bears a cube: the torque about the hinge is that of both weights.
TEST(BlockJoints, a_limit_bears_what_lies_on_the_arm) {
    Scene scene = ground_scene(0.5, 0);
    BodyDesc arm = cube("arm", {1, 3, 0}, 2);
    arm.shape = Box{{2, 0.2, 1}};
    scene.bodies.push_back(arm), scene.bodies.push_back(cube("load", {1.4, 3.6, 0}, 3));
    HingeJoint hinge{{0, 3, 0}, {0, 0, 1}};
    hinge.turn.lower = 0;
    scene.joints.push_back(held("hinge", "", "arm", hinge));
    World world(scene);
    settle(world, 240);
    EXPECT_NEAR(world.frame().axes.at(0).position, 0, 5e-4);  // a spring, like a contact
    EXPECT_NEAR(world.frame().axes.at(0).force, (2 * 1 + 3 * 1.4) * kG, 2e-3 * (2 * 1 + 3 * 1.4) * kG);
}

// A wheel driven at a given speed carries its cart along: v = w r.
TEST(BlockJoints, driven_wheels_roll_a_cart) {
    Scene scene = ground_scene(0.8, 0);
    BodyDesc cart = cube("cart", {0, 0.9, 0}, 10);
    cart.shape = Box{{2, 0.3, 0.6}};
    scene.bodies.push_back(cart);
    for (int k = 0; k < 4; ++k) {
        const std::string name = "wheel" + std::to_string(k);
        const Vec3 at{k % 2 ? 0.8 : -0.8, 0.4, k < 2 ? 0.5 : -0.5};
        BodyDesc wheel = cube(name, at);
        wheel.shape = Sphere{0.4};
        scene.bodies.push_back(wheel);
        HingeJoint axle{at, {0, 0, -1}};
        axle.turn.speed = 5, axle.turn.max_force = 20;
        scene.joints.push_back(held("axle" + std::to_string(k), "cart", name, axle));
    }
    World world(scene);
    settle(world, 300);
    EXPECT_NEAR(world.velocity(world.find_body("cart")).x, 2, 1e-3 * 2);
    EXPECT_LT(world.frame().max_joint_error, 1e-5);
    // Turns are counted; the impulse stepper begins in the same way, while front wheels slip.
    Scene same = scene;
    same.settings.method = parse_method("default");
    World oracle(same);
    settle(oracle, 300);
    EXPECT_NEAR(world.frame().axes.at(0).position, oracle.frame().axes.at(0).position, 0.02);
}

// Limbs are pressed by more than lies on them: levers and whole figures act through joints. Still no more
// than one contact in a hundred is deeper than a hundredth of an arm's thickness, and joints stay closed.
TEST(BlockJoints, figures_in_a_heap_neither_sink_into_each_other_nor_come_apart) {
    const Overrides size{{"variables.n", kSlowBuild ? "1" : "2"}};
    Scene scene = expand(load_scene(in_project("scenes/bench/ragdolls.json"), size));
    scene.settings.method = parse_method("fast");
    World world(scene);
    double worst = 0;
    for (int k = 0; k < 300; ++k) {
        ASSERT_TRUE(world.step().ok);
        worst = std::max(worst, world.frame().max_joint_error);
    }
    EXPECT_LT(worst, 1e-3);
    std::vector<double> depths;
    for (const Contact& c : world.frame().contacts) depths.push_back(c.depth);
    ASSERT_GT(depths.size(), 50u);
    std::sort(depths.begin(), depths.end());
    EXPECT_LT(depths[depths.size() * 99 / 100], 1e-3);
}

}  // namespace
}  // namespace impuls
