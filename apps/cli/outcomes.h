// Who advanced the islands of a run (docs/internals/steppers.md): as a line, as tables and as JSON.
#pragma once

#include <string>

#include "cli/json.h"
#include "impuls/run.h"

namespace impuls::cli {

// "blocks 98 %, impulse 2 %" of the island-steps; "none" where nothing was advanced.
std::string stepper_shares(const RunOutcomes& outcomes);
// The line of the summary: island-steps of each stepper, retries, energy removed.
std::string outcomes_text(const RunOutcomes& outcomes);
// "islands by stepper", and "refused": by stepper and reason.
std::string outcome_tables(const RunOutcomes& outcomes);
Json outcomes_json(const RunOutcomes& outcomes);

// Sum over island-steps to mean; 0 without any.
double per_island_step(std::int64_t sum, const StepperTotals& totals);
// "0.0012 m/s", or "-" where it was not measured.
std::string residual_text(double residual);

}  // namespace impuls::cli
