// The summary of a run as a table and as JSON.
#pragma once

#include <string>

#include "cli/json.h"
#include "impuls/run.h"
#include "impuls/scene.h"

namespace impuls::cli {

// "complete", "interrupted" or "failed".
const char* status_text(const RunSummary& summary);
// `recording` names the file that was written, or is empty.
std::string summary_table(const RunSummary& summary, const Scene& scene, const std::string& recording);
// Of the samples of one measurement.
Json statistics_json(const SampleStatistics& s);
Json summary_json(const RunSummary& summary, const Scene& scene);

}  // namespace impuls::cli
