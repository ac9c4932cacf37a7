// `impuls check`: everything that would stop a scene from running, without running it.
#include <algorithm>

#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include "cli/output.h"
#include "cli/scene_options.h"
#include "cli/shipped.h"
#include "cli/subcommands.h"
#include "cli/usage.h"
#include "cli/warnings.h"
#include "geometry/particle_net.h"
#include "impuls/quantity.h"
#include "impuls/scene_file.h"
#include "impuls/world.h"
#include "scene/body_mass.h"

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
    complain_of(world.warnings());
}

// Mass, centre and inertia of dynamic bodies as they follow from shapes and materials; what the file gives
// stays.
void write_masses(Scene& expanded) {
    for (BodyDesc& body : expanded.bodies) {
        if (body.kind != BodyKind::Dynamic || is_of_particles(body.shape)) continue;
        const auto of = std::find_if(expanded.materials.begin(), expanded.materials.end(),
                                     [&](const MaterialDesc& m) { return m.name == body.material; });
        const MassProperties m = mass_of(body, *of);
        const Vec3 moments{m.inertia.c0.x, m.inertia.c1.y, m.inertia.c2.z},
            products{m.inertia.c0.y, m.inertia.c0.z, m.inertia.c1.z};
        body.density.reset();
        body.mass = m.mass;
        if (!body.center_of_mass && m.center != Vec3{}) body.center_of_mass = m.center;
        if (body.inertia || !(moments.x > 0 && moments.y > 0 && moments.z > 0)) continue;  // of a point: none
        body.inertia = moments;
        if (products != Vec3{}) body.products_of_inertia = products;
    }
}

int check(const CheckOptions& o) {
    if (o.expand && o.files.size() > 1) throw InputError("--expand takes one scene");
    int code = kOk;
    for (const std::string& file : o.files) {
        try {
            const Scene scene = load_with(file, o.set);
            if (o.expand) {
                Scene expanded = expand(scene);
                write_masses(expanded);
                print(to_json(expanded));
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
    app.add_flag(
        "--expand", o->expand,
        "Print the scene with includes merged, generators unrolled, and mass, centre of mass and inertia "
        "of every body");
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
