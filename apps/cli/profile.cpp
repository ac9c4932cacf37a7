// The table and the trace of a Profile. Stages of a step are drawn one after the other; of islands that run
// side by side the trace shows the sum, so that with several threads a step may look longer than it was.
#include "cli/profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <numeric>

#include "cli/table.h"
#include "impuls/errors.h"
#include "impuls/run.h"

namespace impuls::cli {
namespace {

// Islands of each stepper, and what they took together.
std::string islands_text(const Frame& frame) {
    RunOutcomes outcomes;
    outcomes.add(frame.outcomes);
    std::string text;
    for (std::size_t k = 0; k < outcomes.steppers.size(); ++k)
        if (const auto islands = outcomes.steppers[k].island_steps; islands > 0)
            text += fmt::format(R"(, "{}": {})", EnumNames<IslandStepper>::names[k], islands);
    const StepperTotals all = outcomes.total();
    text += fmt::format(R"(, "substeps": {}, "iterations": {}, "retries": {}, "energy_removed": {})",
                        all.substeps, all.iterations, all.retries, all.energy_removed);
    if (std::isfinite(all.residual_max)) text += fmt::format(R"(, "residual": {})", all.residual_max);
    return text;
}

}  // namespace

void Profile::add(const Frame& frame) {
    steps_.push_back({frame.step, frame.stage_seconds, islands_text(frame)});
}

std::string Profile::table() const {
    Table table({"stage", ">mean ms", ">share %", ">median", ">99 %", ">largest"});
    double all = 0;
    for (const Step& step : steps_) all += std::accumulate(step.seconds.begin(), step.seconds.end(), 0.0);
    for (int k = 0; k < kStages; ++k) {
        std::vector<double> ms;
        for (const Step& step : steps_) ms.push_back(1e3 * step.seconds[static_cast<std::size_t>(k)]);
        if (ms.empty()) continue;
        std::sort(ms.begin(), ms.end());
        const double sum = std::accumulate(ms.begin(), ms.end(), 0.0);
        const auto quantile = [&](double q) {
            return fmt::format("{:.4g}",
                               ms[static_cast<std::size_t>(q * static_cast<double>(ms.size() - 1))]);
        };
        table.row({kStageNames[static_cast<std::size_t>(k)],
                   fmt::format("{:.4g}", sum / static_cast<double>(ms.size())),
                   fmt::format("{:.1f}", all > 0 ? 0.1 * sum / all : 0), quantile(0.5), quantile(0.99),
                   quantile(1)});
    }
    return table.text();
}

void Profile::write(const std::string& path) const {
    std::ofstream out(path);
    out << "{\"displayTimeUnit\": \"ms\", \"traceEvents\": [\n";
    double start = 0;  // microseconds
    const char* separator = "";
    const auto event = [&](const char* name, const Step& step, double at, double length,
                           const std::string& more = "") {
        out << separator
            << fmt::format(
                   R"({{"name": "{}", "ph": "X", "pid": 1, "tid": 1, "ts": {:.3f}, "dur": {:.3f}, "args": {{"step": {}{}}}}})",
                   name, at, length, step.step, more);
        separator = ",\n";
    };
    for (const Step& step : steps_) {
        event("step", step, start, 1e6 * std::accumulate(step.seconds.begin(), step.seconds.end(), 0.0),
              step.islands);
        for (std::size_t k = 0; k < step.seconds.size(); ++k) {
            const double length = 1e6 * step.seconds[k];
            if (length > 0) event(kStageNames[k], step, start, length);
            start += length;
        }
    }
    out << "\n]}\n";
    if (!out.flush()) throw FileError(path + ": cannot be written");
}

}  // namespace impuls::cli
