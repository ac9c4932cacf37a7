// `impuls compare`: one scene under several methods, side by side. The reference is the most accurate of
// them: what has the parts of `accurate` that make numbers good (the stepper of fourth order, or else the
// shortest substep) comes before what has not; of two alike, the one named last.
#include <map>
#include <tuple>

#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include "cli/differences.h"
#include "cli/interrupt.h"
#include "cli/json.h"
#include "cli/outcomes.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/scene_options.h"
#include "cli/subcommands.h"
#include "cli/summary.h"
#include "cli/table.h"
#include "cli/warnings.h"
#include "impuls/run.h"

namespace impuls::cli {
namespace {

struct CompareOptions {
    SceneOptions scene{};
    std::vector<std::string> methods{"fast", "default", "accurate"};
    std::string reference{};
    bool json = false;
    bool strict = false;
};

// One method's run and where the bodies ended.
struct Trial {
    std::string method{};
    RunSummary summary{};
    std::map<std::string, Vec3> positions{};
};

// Takes "dt=..." out of a method text, since the time step belongs to the scene and not to the method.
std::string take_dt(const std::string& text, std::optional<double>& dt) {
    std::string method;
    for (const std::string& part : CLI::detail::split(text, '+')) {
        if (part.rfind("dt=", 0) == 0) {
            double value = 0;
            if (!CLI::detail::lexical_cast(part.substr(3), value)) {
                throw InputError(fmt::format("{}: '{}' is not a number", text, part.substr(3)));
            }
            dt = value;
        } else {
            method += (method.empty() ? "" : "+") + part;
        }
    }
    return method.empty() ? "default" : method;
}

Trial try_method(const CompareOptions& o, const std::string& method, Progress& progress, double begin,
                 double share) {
    SceneOptions options = o.scene;
    const std::string plain = take_dt(method, options.dt);
    World world(options.load(plain), options.executor());
    const auto planned = static_cast<double>(steps_to_end(world));
    world.interrupt_when(is_interrupted);
    RunOptions run_options;
    run_options.progress = [&](const World& w) {
        if (progress.is_due())
            progress.draw(begin + share * static_cast<double>(w.steps()) / planned, method);
        return !is_interrupted();
    };
    Trial trial{method, run(world, run_options), {}};
    const Frame& frame = world.frame();
    for (std::size_t k = 0; k < frame.positions.size(); ++k) {
        trial.positions[frame.structure->bodies[k].name] = frame.positions[k];
    }
    return trial;
}

std::string table_text(const std::vector<Trial>& trials, const Trial& reference) {
    Table table({"method", ">dt", ">steps", ">per step", ">wall time", ">energy drift", ">penetration",
                 ">joint error", ">positions off by", "steppers", ">substeps", ">residual", ">retries",
                 ">energy removed", "warnings", "status"});
    for (const Trial& t : trials) {
        const RunSummary& s = t.summary;
        const StepperTotals islands = s.outcomes.total();
        table.row({t.method, with_unit(s.dt, "s"), std::to_string(s.steps), with_unit(s.times.ms_mean, "ms"),
                   duration_text(s.times.wall_s), fmt::format("{:.3g}", s.energy.max_drift_rel),
                   with_unit(s.max_penetration, "m"), with_unit(s.max_joint_error, "m"),
                   &t == &reference ? "(reference)"
                                    : with_unit(difference(t.positions, reference.positions).max, "m"),
                   stepper_shares(s.outcomes),
                   fmt::format("{:.4g}", per_island_step(islands.substeps, islands)),
                   residual_text(islands.residual_max), std::to_string(islands.retries),
                   with_unit(islands.energy_removed, "J"), warning_counts(s.warnings), status_text(s)});
    }
    return table.text();
}

// What the scene measures: a row for each quantity and method; empty when it measures nothing.
std::string measured_text(const std::vector<Trial>& trials, const Trial& reference) {
    if (reference.summary.samples.empty()) return {};
    Table table({"measured", "method", ">final", ">off by", ">mean", ">off by", ">at most off by"});
    for (std::size_t k = 0; k < reference.summary.samples.size(); ++k)
        for (const Trial& t : trials) {
            const RunSummary::Series& ours = t.summary.samples[k];
            const SeriesDifference d = difference(ours, reference.summary.samples[k]);
            const auto off = [&](double value) {
                return &t == &reference ? "(reference)" : difference_text(d, value, ours.unit);
            };
            const auto value = [&](double x) {
                return std::isnan(x) ? "-" : with_unit(x, ours.unit.c_str());
            };
            table.row({&t == &trials.front() ? ours.name : "", t.method, value(ours.statistics.last),
                       off(d.final), value(time_mean(ours)), off(d.mean), off(d.most)});
        }
    return "\n" + table.text();
}

Json measured_json(const Trial& t, const Trial& reference) {
    Json all = Json::object();
    for (std::size_t k = 0; k < t.summary.samples.size(); ++k) {
        const RunSummary::Series& ours = t.summary.samples[k];
        all.add(ours.name,
                statistics_json(ours.statistics)
                    .add("time_mean", time_mean(ours))
                    .add("difference", difference_json(difference(ours, reference.summary.samples[k]))));
    }
    return all;
}

Json trial_json(const Trial& t, const Trial& reference) {
    const RunSummary& s = t.summary;
    const PlaceDifference d = difference(t.positions, reference.positions);
    Json json = Json::object();
    json.add("method", t.method).add("parts", s.method).add("status", status_text(s));
    if (!s.status.ok) json.add("message", s.status.message);
    json.add("dt", s.dt).add("steps", s.steps).add("time", s.time).add("wall_s", s.times.wall_s);
    json.add("ms_per_step", Json::object()
                                .add("mean", s.times.ms_mean)
                                .add("median", s.times.ms_median)
                                .add("p99", s.times.ms_p99));
    json.add("energy_max_drift_rel", s.energy.max_drift_rel);
    json.add("max_penetration", s.max_penetration).add("max_joint_error", s.max_joint_error);
    json.add("difference", Json::object().add("max", d.max).add("rms", d.rms));
    json.add("statistics", measured_json(t, reference));
    json.add("outcomes", outcomes_json(s.outcomes)).add("warnings", warnings_json(s.warnings));
    json.add("state_hash", hex(s.state_hash));
    return json;
}

// Larger is more accurate: whether free motion is of fourth order, and the shortest substep.
std::tuple<bool, double> accuracy(const CompareOptions& o, const std::string& text) {
    SceneOptions options = o.scene;
    const std::string plain = take_dt(text, options.dt);
    const Scene scene = options.load(plain);
    const Method method = resolve(scene.settings.method);
    const auto* impulse = std::get_if<ImpulseMethod>(&method.stepper);
    const bool is_composed = impulse && impulse->composed == Switch::On;
    return {is_composed,
            -scene.settings.dt /
                std::visit([](const auto& s) { return static_cast<double>(s.substeps); }, method.stepper)};
}

// The methods to run, and which of them the others are measured against.
std::size_t reference_index(const CompareOptions& o, std::vector<std::string>& methods) {
    if (o.reference.empty()) {
        std::size_t best = 0;
        for (std::size_t k = 1; k < methods.size(); ++k)
            if (accuracy(o, methods[k]) >= accuracy(o, methods[best])) best = k;
        return best;
    }
    const auto found = std::find(methods.begin(), methods.end(), o.reference);
    if (found != methods.end()) return static_cast<std::size_t>(found - methods.begin());
    methods.push_back(o.reference);
    return methods.size() - 1;
}

int report(const CompareOptions& o, const std::vector<Trial>& trials, const Trial& reference) {
    if (o.json) {
        Json list = Json::array();
        for (const Trial& t : trials) list.push(trial_json(t, reference));
        print(Json::object()
                  .add("scene", o.scene.file)
                  .add("reference", reference.method)
                  .add("methods", list)
                  .text());
    } else {
        print(table_text(trials, reference) + measured_text(trials, reference));
    }
    int code = kOk;
    for (const Trial& t : trials) {
        if (o.strict && !t.summary.warnings.empty()) code = kFailed;
        if (t.summary.status.ok) continue;
        complain(fmt::format("{}: {}", t.method, t.summary.status.message));
        code = kFailed;
    }
    return code;
}

int compare(const CompareOptions& o) {
    std::vector<std::string> methods = o.methods;
    if (!o.reference.empty()) methods.push_back(o.reference);
    for (const std::string& method : methods) {
        std::optional<double> dt;
        resolve(parse_method(take_dt(method, dt)));  // all misspelt ones show before the first long run
    }
    methods = o.methods;
    const std::size_t reference = reference_index(o, methods);
    catch_interrupts();
    std::vector<Trial> trials;
    Progress progress;
    const double share = 1.0 / static_cast<double>(methods.size());
    for (const std::string& method : methods) {
        trials.push_back(try_method(o, method, progress, share * static_cast<double>(trials.size()), share));
        if (is_interrupted()) break;
    }
    progress.clear();
    const int code = report(o, trials, trials[std::min(reference, trials.size() - 1)]);
    return is_interrupted() ? kInterrupted : code;
}

std::function<int()> prepare_compare(CLI::App& app) {
    const auto o = std::make_shared<CompareOptions>();
    o->scene.add_to(app);
    app.add_option("--methods", o->methods,
                   "Methods, e.g. default,accurate,default+substeps=20+dt=0.001; default: "
                   "fast,default,accurate")
        ->delimiter(',')
        ->type_name("A,B,...");
    app.add_option("--reference", o->reference,
                   "Method the others are compared with, in places at the end and in all that "
                   "the scene measures (default: the most accurate of them)")
        ->type_name("METHOD");
    app.add_flag("--json", o->json, "Print one JSON object");
    app.add_flag("--strict", o->strict, "Exit with 3 when a method gave warnings");
    return [o] { return compare(*o); };
}

}  // namespace

Subcommand compare_command() {
    return {"compare", "Run a scene under several methods, side by side",
            "  impuls compare tower.json\n"
            "  impuls compare tower.json --methods default,accurate,default+dt=0.001\n"
            "  impuls compare top.json --methods default,default+dt=0.001 --reference "
            "default+integrator=reference",
            prepare_compare};
}

}  // namespace impuls::cli
