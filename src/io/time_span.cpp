// Spans of time as text (time_span.h).
#include "io/time_span.h"

#include <fmt/format.h>

#include <cmath>

namespace impuls {

std::string span_text(double from, double to) {
    if (std::isinf(to)) return fmt::format("from {} s on", from);
    return std::isinf(from) ? fmt::format("up to {} s", to) : fmt::format("from {} s to {} s", from, to);
}

}  // namespace impuls
