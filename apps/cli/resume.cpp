// Taking a recording up again from the command line (resume.h).
#include "cli/resume.h"

#include <cmath>
#include <filesystem>

#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include "cli/interrupt.h"
#include "cli/number_check.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "impuls/errors.h"
#include "impuls/run.h"

namespace impuls::cli {
namespace {

bool has_changes(const SceneOptions& changes, const std::string& method) {
    return !changes.set.empty() || changes.dt || !method.empty();
}

Resumption catch_up(const Recording& recording, const ResumeCommandOptions& o, const SceneOptions& changes,
                    bool wants_outputs, bool shows_progress) {
    Progress progress(shows_progress);
    ResumeOptions options;
    options.at = o.at;
    options.executor = changes.executor();
    options.wants_outputs = wants_outputs;
    options.interrupt_when = is_interrupted;
    std::optional<std::int64_t> first;
    options.progress = [&](std::int64_t step, std::int64_t to) {
        if (!first) first = step;
        if (progress.is_due())
            progress.draw(static_cast<double>(step - *first) / static_cast<double>(to - *first),
                          fmt::format("catching up: step {} of {}", step, to));
    };
    try {
        return resume(recording, options);
    } catch (const InputError& error) {
        throw InputError({Issue{o.file, 0, 0, {}, error.what()}});
    }
}

}  // namespace

void ResumeCommandOptions::add_to(CLI::App& app) {
    auto* resume =
        app.add_option("--resume", file,
                       "Go on with a recording, also one that was killed; with --at, --set, --dt or "
                       "--method branch off into the recording -o")
            ->type_name("FILE");
    app.add_option("--at", at, "Time of the recording to branch off at (default: its end)")
        ->check(seconds_from(0))
        ->type_name("SECONDS")
        ->needs(resume);
}

void LaterCommands::give(World& world) {
    for (; next < list.size() && list[next].first <= world.steps(); ++next) {
        world.apply(list[next].second);
        if (recorder) recorder->add_command(world.steps(), list[next].second);
    }
}

void check_resume(const ResumeCommandOptions& o, const SceneOptions& changes, const std::string& method,
                  const std::optional<std::string>& record) {
    if (!o.is_given() || record) return;
    if (o.at || has_changes(changes, method))
        throw InputError(
            "--at, --set, --dt and --method branch off into a recording of their own: name it with -o FILE");
}

Taken take_up(const ResumeCommandOptions& o, const SceneOptions& changes, const std::string& method,
              bool into_new_file, bool shows_progress) {
    const Recording recording(o.file);
    for (const std::string& warning : recording.file_warnings()) complain("warning: " + warning);
    Resumption there = catch_up(recording, o, changes, into_new_file, shows_progress);
    if (there.interrupted) throw Interrupted{};
    if (!there.difference.empty()) throw Difference(fmt::format("{}: {}", o.file, there.difference));
    const auto parent =
        parent_meta(std::filesystem::absolute(std::filesystem::path(o.file)).string(), there.world);
    if (!has_changes(changes, method)) {
        // What was commanded later belongs to the run that goes on, not to one that branches off before it.
        if (o.at) there.commands.clear();
        return {recording.scene(), std::move(there.world), std::move(there.commands), parent};
    }
    Scene scene = recording.scene(changes.changes());
    set_method(scene, method);
    World world = there.world.branch(scene);
    return {std::move(scene), std::move(world), {}, parent};
}

std::int64_t steps_left(const World& world, const std::optional<double>& until) {
    if (!until) return steps_to_end(world);
    if (!(*until >= 0) || *until > kMostSteps * world.dt())
        throw InputError(fmt::format("--until {}: must be a time in seconds, and not too far away", *until));
    if (*until < world.time() - 1e-6 * world.dt())
        throw InputError(fmt::format("--until {}: the recording already reaches {} s", *until, world.time()));
    return steps_to(world, *until);
}

}  // namespace impuls::cli
