// Worlds of every preset on 1, 2 and 4 threads have the same hash after every step. Under the thread
// sanitizer (the preset `thread`) the same steps must show no data race.
#include <gtest/gtest.h>

#include <memory>
#include <utility>
#include <vector>

#include "impuls/world.h"
#include "scenes.h"
#include "world/mixed_scene.h"

namespace impuls {
namespace {

using namespace thread_scenes;

constexpr const char* kPresets[] = {"default", "fast", "accurate", "erleben"};

// Commands by the step before which they are given.
using Orders = std::vector<std::pair<int, Command>>;

std::vector<std::uint64_t> hashes_of(const Scene& scene, int threads, int steps, const Orders& orders = {}) {
    World world(scene, std::make_shared<Executor>(threads));
    std::vector<std::uint64_t> hashes;
    for (int k = 0; k < steps; ++k) {
        for (const auto& [step, command] : orders)
            if (step == k) world.apply(command);
        const StepStatus status = world.step();
        EXPECT_TRUE(status.ok) << status.message;
        hashes.push_back(world.state_hash());
        if (k % 4 == 3) world.frame();
    }
    return hashes;
}

void expect_same_on_threads(const Scene& scene, int steps, const Orders& orders = {}) {
    const auto expected = hashes_of(scene, 1, steps, orders);
    EXPECT_NE(expected.front(), expected.back());
    for (const int threads : {2, 4}) EXPECT_EQ(hashes_of(scene, threads, steps, orders), expected) << threads;
}

// Contacts of all kinds, joints, and a timeline that adds, removes and pushes.
TEST(ThreadWorlds, mixed_scene_of_every_preset) {
    for (const char* preset : kPresets) {
        SCOPED_TRACE(preset);
        Scene scene = mixed_scene();
        scene.settings.method = parse_method(preset);
        for (TimedCommand& entry : scene.timeline) entry.time *= 0.2;
        expect_same_on_threads(scene, preset == std::string("accurate") ? 8 : 16);
    }
}

// One island: what divides it among threads are colours of contacts and of joints.
TEST(ThreadWorlds, large_pile) {
    expect_same_on_threads(pile("fast", 11), 2);
}

// Islands side by side, and bodies that fly alone.
TEST(ThreadWorlds, many_islands) {
    for (const char* preset : kPresets) {
        SCOPED_TRACE(preset);
        const bool is_slow = preset == std::string("accurate");
        expect_same_on_threads(yard(preset, is_slow ? 8 : 24), is_slow ? 3 : 6);
    }
}

// The grid has chunks of a thousand boxes, sweep and prune one of each axis.
TEST(ThreadWorlds, broad_phases) {
    for (const auto kind : {BroadPhaseKind::Grid, BroadPhaseKind::SweepAndPrune}) {
        Scene scene = pile("fast", kind == BroadPhaseKind::Grid ? 11 : 5);
        for (BodyDesc& b : scene.bodies) b.position.x *= 1.5;
        scene.joints.clear();
        scene.settings.broad_phase = kind;
        expect_same_on_threads(scene, 2);
    }
}

// Towers come to rest, fall asleep and are set aside; a command wakes some of them.
TEST(ThreadWorlds, sleep_and_waking) {
    for (const char* method : {"default+sleep=on", "fast+sleep=on", "erleben"}) {
        SCOPED_TRACE(method);
        Scene scene = on_floor(method);
        for (int k = 0; k < 300; ++k)
            scene.bodies.push_back(body("b" + std::to_string(k), Box{{1, 1, 1}},
                                        {1.2 * (k % 20), 0.5 + k / 20 % 2, 1.2 * (k / 40)}));
        scene.bodies.push_back(body("ball", Sphere{0.4}, {3, 9, 0}));
        SetBody shot{"ball"};
        shot.position = Vec3{-1.5, 0.5, 1.2};
        shot.velocity = Vec3{4, 0, 0};
        const int steps = 60;
        const auto expected = hashes_of(scene, 1, steps, {{45, shot}});
        for (const int threads : {2, 4}) {
            World world(scene, std::make_shared<Executor>(threads));
            for (int k = 0; k < steps; ++k) {
                if (k == 45) world.apply(shot);
                ASSERT_TRUE(world.step().ok);
                ASSERT_EQ(world.state_hash(), expected[static_cast<std::size_t>(k)]) << threads << " " << k;
                if (k == 44) {
                    EXPECT_TRUE(world.is_asleep(world.find_body("b299")));
                }
            }
        }
    }
}

}  // namespace
}  // namespace impuls
