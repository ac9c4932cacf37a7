// `impuls compare`: one scene under several methods, side by side.
#include <cmath>
#include <map>

#include <fmt/core.h>
#include <CLI/CLI.hpp>

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
    std::vector<std::string> methods{};
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

struct Difference {
    double max = 0, rms = 0;  // m
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
    run_options.keep_samples = false;
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

// Over the bodies both runs still have.
Difference difference(const Trial& a, const Trial& b) {
    Difference d;
    double sum = 0, count = 0;
    for (const auto& [name, position] : a.positions) {
        const auto other = b.positions.find(name);
        if (other == b.positions.end()) continue;
        const double square = length_squared(position - other->second);
        d.max = std::max(d.max, std::sqrt(square));
        sum += square, count += 1;
    }
    d.rms = count > 0 ? std::sqrt(sum / count) : 0;
    return d;
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
                   &t == &reference ? "(reference)" : with_unit(difference(t, reference).max, "m"),
                   stepper_shares(s.outcomes),
                   fmt::format("{:.4g}", per_island_step(islands.substeps, islands)),
                   residual_text(islands.residual_max), std::to_string(islands.retries),
                   with_unit(islands.energy_removed, "J"), warning_counts(s.warnings), status_text(s)});
    }
    return table.text();
}

Json trial_json(const Trial& t, const Trial& reference) {
    const RunSummary& s = t.summary;
    const Difference d = difference(t, reference);
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
    json.add("outcomes", outcomes_json(s.outcomes)).add("warnings", warnings_json(s.warnings));
    json.add("state_hash", hex(s.state_hash));
    return json;
}

// The methods to run and which of them the others are measured against.
std::size_t reference_index(std::vector<std::string>& methods, const std::string& reference) {
    if (reference.empty()) return methods.size() - 1;
    const auto found = std::find(methods.begin(), methods.end(), reference);
    if (found != methods.end()) return static_cast<std::size_t>(found - methods.begin());
    methods.push_back(reference);
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
        print(table_text(trials, reference));
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
    const std::size_t reference = reference_index(methods, o.reference);
    for (const std::string& method : methods) {
        std::optional<double> dt;
        resolve(parse_method(take_dt(method, dt)));  // all misspelt ones show before the first long run
    }
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
    app.add_option("--methods", o->methods, "Methods, e.g. default,accurate,default+substeps=20+dt=0.001")
        ->required()
        ->delimiter(',')
        ->type_name("A,B,...");
    app.add_option("--reference", o->reference,
                   "Method the final positions are compared with (default: the last)")
        ->type_name("METHOD");
    app.add_flag("--json", o->json, "Print one JSON object");
    app.add_flag("--strict", o->strict, "Exit with 3 when a method gave warnings");
    return [o] { return compare(*o); };
}

}  // namespace

Subcommand compare_command() {
    return {"compare", "Run a scene under several methods, side by side",
            "  impuls compare tower.json --methods fast,default,accurate\n"
            "  impuls compare top.json --methods default,default+dt=0.001 --reference "
            "default+integrator=reference",
            prepare_compare};
}

}  // namespace impuls::cli
