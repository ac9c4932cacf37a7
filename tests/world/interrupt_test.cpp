// Steps that are given up: the state is that before the step, bit for bit, wherever they were interrupted,
// and what follows is what would have come without.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <random>
#include <thread>

#include "impuls/run.h"
#include "impuls/scene_file.h"
#include "impuls/world.h"
#include "support/full_size.h"
#include "support/places.h"

namespace impuls {
namespace {

// Answers true from the n-th question on; before that it is a world like any other.
class Countdown {
  public:
    void begin(std::int64_t questions) { left_ = questions; }
    void never() { left_ = std::int64_t{1} << 60; }
    bool ask() { return --left_ < 0; }

  private:
    std::atomic<std::int64_t> left_ = std::int64_t{1} << 60;
};

Scene example(const std::string& name, const std::string& method) {
    Scene scene = load_scene(in_project("scenes/examples/" + name + ".json"));
    scene.settings.method = parse_method(method);
    return scene;
}

// Every step is tried and given up at ever later questions until it gets through.
void expect_the_same_with_interruptions(const Scene& scene, int steps, int threads) {
    World plain(scene), interrupted(scene, std::make_shared<Executor>(threads));
    Countdown countdown;
    interrupted.interrupt_when([&] { return countdown.ask(); });
    std::mt19937 random(7);
    int given_up = 0, late = 0;
    std::size_t islands = 0;
    for (int k = 0; k < steps; ++k) {
        const std::uint64_t before = interrupted.state_hash();
        const auto checkpoint = interrupted.checkpoint();
        std::int64_t questions = random() % 4;
        for (;; questions = 2 * questions + 1 + random() % 3) {
            countdown.begin(questions);
            const StepStatus status = interrupted.step();
            if (status.ok) break;
            ASSERT_TRUE(status.interrupted);
            ++given_up;
            late += questions > 2;  // within an island: before it, a step asks three times
            ASSERT_EQ(interrupted.steps(), k);
            ASSERT_EQ(interrupted.state_hash(), before) << "step " << k << ", question " << questions;
            ASSERT_EQ(interrupted.checkpoint(), checkpoint) << "step " << k << ", question " << questions;
        }
        ASSERT_TRUE(plain.step().ok);
        ASSERT_EQ(interrupted.state_hash(), plain.state_hash()) << "step " << k;
        islands += plain.outcomes().size();
    }
    EXPECT_GT(given_up, steps / 4);  // few steps ask at all while nothing is near anything
    EXPECT_TRUE(late > 0 || islands == 0) << "some of them well inside the step";
    EXPECT_EQ(interrupted.warnings(), plain.warnings());
}

TEST(Interrupt, StateIsThatBeforeTheStepInEveryPreset) {
    for (const Method& preset : method_presets())
        for (const char* name : {"ragdoll-arm", "box-stack", "washer-drum", "hand"}) {
            SCOPED_TRACE(preset.preset + " " + name);
            const int steps = preset.is<ForceMethod>() ? amount(1, 10) : amount(12, 100);  // dear
            if (steps == 0) continue;                                                      // in slow builds
            expect_the_same_with_interruptions(example(name, preset.preset), steps, 1);
        }
}

TEST(Interrupt, WithThreadsSleepersAndTriggers) {
    for (const char* name : {"at-rest", "light-barrier", "dominoes", "wrecking-ball"}) {
        SCOPED_TRACE(name);
        expect_the_same_with_interruptions(example(name, "default+sleep=on"), amount(40, 300), 2);
    }
}

// Commands of the timeline and of others are still to come after a step that was given up.
TEST(Interrupt, CommandsAreStillPending) {
    Scene scene = example("timeline", "default");
    World plain(scene), interrupted(scene);
    Countdown countdown;
    interrupted.interrupt_when([&] { return countdown.ask(); });
    BodyDesc more;
    more.name = "more", more.shape = Sphere{0.1}, more.position = {0, 9, 0};
    for (int k = 0; k < 200; ++k) {
        if (k == 20)
            for (World* world : {&plain, &interrupted}) {
                world->apply(Put{.bodies = {more}});
                world->apply(ApplyImpulse{"more", {1, 0, 0}, {}, {}});
                world->apply(SetSettings{.gravity = Vec3{0, -5, 0}});
            }
        const std::uint64_t before = interrupted.state_hash();
        const std::size_t bodies = interrupted.body_count();
        for (const std::int64_t questions : {0, 1}) {
            countdown.begin(questions);
            if (interrupted.step().ok) FAIL() << "a step asks more often than that";
            ASSERT_EQ(interrupted.state_hash(), before) << k;
            ASSERT_EQ(interrupted.body_count(), bodies);
        }
        if (k == 20) {
            EXPECT_THROW(interrupted.apply(Remove{.bodies = {"mor"}}), InputError);
            EXPECT_EQ(interrupted.pending_commands(), 3u) << "they are still pending";
        }
        countdown.never();
        ASSERT_TRUE(interrupted.step().ok);
        ASSERT_TRUE(plain.step().ok);
        ASSERT_EQ(interrupted.state_hash(), plain.state_hash()) << k;
    }
    EXPECT_TRUE(interrupted.find_body("more"));
}

// A step of far more than a second, by the clock.
TEST(Interrupt, LongStepEndsWithinASecond) {
    Scene scene = load_scene(in_project("scenes/examples/pyramid.json"));
    scene.settings.method = parse_method("default+substeps=10000+blocks_from=0");
    World world(scene);
    std::atomic<bool> is_wanted = false;
    world.interrupt_when([&] { return is_wanted.load(); });
    std::chrono::steady_clock::time_point asked;
    std::thread other([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(500));
        asked = std::chrono::steady_clock::now();
        is_wanted = true;
    });
    const StepStatus status = world.step();
    const auto now = std::chrono::steady_clock::now();
    other.join();
    EXPECT_TRUE(status.interrupted) << status.message;
    EXPECT_FALSE(status.ok);
    EXPECT_LT(std::chrono::duration<double>(now - asked).count(), 1);
    EXPECT_EQ(world.state_hash(), World(scene).state_hash());
}

TEST(Interrupt, RunEndsWithTheStepBefore) {
    const Scene scene = example("box-stack", "default");
    World world(scene);
    Countdown countdown;
    world.interrupt_when([&] { return countdown.ask(); });
    RunOptions options;
    options.steps = 20;
    options.progress = [&](const World& w) {
        if (w.steps() == 7) countdown.begin(10);  // inside the eighth
        return true;
    };
    const RunSummary summary = run(world, options);
    EXPECT_TRUE(summary.interrupted);
    EXPECT_TRUE(summary.status.ok);
    EXPECT_EQ(summary.steps, 7);
    World same(scene);
    for (int k = 0; k < 7; ++k) same.step();
    EXPECT_EQ(summary.state_hash, same.state_hash());
}

}  // namespace
}  // namespace impuls
