// `impuls experiment`: an experiment with grains, with parameters from the command line and for several
// seeds: runs, measures, and prints a table with mean and standard error, as a small report if asked.
#include <atomic>
#include <cmath>
#include <memory>
#include <thread>

#include <fmt/core.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include "cli/experiments.h"
#include "cli/interrupt.h"
#include "cli/number_check.h"
#include "cli/output.h"
#include "cli/scene_options.h"
#include "cli/subcommands.h"
#include "cli/table.h"
#include "impuls/scene_file.h"
#include "io/files/output.h"

namespace impuls::cli {
namespace {

struct ExperimentOptions {
    std::string name{}, out{};
    std::vector<std::string> set{};
    int seeds = 3, jobs = 1;
    bool print_scene = false, overwrite = false;
};

const Experiment& find_experiment(const std::string& name) {
    std::vector<std::string> known;
    for (const Experiment& e : experiments()) {
        if (e.name == name) return e;
        known.emplace_back(e.name);
    }
    throw InputError(fmt::format("there is no experiment '{}'; there are: {}", name, fmt::join(known, ", ")));
}

Parameters parameters_of(const Experiment& e, const std::vector<std::string>& set) {
    Parameters p;
    std::vector<std::string> known;
    for (const Parameter& one : e.parameters) p[one.name] = one.value, known.emplace_back(one.name);
    for (const std::string& text : set) {
        const std::size_t at = text.find('=');
        const std::string name = text.substr(0, at);
        if (at == std::string::npos || !p.count(name))
            throw InputError(fmt::format("--set {}: {} has no such parameter; it has: {}", text, e.name,
                                         fmt::join(known, ", ")));
        char* end = nullptr;
        p[name] = std::strtod(text.c_str() + at + 1, &end);
        if (*end != 0 || end == text.c_str() + at + 1 || !std::isfinite(p[name]))
            throw InputError(fmt::format("--set {}: is no number", text));
    }
    p["seed"] = 1;
    return p;
}

std::string report_of(const Experiment& e, const Parameters& p, const std::vector<std::vector<double>>& rows,
                      const std::string& table) {
    std::string text =
        fmt::format("# Experiment {}\n\n{}.\n\n| parameter | value |\n| --- | --- |\n", e.name, e.about);
    for (const Parameter& one : e.parameters) text += fmt::format("| {} | {} |\n", one.name, p.at(one.name));
    return text + fmt::format("\n{} seeds.\n\n```\n{}```\n", rows.size(), table);
}

std::string table_of(const Experiment& e, const std::vector<std::vector<double>>& rows) {
    std::vector<std::string> heads{"seed"};
    for (const char* name : e.results) heads.push_back(std::string(">") + name);
    Table table(heads);
    const std::size_t columns = e.results.size();
    std::vector<double> mean(columns, 0), spread(columns, 0);
    const auto n = static_cast<double>(rows.size());
    for (std::size_t k = 0; k < rows.size(); ++k) {
        std::vector<std::string> cells{std::to_string(k + 1)};
        for (std::size_t c = 0; c < columns; ++c)
            cells.push_back(fmt::format("{:.4g}", rows[k][c])), mean[c] += rows[k][c] / n;
        table.row(cells);
    }
    std::vector<std::string> cells{"mean"}, errors{"standard error"};
    for (std::size_t c = 0; c < columns; ++c) {
        for (const auto& row : rows) spread[c] += (row[c] - mean[c]) * (row[c] - mean[c]);
        cells.push_back(fmt::format("{:.4g}", mean[c]));
        errors.push_back(n > 1 ? fmt::format("{:.2g}", std::sqrt(spread[c] / (n - 1) / n)) : "");
    }
    table.row(cells), table.row(errors);
    return table.text();
}

int run_experiment(const ExperimentOptions& o) {
    const Experiment& e = find_experiment(o.name);
    const Parameters p = parameters_of(e, o.set);
    if (o.print_scene) {
        print(to_json(parse_scene(e.scene(p), "experiment")) + "\n");
        return kOk;
    }
    std::vector<std::vector<double>> rows(static_cast<std::size_t>(o.seeds));
    std::atomic<int> next = 0;
    std::atomic<bool> has_failed = false;
    std::string problem;
    catch_interrupts();
    const auto work = [&] {
        for (int k = next++; k < o.seeds && !has_failed && !is_interrupted(); k = next++) {
            try {
                Parameters own = p;
                own["seed"] = k + 1;
                World world(parse_scene(e.scene(own), "experiment"));
                rows[static_cast<std::size_t>(k)] = e.measure(world, own, [] { return !is_interrupted(); });
            } catch (const std::exception& error) {
                if (!has_failed.exchange(true)) problem = error.what();
            }
        }
    };
    std::vector<std::thread> threads;
    for (int k = 1; k < o.jobs; ++k) threads.emplace_back(work);
    work();
    for (std::thread& thread : threads) thread.join();
    if (has_failed) throw InputError(problem);
    if (is_interrupted()) return kInterrupted;
    const std::string table = table_of(e, rows);
    print(table);
    if (!o.out.empty()) {
        OutputFile file(o.out, existing_files(o.overwrite));
        file.write(report_of(e, p, rows, table));
        file.finish();
    }
    return kOk;
}

std::string list_of_experiments() {
    std::string text = "Experiments and their parameters (--set NAME=VALUE):\n";
    for (const Experiment& e : experiments()) {
        text += fmt::format("\n{}: {}\n", e.name, e.about);
        for (const Parameter& one : e.parameters)
            text += fmt::format("    {:<12} {:>8g}  {}\n", one.name, one.value, one.about);
    }
    return text;
}

}  // namespace

Subcommand experiment_command() {
    return {"experiment", "Run an experiment with grains for several seeds, and tell mean and error",
            "impuls experiment repose --seeds 3 --set friction=0.6\n"
            "impuls experiment beverloo --set neck=8 --out beverloo.md\n"
            "impuls experiment repose --scene > repose.json\n"
            "impuls experiment --list",
            [](CLI::App& app) -> std::function<int()> {
                const auto o = std::make_shared<ExperimentOptions>();
                const auto list = std::make_shared<bool>(false);
                app.add_option("name", o->name, "repose or beverloo");
                app.add_flag("--list", *list, "the experiments and their parameters");
                app.add_option("--set", o->set, "NAME=VALUE: a parameter");
                app.add_option("--seeds", o->seeds, "how many runs that differ by their seed")
                    ->check(whole_number(1, 10000));
                app.add_option("--jobs", o->jobs, "runs at the same time")->check(whole_number(1, 1024));
                app.add_option("--out", o->out, "write a report");
                app.add_flag("--overwrite", o->overwrite, "replace the report if there is one");
                app.add_flag("--scene", o->print_scene,
                             "print the scene of the first seed instead, for run and show");
                return [o, list] {
                    if (*list) return print(list_of_experiments()), int{kOk};
                    return run_experiment(*o);
                };
            }};
}

}  // namespace impuls::cli
