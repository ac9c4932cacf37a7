// Results of the study of precision (precision_results.h).
#include "bench/precision_results.h"

#include <fmt/format.h>
#include <json/json.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>

#include "bench/chart.h"
#include "bench/columns.h"
#include "impuls/errors.h"

namespace impuls::bench {
namespace {

std::vector<std::string> distinct(const PrecisionResults& results, std::string PrecisionRow::*name,
                                  const std::string& scene = "") {
    std::vector<std::string> out;
    for (const PrecisionRow& row : results.rows)
        if ((scene.empty() || row.scene == scene) &&
            std::find(out.begin(), out.end(), row.*name) == out.end())
            out.push_back(row.*name);
    return out;
}

bool has_error(const PrecisionRow& row) {
    return row.end.empty() && row.ms > 0 && row.error > 0 && std::isfinite(row.error);
}

// Time at which the line through two settings of a method has the error; NaN outside of them.
double time_between(const PrecisionRow& coarse, const PrecisionRow& fine, double error) {
    if (!(fine.error <= error && error <= coarse.error) || fine.error == coarse.error)
        return std::numeric_limits<double>::quiet_NaN();
    const double share = std::log(coarse.error / error) / std::log(coarse.error / fine.error);
    return coarse.ms * std::pow(fine.ms / coarse.ms, share);
}

std::string chart_of(const PrecisionResults& results, const std::string& scene) {
    std::vector<ChartSeries> series;
    for (const std::string& method : distinct(results, &PrecisionRow::method, scene)) {
        ChartSeries& s = series.emplace_back();
        s.label = method;
        for (const PrecisionRow& row : results.rows)
            if (row.scene == scene && row.method == method && has_error(row))
                s.points.emplace_back(row.ms, row.error);
        std::sort(s.points.begin(), s.points.end());
    }
    return series_svg(scene + ": error against time", "ms of processor time for 1 s", "error, m", series);
}

}  // namespace

void write_precision(const PrecisionResults& results, const std::string& file) {
    Json::Value root;
    root["machine"] = results.machine, root["date"] = results.date, root["rounds"] = results.rounds;
    root["rows"] = Json::arrayValue;
    for (const PrecisionRow& row : results.rows) {
        Json::Value& v = root["rows"].append({});
        v["scene"] = row.scene, v["method"] = row.method, v["setting"] = row.setting;
        v["is_ours"] = row.is_ours, v["ms"] = row.ms, v["error"] = row.error, v["end"] = row.end;
    }
    Json::StreamWriterBuilder builder;
    builder["indentation"] = " ";
    builder["precision"] = 4;
    std::ofstream out(file);
    out << Json::writeString(builder, root) << "\n";
    out.close();
    if (!out) throw FileError("cannot write " + file);
}

PrecisionResults read_precision(const std::string& file) {
    std::ifstream in(file);
    if (!in) throw FileError("cannot read " + file);
    Json::Value root;
    std::string errors;
    if (!Json::parseFromStream(Json::CharReaderBuilder(), in, &root, &errors))
        throw InputError(file + ": " + errors);
    PrecisionResults results{root["machine"].asString(), root["date"].asString(), root["rounds"].asInt(), {}};
    for (const Json::Value& v : root["rows"])
        results.rows.push_back({v["scene"].asString(), v["method"].asString(), v["setting"].asString(),
                                v["is_ours"].asBool(), v["ms"].asDouble(), v["error"].asDouble(),
                                v["end"].asString()});
    return results;
}

double our_time(const PrecisionResults& results, const std::string& scene, double error) {
    double best = std::numeric_limits<double>::quiet_NaN();
    for (const std::string& method : distinct(results, &PrecisionRow::method, scene)) {
        const PrecisionRow* before = nullptr;
        for (const PrecisionRow& row : results.rows) {
            if (row.scene != scene || row.method != method || !row.is_ours || !has_error(row)) continue;
            // Already better than that: its time counts, whatever a coarser setting would take.
            if (row.error <= error) best = std::fmin(best, row.ms);
            if (before) best = std::fmin(best, time_between(*before, row, error));
            before = &row;
        }
    }
    return best;
}

std::string precision_markdown(const PrecisionResults& results, const std::string& charts) {
    std::string text = fmt::format(
        "\n## Error against time\n\n"
        "`./impuls bench precision`, measured {}: how far bodies are after 1 s from a reference (root mean "
        "square, m), and the\n"
        "processor time of that second on one thread, the least of {} interleaved rounds. `force level` with "
        "its tolerance, Simbody with its\n"
        "accuracy, frames every 0.1 s; the others with their step. References: Featherstone's equations with "
        "512 steps in 1/60 s\n"
        "(chain25); force level with tolerance 1e-13, which Simbody at its finest agrees with (springs). "
        "`ours` is the time in which the best of our methods gets the same\n"
        "error, between neighbouring settings by powers, over the time of the row: above 1, this row is left "
        "of and below us. `cut`: more than 30 s of wall time.\n",
        results.date, results.rounds);
    for (const std::string& scene : distinct(results, &PrecisionRow::scene)) {
        text += fmt::format(
            "\n### {}\n\n| method | setting | ms | error m | ours |\n| --- | --- | ---: | ---: | ---: |\n",
            scene);
        for (const PrecisionRow& row : results.rows) {
            if (row.scene != scene) continue;
            if (!has_error(row)) {
                text += fmt::format("| {} | {} | | {} | |\n", row.method, row.setting,
                                    row.end.empty() ? "not finite" : row.end);
                continue;
            }
            const double ratio = our_time(results, scene, row.error) / row.ms;
            const std::string beside = row.is_ours            ? ""
                                       : std::isfinite(ratio) ? digits(ratio)
                                                              : "none of ours";
            text += fmt::format("| {} | {} | {} | {:.1e} | {} |\n", row.method, row.setting, digits(row.ms),
                                row.error, beside);
        }
        text += fmt::format("\n![{0}: error against time]({1}/precision-{0}.svg)\n", scene, charts);
    }
    return text;
}

void write_precision_charts(const PrecisionResults& results, const std::string& folder) {
    for (const std::string& scene : distinct(results, &PrecisionRow::scene)) {
        std::ofstream out(folder + "/precision-" + scene + ".svg");
        out << chart_of(results, scene);
        out.close();
        if (!out) throw FileError("cannot write a chart to " + folder);
    }
}

}  // namespace impuls::bench
