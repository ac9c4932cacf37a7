// The summary of a run (summary.h). The keys of the JSON are a promise: docs/manual/command-line.md.
#include "cli/summary.h"

#include <filesystem>
#include <numeric>

#include <fmt/core.h>

#include "cli/outcomes.h"
#include "cli/output.h"
#include "cli/table.h"
#include "cli/warnings.h"

namespace impuls::cli {
namespace {

std::string vector_text(const Vec3& v, const char* unit) {
    return fmt::format("({:.4g}, {:.4g}, {:.4g}) {}", v.x, v.y, v.z, unit);
}

std::string scene_text(const Scene& scene) {
    return scene.title.empty() ? scene.file : fmt::format("{} ({})", scene.title, scene.file);
}

// The stages that matter: a hundredth of the step or more.
std::string stages_text(const RunSummary& s) {
    const double all = std::accumulate(s.times.stage_ms.begin(), s.times.stage_ms.end(), 0.0);
    std::string text;
    for (std::size_t k = 0; k < s.times.stage_ms.size(); ++k) {
        if (s.times.stage_ms[k] < 0.01 * all || all == 0) continue;
        text += fmt::format("{}{} {:.3g} ms", text.empty() ? "" : ", ", kStageNames[k], s.times.stage_ms[k]);
    }
    return text;
}

std::string simulated_text(const RunSummary& s) {
    const std::string from =
        s.first_step > 0
            ? fmt::format("from {} to ", with_unit(static_cast<double>(s.first_step) * s.dt, "s"))
            : "";
    std::string text =
        fmt::format("{}{} in {} of {}", from, with_unit(s.time, "s"),
                    counted(static_cast<std::uint64_t>(s.steps), "step", "steps"), with_unit(s.dt, "s"));
    if (s.interrupted || !s.status.ok) text += fmt::format(" ({})", status_text(s));
    if (s.status.ok && !s.status.message.empty()) text += fmt::format(" ({})", s.status.message);
    return text;
}

std::string wall_text(const RunSummary& s) {
    const double time = static_cast<double>(s.steps) * s.dt;
    const double speed = s.times.wall_s > 0 ? time / s.times.wall_s : 0;
    return fmt::format("{} on {}, {:.3g} times real time", duration_text(s.times.wall_s),
                       counted(static_cast<std::uint64_t>(s.threads), "thread", "threads"), speed);
}

std::string statistics_text(const RunSummary::Series& series) {
    const SampleStatistics& s = series.statistics;
    const char* unit = series.unit.c_str();
    return fmt::format("from {} at {} to {} at {}, mean {}, rms {}", with_unit(s.min, unit),
                       with_unit(s.min_time, "s"), with_unit(s.max, unit), with_unit(s.max_time, "s"),
                       with_unit(s.mean(), unit), with_unit(s.rms(), unit));
}

}  // namespace

const char* status_text(const RunSummary& summary) {
    return !summary.status.ok ? "failed" : summary.interrupted ? "interrupted" : "complete";
}

Json statistics_json(const SampleStatistics& s) {
    return Json::object()
        .add("final", s.last)
        .add("min", s.min)
        .add("max", s.max)
        .add("mean", s.mean())
        .add("rms", s.rms())
        .add("min_time", s.min_time)
        .add("max_time", s.max_time)
        .add("samples", s.count);
}

std::string summary_table(const RunSummary& s, const Scene& scene, const std::string& recording) {
    Table table;
    table.row({"scene", scene_text(scene)});
    table.row({"method", method_name(resolve(parse_method(s.method)))});
    table.row({"simulated", simulated_text(s)});
    table.row({"wall time", wall_text(s)});
    table.row({"per step", fmt::format("mean {:.3g} ms, median {:.3g} ms, 99 % below {:.3g} ms",
                                       s.times.ms_mean, s.times.ms_median, s.times.ms_p99)});
    table.row({"stages", stages_text(s)});
    table.row(
        {"bodies", fmt::format("{}, at most {}", s.bodies, counted(s.contacts_max, "contact", "contacts"))});
    table.row({"energy", fmt::format("{} at first, {} at last, largest drift {:.3g} (relative)",
                                     precise(s.energy.at_start.total, "J"),
                                     precise(s.energy.at_end.total, "J"), s.energy.max_drift_rel)});
    table.row({"momentum", fmt::format("{}, {}", vector_text(s.linear_momentum, "kg m/s"),
                                       vector_text(s.angular_momentum, "kg m²/s"))});
    table.row({"penetration", "at most " + with_unit(s.max_penetration, "m")});
    table.row({"joint error", "at most " + with_unit(s.max_joint_error, "m")});
    table.row({"island-steps", outcomes_text(s.outcomes)});
    table.row({"warnings", warning_counts(s.warnings)});
    table.row({"state hash", hex(s.state_hash)});
    for (const RunSummary::Series& series : s.samples) {
        if (series.values.empty()) continue;
        table.row({series.name, fmt::format("{} at {}", precise(series.values.back(), series.unit.c_str()),
                                            with_unit(series.times.back(), "s"))});
        if (series.statistics.count > 1) table.row({"", statistics_text(series)});
    }
    if (!recording.empty()) {
        table.row({"recording",
                   fmt::format("{} ({})", recording, size_text(std::filesystem::file_size(recording)))});
    }
    return table.text();
}

Json summary_json(const RunSummary& s, const Scene& scene) {
    Json stages = Json::object();
    for (std::size_t k = 0; k < s.times.stage_ms.size(); ++k) stages.add(kStageNames[k], s.times.stage_ms[k]);
    Json measure = Json::object();
    for (const RunSummary::Series& series : s.samples) {
        measure.add(series.name, series.values.empty() ? Json() : Json(series.values.back()));
    }
    Json statistics = Json::object();
    for (const RunSummary::Series& series : s.samples)
        statistics.add(series.name, statistics_json(series.statistics));
    Json json = Json::object();
    json.add("scene", scene.file)
        .add("title", scene.title)
        .add("method", s.method)
        .add("status", status_text(s));
    if (!s.status.message.empty()) json.add("message", s.status.message);
    if (s.first_step > 0) json.add("first_step", s.first_step);
    json.add("steps", s.steps)
        .add("time", s.time)
        .add("dt", s.dt)
        .add("threads", s.threads)
        .add("bodies", s.bodies);
    json.add("contacts_max", s.contacts_max).add("wall_s", s.times.wall_s);
    json.add("ms_per_step", Json::object()
                                .add("mean", s.times.ms_mean)
                                .add("median", s.times.ms_median)
                                .add("p99", s.times.ms_p99));
    json.add("stage_ms", stages);
    json.add("energy", Json::object()
                           .add("initial", s.energy.at_start.total)
                           .add("final", s.energy.at_end.total)
                           .add("max_drift_rel", s.energy.max_drift_rel));
    json.add("momentum", Json::object().add("linear", s.linear_momentum).add("angular", s.angular_momentum));
    json.add("max_penetration", s.max_penetration).add("max_joint_error", s.max_joint_error);
    json.add("outcomes", outcomes_json(s.outcomes));
    json.add("state_hash", hex(s.state_hash))
        .add("measure", measure)
        .add("statistics", statistics)
        .add("warnings", warnings_json(s.warnings));
    return json;
}

}  // namespace impuls::cli
