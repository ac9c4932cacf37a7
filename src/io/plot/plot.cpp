// Quantities of a recording over time, as SVG. Called by the command line.
#include <vector>

#include "impuls/errors.h"
#include "impuls/export.h"
#include "impuls/scene.h"
#include "io/plot/data.h"
#include "io/plot/figure.h"

namespace impuls {

namespace {

constexpr std::size_t kBuckets = 1000;  // spans of time that a line distinguishes

}  // namespace

std::string plot_svg(const Recording& recording, const std::vector<std::string>& quantities) {
    if (quantities.empty()) throw InputError("name at least one quantity to plot");
    Figure figure{recording.scene().title, "time (s)", {}};
    for (const PlotSeries& series : collect_series(recording, quantities)) {
        PlotSeries drawn = thinned(series, kBuckets);
        figure.curves.push_back({series.name, series.unit, std::move(drawn.times), std::move(drawn.values)});
    }
    return figure_svg(figure);
}

}  // namespace impuls
