// A span of time in words, for complaints about what lies in none. Called by plots and exports.
#pragma once

#include <string>

namespace impuls {

// "from 1 s to 2 s", "from 1 s on", "up to 2 s"; infinite times are no bounds.
std::string span_text(double from, double to);

}  // namespace impuls
