// What several threads do at once by design: worlds with one executor, questions to one world, a recording
// that is written while the world runs and commands arrive.
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "impuls/collision.h"
#include "impuls/run.h"
#include "impuls/world.h"
#include "scenes.h"
#include "world/mixed_scene.h"

namespace impuls {
namespace {

using namespace thread_scenes;

constexpr int kSteps = 5;

std::uint64_t hash_after(World& world, int steps) {
    for (int k = 0; k < steps; ++k) EXPECT_TRUE(world.step().ok);
    return world.state_hash();
}

TEST(ThreadSharing, worlds_on_threads_of_their_own_with_one_executor) {
    const std::array<Scene, 3> scenes{mixed_scene(), yard("fast", 12), yard("erleben", 12)};
    const auto executor = std::make_shared<Executor>(2);
    std::array<std::uint64_t, 3> seen{};
    std::vector<std::thread> callers;
    for (std::size_t k = 0; k < scenes.size(); ++k)
        callers.emplace_back([&, k] {
            World world(scenes[k], executor);
            seen[k] = hash_after(world, kSteps);
        });
    for (std::thread& caller : callers) caller.join();
    for (std::size_t k = 0; k < scenes.size(); ++k) {
        World alone(scenes[k]);
        EXPECT_EQ(hash_after(alone, kSteps), seen[k]) << k;
    }
}

// After every step the first to ask makes the index; answers are those of the world on one thread.
TEST(ThreadSharing, queries_of_several_threads) {
    const Scene scene = yard("fast", 40);
    World world(scene, std::make_shared<Executor>(3)), alone(scene);
    std::vector<RayQuery> rays(100);
    std::vector<Vec3> points(100);
    for (std::size_t k = 0; k < rays.size(); ++k) {
        rays[k] = {{-3, 0.1 * static_cast<double>(k), 3}, {1, -0.1, 0.01 * static_cast<double>(k)}};
        points[k] = {0.1 * static_cast<double>(k), 0.5, 0};
    }
    for (int step = 0; step < 3; ++step) {
        world.step();
        alone.step();
        std::array<std::vector<std::optional<BodyHit>>, 4> hits;
        std::array<std::vector<std::vector<BodyId>>, 4> held;
        std::vector<std::thread> callers;
        for (std::size_t c = 0; c < hits.size(); ++c)
            callers.emplace_back([&, c] {
                hits[c].resize(rays.size());
                held[c].resize(points.size());
                world.rays(rays, hits[c]);
                world.at_point(points, held[c]);
                world.closest(Vec3{1, 2, 3}, 10);
            });
        for (std::thread& caller : callers) caller.join();
        int count = 0;
        for (std::size_t k = 0; k < rays.size(); ++k) {
            const auto expected = alone.ray(rays[k]);
            std::vector<BodyId> there;
            alone.at_point(points[k], there);
            count += expected.has_value();
            for (std::size_t c = 0; c < hits.size(); ++c) {
                ASSERT_EQ(hits[c][k].has_value(), expected.has_value()) << k;
                if (expected) {
                    ASSERT_EQ(hits[c][k]->point, expected->point) << k;
                }
                ASSERT_EQ(held[c][k], there) << k;
            }
        }
        EXPECT_GT(count, 10);
    }
}

// The first to ask after a change makes it; all get the same.
TEST(ThreadSharing, structure_for_several_threads) {
    World world(yard("fast", 12), std::make_shared<Executor>(1));
    for (const double height : {20.0, 21.0}) {
        const BodyDesc added = body("added" + std::to_string(height), Sphere{0.1}, {0, height, 0});
        world.apply(Put{.bodies = {added}});
        world.step();
        const World& seen = world;
        std::array<std::shared_ptr<const Scene>, 4> structures;
        std::vector<std::thread> callers;
        for (auto& structure : structures) callers.emplace_back([&] { structure = seen.structure(); });
        for (std::thread& caller : callers) caller.join();
        for (const auto& structure : structures) EXPECT_EQ(structure, structures[0]);
        ASSERT_EQ(structures[0]->bodies.size(), world.body_count());
        EXPECT_EQ(structures[0]->bodies.back().name, added.name);
    }
}

TEST(ThreadSharing, contacts_of_placed_solids) {
    CollisionScene scene;
    const Solid box{Box{{1, 1, 1}}};
    for (int k = 0; k < 300; ++k) scene.add(box, Pose{{0.9 * k, 0, 0}, {}});
    for (const int threads : {1, 4}) {
        Executor executor(threads);
        scene.update(executor);
        EXPECT_EQ(scene.contacts({}, executor).size(), 299u) << threads;
    }
}

// The recorder's own thread commits twice a second: steps are slowed down until it has.
TEST(ThreadSharing, recording_while_running) {
    const std::string file = testing::TempDir() + "thread_" + std::to_string(getpid()) + ".impuls";
    Scene scene = yard("fast", 8);
    World plain(scene, std::make_shared<Executor>(1)), recorded(scene, std::make_shared<Executor>(2));
    const ApplyImpulse push{"upper3", {5, 0, 0}, {}, {}};
    constexpr int kRecorded = 24;
    {
        Recorder recorder(file, scene, {.checkpoint_every = 10}, true);
        const auto pause = [&](const World& world) {
            if (world.steps() == 12) {
                recorded.apply(push);
                recorder.add_command(12, push);
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(30));
            return true;
        };
        run(recorded, {.steps = kRecorded, .recorder = &recorder, .progress = pause});
        recorder.close();
    }
    for (int k = 0; k < kRecorded; ++k) {
        if (k == 12) plain.apply(push);
        plain.step();
    }
    EXPECT_EQ(recorded.state_hash(), plain.state_hash());
    {
        const Recording recording(file);
        ASSERT_EQ(recording.hashes().size(), kRecorded + 1u);
        EXPECT_EQ(recording.hashes().back().second, plain.state_hash());
        EXPECT_EQ(recording.commands().size(), 1u);
    }
    std::remove(file.c_str());
}

}  // namespace
}  // namespace impuls
