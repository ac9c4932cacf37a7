// Who advanced an island, and why others did not (impuls/outcome.h): in frames, and summed up over a run.
#include "impuls/outcome.h"

#include <gtest/gtest.h>

#include <cmath>

#include "impuls/run.h"
#include "impuls/scene_file.h"
#include "impuls/world.h"
#include "mixed_scene.h"
#include "run/watch.h"

namespace impuls {
namespace {

constexpr const char* kPendulumBody = R"(
    {"name": "bob", "shape": {"type": "sphere", "radius": 0.1}, "position": [1, 5, 0]})";
constexpr const char* kPendulumJoint =
    R"({"name": "pivot", "type": "ball", "b": "bob", "anchor": [0, 5, 0]})";
constexpr const char* kBoxOnPlane = R"(
    {"name": "floor", "kind": "static", "shape": {"type": "plane"}},
    {"name": "box", "shape": {"type": "box", "size": [1, 1, 1]}, "position": [0, 0.5, 0]})";

Scene scene_of(const std::string& method, const std::string& bodies, const std::string& joints = "") {
    return parse_scene(R"({"impuls": 1, "settings": {"dt": 0.01, "method": ")" + method +
                           R"("}, "bodies": [)" + bodies + R"(], "joints": [)" + joints + "]}",
                       "");
}

// Residuals that were not measured are NaN, which differs from itself.
void expect_same(const std::vector<Outcome>& a, const std::vector<Outcome>& b) {
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t k = 0; k < a.size(); ++k) {
        Outcome x = a[k], y = b[k];
        EXPECT_EQ(std::isnan(x.residual), std::isnan(y.residual)) << "island " << k;
        if (std::isnan(x.residual)) x.residual = y.residual = 0;
        EXPECT_EQ(x, y) << "island " << k;
    }
}

// The outcome of the only island after a few steps.
Outcome only_outcome(const Scene& scene) {
    World world(scene);
    for (int k = 0; k < 3; ++k) EXPECT_TRUE(world.step().ok);
    expect_same(world.frame().outcomes, world.outcomes());
    EXPECT_EQ(world.outcomes().size(), 1u);
    return world.outcomes().empty() ? Outcome{} : world.outcomes().front();
}

Refusal refusal_of(const Outcome& outcome, IslandStepper stepper) {
    return outcome.refused[static_cast<std::size_t>(stepper)];
}

TEST(Outcomes, a_pendulum_is_articulated) {
    const Outcome o = only_outcome(scene_of("default", kPendulumBody, kPendulumJoint));
    EXPECT_EQ(o.stepper, IslandStepper::Articulated);
    EXPECT_EQ(o.first_body, 0u);
    EXPECT_EQ(o.bodies, 1u);
    for (const Refusal refusal : o.refused) EXPECT_EQ(refusal, Refusal::None);
    EXPECT_GT(o.substeps, 0u);
    EXPECT_GT(o.iterations, 0u);
    EXPECT_EQ(o.energy_removed, 0);
}

TEST(Outcomes, a_box_on_a_plane_goes_by_impulses) {
    const Outcome o = only_outcome(scene_of("default", kBoxOnPlane));
    EXPECT_EQ(o.stepper, IslandStepper::Impulse);
    EXPECT_EQ(o.first_body, 1u);
    EXPECT_EQ(o.bodies, 1u);
    EXPECT_EQ(refusal_of(o, IslandStepper::Articulated), Refusal::HasNoJoints);
    EXPECT_EQ(refusal_of(o, IslandStepper::Blocks), Refusal::TooSmall);
    EXPECT_EQ(refusal_of(o, IslandStepper::Velocity), Refusal::NotSelected);
    EXPECT_EQ(refusal_of(o, IslandStepper::Impulse), Refusal::None);
    EXPECT_GT(o.substeps, 0u);
    EXPECT_GT(o.iterations, 0u);
    EXPECT_GE(o.residual, 0);
    EXPECT_LT(o.residual, 1e-3);  // of 0.098 m/s that gravity gives in a step
}

TEST(Outcomes, fast_goes_by_blocks) {
    const Outcome o = only_outcome(scene_of("fast", kBoxOnPlane));
    EXPECT_EQ(o.stepper, IslandStepper::Blocks);
    EXPECT_EQ(refusal_of(o, IslandStepper::Velocity), Refusal::None) << "not asked";
    EXPECT_GT(o.substeps, 0u);
    EXPECT_GE(o.iterations, o.substeps);
}

TEST(Outcomes, erleben_goes_by_velocities) {
    const Outcome o = only_outcome(scene_of("erleben", kBoxOnPlane));
    EXPECT_EQ(o.stepper, IslandStepper::Velocity);
    EXPECT_EQ(refusal_of(o, IslandStepper::Blocks), Refusal::NotSelected);
    EXPECT_GT(o.substeps, 0u);
    EXPECT_GT(o.iterations, 0u);
}

