// Same scene, same method: same bits, whatever runs around it.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include "impuls/run.h"
#include "impuls/scene_file.h"
#include "impuls/world.h"
#include "mixed_scene.h"
#include "support/places.h"

namespace impuls {
namespace {

constexpr int kSteps = 200;

std::vector<std::uint64_t> hashes(World& world, int steps = kSteps) {
    std::vector<std::uint64_t> list;
    for (int k = 0; k < steps; ++k) {
        const StepStatus status = world.step();
        EXPECT_TRUE(status.ok) << status.message;
        list.push_back(world.state_hash());
    }
    return list;
}

TEST(Determinism, scene_moves_and_hash_sees_it) {
    World world(mixed_scene());
    auto list = hashes(world);
    std::sort(list.begin(), list.end());
    EXPECT_EQ(std::adjacent_find(list.begin(), list.end()), list.end()) << "two steps with the same hash";
}

TEST(Determinism, does_not_depend_on_threads) {
    World one(mixed_scene(), std::make_shared<Executor>(1));
    const auto expected = hashes(one);
    for (const int threads : {2, 3, 8}) {
        World many(mixed_scene(), std::make_shared<Executor>(threads));
        EXPECT_EQ(hashes(many), expected) << threads;
    }
}

TEST(Determinism, does_not_depend_on_the_broad_phase) {
    World tree(mixed_scene());
    const auto expected = hashes(tree);
    for (const auto kind :
         {BroadPhaseKind::SweepAndPrune, BroadPhaseKind::Grid, BroadPhaseKind::BruteForce}) {
        Scene scene = mixed_scene();
        scene.settings.broad_phase = kind;
        World world(scene);
        EXPECT_EQ(hashes(world), expected) << static_cast<int>(kind);
    }
}

TEST(Determinism, does_not_depend_on_looking) {
    World plain(mixed_scene()), watched(mixed_scene());
    const auto expected = hashes(plain);
    std::vector<std::uint64_t> seen;
    for (int k = 0; k < kSteps; ++k) {
        watched.step();
        watched.frame();
        watched.checkpoint();
        seen.push_back(watched.state_hash());
    }
    EXPECT_EQ(seen, expected);
}

TEST(Determinism, does_not_depend_on_recording) {
    World plain(mixed_scene()), recorded(mixed_scene());
    hashes(plain);
    const std::string file = testing::TempDir() + "determinism_" + std::to_string(getpid()) + ".impuls";
    {
        Recorder recorder(file, mixed_scene(), {}, true);
        run(recorded, {.steps = kSteps, .recorder = &recorder, .progress = {}});
        recorder.close();
    }
    EXPECT_EQ(recorded.state_hash(), plain.state_hash());
    std::remove(file.c_str());
}

TEST(Determinism, caches_are_neutral) {
    World kept(mixed_scene()), dropped(mixed_scene());
    for (int k = 0; k < kSteps; ++k) {
        kept.step();
        dropped.drop_caches();
        dropped.step();
        ASSERT_EQ(kept.state_hash(), dropped.state_hash()) << "step " << k;
    }
}

TEST(Determinism, two_worlds_with_one_executor_are_independent) {
    World alone(mixed_scene());
    const auto expected = hashes(alone);
    const auto executor = std::make_shared<Executor>(2);
    World a(mixed_scene(), executor), b(mixed_scene(2), executor);
    std::vector<std::uint64_t> seen;
    for (int k = 0; k < kSteps; ++k) {
        a.step();
        b.step();
        seen.push_back(a.state_hash());
    }
    EXPECT_EQ(seen, expected);
}

// Lengths, velocities and gravity times 2^k at equal dt: the rescaled state has the same bits.
TEST(Determinism, is_scale_free) {
    World unit(mixed_scene());
    for (int k = 0; k < kSteps; ++k) unit.step();
    const Frame expected = unit.frame();
    for (const double scale : {128.0, 1.0 / 128}) {
        World scaled(mixed_scene(scale));
        for (int k = 0; k < kSteps; ++k) scaled.step();
        const Frame& f = scaled.frame();
        ASSERT_EQ(f.positions.size(), expected.positions.size());
        for (std::size_t k = 0; k < f.positions.size(); ++k) {
            EXPECT_EQ(f.positions[k], expected.positions[k] * scale) << scale << " body " << k;
            EXPECT_EQ(f.orientations[k], expected.orientations[k]);
            EXPECT_EQ(f.velocities[k], expected.velocities[k] * scale);
            EXPECT_EQ(f.angular_velocities[k], expected.angular_velocities[k]);
        }
        ASSERT_EQ(f.contacts.size(), expected.contacts.size());
        for (std::size_t k = 0; k < f.contacts.size(); ++k)
            EXPECT_EQ(f.contacts[k].force, expected.contacts[k].force * scale);
    }
}

// Impacts from body to body and a friction pyramid: as free of scale, threads and memory as all the rest.
TEST(Determinism, holds_for_propagating_impacts) {
    const auto make = [](double scale) {
        Scene scene = mixed_scene(scale);
        scene.settings.method = parse_method("default+impacts=propagating+friction=pyramid+blocks_from=0");
        for (auto& m : scene.materials) m.restitution = 0.6;
        return scene;
    };
    constexpr int kBrief = 120;
    World unit(make(1)), other(make(1), std::make_shared<Executor>(3)), scaled(make(128));
    for (int k = 0; k < kBrief; ++k) {
        ASSERT_TRUE(unit.step().ok && other.step().ok && scaled.step().ok);
        ASSERT_EQ(unit.state_hash(), other.state_hash()) << k;
        if (k % 37 == 36) other.restore(unit.checkpoint());
    }
    const Frame &f = scaled.frame(), &expected = unit.frame();
    for (std::size_t k = 0; k < f.positions.size(); ++k) {
        EXPECT_EQ(f.positions[k], expected.positions[k] * 128) << k;
        EXPECT_EQ(f.velocities[k], expected.velocities[k] * 128) << k;
    }
}

// Every build of every machine gives the hash kept in tests/golden. That the common answer is also right is
// said by the physics tests. After a deliberate change: IMPULS_UPDATE_GOLDEN=1
// build/release/tests/test_world.
TEST(Determinism, golden_hash_is_the_same_in_every_build) {
    World world(mixed_scene());
    const std::string ours = fmt::format("{:016x}", hashes(world).back());
    const std::string file = in_project("tests/golden/mixed_scene.hash");
    if (std::getenv("IMPULS_UPDATE_GOLDEN")) std::ofstream(file) << ours << "\n";
    std::string golden;
    std::ifstream(file) >> golden;
    EXPECT_EQ(ours, golden);
}

}  // namespace
}  // namespace impuls
