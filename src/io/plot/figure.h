// A line plot: a panel for each unit, one below the other along the same axis, with round ticks, a light
// grid, legends, labels with units, a title. As SVG, or as a picture. Called for plots over time (plot.cpp),
// by `impuls show`, and by the command line for tables.
#pragma once

#include <string>
#include <vector>

#include "render/image.h"

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
    double width = 900, height = 540;  // px; the height of each further panel is added
};

std::string figure_svg(const Figure& figure);
Image figure_image(const Figure& figure);
// The bytes of a file of that name: a picture for .png, else SVG. Throws InputError for names of other
// formats.
std::string figure_file(const Figure& figure, const std::string& name);

}  // namespace impuls
