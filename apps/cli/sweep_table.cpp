// Rows and columns of a sweep's results (sweep_table.h).
#include "cli/sweep_table.h"

#include <json/reader.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "impuls/errors.h"

namespace impuls::cli {
namespace {

constexpr const char* kSeedPath = "settings.seed";
// Columns of every table; measurements follow.
constexpr const char* kFixed[] = {"status",          "reason",          "steps",    "time", "energy_drift",
                                  "max_penetration", "max_joint_error", "warnings", "hash"};

// Before it there may be lines of progress.
std::string last_line(std::string text) {
    while (!text.empty() && text.back() == '\n') text.pop_back();
    const std::string line = text.substr(text.rfind('\n') + 1);
    return line.rfind("impuls: ", 0) == 0 ? line.substr(8) : line;
}

std::string ended_how(int exit_code) {
    if (exit_code < 0) return fmt::format("killed by signal {}", -exit_code);
    if (exit_code == 2) return "bad input";
    return "failed";
}

bool parse_summary(const std::string& text, ::Json::Value& json) {
    const std::unique_ptr<::Json::CharReader> reader(::Json::CharReaderBuilder().newCharReader());
    return reader->parse(text.data(), text.data() + text.size(), &json, nullptr) && json.isObject();
}

std::string cell(const ::Json::Value& value) {
    if (value.isNull()) return "";
    if (value.isIntegral()) return std::to_string(value.asLargestInt());
    if (value.isDouble()) return fmt::format("{}", value.asDouble());
    const std::string text = value.asString();
    if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
    std::string quoted = "\"";
    for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + "\"";
}

std::optional<double> parsed(const std::string& text) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc{} && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

bool are_numbers(const Varied& varied) {
    return std::all_of(varied.values.begin(), varied.values.end(),
                       [](const std::string& v) { return parsed(v).has_value(); });
}

// The mean of what was given for each place of the first path.
struct MeanCurve {
    std::map<double, std::pair<double, int>> sums{};
    void add(double x, double y) {
        auto& [sum, count] = sums[x];
        sum += y;
        ++count;
    }
    Curve curve(const std::string& name) const {
        Curve curve{name, "", {}, {}};
        for (const auto& [x, s] : sums) {
            curve.x.push_back(x);
            curve.y.push_back(s.first / s.second);
        }
        return curve;
    }
};

}  // namespace

::Json::Value sweep_row(int exit_code, const std::string& out, const std::string& err) {
    ::Json::Value row(::Json::objectValue), summary;
    if (!parse_summary(out, summary)) {
        row["status"] = ended_how(exit_code);
        row["reason"] = err.empty() ? "it said nothing" : last_line(err);
        return row;
    }
    row["status"] = exit_code < 0 ? ::Json::Value(ended_how(exit_code)) : summary["status"];
    row["reason"] = summary.get("message", "");
    row["steps"] = summary["steps"];
    row["time"] = summary["time"];
    row["energy_drift"] = summary["energy"]["max_drift_rel"];
    row["max_penetration"] = summary["max_penetration"];
    row["max_joint_error"] = summary["max_joint_error"];
    row["warnings"] = summary["warnings"].size();
    row["hash"] = summary["state_hash"];
    for (const std::string& name : summary["statistics"].getMemberNames())
        for (const char* what : {"final", "min", "max", "mean", "rms", "min_time", "max_time"})
            row[name + "." + what] = summary["statistics"][name][what];
    return row;
}

bool is_complete(const ::Json::Value& row) {
    return row["status"].asString() == "complete";
}

SweepTable::SweepTable(const Grid& grid, const std::map<std::size_t, ::Json::Value>& rows)
    : grid_(grid), rows_(rows), results_(std::begin(kFixed), std::end(kFixed)) {
    for (const auto& [run, row] : rows_)
        for (const std::string& name : row.getMemberNames())
            if (std::find(results_.begin(), results_.end(), name) == results_.end()) results_.push_back(name);
}

std::string SweepTable::csv() const {
    std::string text = "run";
    for (const Varied& varied : grid_.varied()) text += "," + cell(varied.path);
    for (const std::string& name : results_) text += "," + cell(name);
    text += "\n";
    for (const auto& [run, row] : rows_) {
        text += std::to_string(run);
        for (const std::string& value : grid_.values(run)) text += "," + cell(value);
        for (const std::string& name : results_) text += "," + cell(row.get(name, ::Json::Value()));
        text += "\n";
    }
    return text;
}

double SweepTable::number(std::size_t run, const std::string& column) const {
    const ::Json::Value& value = rows_.at(run)[column];
    return value.isNumeric() ? value.asDouble() : std::numeric_limits<double>::quiet_NaN();
}

// Last values of what the scene measures, else the drift of energy.
std::vector<std::string> SweepTable::default_columns() const {
    std::vector<std::string> columns;
    for (const std::string& name : results_)
        if (name.ends_with(".final")) columns.push_back(name);
    if (columns.empty()) columns.push_back("energy_drift");
    return columns;
}

Figure SweepTable::figure(const std::string& title, const std::vector<std::string>& columns) const {
    const std::vector<Varied>& varied = grid_.varied();
    const auto is_x = [](const Varied& v) { return are_numbers(v) && v.path != kSeedPath; };
    const auto first = std::find_if(varied.begin(), varied.end(), is_x);
    if (first == varied.end())
        throw InputError("nothing is varied by numbers, so there is nothing to plot along");
    const auto x = static_cast<std::size_t>(first - varied.begin());
    Figure figure{title, first->path, {}};
    for (const std::string& column : columns.empty() ? default_columns() : columns) {
        if (std::find(results_.begin(), results_.end(), column) == results_.end())
            throw InputError(
                fmt::format("the table has no column '{}'{}", column, did_you_mean(column, results_)));
        std::map<std::string, MeanCurve> curves;
        std::vector<std::string> order;
        for (const auto& [run, row] : rows_) {
            const std::vector<std::string> values = grid_.values(run);
            std::string name = column;
            for (std::size_t k = 0; k < varied.size(); ++k)
                if (k != x && varied[k].path != kSeedPath)
                    name += fmt::format(", {} = {}", varied[k].path, values[k]);
            if (!curves.contains(name)) order.push_back(name);
            MeanCurve& curve = curves[name];
            if (const double y = number(run, column); std::isfinite(y)) curve.add(*parsed(values[x]), y);
        }
        for (const std::string& name : order) figure.curves.push_back(curves[name].curve(name));
    }
    return figure;
}

}  // namespace impuls::cli
