// Collects the series of a plot: measurements are sampled more finely than frames and come first; everything
// else is read from the frames, all quantities in one pass. Called by plot_svg.
#include "io/plot/data.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "impuls/errors.h"
#include "impuls/quantity.h"
#include "impuls/scene.h"

namespace impuls {

namespace {

bool has(const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

// The recorded columns that a name stands for: itself, or its .x, .y, .z.
std::vector<std::string> recorded_columns(const std::vector<std::string>& recorded, const std::string& name) {
    if (has(recorded, name)) return {name};
    std::vector<std::string> columns;
    for (const char* part : {".x", ".y", ".z"}) {
        if (has(recorded, name + part)) columns.push_back(name + part);
    }
    return columns;
}

// A scene in which the names of quantities can be looked up: that of the first frame.
Scene first_structure(const Recording& recording, const std::vector<std::int64_t>& steps) {
    if (steps.empty()) return expand(recording.scene());
    Scene structure = *recording.frame(steps.front()).structure;
    structure.timeline = recording.scene().timeline;
    return structure;
}

// Units are known by quantity; a measurement may have been given another name in the scene.
std::string unit_of(const std::string& column, const Scene& scene, const Scene& structure) {
    for (const MeasureDesc& measure : scene.measure) {
        const std::string& name = measure.name.empty() ? measure.quantity : measure.name;
        if (!column.starts_with(name)) continue;
        try {
            return find_quantity(measure.quantity + column.substr(name.size()), structure).unit;
        } catch (const InputError&) {
            continue;  // another measurement whose name begins the same way
        }
    }
    return {};
}

PlotSeries from_samples(const Recording& recording, const std::string& column) {
    PlotSeries series{column};
    for (const Recording::Sample& sample : recording.samples(column)) {
        series.times.push_back(sample.time);
        series.values.push_back(sample.value);
    }
    return series;
}

// A quantity of a body or group that comes later is found in the last frame.
Quantity find_in_frames(const Recording& recording, const std::vector<std::int64_t>& steps,
                        const std::string& name, const Scene& structure,
                        const std::vector<std::string>& recorded) {
    try {
        if (steps.empty()) return find_quantity(name, structure);
        return find_quantity(name, structure, recording.frame(steps.front()).groups);
    } catch (const InputError& first) {
        try {
            if (!steps.empty()) {
                const Frame last = recording.frame(steps.back());
                return find_quantity(name, *last.structure, last.groups);
            }
        } catch (const InputError&) {
            const std::string hint = did_you_mean(name, recorded);
            if (!hint.empty()) throw InputError(first.what() + ("; recorded measurements" + hint));
        }
        throw;
    }
}

struct FrameSource {
    Quantity quantity;
    std::size_t first_series;
};

void read_frames(const Recording& recording, const std::vector<std::int64_t>& steps,
                 const std::vector<FrameSource>& sources, std::vector<PlotSeries>& series) {
    double values[3];
    for (const std::int64_t step : steps) {
        const Frame frame = recording.frame(step);
        for (const FrameSource& source : sources) {
            source.quantity.read(frame, values);
            for (std::size_t c = 0; c < source.quantity.columns.size(); ++c) {
                series[source.first_series + c].times.push_back(frame.time);
                series[source.first_series + c].values.push_back(values[c]);
            }
        }
    }
}

}  // namespace

std::vector<PlotSeries> collect_series(const Recording& recording,
                                       const std::vector<std::string>& quantities) {
    const std::vector<std::string> recorded = recording.sample_names();
    const std::vector<std::int64_t> steps = recording.frame_steps();
    const Scene scene = recording.scene();
    const Scene structure = first_structure(recording, steps);
    std::vector<PlotSeries> series;
    std::vector<FrameSource> sources;
    for (const std::string& name : quantities) {
        const std::vector<std::string> columns = recorded_columns(recorded, name);
        for (const std::string& column : columns) {
            series.push_back(from_samples(recording, column));
            series.back().unit = unit_of(column, scene, structure);
        }
        if (!columns.empty()) continue;
        Quantity quantity = find_in_frames(recording, steps, name, structure, recorded);
        const std::size_t first = series.size();
        for (const std::string& column : quantity.columns) series.push_back({column, quantity.unit, {}, {}});
        sources.push_back({std::move(quantity), first});
    }
    if (!sources.empty()) read_frames(recording, steps, sources, series);
    return series;
}

PlotSeries thinned(const PlotSeries& series, std::size_t buckets) {
    const std::size_t n = series.values.size();
    if (n <= 4 * buckets) return series;
    PlotSeries out{series.name, series.unit, {}, {}};
    for (std::size_t b = 0; b < buckets; ++b) {
        const std::size_t begin = b * n / buckets, end = (b + 1) * n / buckets;
        std::size_t low = begin, high = begin;
        for (std::size_t k = begin; k < end; ++k) {
            if (!(series.values[k] >= series.values[low])) low = k;
            if (!(series.values[k] <= series.values[high])) high = k;
        }
        for (const std::size_t k : {std::min(low, high), std::max(low, high)}) {
            out.times.push_back(series.times[k]);
            out.values.push_back(series.values[k]);
        }
    }
    return out;
}

}  // namespace impuls
