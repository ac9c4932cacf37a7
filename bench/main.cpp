// impuls-bench: the comparison with other engines, started by `./impuls bench`. Commands: run (the default),
// collision, report, list, make-scenes, and the studies of the list below.
#include <unistd.h>

#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "bench/campaign.h"
#include "bench/collision_replay.h"
#include "bench/make_scenes.h"
#include "bench/report.h"
#include "bench/studies.h"
#include "cli/progress.h"
#include "impuls/errors.h"

using namespace impuls;
using namespace impuls::bench;

namespace {

// Google Benchmark's program beside this one (step.cpp).
int micro(int, char** argv) {
    const std::string program =
        std::filesystem::read_symlink("/proc/self/exe").parent_path() / "impuls-bench-micro";
    execv(program.c_str(), argv);
    throw FileError("cannot start " + program);
}

constexpr Study kStudies[] = {
    {"micro", "Times of single parts (Google Benchmark; takes its options)", micro},
    {"broad-phase", "Time and growth of the broad phases [LARGEST]", broad_phase_study},
    {"closest-features", "Coherent closest-feature queries, 4 to 462 vertices [--json]",
     closest_feature_study},
    {"claims", "What Erleben's and Bender's texts claim about time, against bars", claims_study},
    {"freezing", "Columns of cubes with and without stack freezing, by height [LARGEST, 200]",
     freezing_study},
    {"growth", "Time of a step against bodies and contacts, with exponents [LARGEST]", growth_study},
    {"asleep", "The same where all sleep, or all but one [LARGEST]", asleep_study},
    {"impact", "A wall hit by a ball and a heap from 5 m beside finer steps [HOW MUCH FINER, 64]",
     impact_study},
    {"multibody", "Bender's tree and chain by six methods, and the linear-time kernel [SECONDS [NOTE]]",
     multibody_study},
    {"precision", "Error against processor time beside Simbody and MuJoCo [SCENE [ROUNDS, 3]]",
     precision_study},
    {"tolerance", "Error of force level against its tolerance: table and picture of the manual",
     tolerance_study},
    {"polyhedron-boxes", "Bounding boxes of polyhedra by three methods", polyhedron_box_study},
#ifdef HAS_FCL
    {"peer-distances", "Distances of convex pairs by FCL and libccd beside ours [PAIRS]",
     peer_distance_study},
#endif
};

struct Saved {
    std::string name = "results";  // quick and changed runs must not replace the real ones
    std::string note{};
    std::string file() const { return results_folder() + "/" + name; }
};

Results read_saved(const Saved& saved) {
    const std::string file = saved.file() + ".json";
    return std::filesystem::exists(file) ? read_json(file) : Results{};
}

void save(const Saved& saved, Results results) {
    if (!saved.note.empty()) results.note = saved.note;
    write_json(results, saved.file() + ".json");
    write_csv(results, saved.file() + ".csv");
}

// New rows replace those of the same scene, engine, method and threads; the rest stays. Scenes in the
// catalogue's order.
Results merged(const Results& old, Results now) {
    const auto is_same = [](const Row& a, const Row& b) {
        return a.scene == b.scene && a.label() == b.label();
    };
    std::vector<Row> rows = old.rows;
    for (const Row& row : now.rows) {
        const auto found =
            std::find_if(rows.begin(), rows.end(), [&](const Row& r) { return is_same(r, row); });
        if (found == rows.end())
            rows.push_back(row);
        else
            *found = row;
    }
    const auto rank = [](const Row& row) { return &find_scene(row.scene) - catalog().data(); };
    std::stable_sort(rows.begin(), rows.end(), [&](const Row& a, const Row& b) { return rank(a) < rank(b); });
    now.rows = std::move(rows);
    if (now.note.empty()) now.note = old.note;
    if (now.collision.empty()) now.collision = old.collision;
    if (now.engines.size() < old.engines.size()) now.engines = old.engines;
    return now;
}

Overrides overrides_from(const std::vector<std::string>& set) {
    Overrides out;
    for (const std::string& text : set) {
        const std::size_t equals = text.find('=');
        if (equals == std::string::npos) throw InputError("--set " + text + ": expected path=value");
        out.emplace_back(text.substr(0, equals), text.substr(equals + 1));
    }
    return out;
}

CampaignCalls terminal_calls(cli::Progress& progress) {
    CampaignCalls calls;
    calls.progress = [&](double fraction, const std::string& what) { progress.draw(fraction, what); };
    calls.scene_done = [](const Results&) {};
    return calls;
}

int run(const Campaign& campaign, const Saved& saved) {
    cli::Progress progress;
    const Results old = read_saved(saved);
    CampaignCalls calls = terminal_calls(progress);
    calls.scene_done = [&](const Results& so_far) {
        progress.clear();
        const std::string& scene = so_far.rows.back().scene;
        fmt::print("{}, {} bodies\n{}\n", scene, so_far.rows.back().bodies, scene_table(so_far, scene));
        std::fflush(stdout);
        save(saved, merged(old, so_far));
    };
    run_campaign(campaign, calls);
    fmt::print("written: {}.json, .csv\n", saved.file());
    return 0;
}

int collision(const ReplayOptions& options, const Saved& saved) {
    cli::Progress progress;
    Results results = read_saved(saved);
    const std::vector<CollisionRow> rows = replay_collisions(options, terminal_calls(progress));
    std::erase_if(results.collision, [&](const CollisionRow& old) {
        return std::any_of(rows.begin(), rows.end(),
                           [&](const CollisionRow& row) { return row.scene == old.scene; });
    });
    results.collision.insert(results.collision.end(), rows.begin(), rows.end());
    results.machine = machine_name();
    progress.clear();
    fmt::print("{}", collision_table(results));
    save(saved, results);
    return 0;
}

int report(const Saved& saved) {
    const Results results = read_json(saved.file() + ".json");
    write_report(results, results_folder());
    fmt::print("written: docs/benchmarks.md, charts in {}\n", results_folder());
    return 0;
}

int make_scenes() {
    const std::string folder = std::string(IMPULS_SOURCE_DIR) + "/scenes/bench/";
    std::ofstream(folder + "polys.json") << polys_scene();
    std::ofstream(folder + "tree.json") << tree_scene();
    return 0;
}

int list() {
    fmt::print("scenes:\n");
    for (const CatalogScene& scene : catalog()) fmt::print("  {:<10} {}\n", scene.name, scene.file);
    fmt::print("engines:\n");
    for (const Engine& engine : engines())
        fmt::print("  {:<10} {}\n", engine.name,
                   engine.is_installed() ? engine.version + ": " + engine.settings
                                         : "not installed (" + engine.package + ")");
    return 0;
}

struct Options {
    Campaign campaign{};
    ReplayOptions replay{};
    std::vector<std::string> set{};
    Saved saved{};
};

void add_common(CLI::App& app, Options& o, std::vector<std::string>& scenes, bool& is_quick, int& repeats) {
    app.add_option("--scenes", scenes, "Only these (see list)")->delimiter(',')->type_name("NAME,…");
    app.add_flag("--quick", is_quick, "Small sizes, to see that everything works");
    app.add_option("--repeats", repeats, "Times each run is repeated")
        ->capture_default_str()
        ->check(CLI::Range(1, 1000));
    app.add_option("--set", o.set, "Change a value of the scenes, e.g. variables.n=20; repeatable")
        ->type_name("PATH=VALUE")
        ->expected(1)
        ->take_all()
        ->allow_extra_args(false);
    app.add_option("--note", o.saved.note, "A remark kept with the results");
}

int run_parsed(CLI::App& app, Options& o) {
    o.campaign.changes = o.replay.changes = overrides_from(o.set);
    if (o.campaign.is_quick || o.replay.is_quick) o.saved.name = "quick";
    if (!o.set.empty()) o.saved.name = "changed";
    if (app.got_subcommand("collision")) return collision(o.replay, o.saved);
    if (app.got_subcommand("report")) return report(o.saved);
    if (app.got_subcommand("list")) return list();
    if (app.got_subcommand("make-scenes")) return make_scenes();
    return run(o.campaign, o.saved);
}

int start(int argc, char** argv) {
    for (const Study& study : kStudies)
        if (argc > 1 && std::strcmp(argv[1], study.name) == 0) return study.run(argc - 1, argv + 1);

    CLI::App app("Compares Impuls with other engines on the scenes of scenes/bench.", "impuls bench");
    Options o;
    app.require_subcommand(1);
    CLI::App& run_app =
        *app.add_subcommand("run", "Run engines on scenes; the tables also go to bench/results/<machine>");
    add_common(run_app, o, o.campaign.scenes, o.campaign.is_quick, o.campaign.repeats);
    run_app.add_option("--engines", o.campaign.engines, "Only these (see list)")
        ->delimiter(',')
        ->type_name("NAME,…");
    run_app.add_option("--methods", o.campaign.methods, "Methods of our engine instead of all presets")
        ->delimiter(',')
        ->type_name("METHOD,…");
    run_app.add_option("--threads", o.campaign.threads, "Numbers of threads, where an engine has them")
        ->delimiter(',')
        ->capture_default_str();
    run_app.add_flag("--all-variants", o.campaign.all_variants, "Other solvers of the peers too");
    run_app.add_option("--cap", o.campaign.cap_s, "Seconds of stepping after which a run is cut")
        ->capture_default_str();
    CLI::App& replay_app = *app.add_subcommand("collision", "Broad and narrow phase alone on recorded poses");
    add_common(replay_app, o, o.replay.scenes, o.replay.is_quick, o.replay.repeats);
    app.add_subcommand("report", "Write docs/benchmarks.md and the charts from the results of this machine");
    app.add_subcommand("list", "Scenes and engines");
    app.add_subcommand("make-scenes", "Write the scene files that generators cannot describe");
    for (const Study& study : kStudies) app.add_subcommand(study.name, study.about);
    if (argc == 1) {
        fmt::print("{}", app.help());
        return 0;
    }
    CLI11_PARSE(app, argc, argv);
    return run_parsed(app, o);
}

}  // namespace

int main(int argc, char** argv) {
    try {
        return start(argc, argv);
    } catch (const InputError& error) {
        fmt::print(stderr, "impuls bench: {}\n", error.what());
        return 2;
    } catch (const std::exception& error) {
        fmt::print(stderr, "impuls bench: {}\n", error.what());
        return 4;
    }
}