// The bob lies on a floor, so the island has pairs; and joints alone are not for blocks.
TEST(Outcomes, refusals_say_why) {
    const std::string low = R"({"name": "floor", "kind": "static", "shape": {"type": "plane"}},
        {"name": "bob", "shape": {"type": "sphere", "radius": 0.1}, "position": [1, 0.1, 0]})";
    const std::string joint = R"({"name": "pivot", "type": "ball", "b": "bob", "anchor": [0, 0.1, 0]})";
    const Outcome touching = only_outcome(scene_of("default", low, joint));
    EXPECT_EQ(touching.stepper, IslandStepper::Impulse);
    EXPECT_EQ(refusal_of(touching, IslandStepper::Articulated), Refusal::HasPairs);

    const Outcome plain = only_outcome(scene_of("default+articulated=off", kPendulumBody, kPendulumJoint));
    EXPECT_EQ(plain.stepper, IslandStepper::Impulse);
    EXPECT_EQ(refusal_of(plain, IslandStepper::Articulated), Refusal::NotSelected);

    const Outcome in_lanes = only_outcome(scene_of("fast+articulated=off", kPendulumBody, kPendulumJoint));
    EXPECT_EQ(in_lanes.stepper, IslandStepper::Impulse);
    EXPECT_EQ(refusal_of(in_lanes, IslandStepper::Blocks), Refusal::HasNoPairs);
}

TEST(Outcomes, none_of_free_bodies_nor_while_a_world_sleeps) {
    World flying(scene_of("default", kPendulumBody));
    flying.step();
    EXPECT_TRUE(flying.outcomes().empty());

    World resting(scene_of("default+sleep=on", kBoxOnPlane));
    resting.step();
    EXPECT_EQ(resting.outcomes().size(), 1u);
    for (int k = 0; k < 1000 && !resting.is_asleep(resting.find_body("box")); ++k) resting.step();
    ASSERT_TRUE(resting.is_asleep(resting.find_body("box")));
    for (int k = 0; k < 3; ++k) {
        resting.step();
        EXPECT_TRUE(resting.outcomes().empty());
        EXPECT_TRUE(resting.frame().outcomes.empty());
    }
}

TEST(Outcomes, none_of_a_restored_world) {
    World world(scene_of("default", kBoxOnPlane));
    const auto start = world.checkpoint();
    world.step();
    EXPECT_FALSE(world.outcomes().empty());
    world.restore(start);
    EXPECT_TRUE(world.outcomes().empty());
    EXPECT_TRUE(world.frame().outcomes.empty());
}

TEST(Outcomes, do_not_depend_on_threads) {
    World one(mixed_scene(), std::make_shared<Executor>(1));
    World three(mixed_scene(), std::make_shared<Executor>(3));
    for (int step = 0; step < 60; ++step) {
        SCOPED_TRACE(step);
        one.step();
        three.step();
        expect_same(one.outcomes(), three.outcomes());
        for (const Outcome& o : one.outcomes()) EXPECT_GT(o.substeps, 0u);
    }
}

// ---- over a run

Outcome made_up(IslandStepper stepper, std::uint32_t substeps, double residual, double removed) {
    Outcome o;
    o.first_body = 1, o.bodies = 3, o.stepper = stepper;
    o.substeps = substeps, o.iterations = 10 * substeps, o.retries = 1;
    o.residual = residual, o.energy_removed = removed;
    o.refused[0] = Refusal::HasPairs;
    return o;
}

TEST(RunOutcomes, sums_and_maxima) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    RunOutcomes sums;
    EXPECT_TRUE(std::isnan(sums.total().residual_max));
    sums.add({made_up(IslandStepper::Impulse, 4, 0.25, 0), made_up(IslandStepper::Blocks, 7, nan, 0)});
    sums.add({made_up(IslandStepper::Impulse, 2, nan, 0.5), made_up(IslandStepper::Impulse, 3, 0.125, 0.25)});
    const StepperTotals& impulse = sums.steppers[static_cast<std::size_t>(IslandStepper::Impulse)];
    EXPECT_EQ(impulse.island_steps, 3);
    EXPECT_EQ(impulse.bodies, 9);
    EXPECT_EQ(impulse.substeps, 9);
    EXPECT_EQ(impulse.substeps_max, 4u);
    EXPECT_EQ(impulse.iterations, 90);
    EXPECT_EQ(impulse.retries, 3);
    EXPECT_EQ(impulse.residual_max, 0.25);
    EXPECT_EQ(impulse.energy_removed, 0.75);
    const StepperTotals& blocks = sums.steppers[static_cast<std::size_t>(IslandStepper::Blocks)];
    EXPECT_EQ(blocks.island_steps, 1);
    EXPECT_TRUE(std::isnan(blocks.residual_max));
    EXPECT_EQ(sums.steppers[0].refused[static_cast<std::size_t>(Refusal::HasPairs)], 4);
    EXPECT_EQ(sums.steppers[0].refused[static_cast<std::size_t>(Refusal::None)], 0);
    EXPECT_EQ(sums.total().island_steps, 4);
    EXPECT_EQ(sums.total().substeps_max, 7u);
    EXPECT_EQ(sums.total().residual_max, 0.25);
}

TEST(RunOutcomes, of_a_run_count_every_step) {
    World world(scene_of("default", kPendulumBody, kPendulumJoint));
    RunOptions options;
    options.steps = 25;
    const RunSummary summary = run(world, options);
    const StepperTotals& articulated =
        summary.outcomes.steppers[static_cast<std::size_t>(IslandStepper::Articulated)];
    EXPECT_EQ(articulated.island_steps, 25);
    EXPECT_EQ(summary.outcomes.total().island_steps, 25);
    EXPECT_GE(articulated.substeps, 25);
    EXPECT_TRUE(summary.warnings.empty());
}

}  // namespace
}  // namespace impuls
