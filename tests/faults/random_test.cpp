// Random worlds by every preset: no energy from nothing, no torn joint, no crushed or lost body, no step that
// fails or does not end. What is listed as a known limit may happen as often as listed, not more.
#include <gtest/gtest.h>

#include <filesystem>

#include "faults/limits.h"
#include "faults/random_runs.h"
#include "support/full_size.h"

namespace impuls::faults {
namespace {

class RandomWorlds : public testing::TestWithParam<const char*> {};

TEST_P(RandomWorlds, keep_the_laws) {
    const std::string preset = GetParam();
    const std::vector<Limit> limits = read_limits();
    const int scenes = amount(kRandomWorlds, kLongRandomWorlds);
    std::array<bool, kWrongNames.size()> unknown{};
    for (std::size_t k = 0; k < kWrongNames.size(); ++k)
        unknown[k] = known_count(limits, kWrongNames[k], preset) == 0;
    const std::string folder = (std::filesystem::temp_directory_path() / "impuls-random").string();
    const RandomTally tally = run_random(preset, 1, scenes, unknown, folder);
    for (std::size_t k = 0; k < kWrongNames.size(); ++k) {
        const int known = known_count(limits, kWrongNames[k], preset);
        // Longer runs meet other worlds: twice the rate is allowed where there is one.
        const int allowed = is_long() ? 2 * known * scenes / kRandomWorlds : known;
        EXPECT_LE(tally.counts[k], allowed)
            << preset << ", " << kWrongNames[k] << ", of " << scenes << " worlds:" << tally.examples[k]
            << "\nto be run again: test_faults --random=1 --seed=SEED --presets=" << preset
            << " --folder=FOLDER; those of kinds that are not known are in " << folder;
        if (scenes < kRandomWorlds || known == 0) continue;
        EXPECT_GT(tally.counts[k], 0) << preset << ", " << kWrongNames[k]
                                      << ": does not happen any more; remove it from known_limits.txt";
    }
}

INSTANTIATE_TEST_SUITE_P(All, RandomWorlds, testing::ValuesIn(kPresets),
                         [](const auto& info) { return std::string(info.param); });

TEST(RandomScene, is_the_same_for_the_same_seed_and_starts_without_overlap) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        World world(random_scene(seed)), again(random_scene(seed));
        EXPECT_EQ(world.state_hash(), again.state_hash());
        world.step();
        EXPECT_GE(world.frame().structure->bodies.size(), 1u);
        Scene scene = random_scene(seed);
        scene.settings.gravity = {}, scene.settings.dt = 1e-9;
        World still(scene);
        still.step();
        EXPECT_EQ(still.frame().max_penetration, 0) << "seed " << seed;
    }
}

}  // namespace
}  // namespace impuls::faults
