// The table and the trace of a Profile. Stages of a step are drawn one after the other; of islands that run
// side by side the trace shows the sum, so that with several threads a step may look longer than it was.
#include "cli/profile.h"

#include <fmt/format.h>

#include <cmath>
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

Profile::Profile(const std::string& path, Existing existing) : trace_(path, existing) {
    trace_.write("{\"displayTimeUnit\": \"ms\", \"traceEvents\": [\n");
}

void Profile::add(const Frame& frame) {
    for (std::size_t k = 0; k < stages_.size(); ++k) stages_[k].add(frame.stage_seconds[k]);
    if (!error_.empty()) return;
    try {
        write_step(frame);
    } catch (const FileError& e) {
        error_ = e.what();
    }
}

void Profile::write_step(const Frame& frame) {
    const auto event = [&](const char* name, double at, double length, const std::string& more = "") {
        trace_.print(
            R"({}{{"name": "{}", "ph": "X", "pid": 1, "tid": 1, "ts": {:.3f}, "dur": {:.3f}, "args": {{"step": {}{}}}}})",
            is_first_ ? "" : ",\n", name, at, length, frame.step, more);
        is_first_ = false;
    };
    const auto& seconds = frame.stage_seconds;
    event("step", time_, 1e6 * std::accumulate(seconds.begin(), seconds.end(), 0.0), islands_text(frame));
    for (std::size_t k = 0; k < seconds.size(); ++k) {
        const double length = 1e6 * seconds[k];
        if (length > 0) event(kStageNames[k], time_, length);
        time_ += length;
    }
}

std::string Profile::table() const {
    Table table({"stage", ">mean ms", ">share %", ">median", ">99 %", ">largest"});
    double all = 0;
    for (const StepTimes& stage : stages_) all += stage.mean_ms();
    for (std::size_t k = 0; k < stages_.size(); ++k) {
        const StepTimes& stage = stages_[k];
        if (stage.count() == 0) continue;
        const auto text = [](double ms) { return fmt::format("{:.4g}", ms); };
        table.row({kStageNames[k], text(stage.mean_ms()),
                   fmt::format("{:.1f}", all > 0 ? 100 * stage.mean_ms() / all : 0),
                   text(stage.quantile_ms(0.5)), text(stage.quantile_ms(0.99)), text(stage.max_ms())});
    }
    return table.text();
}

void Profile::finish() {
    if (!error_.empty()) throw FileError(error_);
    trace_.write("\n]}\n");
    trace_.finish();
}

}  // namespace impuls::cli
