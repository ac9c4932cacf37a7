// The test program of the faults. Besides the options of GoogleTest:
//   --table [--scene=PART] [--presets=default,fast]   values and verdicts, scene by preset
//   --random=COUNT [--seed=FIRST] [--presets=…] [--folder=…]  random worlds, wrong ones are written there
//   --limits                                          measures, writes list and page of known limits anew
//   --page                                            the page alone, from the list
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "faults/limits.h"
#include "faults/random_runs.h"
#include "faults/table.h"

int main(int count, char** arguments) {
    testing::InitGoogleTest(&count, arguments);
    bool table = false, limits = false, page = false;
    std::string scene, presets, folder;
    int worlds = 0;
    std::uint64_t seed = 1;
    for (int k = 1; k < count; ++k) {
        const std::string argument = arguments[k];
        if (argument == "--table") table = true;
        if (argument == "--limits") limits = true;
        if (argument == "--page") page = true;
        if (argument.starts_with("--scene=")) scene = argument.substr(8);
        if (argument.starts_with("--folder=")) folder = argument.substr(9);
        if (argument.starts_with("--random=")) worlds = std::stoi(argument.substr(9));
        if (argument.starts_with("--seed=")) seed = std::stoull(argument.substr(7));
        if (argument.starts_with("--presets=")) presets = argument.substr(10);
    }
    if (!table && !limits && !page && worlds == 0) return RUN_ALL_TESTS();
    if (limits) impuls::faults::write_limits();
    if (page) impuls::faults::write_page();
    if (table) impuls::faults::print_table(scene, presets);
    for (const std::string preset : impuls::faults::kPresets)
        if (worlds > 0 &&
            (presets.empty() || ("," + presets + ",").find("," + preset + ",") != std::string::npos))
            impuls::faults::print_tally(
                preset, impuls::faults::run_random(preset, seed, worlds, {1, 1, 1, 1, 1, 1}, folder));
    return 0;
}
