// How much tests do: briefly as a rule, at full size with ./test --long.
#pragma once

#include <cstdlib>

#include "support/slow_build.h"

namespace impuls {

inline bool is_long() {
    return std::getenv("IMPULS_LONG") != nullptr;
}

inline int amount(int brief, int full) {
    return is_long() ? full : brief / (kSlowBuild ? 10 : 1);
}

}  // namespace impuls
