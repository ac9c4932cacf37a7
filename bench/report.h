// docs/benchmarks.md and its charts, from the JSON of a campaign.
#pragma once

#include <string>

#include "bench/results.h"

namespace impuls::bench {

// The terminal's tables, one a scene.
std::string scene_table(const Results& results, const std::string& scene);
std::string collision_table(const Results& results);

// The page; charts are expected under `charts` (relative to the page).
std::string report_markdown(const Results& results, const std::string& charts);
// "" when a scene has nothing to draw.
std::string scene_chart(const Results& results, const std::string& scene);

// Writes the charts beside the JSON and the page into docs.
void write_report(const Results& results, const std::string& folder);

// Scenes in the order of the rows, each once.
std::vector<std::string> scenes_of(const Results& results);

}  // namespace impuls::bench
