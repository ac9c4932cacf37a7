// `impuls export`: a recording in another program's format.
#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include "cli/interrupt.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/scene_options.h"
#include "cli/subcommands.h"
#include "impuls/export.h"

namespace impuls::cli {
namespace {

struct ExportOptions {
    std::string file{}, format{}, out{};
    bool overwrite = false;
    bool quiet = false;
};

const Exporter& find_exporter(const std::string& format) {
    std::vector<std::string> names;
    for (const Exporter& exporter : exporters()) {
        if (exporter.name == format) return exporter;
        names.push_back(exporter.name);
    }
    throw InputError(
        fmt::format("unknown format '{}'{}; see impuls list exporters", format, did_you_mean(format, names)));
}

int export_recording(const ExportOptions& o) {
    const Exporter& exporter = find_exporter(o.format);
    const Recording recording(o.file);
    for (const std::string& warning : recording.file_warnings()) complain("warning: " + warning);
    refuse_input(o.out, o.file);
    catch_interrupts();
    Progress progress(!o.quiet);
    ExportSettings settings{.overwrite = o.overwrite};
    settings.progress = [&](double done) {
        throw_if_interrupted();
        if (progress.is_due()) progress.draw(done, o.out);
    };
    exporter.write(recording, o.out, settings);
    progress.clear();
    if (!o.quiet) print(fmt::format("wrote {} ({})\n", o.out, exporter.name));
    return kOk;
}

std::function<int()> prepare_export(CLI::App& app) {
    const auto o = std::make_shared<ExportOptions>();
    app.add_option("file", o->file, "Recording")->required()->type_name("FILE");
    std::string formats;
    for (const Exporter& exporter : exporters())
        formats += fmt::format("{}{}", formats.empty() ? "" : "|", exporter.name);
    app.add_option("-f,--format", o->format, "Format (see impuls list exporters)")
        ->required()
        ->type_name(formats);
    app.add_option("-o,--output", o->out, "File or, for one file per frame, folder")
        ->required()
        ->type_name("OUT");
    add_overwrite_option(app, o->overwrite);
    app.add_flag("--quiet", o->quiet, "Print nothing");
    return [o] { return export_recording(*o); };
}

}  // namespace

Subcommand export_command() {
    return {"export", "Write a recording in another format",
            "  impuls export tower.impuls --format csv -o tower.csv\n"
            "  impuls export tower.impuls --format povray -o frames",
            prepare_export};
}

}  // namespace impuls::cli
