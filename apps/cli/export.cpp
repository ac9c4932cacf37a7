// `impuls export`: a recording in another program's format.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "cli/interrupt.h"
#include "cli/number_check.h"
#include "cli/output.h"
#include "cli/picture_options.h"
#include "cli/progress.h"
#include "cli/scene_options.h"
#include "cli/subcommands.h"
#include "impuls/export.h"

namespace impuls::cli {
namespace {

struct ExportOptions {
    std::string file{}, format{}, out{};
    ExportSettings settings{};
    PictureOptions picture{"800x600"};
    bool overwrite = false;
    bool quiet = false;
};

const Exporter& find_exporter(const std::string& format) {
    std::vector<std::string> names;
    for (const Exporter& exporter : exporters()) {
        if (exporter.name == format) return exporter;
        names.push_back(exporter.name);
    }
    const std::string near = did_you_mean(format, names);
    throw InputError(fmt::format("unknown format '{}'{}", format,
                                 near.empty() ? fmt::format(" (one of {})", fmt::join(names, ", ")) : near));
}

int export_recording(const ExportOptions& o) {
    const Exporter& exporter = find_exporter(o.format);
    const Recording recording(o.file);
    for (const std::string& warning : recording.file_warnings()) complain("warning: " + warning);
    refuse_input(o.out, o.file);
    catch_interrupts();
    Progress progress(!o.quiet);
    ExportSettings settings = o.settings;
    settings.overwrite = o.overwrite;
    if (settings.from > settings.to)
        throw InputError(fmt::format("--from {} is later than --to {}", settings.from, settings.to));
    const PictureSettings picture = o.picture.settings();
    settings.width = picture.width, settings.height = picture.height;
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
    app.add_option("--from", o->settings.from, "Time of the first frame (default: the beginning)")
        ->check(a_time())
        ->type_name("SECONDS");
    app.add_option("--to", o->settings.to, "Time of the last frame (default: the end)")
        ->check(a_time())
        ->type_name("SECONDS");
    app.add_option("--every", o->settings.every, "Every n-th of the recorded frames")
        ->capture_default_str()
        ->check(whole_number(1))
        ->type_name("N");
    app.add_option("--size", o->picture.size, "Of pictures and films, px")
        ->capture_default_str()
        ->type_name("WxH");
    app.add_option("--speed", o->settings.speed, "Of films: simulated seconds in one second")
        ->capture_default_str()
        ->check(number_above(0))
        ->type_name("X");
    add_overwrite_option(app, o->overwrite);
    app.add_flag("--quiet", o->quiet, "Print nothing");
    return [o] { return export_recording(*o); };
}

}  // namespace

Subcommand export_command() {
    return {"export", "Write a recording in another format",
            "  impuls export tower.impuls --format csv -o tower.csv\n"
            "  impuls export tower.impuls --format povray -o frames\n"
            "  impuls export tower.impuls --format png --from 1 --to 2 --every 5 --size 1280x720 -o frames\n"
            "  impuls export tower.impuls --format mp4 --speed 0.25 -o slow.mp4\n"
            "  impuls export tower.impuls --format html -o tower.html",
            prepare_export};
}

}  // namespace impuls::cli
