// `impuls run`: simulates a scene, or goes on with a recording (resume.h), shows how far it is, and reports
// what came out.
#include <filesystem>
#include <memory>

#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include "cli/interrupt.h"
#include "cli/number_check.h"
#include "cli/outcomes.h"
#include "cli/output.h"
#include "cli/profile.h"
#include "cli/progress.h"
#include "cli/resume.h"
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
    ResumeCommandOptions resume{};
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

// What is run, and where it is recorded.
struct Prepared {
    Scene scene{};
    World world;
    std::unique_ptr<Recorder> recorder{};
    std::int64_t steps = 0;
    // Of a recording that is taken up again.
    LaterCommands commands{};
    std::vector<std::pair<std::string, std::string>> parent{};  // its entries in the metadata
};

// The trace must not take the place of the scene, nor of the recording that is being made.
std::unique_ptr<Profile> make_profile(const RunCommandOptions& o) {
    if (!o.profile) return nullptr;
    refuse_input(*o.profile, o.resume.is_given() ? o.resume.file : o.scene.file);
    if (o.record && behind_links(*o.profile) == behind_links(*o.record))
        throw InputError("--record and --profile name the same file");
    return std::make_unique<Profile>(*o.profile, existing_files(o.overwrite));
}

RunSummary simulate(Prepared& p, const RunCommandOptions& o, Profile* profile) {
    const std::int64_t first = p.world.steps();
    Progress progress(!o.quiet);
    RunOptions options;
    options.steps = p.steps;
    options.recorder = p.recorder.get();
    options.keep_samples = false;
    if (o.record) p.commands.recorder = p.recorder.get();
    p.commands.give(p.world);
    options.progress = [&](const World& w) {
        if (profile) profile->add(p.world.frame());
        if (progress.is_due()) {
            progress.draw(static_cast<double>(w.steps() - first) / static_cast<double>(p.steps),
                          fmt::format("t = {:.3f} s, step {} of {}", w.time(), w.steps(), first + p.steps));
        }
        p.commands.give(p.world);
        return !is_interrupted();
    };
    return run(p.world, options);
}

Prepared from_scene(const RunCommandOptions& o) {
    Scene scene = o.scene.load(o.method);
    World world(scene, o.scene.executor());
    Prepared p{std::move(scene), std::move(world)};
    p.steps = o.steps ? *o.steps : steps_to_end(p.world);
    return p;
}

Prepared from_recording(const RunCommandOptions& o) {
    Taken taken = take_up(o.resume, o.scene, o.method, o.record.has_value(), !o.quiet);
    Prepared p{std::move(taken.scene), std::move(taken.world)};
    p.commands.list = std::move(taken.commands);
    p.parent = std::move(taken.parent);
    p.steps = o.steps ? *o.steps : steps_left(p.world, o.scene.until);
    return p;
}

std::unique_ptr<Recorder> make_recorder(const RunCommandOptions& o, const Prepared& p) {
    if (o.resume.is_given() && !o.record) return Recorder::reopen(o.resume.file);
    if (!o.record) return nullptr;
    if (o.resume.is_given()) refuse_input(*o.record, o.resume.file);
    RecordOptions recording = o.recording;
    recording.contacts = !o.no_contacts;
    recording.meta = p.parent;
    return std::make_unique<Recorder>(*o.record, p.scene, recording, o.overwrite);
}

// How to see what came out.
std::string how_to_look(const Scene& scene, const std::string& recording) {
    const std::string& file = recording.empty() ? scene.file : recording;
    if (file.empty()) return "";
    std::string text = fmt::format("\nto look at it: impuls show {}", file);
    text += recording.empty() ? fmt::format("   or in the browser: impuls studio {}\n", file)
                              : fmt::format("   or: impuls export {} --format html -o {}.html\n", file,
                                            std::filesystem::path(file).stem().string());
    return text;
}

