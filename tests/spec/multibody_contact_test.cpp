// Contacts of Bender's text (2014, 3.4; claims T24 to T28): a blow through touching balls, restitution, no
// pulling, static and dynamic friction, rest.
#include <gtest/gtest.h>

#include <cmath>

#include "impuls/frame.h"
#include "impuls/scene_file.h"
#include "physics/contact_scenes.h"
#include "spec/joint_world.h"
#include "support/places.h"

namespace impuls {
namespace {

Scene open(const char* file, const Overrides& overrides = {}) {
    return load_scene(in_project(std::string("scenes/") + file), overrides);
}

Scene stone_floor(double dt, double friction, double static_friction, double restitution) {
    MaterialDesc stone;
    stone.friction = friction, stone.static_friction = static_friction, stone.restitution = restitution;
    Scene scene = scene_of(stone, true);
    scene.settings.dt = dt;
    return scene;
}

// As many balls leave as come, with their speed; the others have less than 1 % of it.
TEST(SpecMultibody, T24_newtons_cradle) {
    for (const int raised : {1, 2}) {
        World world(open("examples/newtons-cradle.json", {{"variables.raised", std::to_string(raised)}}));
        double fastest[5] = {};  // to the right
        const auto velocity = [&](int k) { return velocity_of(world, "balls[" + std::to_string(k) + "]").x; };
        while (world.time() < 0.6 - 1e-9) {
            step(world);
            for (int k = 0; k < 5; ++k) fastest[k] = std::max(fastest[k], velocity(k));
        }
        // A point on a string of 1 m, let go at 30 degrees.
        const double exact = std::sqrt(2 * kG * (1 - std::cos(kPi / 6)));
        EXPECT_NEAR(fastest[0], exact, 0.01 * exact) << raised;
        for (int k = 5 - raised; k < 5; ++k)
            EXPECT_NEAR(fastest[k], fastest[0], 0.01 * exact) << raised << " " << k;
        for (int k = 0; k < 5 - raised; ++k)
            EXPECT_LT(std::abs(velocity(k)), 0.01 * exact) << raised << " " << k;
    }
}

// A ball that falls 1 m rises again by e^2 of that: from its energy after the impact.
TEST(SpecMultibody, T25_restitution) {
    for (const double e : {0.0, 0.5, 1.0}) {
        Scene scene = stone_floor(0.005, 0, 0, e);
        scene.bodies.push_back(body_of("ball", Sphere{.radius = 0.1}, {0, 1.1, 0}));
        World world(scene);
        const BodyId ball = world.find_body("ball");
        while (world.velocity(ball).y > -4) step(world);
        while (world.velocity(ball).y < -1e-9) step(world);
        step(world, 5);
        const double v = world.velocity(ball).y;
        EXPECT_NEAR(world.pose(ball).position.y - 0.1 + v * v / (2 * kG), e * e, 0.01) << e;
    }
}

// The impulse that a contact accumulates in a solve is never negative, for any solver, after any sweep:
// AllSolvers.accumulated_impulses_of_contacts_never_pull. Here, what of it a frame tells: the force of every
// contact point, in every step of every preset, pushes. It is a sum over substeps whose normals and tangents
// turn a little, so 1e-9 of the largest force in the frame is allowed for.
TEST(SpecMultibody, T26_contacts_never_pull) {
    const auto watch = [](const char* file, double time) {
        for (const char* method : {"default", "fast", "erleben", "accurate"}) {
            if (method == std::string("accurate") && !is_long()) continue;
            Scene scene = open(file);
            scene.settings.method = parse_method(method);
            World world(scene);
            std::size_t seen = 0;
            double worst = 0;
            while (world.time() < (is_long() ? 4 : 1) * time - 1e-9) {
                step(world);
                const Frame& now = world.frame();
                double largest = 0;
                for (const Contact& contact : now.contacts)
                    largest = std::max(largest, length(contact.force));
                for (const Contact& contact : now.contacts) {
                    ++seen;
                    if (largest > 0) worst = std::min(worst, dot(contact.force, contact.normal) / largest);
                }
            }
            EXPECT_GT(seen, 10u) << file << " " << method;
            EXPECT_GE(worst, -1e-9) << file << " " << method;
        }
    };
    watch("seeds/vehicle-wall.json", 0.02);
    watch("examples/box-stack.json", 0.2);
    watch("examples/bouncing-balls.json", 0.8);
    watch("seeds/ragdoll-pile.json", 0.25);
    watch("examples/newtons-cradle.json", 0.6);
    watch("examples/dominoes.json", 0.2);
}

// A block on a slope of so many degrees: how far it slips in 2 s, and how it accelerates in the second one.
struct Slide {
    double slip, acceleration;
};
Slide slide_at(double degrees) {
    Scene scene = stone_floor(0.005, 0.4, 0.5, 0);
    const double t = degrees * kPi / 180;
    const Quat tilt = from_axis_angle({0, 0, 1}, -t);
    BodyDesc block = body_of("block", Box{{0.4, 0.2, 0.4}}, rotate(tilt, {0, 0.1, 0}));
    scene.bodies[0].orientation = block.orientation = tilt;
    scene.bodies.push_back(block);
    World world(scene);
    const BodyId id = world.find_body("block");
    const Vec3 down = rotate(tilt, {1, 0, 0});
    step(world, 200);
    const double v = dot(world.velocity(id), down);
    step(world, 200);
    return {length(world.pose(id).position - block.position), dot(world.velocity(id), down) - v};
}

TEST(SpecMultibody, T27_static_and_dynamic_friction) {
    EXPECT_LT(slide_at(26).slip, 1e-5);
    for (const double degrees : {27.0, 30.0, 40.0}) {
        const double t = degrees * kPi / 180, exact = kG * (std::sin(t) - 0.4 * std::cos(t));
        EXPECT_NEAR(slide_at(degrees).acceleration, exact, 1e-3 * exact) << degrees;
    }
}

// Boxes of 1 m that lie on the floor, alone and joined by ball and hinge, for long: not deeper than 1e-4 of
// their size, not faster than g h, and where they are after half of the time.
TEST(SpecMultibody, T28_rest_is_rest) {
    for (const bool is_joined : {false, true}) {
        Scene scene = stone_floor(0.005, 0.5, 0.5, 0);
        for (int k = 0; k < 3; ++k)
            scene.bodies.push_back(body_of("box" + std::to_string(k), Box{{1, 1, 1}}, {1.2 * k, 0.5, 0}));
        if (is_joined) {
            JointDesc ball, hinge;
            ball.a = "box0", ball.b = "box1", ball.joint = BallJoint{{0.6, 0.5, 0}};
            hinge.a = "box1", hinge.b = "box2", hinge.joint = HingeJoint{{1.8, 0.5, 0}, {0, 0, 1}};
            scene.joints = {ball, hinge};
        }
        World world(scene);
        const int steps = is_long() ? 100000 : 2000;
        std::vector<Vec3> half;
        for (int k = 0; k < steps; ++k) {
            step(world);
            const Frame& now = world.frame();
            if (k == steps / 2) half = now.positions;
            ASSERT_LE(now.max_penetration, 1e-4) << k;
            for (std::size_t body = 1; body < now.bodies.size(); ++body) {
                ASSERT_LE(length(now.velocities[body]), kG * world.dt()) << k;
                if (k > steps / 2) {
                    ASSERT_LT(length(now.positions[body] - half[body]), 1e-7) << k;
                }
            }
        }
    }
}

}  // namespace
}  // namespace impuls
