// Tallies of random worlds (random_runs.h).
#include "faults/random_runs.h"

#include <cstdio>
#include <filesystem>

#include "impuls/scene_file.h"

namespace impuls::faults {

RandomTally run_random(const std::string& preset, std::uint64_t first, int scenes,
                       const std::array<bool, kWrongNames.size()>& written, const std::string& folder) {
    RandomTally tally;
    tally.scenes = scenes;
    for (std::uint64_t seed = first; seed < first + static_cast<std::uint64_t>(scenes); ++seed) {
        const RandomVerdict verdict = judge_random(seed, preset);
        if (verdict.is_fine()) continue;
        ++tally.wrong_scenes;
        bool is_written = false;
        for (std::size_t k = 0; k < kWrongNames.size(); ++k) {
            if (!verdict.wrong[k]) continue;
            if (++tally.counts[k] <= 5)
                tally.examples[k] += "\n    seed " + std::to_string(seed) + ": " + verdict.text();
            is_written |= written[k];
        }
        if (!is_written || folder.empty()) continue;
        std::filesystem::create_directories(folder);
        Scene scene = random_scene(seed);
        scene.settings.method = parse_method(preset);
        save_scene(scene, folder + "/" + preset + "-" + std::to_string(seed) + ".json");
    }
    return tally;
}

void print_tally(const std::string& preset, const RandomTally& tally) {
    std::printf("%s: %d of %d random worlds wrong\n", preset.c_str(), tally.wrong_scenes, tally.scenes);
    for (std::size_t k = 0; k < kWrongNames.size(); ++k)
        if (tally.counts[k] > 0)
            std::printf("  %s: %d%s\n", kWrongNames[k], tally.counts[k], tally.examples[k].c_str());
    std::fflush(stdout);
}

}  // namespace impuls::faults
