// `impuls run`: simulates a scene, shows how far it is, and reports what came out.
#include <memory>

#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include "cli/interrupt.h"
#include "cli/outcomes.h"
#include "cli/output.h"
#include "cli/profile.h"
#include "cli/progress.h"
#include "cli/scene_options.h"
#include "cli/subcommands.h"
#include "cli/summary.h"
#include "cli/warnings.h"
#include "impuls/recording.h"
#include "impuls/run.h"

namespace impuls::cli {
namespace {

struct RunCommandOptions {
    SceneOptions scene{};
    std::string method{};
    std::optional<std::int64_t> steps{};
    std::optional<std::string> record{};
    bool overwrite = false;
    bool no_contacts = false;
    RecordOptions recording{};
    bool json = false;
    bool quiet = false;
    bool strict = false;
    std::optional<std::string> profile{};
};

std::unique_ptr<Recorder> make_recorder(const RunCommandOptions& o, const Scene& scene) {
    if (!o.record) return nullptr;
    RecordOptions recording = o.recording;
    recording.contacts = !o.no_contacts;
    return std::make_unique<Recorder>(*o.record, scene, recording, o.overwrite);
}

// The trace must not take the place of the scene, nor of the recording that is being made.
std::unique_ptr<Profile> make_profile(const RunCommandOptions& o) {
    if (!o.profile) return nullptr;
    refuse_input(*o.profile, o.scene.file);
    if (o.record && behind_links(*o.profile) == behind_links(*o.record))
        throw InputError("--record and --profile name the same file");
    return std::make_unique<Profile>(*o.profile, existing_files(o.overwrite));
}

RunSummary simulate(World& world, Recorder* recorder, const RunCommandOptions& o, Profile* profile) {
    const std::int64_t planned = o.steps ? *o.steps : steps_to_end(world);
    Progress progress(!o.quiet);
    RunOptions options;
    options.steps = o.steps;
    options.recorder = recorder;
    options.keep_samples = false;
    options.progress = [&](const World& w) {
        if (profile) profile->add(world.frame());
        if (progress.is_due()) {
            progress.draw(static_cast<double>(w.steps()) / static_cast<double>(planned),
                          fmt::format("t = {:.3f} s, step {} of {}", w.time(), w.steps(), planned));
        }
        return !is_interrupted();
    };
    return run(world, options);
}

int run_scene(const RunCommandOptions& o) {
    const Scene scene = o.scene.load(o.method);
    World world(scene, o.scene.executor());
    catch_interrupts();
    world.interrupt_when(is_interrupted);
    const auto profile = make_profile(o);
    const auto recorder = make_recorder(o, scene);
    const RunSummary summary = simulate(world, recorder.get(), o, profile.get());
    if (recorder) recorder->close();

    complain_of(summary.warnings);
    if (o.json) {
        print(summary_json(summary, scene).text());
    } else if (!o.quiet) {
        print(summary_table(summary, scene, o.record.value_or("")));
        if (profile) print("\n" + profile->table() + "\n" + outcome_tables(summary.outcomes));
    }
    if (profile) profile->finish();
    if (!summary.status.ok) {
        complain(fmt::format("stopped after step {}: {}", summary.steps, summary.status.message));
        return kFailed;
    }
    if (summary.interrupted) complain(fmt::format("interrupted after step {}", summary.steps));
    if (summary.interrupted) return kInterrupted;
    return o.strict && !summary.warnings.empty() ? kFailed : kOk;
}

std::function<int()> prepare_run(CLI::App& app) {
    const auto o = std::make_shared<RunCommandOptions>();
    o->scene.add_to(app);
    app.add_option("--steps", o->steps, "Number of steps, instead of --until")
        ->check(CLI::Range(std::int64_t{0}, static_cast<std::int64_t>(kMostSteps)))
        ->type_name("N")
        ->excludes("--until");
    app.add_option("--method", o->method,
                   "Method, e.g. accurate or default+substeps=20 (see impuls list presets)")
        ->type_name("METHOD");
    app.add_option("--record", o->record, "Write a recording")->type_name("FILE");
    add_overwrite_option(app, o->overwrite);
    app.add_option("--frame-every", o->recording.frame_every, "Record every n-th frame")
        ->capture_default_str()
        ->check(CLI::PositiveNumber)
        ->type_name("N")
        ->needs("--record");
    app.add_flag("--no-contacts", o->no_contacts, "Record frames without contacts")->needs("--record");
    app.add_option("--checkpoint-every", o->recording.checkpoint_every,
                   "Steps between checkpoints; 0: only the first")
        ->capture_default_str()
        ->check(CLI::NonNegativeNumber)
        ->type_name("N")
        ->needs("--record");
    app.add_option("--profile", o->profile,
                   "Print tables of stages and of islands, and write all steps as a Chrome trace")
        ->type_name("FILE");
    auto* json = app.add_flag("--json", o->json, "Print the summary as one JSON object");
    app.add_flag("--quiet", o->quiet, "No progress bar and no summary")->excludes(json);
    app.add_flag("--strict", o->strict, "Exit with 3 when there were warnings");
    return [o] { return run_scene(*o); };
}

}  // namespace

Subcommand run_command() {
    return {"run", "Simulate a scene",
            "  impuls run scenes/examples/newtons-cradle.json\n"
            "  impuls run tower.json --until 2 --dt 0.005 --method accurate --json\n"
            "  impuls run tower.json --record tower.impuls --frame-every 4\n"
            "  impuls run tower.json --method fast --profile trace.json\n"
            "  impuls run tower.json --set variables.n=20 --set materials.0.friction=0.3",
            prepare_run};
}

}  // namespace impuls::cli
