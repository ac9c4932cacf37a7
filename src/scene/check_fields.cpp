// The words for a number out of range.
#include "scene/check_fields.h"

#include <fmt/format.h>

#include <cmath>

#include "scene/leaf.h"

namespace impuls {

std::string number_problem(double value, const Field& field) {
    if (!std::isfinite(value)) {
        return fmt::format("{} is not a finite number", std::isnan(value) ? "nan"
                                                        : value > 0       ? "inf"
                                                                          : "-inf");
    }
    const bool low = field.exclusive_min ? value <= field.min : value < field.min;
    if (!low && value <= field.max) return {};
    if (field.min == field.max)
        return fmt::format("{} is not {} ({})", json_text(value), json_text(field.min), field.doc);
    if (std::isinf(field.max)) {
        return fmt::format("{} is not {} {}", json_text(value),
                           field.exclusive_min ? ">" : ">=", json_text(field.min));
    }
    return fmt::format("{} is not between {} and {}", json_text(value), json_text(field.min),
                       json_text(field.max));
}

}  // namespace impuls
