// `impuls query`: what a ray hits, or what is nearest to a point, in a scene at a given time.
#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include "cli/json.h"
#include "cli/number_check.h"
#include "cli/output.h"
#include "cli/scene_options.h"
#include "cli/shipped.h"
#include "cli/subcommands.h"
#include "cli/table.h"
#include "impuls/errors.h"
#include "impuls/world.h"

namespace impuls::cli {
namespace {

struct QueryOptions {
    std::string file{};
    std::vector<std::string> set{};
    std::vector<double> ray{}, point{};
    double time = 0;
    bool sensors = false, json = false;
};

std::string name_of(const World& world, BodyId id) {
    for (const BodyDesc& body : world.structure()->bodies)
        if (world.find_body(body.name) == id) return body.name;
    return {};
}

std::string vector_text(const Vec3& v) {
    return fmt::format("{:.6g}, {:.6g}, {:.6g}", v.x + 0.0, v.y + 0.0, v.z + 0.0);  // no -0
}

// What was met of a body of particles.
std::string part_text(const BodyHit& hit) {
    static constexpr const char* kNames[] = {"", "particle", "link", "triangle"};
    std::string text = kNames[hit.particle_count];
    for (std::uint32_t k = 0; k < hit.particle_count; ++k)
        text += fmt::format("{}{}", k == 0 ? ' ' : '-', hit.particles[k]);
    return text;
}

Json particles_of(const BodyHit& hit) {
    Json list = Json::array();
    for (std::uint32_t k = 0; k < hit.particle_count; ++k) list.push(hit.particles[k]);
    return list;
}

std::vector<BodyHit> ask(const World& world, const QueryOptions& o) {
    const BodyFilter filter{.sensors = o.sensors};
    std::vector<BodyHit> hits;
    if (!o.ray.empty()) {
        const Vec3 direction{o.ray[3], o.ray[4], o.ray[5]};
        if (direction == Vec3{}) throw InputError("--ray: the direction is zero");
        world.ray_all({{o.ray[0], o.ray[1], o.ray[2]}, direction}, hits, filter);
    } else {
        const double anywhere = std::numeric_limits<double>::infinity();
        if (const auto hit = world.closest(Vec3{o.point[0], o.point[1], o.point[2]}, anywhere, filter))
            hits.push_back(*hit);
    }
    return hits;
}

int query(const QueryOptions& o) {
    if (o.ray.empty() == o.point.empty()) throw InputError("query needs --ray or --point");
    World world(load_with(o.file, o.set));
    if (o.time > kMostSteps * world.dt())
        throw InputError(fmt::format("--time {} cannot be reached", o.time));
    while (world.time() + 0.5 * world.dt() < o.time) {
        if (const StepStatus status = world.step(); !status.ok) {
            complain(status.message);
            return kFailed;
        }
    }
    Table table({"body", ">distance [m]", "point [m]", "normal", "of its particles"});
    Json list = Json::array();
    for (const BodyHit& hit : ask(world, o)) {
        const std::string name = name_of(world, hit.body);
        table.row(
            {name, precise(hit.distance), vector_text(hit.point), vector_text(hit.normal), part_text(hit)});
        list.push(Json::object()
                      .add("body", name)
                      .add("distance", hit.distance)
                      .add("point", hit.point)
                      .add("normal", hit.normal)
                      .add("inside", hit.inside)
                      .add("particles", particles_of(hit)));
    }
    Json result = Json::object();
    result.add("time", world.time()).add("hits", list);
    print(o.json ? result.text() : table.text());
    return kOk;
}

std::function<int()> prepare_query(CLI::App& app) {
    const auto o = std::make_shared<QueryOptions>();
    add_scene_argument(app, o->file, "scene", "Scene file")->type_name("SCENE");
    CLI::Option* ray = app.add_option("--ray", o->ray, "All bodies along a ray, nearest first")
                           ->delimiter(',')
                           ->expected(6)
                           ->type_name("X,Y,Z,DX,DY,DZ");
    app.add_option("--point", o->point, "The body nearest to a point; negative distance: inside")
        ->delimiter(',')
        ->expected(3)
        ->type_name("X,Y,Z")
        ->excludes(ray);
    app.add_option("--time", o->time, "Simulate up to this time first")
        ->check(seconds_from(0))
        ->type_name("SECONDS");
    app.add_flag("--sensors", o->sensors, "Find sensors too");
    app.add_flag("--json", o->json, "Print one JSON object");
    add_set_option(app, o->set);
    return [o] { return query(*o); };
}

}  // namespace

Subcommand query_command() {
    return {"query", "What a ray hits, or what is nearest to a point",
            "  impuls query scenes/examples/pyramid.json --ray 0,50,0,0,-1,0\n"
            "  impuls query scenes/examples/pyramid.json --point 0,5,0 --time 1 --json",
            prepare_query};
}

}  // namespace impuls::cli
