// The comparison itself: all engines on a scene in turn, and again, so that a busy machine is busy for all of
// them.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "bench/results.h"

namespace impuls::bench {

struct Campaign {
    std::vector<std::string> scenes{};   // empty: all
    std::vector<std::string> engines{};  // empty: all
    std::vector<std::string> methods{};  // of our own engine; empty: every preset
    std::vector<int> threads{1, 2};
    bool all_variants = false;  // of the peers too
    bool is_quick = false;
    int repeats = 3;
    double cap_s = 20;
    Overrides changes{};
};

struct CampaignCalls {
    std::function<void(double fraction, const std::string& what)> progress{};  // before each run
    std::function<void(const Results& so_far)> scene_done{};
};
Results run_campaign(const Campaign& campaign, const CampaignCalls& calls);

}  // namespace impuls::bench
