// `impuls plot`: quantities of a recording over time, as SVG or PNG: over time or against each other, of one
// or of several recordings.
#include <filesystem>

#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include "cli/number_check.h"
#include "cli/output.h"
#include "cli/scene_options.h"
#include "cli/subcommands.h"
#include "io/plot/plot.h"

namespace impuls::cli {
namespace {

struct PlotOptions {
    std::vector<std::string> files{};
    std::string out{};
    PlotSettings settings{};
    bool overwrite = false;
};

// What is plotted when nothing is named: all that the first recording measures.
std::vector<std::string> all_measured(const Recording& recording, const std::string& file) {
    std::vector<std::string> names = recording.sample_names();
    if (names.empty())
        throw InputError(fmt::format(
            "{} holds no measurements; name what to plot with --quantity, e.g. energy.total", file));
    return names;
}

int plot(const PlotOptions& o) {
    std::vector<Recording> recordings;
    recordings.reserve(o.files.size());
    for (const std::string& file : o.files) {
        recordings.emplace_back(file);
        for (const std::string& warning : recordings.back().file_warnings()) complain("warning: " + warning);
        refuse_input(o.out, file);
    }
    PlotSettings settings = o.settings;
    if (settings.quantities.empty()) settings.quantities = all_measured(recordings[0], o.files[0]);
    std::vector<PlottedRecording> plotted;
    for (std::size_t k = 0; k < recordings.size(); ++k)
        plotted.push_back(
            {o.files.size() > 1 ? std::filesystem::path(o.files[k]).stem().string() : "", &recordings[k]});
    const std::string bytes = figure_file(plot_figure(plotted, settings), o.out);
    OutputFile out(o.out, existing_files(o.overwrite));
    out.write(bytes);
    out.finish();
    print(fmt::format("wrote {}\n", o.out));
    return kOk;
}

std::function<int()> prepare_plot(CLI::App& app) {
    const auto o = std::make_shared<PlotOptions>();
    app.add_option("files", o->files, "Recordings; the curves of several are drawn together")
        ->required()
        ->type_name("FILE...");
    app.add_option("-q,--quantity", o->settings.quantities,
                   "What to plot (see impuls list quantities); repeatable; default: all measurements")
        ->type_name("NAME")
        ->expected(1)
        ->take_all()
        ->allow_extra_args(false);
    app.add_option("--against", o->settings.against,
                   "A quantity along the x axis instead of time: a phase plot")
        ->type_name("NAME");
    app.add_option("--from", o->settings.from, "First time (default: the beginning)")
        ->check(a_time())
        ->type_name("SECONDS");
    app.add_option("--to", o->settings.to, "Last time (default: the end)")
        ->check(a_time())
        ->type_name("SECONDS");
    app.add_option("--title", o->settings.title, "Above the plot (default: the title of the scene)")
        ->type_name("TEXT");
    app.add_option("-o,--output", o->out, "File: .png for a picture, else SVG")->required()->type_name("OUT");
    add_overwrite_option(app, o->overwrite);
    return [o] { return plot(*o); };
}

}  // namespace

Subcommand plot_command() {
    return {"plot", "Plot quantities of recordings, as SVG or PNG",
            "  impuls plot tower.impuls --quantity energy.total --quantity energy.kinetic -o energy.svg\n"
            "  impuls plot tower.impuls -o measured.png --from 1 --to 2\n"
            "  impuls plot swing.impuls --against joints.pin.turn.position -q joints.pin.turn.velocity -o "
            "phase.svg\n"
            "  impuls plot coarse.impuls fine.impuls -q energy.total -o both.svg",
            prepare_plot};
}

}  // namespace impuls::cli
