// One chart a scene: accuracy against time, both logarithmic, one dot an engine. Down and to the left is
// better.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace impuls::bench {

struct ChartPoint {
    std::string label{};
    double x = 0, y = 0;
    bool is_ours = false;
    bool is_partial = false;  // drawn hollow
};

// Points that are not positive are drawn on the edge of the decade below the smallest that is. `floor_y` is
// the value below which nothing is worth showing.
std::string chart_svg(const std::string& title, const std::string& x_label, const std::string& y_label,
                      std::vector<ChartPoint> points, double floor_y);

// Lines over a common axis, both logarithmic, each labelled at its end.
struct ChartSeries {
    std::string label{};
    std::vector<std::pair<double, double>> points{};  // x ascending, all positive
};
std::string series_svg(const std::string& title, const std::string& x_label, const std::string& y_label,
                       const std::vector<ChartSeries>& series);

}  // namespace impuls::bench