void report(const RunSummary& summary, const Prepared& p, const RunCommandOptions& o, Profile* profile) {
    complain_of(summary.warnings);
    if (o.json) {
        print(summary_json(summary, p.scene).text());
    } else if (!o.quiet) {
        print(summary_table(summary, p.scene, o.record.value_or(o.resume.file)));
        print(how_to_look(p.scene, o.record.value_or(o.resume.file)));
        if (profile) print("\n" + profile->table() + "\n" + outcome_tables(summary.outcomes));
    }
    if (profile) profile->finish();
}

int run_or_resume(const RunCommandOptions& o) {
    if (o.resume.is_given() != o.scene.file.empty())
        throw InputError(o.resume.is_given()
                             ? "--resume goes on with the scene of the recording: leave SCENE out"
                             : "SCENE is required, or --resume FILE");
    check_resume(o.resume, o.scene, o.method, o.record);
    catch_interrupts();
    Prepared p = o.resume.is_given() ? from_recording(o) : from_scene(o);
    p.world.interrupt_when(is_interrupted);
    const auto profile = make_profile(o);
    p.recorder = make_recorder(o, p);
    const RunSummary summary = simulate(p, o, profile.get());
    if (p.recorder) p.recorder->close();
    report(summary, p, o, profile.get());
    const std::int64_t last = summary.first_step + summary.steps;
    if (!summary.status.ok) {
        complain(fmt::format("stopped after step {}: {}", last, summary.status.message));
        return kFailed;
    }
    if (summary.interrupted) complain(fmt::format("interrupted after step {}", last));
    if (summary.interrupted) return kInterrupted;
    return o.strict && !summary.warnings.empty() ? kFailed : kOk;
}

int run_scene(const RunCommandOptions& o) {
    try {
        return run_or_resume(o);
    } catch (const Difference& difference) {
        complain(difference.what());
        return kFailed;
    }
}

std::function<int()> prepare_run(CLI::App& app) {
    const auto o = std::make_shared<RunCommandOptions>();
    o->scene.add_to(app);
    app.get_option("scene")->required(false);
    o->resume.add_to(app);
    app.add_option("--steps", o->steps, "Number of steps, instead of --until")
        ->check(whole_number(0, static_cast<std::int64_t>(kMostSteps)))
        ->type_name("N")
        ->excludes("--until");
    app.add_option("--method", o->method,
                   "Method, e.g. accurate or default+substeps=20 (see impuls list presets)")
        ->type_name("METHOD");
    app.add_option("-o,--record", o->record, "Write a recording")->type_name("FILE");
    add_overwrite_option(app, o->overwrite);
    app.add_option("--frame-every", o->recording.frame_every, "Record every n-th frame")
        ->capture_default_str()
        ->check(whole_number(1))
        ->type_name("N")
        ->needs("--record");
    app.add_flag("--no-contacts", o->no_contacts, "Record frames without contacts")->needs("--record");
    app.add_flag("--quantised", o->recording.quantised,
                 "Record frames with an error of up to 1e-4 of sizes, in less space; states stay exact")
        ->needs("--record");
    app.add_option("--checkpoint-every", o->recording.checkpoint_every,
                   "Steps between checkpoints, besides one every 10 s; 0: only these and the first")
        ->capture_default_str()
        ->check(whole_number(0))
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
    return {"run", "Simulate a scene, or go on with a recording",
            "  impuls run scenes/examples/newtons-cradle.json\n"
            "  impuls run tower.json --until 2 --dt 0.005 --method accurate --json\n"
            "  impuls run tower.json --record tower.impuls --frame-every 4\n"
            "  impuls run --resume tower.impuls --until 10\n"
            "  impuls run --resume tower.impuls --at 1.5 --set bodies.top.mass=5 --record heavy.impuls\n"
            "  impuls run tower.json --method fast --profile trace.json\n"
            "  impuls run tower.json --set variables.n=20 --set materials.0.friction=0.3",
            prepare_run};
}

}  // namespace impuls::cli
