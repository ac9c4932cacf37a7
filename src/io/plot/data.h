// What a plot shows: one series of (time, value) for each column of the quantities asked for.
#pragma once

#include <string>
#include <vector>

#include "impuls/recording.h"

namespace impuls {

struct PlotSeries {
    std::string name{};
    std::string unit{};
    std::vector<double> times{};
    std::vector<double> values{};
};

// Recorded measurements where a quantity names one, else values from the frames. Throws InputError for a
// quantity that is neither.
std::vector<PlotSeries> collect_series(const Recording& recording,
                                       const std::vector<std::string>& quantities);

// Keeps the lowest and highest value of each of `buckets` equal spans of time when there are many more
// points.
PlotSeries thinned(const PlotSeries& series, std::size_t buckets);

}  // namespace impuls
