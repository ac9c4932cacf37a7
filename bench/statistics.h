// Means and percentiles of step times and depths; an empty list gives 0.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace impuls::bench {

double mean(std::span<const double> values);
// The smallest value that at least `percent` of the values do not exceed (nearest rank).
double percentile(std::vector<double> values, double percent);
double median(std::vector<double> values);

struct StepTimes {
    double mean = 0, median = 0, p99 = 0, last_quarter = 0;  // ms
};
StepTimes step_times(const std::vector<double>& ms);

}  // namespace impuls::bench
