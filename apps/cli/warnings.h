// Warnings of a world for people and for programs (impuls/warnings.h). Used by run, compare, replay and info.
#pragma once

#include <string>
#include <vector>

#include "cli/json.h"
#include "impuls/warnings.h"

namespace impuls::cli {

// One line each on stderr, the worst few of a kind.
void complain_of(const std::vector<Warning>& warnings);
// "2 joint_open, 1 penetration", or "none".
std::string warning_counts(const std::vector<Warning>& warnings);
// Objects with kind, text, and what the kind has of subject, other, time, value, worst, unit and count.
Json warnings_json(const std::vector<Warning>& warnings);

}  // namespace impuls::cli
