// The run loop: how far it goes, what it samples, how it stops, and the statistics it reports.
#include "impuls/run.h"

#include <gtest/gtest.h>

#include <numeric>

#include "impuls/scene_file.h"
#include "run/step_times.h"
#include "run/watch.h"

namespace impuls {
namespace {

// A ball of 2 kg thrown up at 3 m/s; a second one appears after 0.105 s and goes after 0.305 s.
Scene thrown_ball() {
    return parse_scene(R"({"impuls": 1, "settings": {"dt": 0.01, "duration": 0.5, "gravity": [0, -10, 0]},
        "bodies": [{"name": "a", "mass": 2, "shape": {"type": "sphere", "radius": 0.1}, "velocity": [0, 3, 0]}],
        "timeline": [
            {"time": 0.105, "type": "add_body", "body": {"name": "b", "mass": 1, "position": [5, 0, 0],
                                                         "shape": {"type": "sphere", "radius": 0.1}}},
            {"time": 0.305, "type": "remove_body", "body": "b"}],
        "measure": [{"quantity": "bodies.a.position.y", "every": 5},
                    {"quantity": "bodies.b.velocity", "name": "second"}]})");
}

TEST(Run, ReachesTheDurationAndGoesOn) {
    World world(thrown_ball());
    EXPECT_EQ(steps_to_end(world), 50);
    RunOptions options;
    options.steps = 20;
    EXPECT_EQ(run(world, options).steps, 20);
    EXPECT_EQ(steps_to_end(world), 30);
    const RunSummary rest = run(world);
    EXPECT_EQ(rest.steps, 30);
    EXPECT_NEAR(rest.time, 0.5, 1e-12);
    EXPECT_EQ(run(world).steps, 0);
}

TEST(Run, SamplesAgreeWithTheThrow) {
    World world(thrown_ball());
    const RunSummary summary = run(world);
    ASSERT_EQ(summary.samples.size(), 4u);
    const RunSummary::Series& height = summary.samples[0];
    EXPECT_EQ(height.name, "bodies.a.position.y");
    EXPECT_EQ(height.unit, "m");
    ASSERT_EQ(height.times.size(), 11u);
    for (std::size_t k = 0; k < height.times.size(); ++k) {
        const double t = 0.05 * static_cast<double>(k);
        EXPECT_NEAR(height.times[k], t, 1e-12);
        EXPECT_NEAR(height.values[k], 3 * t - 5 * t * t, 1e-12);
    }
    EXPECT_NEAR(summary.linear_momentum.y, 2 * (3 - 10 * 0.5), 1e-12);
}

// Added at the start of the step that begins at 0.11 s, seen after it; removed by the step that begins at
// 0.31 s.
TEST(Run, ThingsAreSampledWhileTheyExist) {
    World world(thrown_ball());
    const RunSummary summary = run(world);
    const RunSummary::Series& falling = summary.samples[2];
    EXPECT_EQ(falling.name, "second.y");
    ASSERT_EQ(falling.times.size(), 20u);
    EXPECT_NEAR(falling.times.front(), 0.12, 1e-12);
    EXPECT_NEAR(falling.times.back(), 0.31, 1e-12);
    EXPECT_NEAR(falling.values.back(), -10 * 0.2, 1e-12);
}

TEST(Run, ProgressStopsIt) {
    World world(thrown_ball());
    RunOptions options;
    options.progress = [](const World& w) { return w.steps() < 7; };
    const RunSummary summary = run(world, options);
    EXPECT_TRUE(summary.interrupted);
    EXPECT_TRUE(summary.status.ok);
    EXPECT_EQ(summary.steps, 7);
    EXPECT_EQ(world.steps(), 7);
    EXPECT_NEAR(summary.linear_momentum.y, 2 * (3 - 10 * 0.07), 1e-12);
}

TEST(Run, MethodTextReadsBack) {
    Scene scene = thrown_ball();
    scene.settings.method = parse_method("accurate+substeps=3");
    World world(scene);
    const Method back = resolve(parse_method(run(world).method));
    EXPECT_EQ(back.preset, "accurate");
    EXPECT_EQ(back.rows().substeps, 3);
    EXPECT_EQ(back.integrator, world.method().integrator);
    EXPECT_EQ(back.rows().iterations, world.method().rows().iterations);
}

// A cube of 0.2 m at rest in the zero of the potential: E0 = 0 and no kinetic energy, so a change of energy
// is measured by m g times the size of the body. An impulse p gives p^2 / 2m, which is then itself the scale.
TEST(Run, DriftOfAThingAtRest) {
    const char* const text =
        R"({"impuls": 1, "settings": {"dt": 0.01, "duration": 0.02, "gravity": [0, -10, 0]},
        "bodies": [{"name": "a", "mass": 4, "gravity_scale": %s, "shape": {"type": "box", "size": [0.2, 0.1, 0.1]}}],
        "timeline": [{"time": 0, "type": "apply_impulse", "body": "a", "impulse": [0.4, 0, 0]}]})";
    const auto drift = [&](const std::string& gravity_scale) {
        std::string scene = text;
        scene.replace(scene.find("%s"), 2, gravity_scale);
        World world(parse_scene(scene));
        return run(world).energy.max_drift_rel;
    };
    EXPECT_NEAR(drift("1"), 0.02 / (4 * 10 * 0.2), 1e-12);
    EXPECT_NEAR(drift("0"), 1, 1e-12);
}

TEST(StepTimes, QuantilesOfAll) {
    StepTimes times;
    for (int k = 1; k <= 1000; ++k) times.add(1e-3 * k);
    EXPECT_NEAR(times.mean_ms(), 500.5, 1e-9);
    EXPECT_NEAR(times.quantile_ms(0.5), 500, 1e-9);
    EXPECT_NEAR(times.quantile_ms(0.99), 990, 1e-9);
    EXPECT_EQ(StepTimes().quantile_ms(0.5), 0);
}

// More steps than are kept: the mean is exact, quantiles are those of evenly spread steps.
TEST(StepTimes, QuantilesOfMany) {
    StepTimes times;
    constexpr int kCount = 3'000'000;
    for (int k = 0; k < kCount; ++k) times.add(k / double{kCount});
    EXPECT_NEAR(times.mean_ms(), 500, 0.01);
    EXPECT_NEAR(times.quantile_ms(0.5), 500, 0.1);
    EXPECT_NEAR(times.quantile_ms(0.99), 990, 0.1);
}

}  // namespace
}  // namespace impuls
