// Study of precision: ./impuls bench precision [SCENE [ROUNDS]]. Error after 1 s against processor time:
// force level by tolerance, our other methods, Simbody by accuracy and MuJoCo's Runge-Kutta by step, on a
// chain of 25 rods on ball joints and on a chain of stiff springs. Methods take turns within each round, each
// run in a process of its own. Results go to bench/results/<machine>/precision.json, with charts; `report`
// makes its section of docs/benchmarks.md.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <numeric>
#include <string>
#include <vector>

#include "bench/measure.h"
#include "bench/precision_results.h"
#include "bench/results.h"
#include "bench/studies.h"
#include "bench/trajectory.h"
#include "impuls/errors.h"
#include "impuls/scene_file.h"

namespace impuls {
namespace {

using namespace bench;

constexpr double kCap = 30;      // s of stepping a run may take
constexpr double kFrame = 0.1;   // s between frames of what controls its error
constexpr int kMostParts = 512;  // of 1/60 s

// One engine with one setting; the step is the model's.
struct Contender {
    const Engine* engine = nullptr;
    std::string method{}, setting{}, variant{};
    double dt = kFrame;
};

double step_of(int parts) {
    return 1.0 / (60 * parts);
}

void add_tolerances(std::vector<Contender>& list, const Engine& engine, const std::string& method,
                    const std::string& variant, int from, int to) {
    for (int decade = from; decade <= to; ++decade)
        list.push_back(
            {&engine, method, fmt::format("1e-{}", decade), fmt::format("{}1e-{}", variant, decade)});
}
void add_steps(std::vector<Contender>& list, const Engine& engine, const std::string& method,
               const std::string& variant, int from, int to) {
    for (int parts = from; parts <= to; parts *= 2)
        list.push_back({&engine, method, fmt::format("1/{} s", 60 * parts), variant, step_of(parts)});
}

std::vector<Contender> contenders(const std::vector<Engine>& all, bool is_stiff) {
    std::vector<Contender> list;
    for (const Engine& engine : all) {
        if (engine.name != "impuls" && !engine.is_installed()) continue;
        if (engine.name == "impuls") {
            add_tolerances(list, engine, "force level", "aero+tolerance=", 3, 11);
            if (is_stiff)
                add_tolerances(list, engine, "rosenbrock", "aero+integrator=rosenbrock+tolerance=", 3, 7);
            add_steps(list, engine, "accurate", "accurate", 1, 16);
            add_steps(list, engine, "default", "default", 1, 32);
        } else if (engine.name == "simbody") {
            add_tolerances(list, engine, "simbody", "", 2, is_stiff ? 9 : 10);
            if (is_stiff) add_tolerances(list, engine, "simbody cpodes", "cpodes ", 2, 8);
        } else if (engine.name == "mujoco") {
            add_steps(list, engine, "mujoco rk4", "rk4", is_stiff ? 128 : 1, is_stiff ? 2048 : 128);
        }
    }
    return list;
}

Model with_step(const Scene& scene, double dt) {
    Scene changed = scene;
    changed.settings.dt = dt;
    return make_model(changed);
}

// Root mean square distance of the bodies from the reference; infinite where there are none.
double error_of(const std::vector<BodyState>& states, const std::vector<Vec3>& reference) {
    if (states.size() != reference.size()) return HUGE_VAL;
    double sum = 0;
    for (std::size_t k = 0; k < states.size(); ++k)
        sum += length_squared(states[k].X_WP.position - reference[k]);
    return std::sqrt(sum / static_cast<double>(states.size()));
}

std::vector<Vec3> reference_of(const Scene& scene, const std::vector<Engine>& all) {
    const Model model = make_model(scene);
    if (model.springs.empty()) return reference_centres(model, kMostParts);
    const RunRecord run =
        run_apart(all.front(), {.variant = "aero+tolerance=1e-13"}, with_step(scene, 0.01), 100, 10 * kCap);
    std::vector<Vec3> centres;
    for (const BodyState& state : run.last) centres.push_back(state.X_WP.position);
    return centres;
}

void measure(const std::string& name, const char* file, int rounds, PrecisionResults& results) {
    const Scene scene = load_scene(std::string(IMPULS_SOURCE_DIR) + "/scenes/bench/" + file);
    const std::vector<Engine> all = engines();
    const std::vector<Vec3> reference = reference_of(scene, all);
    const std::vector<Contender> list = contenders(all, !make_model(scene).springs.empty());
    std::vector<PrecisionRow> rows(list.size());
    for (int round = 0; round < rounds; ++round)
        for (std::size_t k = 0; k < list.size(); ++k) {
            const Contender& c = list[k];
            PrecisionRow& row = rows[k];
            row.scene = name, row.method = c.method, row.setting = c.setting;
            row.is_ours = c.engine->name == "impuls";
            if (!row.end.empty()) continue;
            const RunRecord run = run_apart(*c.engine, {.variant = c.variant}, with_step(scene, c.dt),
                                            static_cast<int>(std::lround(kTrajectoryTime / c.dt)), kCap);
            if (run.end != RunEnd::Done) {
                if (round == 0) row.end = run.message.empty() ? name_of(run.end) : run.message;
                continue;
            }
            const double ms = std::accumulate(run.cpu_ms.begin(), run.cpu_ms.end(), 0.0);
            row.ms = round == 0 ? ms : std::min(row.ms, ms);
            row.error = error_of(run.last, reference);
        }
    for (const PrecisionRow& row : rows)
        fmt::print("{:<10}{:<16}{:<12}{:>10.2f} ms{:>12.1e} m  {}\n", row.scene, row.method, row.setting,
                   row.ms, row.error, row.end);
    std::erase_if(results.rows, [&](const PrecisionRow& row) { return row.scene == name; });
    results.rows.insert(results.rows.end(), rows.begin(), rows.end());
}

}  // namespace

int bench::precision_study(int argc, char** argv) {
    const std::string only = argc > 1 ? argv[1] : "";
    const int rounds = argc > 2 ? std::atoi(argv[2]) : 3;
    const std::string folder = results_folder(), file = folder + "/precision.json";
    PrecisionResults results;
    if (std::filesystem::exists(file)) results = read_precision(file);
    results.machine = machine_name(), results.date = today(), results.rounds = rounds;
    constexpr std::pair<const char*, const char*> kScenes[]{{"chain25", "chain.json"},
                                                            {"springs", "springs.json"}};
    bool is_known = only.empty();
    for (const auto& [name, scene] : kScenes) is_known = is_known || only == name;
    if (!is_known || rounds < 1)
        throw InputError("precision: SCENE is chain25 or springs, ROUNDS is 1 or more");
    for (const auto& [name, scene] : kScenes)
        if (only.empty() || only == name) measure(name, scene, rounds, results);
    write_precision(results, file);
    write_precision_charts(results, folder);
    fmt::print("written: {}, charts\n", file);
    return 0;
}

}  // namespace impuls
