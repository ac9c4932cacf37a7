// Many random worlds by one preset: how often what went wrong, and the first scenes in which it did.
#pragma once

#include <cstdint>
#include <string>

#include "faults/random_scene.h"

namespace impuls::faults {

inline constexpr const char* kRandomScene = "random-worlds";  // in the list of known limits
inline constexpr int kRandomWorlds = 50;        // by default, of each preset; their seeds are 1, 2, …
inline constexpr int kLongRandomWorlds = 2000;  // with IMPULS_LONG: ten minutes for all presets

struct RandomTally {
    int scenes = 0, wrong_scenes = 0;
    std::array<int, kWrongNames.size()> counts{};
    std::array<std::string, kWrongNames.size()> examples{};  // seeds, with numbers
};

// Seeds first, first + 1, …. Scenes in which something in `written` went wrong are saved in `folder`
// ("": none), named after preset and seed, to be run by `impuls run`.
RandomTally run_random(const std::string& preset, std::uint64_t first, int scenes,
                       const std::array<bool, kWrongNames.size()>& written, const std::string& folder);

void print_tally(const std::string& preset, const RandomTally& tally);

}  // namespace impuls::faults
