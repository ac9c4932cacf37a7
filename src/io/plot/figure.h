// A line plot as SVG: axes with round ticks, a light grid, a legend, labels with units, a title. Called for
// plots over time (plot.cpp) and by the command line for tables.
#pragma once

#include <string>
#include <vector>

namespace impuls {

// Breaks where a value is not finite; a point that stands alone is a dot.
struct Curve {
    std::string name{};
    std::string unit{};
    std::vector<double> x{};
    std::vector<double> y{};
};

struct Figure {
    std::string title{};
    std::string x_label{};
    std::vector<Curve> curves{};
};

std::string figure_svg(const Figure& figure);

}  // namespace impuls
