// `impuls plot`: quantities of a recording over time, as SVG.
#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include "cli/output.h"
#include "cli/scene_options.h"
#include "cli/subcommands.h"
#include "impuls/export.h"

namespace impuls::cli {
namespace {

struct PlotOptions {
    std::string file{}, out{};
    std::vector<std::string> quantities{};
    bool overwrite = false;
};

int plot(const PlotOptions& o) {
    const Recording recording(o.file);
    for (const std::string& warning : recording.file_warnings()) complain("warning: " + warning);
    const std::vector<std::string> quantities =
        o.quantities.empty() ? recording.sample_names() : o.quantities;
    if (quantities.empty()) {
        throw InputError(fmt::format(
            "{} holds no measurements; name what to plot with --quantity, e.g. energy.total", o.file));
    }
    refuse_input(o.out, o.file);
    OutputFile out(o.out, existing_files(o.overwrite));
    out.write(plot_svg(recording, quantities));
    out.finish();
    print(fmt::format("wrote {}\n", o.out));
    return kOk;
}

std::function<int()> prepare_plot(CLI::App& app) {
    const auto o = std::make_shared<PlotOptions>();
    app.add_option("file", o->file, "Recording")->required()->type_name("FILE");
    app.add_option("-q,--quantity", o->quantities,
                   "What to plot (see impuls list quantities); repeatable; default: all measurements")
        ->type_name("NAME")
        ->expected(1)
        ->take_all()
        ->allow_extra_args(false);
    app.add_option("-o,--output", o->out, "SVG file")->required()->type_name("OUT");
    add_overwrite_option(app, o->overwrite);
    return [o] { return plot(*o); };
}

}  // namespace

Subcommand plot_command() {
    return {"plot", "Plot quantities of a recording over time",
            "  impuls plot tower.impuls --quantity energy.total --quantity energy.kinetic -o energy.svg\n"
            "  impuls plot tower.impuls -o measured.svg",
            prepare_plot};
}

}  // namespace impuls::cli
