// Means and percentiles (statistics.h).
#include "bench/statistics.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace impuls::bench {

double mean(std::span<const double> values) {
    if (values.empty()) return 0;
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double percentile(std::vector<double> values, double percent) {
    if (values.empty()) return 0;
    std::sort(values.begin(), values.end());
    const double rank = std::ceil(percent / 100 * static_cast<double>(values.size()));
    const double last = static_cast<double>(values.size() - 1);
    return values[static_cast<std::size_t>(std::clamp(rank - 1, 0.0, last))];
}

double median(std::vector<double> values) {
    if (values.empty()) return 0;
    std::sort(values.begin(), values.end());
    const std::size_t n = values.size();
    return 0.5 * (values[(n - 1) / 2] + values[n / 2]);
}

StepTimes step_times(const std::vector<double>& ms) {
    const std::size_t quarter = ms.size() - ms.size() / 4;
    return {mean(ms), median(ms), percentile(ms, 99),
            mean(std::span(ms).subspan(ms.size() < 4 ? 0 : quarter))};
}

}  // namespace impuls::bench
