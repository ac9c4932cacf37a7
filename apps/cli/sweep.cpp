// `impuls sweep`: a scene with all combinations of some values, each run in a process of its own, as one
// table. Results go to a journal as they come (OUT.sweep), so that a sweep that was ended, in whatever way,
// goes on where it was.
#include <json/value.h>
#include <xxhash.h>

#include <chrono>
#include <filesystem>
#include <list>
#include <memory>
#include <thread>

#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include "cli/child.h"
#include "cli/interrupt.h"
#include "cli/number_check.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/scene_options.h"
#include "cli/subcommands.h"
#include "cli/sweep_grid.h"
#include "cli/sweep_journal.h"
#include "cli/sweep_table.h"
#include "impuls/recording.h"
#include "impuls/scene_file.h"

namespace impuls::cli {
namespace {

constexpr auto kLookEvery = std::chrono::milliseconds(5);  // between looks at processes

struct SweepOptions {
    SceneOptions scene{};
    std::string method{};
    std::vector<std::string> vary{};
    int seeds = 0;
    int jobs = 0;
    std::string out{};
    std::string plot{};
    std::vector<std::string> columns{};
    bool overwrite = false;
};

struct Job {
    std::size_t run;
    Child child;
};

std::vector<std::string> arguments(const SweepOptions& o, const Grid& grid, std::size_t run) {
    std::vector<std::string> words{"run", o.scene.file, "--json", "--threads",
                                   std::to_string(o.scene.threads)};
    const auto add = [&](const char* name, const std::string& value) {
        words.push_back(name);
        words.push_back(value);
    };
    if (o.scene.until) add("--until", fmt::format("{}", *o.scene.until));
    if (o.scene.dt) add("--dt", fmt::format("{}", *o.scene.dt));
    if (!o.method.empty()) add("--method", o.method);
    for (const std::string& set : o.scene.set) add("--set", set);
    for (const std::string& set : grid.set(run)) add("--set", set);
    return words;
}

Scene load_run(const SweepOptions& o, const Grid& grid, std::size_t run) {
    SceneOptions options = o.scene;
    for (const std::string& set : grid.set(run)) options.set.push_back(set);
    return options.load(o.method);
}

std::string hash_of(const std::string& text) {
    return hex(XXH64(text.data(), text.size(), 0));
}

// What makes two sweeps the same: then the results of one may be taken for the other.
::Json::Value identity(const SweepOptions& o, const Grid& grid, const std::string& scene) {
    ::Json::Value sweep(::Json::objectValue);
    sweep["sweep"] = 1;
    for (const auto& [key, value] : build_info())
        if (key != "cpu") sweep["program"][key] = value;
    sweep["scene"] = scene;
    for (const std::string& word : arguments(o, grid, 0)) sweep["arguments"].append(word);
    for (const Varied& varied : grid.varied()) {
        ::Json::Value values(::Json::arrayValue);
        for (const std::string& value : varied.values) values.append(value);
        sweep["vary"][varied.path] = values;
    }
    return sweep;
}

Grid make_grid(const SweepOptions& o) {
    std::vector<Varied> varied;
    for (const std::string& text : o.vary) varied.push_back(parse_varied(text));
    if (o.seeds > 0) {
        varied.push_back({"settings.seed", {}});
        for (int seed = 0; seed < o.seeds; ++seed) varied.back().values.push_back(std::to_string(seed));
    }
    if (varied.empty()) throw InputError("name what to vary, e.g. --vary variables.m=100,300 or --seeds 10");
    return Grid(std::move(varied));
}

// The scene without any run's values, as a text that changes with it. When no run can be loaded, a path or
// the scene is wrong, and that is said at once.
std::string check_scene(const SweepOptions& o, const Grid& grid) {
    std::string text = to_json(o.scene.load(o.method));
    try {
        text += to_json(expand(load_run(o, grid, 0)));
    } catch (const InputError&) {
        try {
            load_run(o, grid, grid.size() - 1);
        } catch (const InputError&) {
            load_run(o, grid, 0);
        }
    }
    if (o.seeds > 1) {
        const auto seeded = [&](std::size_t run) {
            Scene scene = expand(load_run(o, grid, run));
            scene.settings.seed = 0;
            return to_json(scene);
        };
        if (seeded(0) == seeded(1))
            throw InputError(fmt::format(
                "--seeds: nothing in {} is drawn at random (repeat with jitter or random_orientation)",
                o.scene.file));
    }
    return hash_of(text);
}

void draw(Progress& progress, const Journal& journal, const Grid& grid, std::size_t failed) {
    if (!progress.is_due()) return;
    const std::size_t done = journal.rows().size();
    progress.draw(
        static_cast<double>(done) / static_cast<double>(grid.size()),
        fmt::format("{} of {} runs{}", done, grid.size(), failed ? fmt::format(", {} failed", failed) : ""));
}

std::size_t failures(const Journal& journal) {
    return static_cast<std::size_t>(std::count_if(journal.rows().begin(), journal.rows().end(),
                                                  [](const auto& row) { return !is_complete(row.second); }));
}

void run_all(const SweepOptions& o, const Grid& grid, Journal& journal) {
    const std::size_t jobs = o.jobs > 0 ? static_cast<std::size_t>(o.jobs)
                                        : std::max<std::size_t>(std::thread::hardware_concurrency(), 1);
    std::list<Job> running;
    Progress progress;
    for (std::size_t next = 0; !is_interrupted() && (next < grid.size() || !running.empty());) {
        while (next < grid.size() && running.size() < jobs) {
            if (!journal.rows().contains(next)) running.push_back({next, Child(arguments(o, grid, next))});
            ++next;
        }
        std::erase_if(running, [&](Job& job) {
            if (!job.child.has_ended()) return false;
            journal.add(job.run, sweep_row(job.child.exit_code(), job.child.out(), job.child.err()));
            return true;
        });
        draw(progress, journal, grid, failures(journal));
        std::this_thread::sleep_for(kLookEvery);
    }
}

void write_result(const std::string& path, const std::string& text, bool overwrite) {
    OutputFile file(path, existing_files(overwrite));
    file.write(text);
    file.finish();
    print(fmt::format("wrote {}\n", path));
}

void refuse_existing(const std::string& path, bool overwrite) {
    if (!path.empty() && !overwrite && std::filesystem::exists(path))
        throw FileError(fmt::format("{} exists; --overwrite replaces it", path));
}

int sweep(const SweepOptions& o) {
    for (const std::string& path : {o.out, o.plot}) {
        if (!path.empty()) refuse_input(path, o.scene.file);
        refuse_existing(path, o.overwrite);
    }
    const Grid grid = make_grid(o);
    const std::string scene = check_scene(o, grid);
    catch_interrupts();
    Journal journal(behind_links(o.out) + ".sweep", identity(o, grid, scene));
    if (const std::size_t done = journal.rows().size())
        complain(fmt::format("going on: {} of {} runs were done before", done, grid.size()));
    run_all(o, grid, journal);
    const std::size_t done = journal.rows().size(), failed = failures(journal);
    if (done < grid.size()) {
        complain(fmt::format("interrupted after {} of {} runs; the same command goes on", done, grid.size()));
        return kInterrupted;
    }
    const SweepTable table(grid, journal.rows());
    write_result(o.out, table.csv(), o.overwrite);
    if (!o.plot.empty())
        write_result(o.plot, figure_file(table.figure(o.scene.load(o.method).title, o.columns), o.plot),
                     o.overwrite);
    journal.remove();
    print(fmt::format(
        "{}{}\n", counted(done, "run", "runs"),
        failed ? fmt::format(", {} of them failed (see the columns status and reason)", failed) : ""));
    return failed ? kFailed : kOk;
}

void add_repeatable(CLI::App& app, const char* name, std::vector<std::string>& values, const char* help,
                    const char* type) {
    app.add_option(name, values, help)->type_name(type)->expected(1)->take_all()->allow_extra_args(false);
}

std::function<int()> prepare_sweep(CLI::App& app) {
    const auto o = std::make_shared<SweepOptions>();
    o->scene.add_to(app);
    app.add_option("--method", o->method, "Method of all runs")->type_name("METHOD");
    add_repeatable(
        app, "--vary", o->vary,
        "Values to try: a list, or first:last:count, or first:last:count:log; repeatable: all combinations",
        "PATH=VALUES");
    app.add_option("--seeds", o->seeds, "So many runs of each, that differ in what is drawn at random")
        ->check(whole_number(1, 1'000'000))
        ->type_name("N");
    app.add_option("-j,--jobs", o->jobs, "Runs at a time; 0: as many as there are cores")
        ->capture_default_str()
        ->check(whole_number(0, 4096))
        ->type_name("N");
    app.add_option("-o,--output", o->out, "Table to write (CSV)")->required()->type_name("OUT");
    app.add_option("--plot", o->plot, "Plot to write: .png for a picture, else SVG")->type_name("FILE");
    add_repeatable(app, "--column", o->columns,
                   "What to plot; repeatable; default: last values of all that is measured", "NAME");
    add_overwrite_option(app, o->overwrite);
    return [o] { return sweep(*o); };
}

}  // namespace

Subcommand sweep_command() {
    return {
        "sweep", "Run a scene with many values, as one table",
        "  impuls sweep crane.json --vary variables.m=100,300,1000 -o crane.csv\n"
        "  impuls sweep crane.json --vary variables.m=1:1000:7:log --vary settings.dt=0.01,0.001 -o "
        "crane.csv\n"
        "  impuls sweep heap.json --vary materials.0.friction=0:1:11 --seeds 10 -o heap.csv --plot heap.svg\n"
        "A sweep that was ended goes on where it was when the same command is given again.",
        prepare_sweep};
}

}  // namespace impuls::cli
