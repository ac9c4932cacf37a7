// The velocity stepper: open gaps, order of errors, and their correction (Erleben 2005, 4.5 and 4.12).
#include <gtest/gtest.h>

#include <cmath>

#include "solvers/sequential.h"
#include "stacks.h"

namespace impuls {
namespace {

const std::string kPlainHundred = "erleben+sleep=off+shock=off+iterations=100";

TEST(SpecConstraints, T7_a_gap_closes_exactly) {
    Scene scene = stone_floor(kPlainHundred, 0);
    scene.settings.gravity = {};
    scene.bodies.push_back(some_body("ball", Sphere{0.5}, {0, 0.55, 0}));
    scene.bodies.back().velocity = {0, -10, 0};
    World world(scene);
    world.step();
    EXPECT_NEAR(world.pose(world.find_body("ball")).position.y, 0.5, 1e-9);
    world.step();
    EXPECT_NEAR(world.pose(world.find_body("ball")).position.y, 0.5, 1e-9);
    EXPECT_NEAR(world.velocity(world.find_body("ball")).y, 0, 1e-9);

    // Without the term nu the same row stops the ball in the air.
    Problem problem;
    problem.nodes.inv_mass = {0, 1};
    problem.nodes.inv_inertia = {diagonal({}), diagonal({})};
    problem.nodes.v = {{}, {0, -10, 0}}, problem.nodes.w = {{}, {}};
    problem.contacts.add(0, 1, {0, 1, 0}, {}, {0, -0.5, 0});
    SequentialSolver().solve(problem, {});
    EXPECT_EQ(0.05 + 0.01 * problem.nodes.v[1].y, 0.05);
}

// A point kept inside a circle of radius 1 by rows v_n >= 0, for one step: how far it is outside then.
double leaves_circle_by(double h) {
    Problem problem;
    problem.nodes.inv_mass = {0, 1};
    problem.nodes.inv_inertia = {diagonal({}), diagonal({})};
    problem.nodes.v = {{}, {1, -1, 0}}, problem.nodes.w = {{}, {}};
    problem.contacts.add(0, 1, {0, 1, 0}, {}, {});  // at the bottom, (0, -1, 0)
    SequentialSolver().solve(problem, {});
    return length(Vec3{0, -1, 0} + problem.nodes.v[1] * h) - 1;
}

double joint_error_after_a_step(double dt) {
    Scene scene;
    scene.settings.dt = dt;
    scene.settings.gravity = {};
    scene.settings.method = parse_method(kPlainHundred + "+correction=none");
    BodyDesc bob;
    bob.name = "bob", bob.shape = Sphere{0.1}, bob.position = {0, -1, 0}, bob.velocity = {2, 0, 0};
    bob.angular_velocity = {0, 0, 2};
    scene.bodies.push_back(bob);
    JointDesc joint;
    joint.name = "pivot", joint.b = "bob", joint.joint = BallJoint{{0, 0, 0}};
    scene.joints.push_back(joint);
    World world(scene);
    world.step();
    return world.frame().max_joint_error;
}

// A plate that falls onto a fixed ball, slides over it and turns down onto it meanwhile: how deep one step
// brings them into each other. Seen from the plate, the ball goes along the inside of a bowl.
double depth_after_a_step(double dt) {
    Scene scene = stone_floor(kPlainHundred + "+correction=none", 0, 0);
    scene.settings.dt = dt;
    scene.settings.gravity = {};
    scene.bodies.push_back(some_body("peg", Sphere{0.25}, {0, 5, 0}, BodyKind::Static));
    scene.bodies.push_back(some_body("plate", Box{{4, 0.2, 4}}, {1, 5.35, 0}));
    scene.bodies.back().velocity = {2, -1, 0};
    scene.bodies.back().angular_velocity = {0, 0, 3};
    World world(scene);
    world.step();
    return world.frame().max_penetration;
}

TEST(SpecConstraints, T8_errors_of_a_step_are_of_second_order) {
    EXPECT_NEAR(leaves_circle_by(0.01) / leaves_circle_by(0.005), 4, 0.4);
    EXPECT_GT(depth_after_a_step(0.01), 1e-5);
    EXPECT_NEAR(depth_after_a_step(0.01) / depth_after_a_step(0.005), 4, 0.4);
    EXPECT_GT(leaves_circle_by(0.01), 0);
    EXPECT_NEAR(joint_error_after_a_step(0.01) / joint_error_after_a_step(0.005), 4, 0.4);
}

// A box that rests 0.01 m deep in the floor.
Scene sunk_box(const std::string& method) {
    Scene scene = stone_floor(method, 0);
    scene.bodies.push_back(some_body("box", Box{{1, 1, 1}}, {0, 0.49, 0}));
    return scene;
}

TEST(SpecConstraints, T9_stabilisation_makes_velocity_projection_does_not) {
    World sprung(sunk_box(kPlainHundred + "+correction=stabilisation+erp=0.8"));
    sprung.step();
    EXPECT_NEAR(sprung.velocity(sprung.find_body("box")).y, 0.8, 0.01);

    World placed(sunk_box(kPlainHundred + "+correction_iterations=100"));
    const double before = placed.frame().energy.potential;
    for (int k = 0; k < 3; ++k) {
        placed.step();
        EXPECT_NEAR(length(placed.velocity(placed.find_body("box"))), 0, 1e-9);
    }
    EXPECT_LT(placed.frame().max_penetration, 1e-4);
    // Up by the depth, which geometry asks for, and by no more.
    EXPECT_LE(placed.frame().energy.potential - before, 10 * 9.81 * 0.01 * (1 + 1e-9));

    World left(sunk_box(kPlainHundred + "+correction=none"));
    for (int k = 0; k < 100; ++k) left.step();
    EXPECT_NEAR(left.frame().max_penetration, 0.01, 1e-6);
}

// A projection does not lift what overlaps sideways.
TEST(SpecConstraints, T9_projection_across_gravity_keeps_potential_energy) {
    Scene scene = stone_floor(kPlainHundred, 0);
    scene.bodies.push_back(some_body("left", Box{{1, 1, 1}}, {0, 0.5, 0}));
    scene.bodies.push_back(some_body("right", Box{{1, 1, 1}}, {0.98, 0.5, 0}));
    World world(scene);
    const double before = world.frame().energy.potential;
    for (int k = 0; k < 5; ++k) world.step();
    EXPECT_LT(world.frame().max_penetration, 1e-6);
    EXPECT_NEAR(world.frame().energy.potential, before, 1e-9 * before);
    EXPECT_LT(world.frame().energy.kinetic, 1e-9);
}

// A rod that tips over the edge of a fixed box and slides back meanwhile.
double deepest(double dt, const std::string& correction) {
    Scene scene = stone_floor(kPlainHundred + "+correction=" + correction, 0, 0);
    scene.settings.dt = dt;
    scene.bodies.push_back(some_body("block", Box{{2, 2, 2}}, {-1, 4, 0}, BodyKind::Static));
    scene.bodies.push_back(some_body("rod", Box{{2, 0.1, 0.1}}, {0.3, 5.05, 0}));
    scene.bodies.back().velocity = {-1, 0, 0};
    World world(scene);
    double depth = 0;
    while (world.time() < 0.6) {
        EXPECT_TRUE(world.step().ok);
        depth = std::max(depth, world.frame().max_penetration);
    }
    return depth;
}

TEST(SpecConstraints, T25_penetration_that_cannot_be_avoided) {
    const double coarse = deepest(0.01, "none"), fine = deepest(0.005, "none"),
                 finest = deepest(0.0025, "none");
    EXPECT_GT(coarse, 0);
    EXPECT_LT(fine, 0.55 * coarse);
    EXPECT_LT(finest, 0.55 * fine);
    EXPECT_LT(deepest(0.01, "projection"), 1e-6);
}

}  // namespace
}  // namespace impuls
