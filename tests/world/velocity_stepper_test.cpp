// The velocity stepper and sleeping keep the promises of every step: same bits on any number of threads, from
// a checkpoint, without caches and at any scale; no memory taken once warm.
#include <gtest/gtest.h>

#include "mixed_scene.h"
#include "running.h"
#include "support/counting_new.h"

namespace impuls {
namespace {

constexpr int kStepsOfRun = 150;

Scene scene_of(const std::string& method, double scale = 1) {
    Scene scene = mixed_scene(scale);
    scene.settings.method = parse_method(method);
    return scene;
}

class EveryStep : public testing::TestWithParam<const char*> {};

TEST_P(EveryStep, does_not_depend_on_threads_caches_or_checkpoints) {
    World one(scene_of(GetParam())), many(scene_of(GetParam()), std::make_shared<Executor>(3));
    for (int k = 0; k < kStepsOfRun; ++k) {
        ASSERT_TRUE(one.step().ok);
        many.drop_caches();
        many.step();
        ASSERT_EQ(one.state_hash(), many.state_hash()) << k;
    }
    World back(scene_of(GetParam()));
    back.restore(one.checkpoint());
    for (int k = 0; k < 20; ++k) {
        one.step(), back.step();
        ASSERT_EQ(one.state_hash(), back.state_hash()) << k;
    }
}

TEST_P(EveryStep, is_scale_free) {
    World unit(scene_of(GetParam())), scaled(scene_of(GetParam(), 128));
    for (int k = 0; k < kStepsOfRun; ++k) unit.step(), scaled.step();
    const Frame &f = scaled.frame(), &expected = unit.frame();
    for (std::size_t k = 0; k < f.positions.size(); ++k) {
        EXPECT_EQ(f.positions[k], expected.positions[k] * 128) << k;
        EXPECT_EQ(f.orientations[k], expected.orientations[k]);
        EXPECT_EQ(f.velocities[k], expected.velocities[k] * 128);
    }
}

INSTANTIATE_TEST_SUITE_P(Methods, EveryStep,
                         testing::Values("erleben", "erleben+shock=off+correction=stabilisation",
                                         "erleben+weight=0.5+substeps=2+warm_start=1", "default+sleep=on"));

TEST(Allocation, none_with_shock_propagation) {
    for (const char* method : {"erleben+sleep=off", "erleben"}) {
        Scene scene = damped_pile(32);
        scene.settings.method = parse_method(method);
        World world(scene);
        for (int k = 0; k < 300; ++k) ASSERT_TRUE(world.step().ok);
        const long before = allocations;
        for (int k = 0; k < 100; ++k) world.step();
        EXPECT_EQ(allocations - before, 0) << method;
    }
}

// Sleepers cost no narrow phase.
TEST(Sleep, costs_nothing) {
    Scene scene = damped_pile(32);
    scene.settings.method = parse_method("default+sleep=on");
    Running running(scene);
    running.step(300);
    const auto& asleep = running.s.bodies.is_asleep;
    ASSERT_EQ(std::count(asleep.begin(), asleep.end(), 1), 32);
    const auto hash = running.s.bodies.pose;
    const auto calls = running.s.pairs.cache.calls();
    running.step();
    EXPECT_EQ(running.s.pairs.cache.calls(), calls);
    EXPECT_EQ(running.s.output.stage_seconds[static_cast<int>(Stage::Solve)], 0);
    EXPECT_EQ(running.s.bodies.pose, hash);
    std::size_t contacts = 0;
    for_each_contact(running.s, [&](const ContactPoint&) { ++contacts; });
    EXPECT_GT(contacts, 100u);
}

}  // namespace
}  // namespace impuls
