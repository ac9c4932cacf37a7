// The numbers along one axis of a plot.
#pragma once

#include <string>
#include <vector>

namespace impuls {

struct Tick {
    double value;
    std::string label;
};

struct Axis {
    double min = 0, max = 1;    // what the axis spans, in units of the data
    std::vector<Tick> ticks{};  // at multiples of 1, 2 or 5 times a power of ten, all inside
    int exponent = 0;           // labels are to be read as times 10^exponent
};

// An axis from `low` to `high`, widened on both sides by the fraction `margin` of that span.
Axis make_axis(double low, double high, int max_ticks, double margin);

}  // namespace impuls
