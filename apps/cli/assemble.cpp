// `impuls assemble`: bodies put together by their joints, as a new scene file.
#include "impuls/assemble.h"

#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include <algorithm>

#include "cli/interrupt.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/scene_options.h"
#include "cli/shipped.h"
#include "cli/subcommands.h"
#include "cli/table.h"
#include "impuls/scene_file.h"

namespace impuls::cli {
namespace {

struct AssembleOptions {
    std::string file{}, out{};
    std::vector<std::string> set{};
    AssembleSettings settings{};
    bool overwrite = false;
    bool quiet = false;
};

std::string gaps_table(const Assembly& assembly) {
    Table table({"joint", ">gap before [m]", ">after [m]", ">angle before [rad]", ">after [rad]"});
    for (const AssembledJoint& joint : assembly.joints)
        table.row({joint.name, fmt::format("{:.3e}", joint.before.distance),
                   fmt::format("{:.3e}", joint.after.distance), fmt::format("{:.3e}", joint.before.angle),
                   fmt::format("{:.3e}", joint.after.angle)});
    return table.text();
}

int assemble_scene(const AssembleOptions& o) {
    const Scene scene = load_with(o.file, o.set);
    OutputFile out(o.out, existing_files(o.overwrite));  // one that is in the way shows before the work
    catch_interrupts();
    Progress progress(!o.quiet);
    AssembleSettings settings = o.settings;
    settings.progress = [&](std::int64_t k, double gap) {
        throw_if_interrupted();
        if (progress.is_due())
            progress.draw(static_cast<double>(k) / static_cast<double>(settings.most_iterations),
                          fmt::format("gap {:.2e} m", gap));
    };
    const Assembly assembly = assemble(scene, settings);
    progress.clear();
    if (!o.quiet) print(gaps_table(assembly));
    if (!assembly.is_closed) {
        const auto worst = std::max_element(assembly.joints.begin(), assembly.joints.end(),
                                            [](const AssembledJoint& x, const AssembledJoint& y) {
                                                return x.after.distance < y.after.distance;
                                            });
        complain(
            fmt::format("the joints do not close: after {} joint '{}' is open by {:.3g} m and {:.3g} rad; do "
                        "they contradict each other? Nothing was written",
                        counted(static_cast<std::uint64_t>(assembly.iterations), "iteration", "iterations"),
                        worst->name, worst->after.distance, worst->after.angle));
        return kFailed;
    }
    out.write(to_json(assembly.scene));
    out.finish();
    if (!o.quiet)
        print(fmt::format(
            "wrote {} ({}, {})\n", o.out, counted(assembly.joints.size(), "joint closed", "joints closed"),
            counted(static_cast<std::uint64_t>(assembly.iterations), "iteration", "iterations")));
    return kOk;
}

std::function<int()> prepare_assemble(CLI::App& app) {
    const auto o = std::make_shared<AssembleOptions>();
    add_scene_argument(app, o->file, "scene", "Scene file")->type_name("SCENE");
    app.add_option("-o,--output", o->out, "Scene file to write, expanded")->required()->type_name("OUT.json");
    add_set_option(app, o->set);
    app.add_option("--tolerance", o->settings.tolerance,
                   "Gap left, relative to the smallest jointed body's size")
        ->check(CLI::Range(1e-13, 1e-2));
    app.add_option("--turn", o->settings.turn, "Farthest turn of a body in an iteration, in rad")
        ->check(CLI::Range(1e-3, 3.0));
    add_overwrite_option(app, o->overwrite);
    app.add_flag("--quiet", o->quiet, "Print nothing");
    return [o] { return assemble_scene(*o); };
}

}  // namespace

Subcommand assemble_command() {
    return {"assemble", "Snap bodies together by their joints",
            "  impuls assemble scenes/seeds/reassembly.json -o together.json\n"
            "  impuls assemble arm.json -o arm-closed.json --set variables.n=12",
            prepare_assemble};
}

}  // namespace impuls::cli
