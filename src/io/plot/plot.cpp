// Quantities of recordings as figures (plot.h). Values of two quantities belong together when they are of the
// same time: a measurement may be taken at other steps than frames.
#include "io/plot/plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "impuls/errors.h"
#include "impuls/export.h"
#include "impuls/scene.h"
#include "io/plot/data.h"
#include "io/time_span.h"

namespace impuls {

namespace {

constexpr std::size_t kBuckets = 1000;  // spans of time that a line distinguishes

std::string named(const std::string& name, const std::string& unit) {
    return unit.empty() ? name : fmt::format("{} ({})", name, unit);
}

// What lies between two times. Throws InputError when that is nothing of what there is.
PlotSeries within(const PlotSeries& series, double from, double to) {
    PlotSeries out{series.name, series.unit, {}, {}};
    const double slack = 1e-9 * std::max(std::abs(from), std::abs(to));
    for (std::size_t k = 0; k < series.times.size(); ++k) {
        const double t = series.times[k];
        if (std::isfinite(slack) ? t < from - slack || t > to + slack : t < from || t > to) continue;
        out.times.push_back(t);
        out.values.push_back(series.values[k]);
    }
    if (out.times.empty() && !series.times.empty())
        throw InputError(fmt::format("{}: no value {}; there are some from {} s to {} s", series.name,
                                     span_text(from, to), series.times.front(), series.times.back()));
    return out;
}

Curve one_against_another(const PlotSeries& x, const PlotSeries& y) {
    Curve curve{y.name, y.unit, {}, {}};
    std::size_t i = 0;
    for (std::size_t k = 0; k < y.times.size(); ++k) {
        const double t = y.times[k], slack = 1e-9 * std::max(1e-3, std::abs(t));
        while (i < x.times.size() && x.times[i] < t - slack) ++i;
        if (i == x.times.size() || x.times[i] > t + slack) continue;
        curve.x.push_back(x.values[i]);
        curve.y.push_back(y.values[k]);
    }
    if (curve.x.empty()) throw InputError(fmt::format("{} and {} have no time in common", x.name, y.name));
    return curve;
}

void add_phase_curves(Figure& figure, const Recording& recording, const PlotSettings& settings) {
    const std::vector<PlotSeries> along = collect_series(recording, {settings.against});
    if (along.size() != 1)
        throw InputError(fmt::format("--against {}: has {} parts; name one, e.g. {}", settings.against,
                                     along.size(), along.empty() ? settings.against : along[0].name));
    const PlotSeries x = within(along[0], settings.from, settings.to);
    figure.x_label = named(x.name, x.unit);
    for (const PlotSeries& y : collect_series(recording, settings.quantities))
        figure.curves.push_back(one_against_another(x, y));
}

void add_curves(Figure& figure, const Recording& recording, const PlotSettings& settings) {
    figure.x_label = "time (s)";
    for (const PlotSeries& series : collect_series(recording, settings.quantities)) {
        PlotSeries drawn = thinned(within(series, settings.from, settings.to), kBuckets);
        figure.curves.push_back({series.name, series.unit, std::move(drawn.times), std::move(drawn.values)});
    }
}

}  // namespace

Figure plot_figure(const std::vector<PlottedRecording>& recordings, const PlotSettings& settings) {
    if (settings.quantities.empty()) throw InputError("name at least one quantity to plot");
    Figure figure{settings.title, {}, {}};
    for (const PlottedRecording& plotted : recordings) {
        const std::size_t first = figure.curves.size();
        if (settings.against.empty())
            add_curves(figure, *plotted.recording, settings);
        else
            add_phase_curves(figure, *plotted.recording, settings);
        if (figure.title.empty() && recordings.size() == 1) figure.title = plotted.recording->scene().title;
        if (plotted.name.empty()) continue;
        for (std::size_t k = first; k < figure.curves.size(); ++k)
            figure.curves[k].name = plotted.name + ": " + figure.curves[k].name;
    }
    return figure;
}

std::string plot_svg(const Recording& recording, const std::vector<std::string>& quantities) {
    return figure_svg(plot_figure({{"", &recording}}, {quantities, {}, {}}));
}

}  // namespace impuls
