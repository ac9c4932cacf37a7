// The block stepper (steppers/blocks/step.h) on islands made by hand, without a world: closed forms, each
// reason to refuse, and that a refused island is as it was.
#include "steppers/account.h"
#include "steppers/blocks/step.h"

#include <gtest/gtest.h>

#include <cmath>

#include "hand_made.h"

namespace impuls {
namespace {

constexpr double kDt = 1.0 / 60;

// On the ground.
struct OneIsland : HandMade {
    blocks::Scratch scratch{};

    explicit OneIsland(double friction = 0.5) : HandMade("fast") {
        material().friction = friction;
        add_ground();
    }
    void hold(std::uint32_t body, const Joint& joint) { HandMade::hold(kNoBody, body, joint); }
    void without_pairs() {
        groups.pairs.clear();
        groups.pair_start = {0, 0};
    }
    Refusal advance() {
        gather_island();
        const WorldView v = view();
        const Refusal refusal = blocks::fits(v, island);
        return refusal != Refusal::None ? refusal : blocks::advance(v, island, scratch, results, outcome);
    }
    void step() { step_by(blocks::fits, blocks::advance, scratch); }
};

TEST(BlockStepper, a_box_at_rest_is_borne_by_its_weight) {
    OneIsland one;
    one.add(resting_box());
    for (int k = 0; k < 120; ++k) one.step();
    EXPECT_NEAR(one.impulse().y, 2 * kG * kDt, 1e-4 * 2 * kG * kDt);
    EXPECT_LT(length(one.bodies.v[1]), 1e-5);
    EXPECT_NEAR(one.bodies.pose[1].position.y, 0.5, 2e-3);
    EXPECT_GE(one.outcome.substeps, 4u);
    EXPECT_EQ(one.outcome.iterations, 2 * one.outcome.substeps);
    EXPECT_TRUE(std::isnan(one.outcome.residual));
}

// v = v_0 - mu g t, and friction gives mu m g dt in a step.
TEST(BlockStepper, a_sliding_box_slows_down_as_coulomb_says) {
    OneIsland one(0.3);
    one.add(resting_box({4, 0, 0}));
    for (int k = 0; k < 60; ++k) one.step();
    EXPECT_NEAR(one.bodies.v[1].x, 4 - 0.3 * kG, 2e-3);
    EXPECT_NEAR(one.impulse().x, -0.3 * 2 * kG * kDt, 1e-3 * 2 * kG * kDt);
}

// A pendulum of a ball on a lever, away from the ground: m g l (1 - cos) falls as kinetic energy, and the
// joint bears m (g + v^2/l) at the lowest point.
TEST(BlockStepper, a_pendulum_gains_no_energy_and_pulls_at_its_joint) {
    OneIsland one;
    one.add(some_body(Sphere{0.1}, {1, 2, 0}));
    one.hold(1, BallJoint{{0, 2, 0}});
    const double energy = 2 * kG * 2;
    double lowest = 2, pull = 0;
    for (int k = 0; k < 60; ++k) {
        one.step();
        const Vec3& at = one.bodies.pose[1].position;
        EXPECT_NEAR(length(at - Vec3{0, 2, 0}), 1, 1e-4);
        if (at.y < lowest) {
            lowest = at.y;
            pull = length(one.joints.reaction[0].force);
        }
        const double now = kinetic_energy(one.bodies, 1) + 2 * kG * at.y;
        EXPECT_LT(now, 1.001 * energy) << k;
        EXPECT_GT(now, 0.97 * energy) << k;
    }
    EXPECT_NEAR(lowest, 1, 0.01);
    EXPECT_NEAR(pull, 3 * 2 * kG, 0.03 * 3 * 2 * kG);
}

TEST(BlockStepper, says_before_a_step_what_it_does_not_take) {
    const auto fits = [](auto&& change, bool has_pairs = true) {
        OneIsland one;
        one.add(resting_box());
        change(one);
        one.prepare();
        if (!has_pairs) one.without_pairs();
        return one.advance();
    };
    const auto method = [](const char* text) {
        return [text](OneIsland& one) { one.method = resolve(parse_method(text)); };
    };
    const auto joint = [](const Joint& held) { return [held](OneIsland& one) { one.hold(1, held); }; };
    EXPECT_EQ(fits(method("fast")), Refusal::None);
    EXPECT_EQ(fits(method("accurate")), Refusal::NotSelected);
    EXPECT_EQ(fits(method("erleben")), Refusal::NotSelected);
    EXPECT_EQ(fits(method("default")), Refusal::TooSmall);
    EXPECT_EQ(fits(method("default+blocks_from=1")), Refusal::None);
    EXPECT_EQ(fits(method("fast+friction=pyramid")), Refusal::FrictionModel);
    EXPECT_EQ(fits([](OneIsland& one) {
                  one.method = resolve(parse_method("default+blocks_from=1"));
                  one.hold(1, BallJoint{{0, 1, 0}});
              }),
              Refusal::HasJoints);
    EXPECT_EQ(fits(joint(BallJoint{{0, 1, 0}}), false), Refusal::HasNoPairs);
    EXPECT_EQ(fits(joint(BallJoint{{0, 1, 0}})), Refusal::None);
    HingeJoint bouncing{{0, 1, 0}, {0, 0, 1}};
    bouncing.turn.upper = 0.5;
    bouncing.turn.restitution = 0.5;
    EXPECT_EQ(fits(joint(bouncing)), Refusal::JointLaw);
    EXPECT_EQ(fits([](OneIsland& one) { one.structure.materials[0].rolling_friction = 0.01; }),
              Refusal::ContactLaw);
}

// All that an island and its results have, but for times.
void expect_untouched(OneIsland& one, Refusal expected) {
    one.prepare();
    one.gather_island();
    const WorldView v = one.view();
    Island& island = one.island;
    for (IslandPair& pair : island.pairs) pair.margin = 0.125;
    one.results.contacts.add(7, ContactPoint{});
    const Island before = island;
    EXPECT_EQ(blocks::fits(v, island), Refusal::None);
    EXPECT_EQ(blocks::advance(v, island, one.scratch, one.results, one.outcome), expected);
    expect_same(island, before);
    EXPECT_EQ(one.results.contacts.pair, std::vector<std::uint32_t>{7});
    EXPECT_EQ(one.results.contacts.point.size(), 1u);
    EXPECT_EQ(one.outcome.substeps + one.outcome.iterations + one.outcome.retries, 0u);
}

TEST(BlockStepper, leaves_fast_bodies_among_few_as_they_are) {
    OneIsland one;
    one.add(some_body(Sphere{0.05}, {0, 0.1, 0}, {1000, 0, 0}));
    expect_untouched(one, Refusal::TooFast);
}

// Finer division has more passes for the same motion: 30 m/s are half of a box's size in a step.
TEST(BlockStepper, leaves_what_moves_fast_at_any_fineness) {
    for (const char* name : {"fast", "default+blocks_from=1"}) {
        OneIsland slow, quick;
        for (OneIsland* one : {&slow, &quick}) one->method = resolve(parse_method(name));
        quick.add(resting_box({300, 0, 0}));
        expect_untouched(quick, Refusal::TooFast);
        slow.add(resting_box({30, 0, 0}));
        slow.prepare();
        slow.gather_island();
        EXPECT_EQ(blocks::advance(slow.view(), slow.island, slow.scratch, slow.results, slow.outcome),
                  Refusal::None)
            << name;
    }
}

void advance_one(OneIsland& one) {
    one.prepare();
    one.gather_island();
    ASSERT_EQ(blocks::fits(one.view(), one.island), Refusal::None);
    ASSERT_EQ(blocks::advance(one.view(), one.island, one.scratch, one.results, one.outcome), Refusal::None);
}

// Not by velocities of gap / h, which would be energy.
TEST(BlockStepper, draws_torn_joints_together_by_displacements_alone) {
    OneIsland one;
    one.gravity = {};
    one.add(resting_box());
    one.hold(1, HingeJoint{{0, 0.5, 0}, {0, 0, 1}});
    one.bodies.pose[1].position.x += 0.1;
    advance_one(one);
    EXPECT_LT(one.island.nodes[0].pose.position.x, 0.1);
    EXPECT_GE(one.island.nodes[0].pose.position.x, 0);
    EXPECT_LT(length(one.island.nodes[0].v), 1e-6);
    EXPECT_LT(length(one.island.nodes[0].w), 1e-6);
}

// A ball on a short lever rotates by two and a half radians: in more passes, of a tenth of that and less, the
// joint stays closed, and what turns about it keeps its energy.
TEST(BlockStepper, keeps_joints_closed_that_turn_fast) {
    OneIsland one;
    one.gravity = {};
    BodyDesc ball = some_body(Sphere{0.5}, {0.2, 0.6, 0});
    ball.angular_velocity = {0, 0, 150};
    ball.velocity = {0, 30, 0};
    one.add(ball);
    one.hold(1, BallJoint{{0, 0.6, 0}});
    advance_one(one);
    EXPECT_NEAR(length(one.island.nodes[0].pose.position - Vec3{0, 0.6, 0}), 0.2, 1e-5);
    const auto energy = [](const Vec3& v, const Vec3& w) {  // twice that of a unit mass
        return length_squared(v) + 0.4 * 0.25 * length_squared(w);
    };
    const double before = energy(ball.velocity, ball.angular_velocity),
                 after = energy(one.island.nodes[0].v, one.island.nodes[0].w);
    EXPECT_LE(after, before * (1 + EnergyAccount::kGain));
    EXPECT_GE(after, 0.75 * before);  // (2 kAhead - 1) theta^2 of it a pass goes, with 16 of them a sixth
}

}  // namespace
}  // namespace impuls
