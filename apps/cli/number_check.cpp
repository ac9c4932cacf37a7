// Checks of numbers (number_check.h).
#include "cli/number_check.h"

#include <cmath>

#include <fmt/core.h>

namespace impuls::cli {
namespace {

enum class Bound { None, AtLeast, Above };

CLI::Validator number(const char* what, const char* unit, Bound bound, double least) {
    const auto check = [=](std::string& text) -> std::string {
        double value = 0;
        if (!CLI::detail::lexical_cast(text, value) || std::isnan(value))
            return fmt::format("'{}' is not a number{}", text, what);
        const bool is_good =
            bound == Bound::None || value > least || (bound == Bound::AtLeast && value == least);
        if (is_good) return {};
        return fmt::format("{}{}: it must be {} {}", text, unit,
                           bound == Bound::AtLeast ? "at least" : "above", least);
    };
    return CLI::Validator(check, "");
}

}  // namespace

CLI::Validator whole_number(std::int64_t least, std::int64_t most) {
    const auto check = [=](std::string& text) -> std::string {
        std::int64_t value = 0;
        if (!CLI::detail::lexical_cast(text, value)) return fmt::format("'{}' is not a whole number", text);
        if (value >= least && value <= most) return {};
        if (most == std::numeric_limits<std::int64_t>::max())
            return fmt::format("{}: it must be at least {}", text, least);
        return fmt::format("{}: it must be between {} and {}", text, least, most);
    };
    return CLI::Validator(check, "");
}

CLI::Validator a_time() {
    return number(" of seconds", " s", Bound::None, 0);
}

CLI::Validator seconds_from(double least) {
    return number(" of seconds", " s", Bound::AtLeast, least);
}

CLI::Validator seconds_above(double least) {
    return number(" of seconds", " s", Bound::Above, least);
}

CLI::Validator number_above(double least) {
    return number("", "", Bound::Above, least);
}

}  // namespace impuls::cli
