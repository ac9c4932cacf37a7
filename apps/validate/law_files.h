// The laws, one declaration each, grouped by the file that holds them. Included by laws.cpp and those files.
#pragma once

#include <vector>

#include "validate/laws.h"

namespace impuls {

// free_motion.cpp
std::vector<LawResult> check_free_fall();

}  // namespace impuls
