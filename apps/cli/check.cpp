// `impuls check`: everything that would stop a scene from running, without running it.
#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include "cli/output.h"
#include "cli/scene_options.h"
#include "cli/shipped.h"
#include "cli/subcommands.h"
#include "cli/usage.h"
#include "impuls/quantity.h"
#include "impuls/scene_file.h"
#include "impuls/world.h"

namespace impuls::cli {
namespace {

struct CheckOptions {
    std::vector<std::string> files{};
    std::vector<std::string> set{};
    bool expand = false;
};

// Building the world finds what only shows there, e.g. two shapes that cannot collide yet.
void check_scene(const Scene& scene) {
    const World world(scene);
    const Scene& built = *world.structure();
    for (const MeasureDesc& measure : built.measure) find_quantity(measure.quantity, built);
    const std::string forces =
        built.forces.empty() ? "" : ", " + counted(built.forces.size(), "force", "forces");
    print(fmt::format("{}: ok: {}, {}{}\n", scene.file, counted(built.bodies.size(), "body", "bodies"),
                      counted(built.joints.size(), "joint", "joints"), forces));
}

int check(const CheckOptions& o) {
    if (o.expand && o.files.size() > 1) throw InputError("--expand takes one scene");
    int code = kOk;
    for (const std::string& file : o.files) {
        try {
            const Scene scene = load_with(file, o.set);
            if (o.expand) {
                print(to_json(expand(scene)));
            } else {
                check_scene(scene);
            }
        } catch (const InputError& error) {
            print_issues(error);
            code = kBadInput;
        }
    }
    return code;
}

std::function<int()> prepare_check(CLI::App& app) {
    const auto o = std::make_shared<CheckOptions>();
    app.add_option("scenes", o->files, "Scene files")
        ->required()
        ->transform([](const std::string& given) { return scene_file(given); })
        ->type_name("SCENE");
    add_set_option(app, o->set);
    app.add_flag("--expand", o->expand, "Print the scene with includes merged and generators unrolled");
    return [o] { return check(*o); };
}

}  // namespace

Subcommand check_command() {
    return {"check", "Check scene files without running them",
            "  impuls check scenes/examples/*.json\n"
            "  impuls check tower.json --set variables.n=3 --expand",
            prepare_check};
}

}  // namespace impuls::cli
