// The velocity stepper on islands made by hand, without a world.
#include "steppers/velocity/step.h"

#include <gtest/gtest.h>

#include "hand_made.h"

namespace impuls {
namespace {

struct ByVelocities : HandMade {
    velocity::Scratch scratch{};

    explicit ByVelocities(const std::string& name = "erleben", double friction = 0.5) : HandMade(name) {
        material().friction = friction;
        add_ground();
    }
    void step() { step_by(velocity::fits, velocity::advance, scratch); }
};

TEST(VelocityStepper, is_refused_where_the_method_has_another) {
    for (const char* name : {"default", "accurate", "fast"}) {
        ByVelocities one(name);
        one.add(resting_box());
        one.prepare();
        one.gather_island();
        EXPECT_EQ(velocity::fits(one.view(), one.island), Refusal::NotSelected) << name;
    }
    ByVelocities one;
    EXPECT_EQ(velocity::fits(one.view(), one.island), Refusal::None);
}

// Ten sweeps from nothing are all there is: v is as small as they leave it, and what sinks is lifted again.
TEST(VelocityStepper, a_box_at_rest_stays_there) {
    ByVelocities one;
    one.add(resting_box());
    for (int k = 0; k < 120; ++k) {
        one.step();
        EXPECT_LE(length(one.bodies.v[1]), 1e-3 * kG * one.dt);
        EXPECT_NEAR(one.bodies.pose[1].position.y, 0.5, 1e-4);
        EXPECT_EQ(one.outcome.substeps, 1u);
        EXPECT_GE(one.outcome.iterations, 1u);
        EXPECT_EQ(one.outcome.retries, 0u);
    }
    EXPECT_NEAR(one.bodies.pose[1].position.x, 0, 1e-6);
}

// A depth of a hundredth is gone, and no velocity is left of it.
TEST(VelocityStepper, projection_lifts_a_box_out_of_the_ground) {
    ByVelocities one;
    one.gravity = {};
    BodyDesc box = resting_box();
    box.position.y = 0.49;
    one.add(box);
    for (int k = 0; k < 20; ++k) one.step();
    EXPECT_NEAR(one.bodies.pose[1].position.y, 0.5, 1e-6);
    EXPECT_EQ(one.bodies.v[1], Vec3{});
}

// v = v_0 - mu g t.
TEST(VelocityStepper, a_sliding_box_slows_down_as_coulomb_says) {
    ByVelocities one("erleben+iterations=200+warm_start=1", 0.3);
    one.add(resting_box({4, 0, 0}));
    for (int k = 1; k <= 60; ++k) {
        one.step();
        EXPECT_NEAR(one.bodies.v[1].x, 4 - 0.3 * kG * k * one.dt, 1e-3 * 0.3 * kG * k * one.dt) << k;
    }
}

// Layer by layer: three cubes stand as high as they were put.
TEST(VelocityStepper, a_stack_of_three_stands_with_shock_propagation) {
    ByVelocities one;
    for (int k = 0; k < 3; ++k) one.add(some_body(Box{{1, 1, 1}}, {0, 0.5 + k, 0}));
    for (int k = 0; k < 300; ++k) one.step();
    for (std::uint32_t k = 1; k <= 3; ++k) {
        EXPECT_NEAR(one.bodies.pose[k].position.y, k - 0.5, 1e-3) << k;
        EXPECT_LE(length(Vec3{one.bodies.pose[k].position.x, 0, one.bodies.pose[k].position.z}), 1e-3) << k;
        EXPECT_LE(length(one.bodies.v[k]), 1e-2 * kG * one.dt) << k;
    }
}

}  // namespace
}  // namespace impuls
