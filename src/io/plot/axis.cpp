// Ticks at 1, 2 or 5 times a power of ten, labels with just the digits the tick distance needs, and a common
// power of ten taken out of very large and very small numbers. Called by plot_svg.
#include "io/plot/axis.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace impuls {

namespace {

// The smallest round step that needs no more than `max_ticks` ticks.
double round_step(double span, int max_ticks) {
    const double rough = span / std::max(1, max_ticks - 1);
    const double power = std::pow(10, std::floor(std::log10(rough)));
    for (const double factor : {1.0, 2.0, 5.0}) {
        if (factor * power >= rough * (1 - 1e-9)) return factor * power;
    }
    return 10 * power;
}

int common_exponent(double largest) {
    const int exponent = largest > 0 ? static_cast<int>(std::floor(std::log10(largest) + 1e-9)) : 0;
    return exponent >= 5 || exponent <= -3 ? exponent : 0;
}

}  // namespace

Axis make_axis(double low, double high, int max_ticks, double margin) {
    if (!(high - low > 1e-12 * std::max(std::abs(low), std::abs(high)))) {
        const double half = low != 0 ? 0.1 * std::abs(low) : 1;
        low -= half;
        high += half;
    }
    Axis axis;
    axis.min = low - margin * (high - low);
    axis.max = high + margin * (high - low);
    const double step = round_step(axis.max - axis.min, max_ticks);
    const double first = std::ceil(axis.min / step - 1e-9), last = std::floor(axis.max / step + 1e-9);
    axis.exponent = common_exponent(std::max(std::abs(axis.min), std::abs(axis.max)));
    const double scale = std::pow(10, axis.exponent);
    const int digits = std::clamp(static_cast<int>(std::ceil(-std::log10(step / scale) - 1e-9)), 0, 12);
    for (double k = first; k <= last; ++k) {
        const double value = k * step;
        axis.ticks.push_back({value, fmt::format("{:.{}f}", k == 0 ? 0.0 : value / scale, digits)});
    }
    return axis;
}

}  // namespace impuls
