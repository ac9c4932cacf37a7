// The force stepper (steppers/force/step.h) on islands made by hand, without a world: closed forms, and that
// a refused island is as it was.
#include "steppers/force/step.h"

#include <gtest/gtest.h>

#include <cmath>

#include "hand_made.h"

namespace impuls {
namespace {

struct ByForces : HandMade {
    force_level::Scratch scratch{};

    explicit ByForces(double restitution = 0) : HandMade("aero") { material().restitution = restitution; }
    void step() { step_by(force_level::fits, force_level::advance, scratch); }
};

TEST(ForceStepper, a_ball_falls_as_galilei_says) {
    ByForces one;
    one.add_ground();
    one.add(some_body(Sphere{0.25}, {0, 5, 0}, {1, 2, 3}));
    for (int k = 1; k <= 30; ++k) {
        one.step();
        const double t = k * one.dt;
        const Vec3 x = one.bodies.pose[1].position;
        EXPECT_NEAR(x.x, t, 1e-10);
        EXPECT_NEAR(x.y, 5 + 2 * t - kG * t * t / 2, 1e-10);
        EXPECT_NEAR(x.z, 3 * t, 1e-10);
        EXPECT_NEAR(one.bodies.v[1].y, 2 - kG * t, 1e-10);
    }
}

// The impact is located on the curve: after it y = r + e v t - g t^2 / 2 with the time since then.
TEST(ForceStepper, a_ball_bounces_at_the_moment_of_its_impact) {
    const double e = 0.7, fall = std::sqrt(2 / kG), rebound = e * kG * fall;
    ByForces one(e);
    one.add_ground();
    one.add(some_body(Sphere{0.25}, {0, 1.25, 0}));
    for (int k = 1; k * one.dt < fall + 0.5 * rebound / kG; ++k) {
        one.step();
        const double t = k * one.dt - fall;
        if (t < 0) continue;
        EXPECT_NEAR(one.bodies.pose[1].position.y, 0.25 + rebound * t - kG * t * t / 2, 1e-7);
        EXPECT_NEAR(one.bodies.v[1].y, rebound - kG * t, 1e-7);
    }
}

// A rod on a hinge keeps I w^2 / 2 + m g y, and the hinge stays where it is.
TEST(ForceStepper, a_rod_on_a_hinge_keeps_its_energy) {
    ByForces one;
    BodyDesc rod = some_body(Box{{1, 0.1, 0.1}}, {0.5, 0, 0});
    rod.collides = false;
    one.hold(kNoBody, one.add(rod), HingeJoint{{}, {0, 0, 1}});
    const double inertia = 2 * (1 + 0.01) / 12 + 2 * 0.25;  // about the hinge, of 2 kg
    for (int k = 0; k < 60; ++k) {
        one.step();
        const Pose& pose = one.bodies.pose[0];
        const double w = one.bodies.w[0].z;
        EXPECT_NEAR(inertia * w * w / 2, -2 * kG * pose.position.y, 1e-5 * kG);
        EXPECT_LE(length(pose.position - rotate(pose.orientation, {0.5, 0, 0})), 1e-10);
    }
}

TEST(ForceStepper, says_what_it_does_not_take) {
    ByForces rolling;
    rolling.material().rolling_friction = 0.01;
    rolling.add_ground();
    rolling.add(resting_box());
    rolling.prepare();
    rolling.gather_island();
    EXPECT_EQ(force_level::fits(rolling.view(), rolling.island), Refusal::ContactLaw);

    ByForces other;
    other.method = resolve(parse_method("default"));
    other.add_ground();
    other.add(resting_box());
    other.prepare();
    other.gather_island();
    EXPECT_EQ(force_level::fits(other.view(), other.island), Refusal::NotSelected);
}

// A joint that is torn open is for others.
TEST(ForceStepper, leaves_what_it_refuses_as_it_was) {
    ByForces one;
    BodyDesc rod = some_body(Box{{1, 0.1, 0.1}}, {0.5, 0.2, 0});
    rod.collides = false;
    one.hold(kNoBody, one.add(rod), HingeJoint{{0.2, 0, 0}, {0, 0, 1}});
    one.bodies.pose[0].position.x += 0.3;  // torn open
    one.prepare();
    one.gather_island();
    const Island was = one.island;
    ASSERT_EQ(force_level::fits(one.view(), one.island), Refusal::None);
    EXPECT_EQ(force_level::advance(one.view(), one.island, one.scratch, one.results, one.outcome),
              Refusal::JointsOpen);
    expect_same(one.island, was);
}

}  // namespace
}  // namespace impuls
