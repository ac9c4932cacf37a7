// Differences of runs (differences.h).
#include "cli/differences.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "cli/output.h"

namespace impuls::cli {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

// Straight between its samples; NaN before the first and after the last, with room for rounding.
double value_at(const RunSummary::Series& series, double time) {
    const auto& times = series.times;
    if (times.empty()) return kNone;
    const double slack = 1e-9 * std::max(std::abs(times.front()), std::abs(times.back()));
    if (time < times.front() - slack || time > times.back() + slack) return kNone;
    const auto after = std::lower_bound(times.begin(), times.end(), time);
    if (after == times.begin()) return series.values.front();
    if (after == times.end()) return series.values.back();
    const auto k = static_cast<std::size_t>(after - times.begin());
    const double share = (time - times[k - 1]) / (times[k] - times[k - 1]);
    return series.values[k - 1] + share * (series.values[k] - series.values[k - 1]);
}

}  // namespace

PlaceDifference difference(const std::map<std::string, Vec3>& a, const std::map<std::string, Vec3>& b) {
    PlaceDifference d;
    double sum = 0, count = 0;
    for (const auto& [name, position] : a) {
        const auto other = b.find(name);
        if (other == b.end()) continue;
        const double square = length_squared(position - other->second);
        d.max = std::max(d.max, std::sqrt(square));
        sum += square, count += 1;
    }
    d.rms = count > 0 ? std::sqrt(sum / count) : 0;
    return d;
}

double SeriesDifference::relative(double difference) const {
    return scale > 0 ? difference / scale : kNone;
}

double time_mean(const RunSummary::Series& series) {
    if (series.times.size() < 2) return series.statistics.last;
    double sum = 0;
    for (std::size_t k = 1; k < series.times.size(); ++k)
        sum += 0.5 * (series.values[k - 1] + series.values[k]) * (series.times[k] - series.times[k - 1]);
    return sum / (series.times.back() - series.times.front());
}

// At the times of the coarser one, so that the finer is read between its samples.
SeriesDifference difference(const RunSummary::Series& ours, const RunSummary::Series& reference) {
    SeriesDifference d;
    d.final = ours.statistics.last - reference.statistics.last;
    d.mean = time_mean(ours) - time_mean(reference);
    d.scale = std::max(std::abs(reference.statistics.min), std::abs(reference.statistics.max));
    const bool is_coarser = ours.times.size() <= reference.times.size();
    const RunSummary::Series& at = is_coarser ? ours : reference;
    const RunSummary::Series& between = is_coarser ? reference : ours;
    d.most = kNone;
    for (std::size_t k = 0; k < at.times.size(); ++k) {
        const double off = std::abs(at.values[k] - value_at(between, at.times[k]));
        if (!(off <= d.most) && !std::isnan(off)) d.most = off;
    }
    return d;
}

std::string difference_text(const SeriesDifference& d, double value, const std::string& unit) {
    if (std::isnan(value)) return "-";
    const std::string text = with_unit(value, unit.c_str());
    const double share = d.relative(value);
    constexpr double kMostTold = 10;
    return !(std::abs(share) <= kMostTold) || value == 0 ? text
                                                         : fmt::format("{} ({:.2g} %)", text, 100 * share);
}

Json difference_json(const SeriesDifference& d) {
    Json json = Json::object();
    for (const auto& [name, value] : {std::pair{"final", d.final}, {"mean", d.mean}, {"most", d.most}})
        json.add(name, value).add(std::string(name) + "_relative", d.relative(value));
    return json;
}

}  // namespace impuls::cli
