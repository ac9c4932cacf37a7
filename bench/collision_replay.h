// Broad and narrow phase of several engines on one recorded sequence of poses.
#pragma once

#include <string>
#include <vector>

#include "bench/campaign.h"

namespace impuls::bench {

struct ReplayOptions {
    std::vector<std::string> scenes{"pyramid50", "funnel", "polys", "spheres"};
    bool is_quick = false;
    int first = 200, last = 260;  // steps
    int warm_up = 10;             // steps before the first
    int repeats = 5;
    int threads = 2;  // of our second row
    Overrides changes{};
};

std::vector<CollisionRow> replay_collisions(const ReplayOptions& options, const CampaignCalls& calls);

}  // namespace impuls::bench
