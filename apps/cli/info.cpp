// `impuls info`: what is in a recording or a scene file.
#include <algorithm>
#include <filesystem>
#include <map>

#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include "cli/input_kind.h"
#include "cli/json.h"
#include "cli/output.h"
#include "cli/shipped.h"
#include "cli/subcommands.h"
#include "cli/table.h"
#include "cli/warnings.h"
#include "impuls/recording.h"
#include "impuls/scene_file.h"
#include "impuls/world.h"
#include "io/files/input.h"

namespace impuls::cli {
namespace {

struct InfoOptions {
    std::string file{};
    bool json = false, bodies = false;
};

// Facts as rows of a table and members of an object at the same time; the table leaves out what is empty.
class Facts {
  public:
    void add(const std::string& key, const std::string& shown, Json value) {
        if (!shown.empty()) table_.row({key, shown});
        json_.add(key, std::move(value));
    }
    void add(const std::string& key, const std::string& text) { add(key, text, Json(text)); }
    void add(const std::string& key, std::size_t count) { add(key, std::to_string(count), Json(count)); }
    void add(const std::string& key, double value, const char* unit) {
        add(key, precise(value, unit), Json(value));
    }
    // One row each; in JSON an object of its own, since anybody may have put any key there.
    void add_meta(const std::vector<std::pair<std::string, std::string>>& entries) {
        Json json = Json::object();
        for (const auto& [key, value] : entries) {
            if (key != "title" && key != "dt") table_.row({key, value});  // these two follow with the scene
            json.add(key, value);
        }
        json_.add("meta", json);
    }
    void add(const std::string& key, const Table& below, Json value) {
        below_ = "\n" + below.text();
        json_.add(key, std::move(value));
    }
    std::string text(bool as_json) const { return as_json ? json_.text() : table_.text() + below_; }

  private:
    Table table_{};
    std::string below_{};
    Json json_ = Json::object();
};

void add_counts(Facts& facts, const std::string& key, const std::map<std::string, std::size_t>& counts) {
    std::string text;
    Json json = Json::object();
    for (const auto& [name, count] : counts) {
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, name);
        json.add(name, count);
    }
    facts.add(key, text, json);
}

void add_scene(Facts& facts, const Scene& scene) {
    const Scene full = expand(scene);
    std::map<std::string, std::size_t> kinds, shapes, joints, forces;
    for (const BodyDesc& body : full.bodies) {
        ++kinds[EnumNames<BodyKind>::names[static_cast<std::size_t>(body.kind)]];
        ++shapes[std::visit([](const auto& shape) { return shape.kType; }, body.shape)];
    }
    for (const JointDesc& joint : full.joints) {
        ++joints[std::visit([](const auto& kind) { return kind.kType; }, joint.joint)];
    }
    for (const ForceDesc& force : full.forces)
        ++forces[std::visit([](const auto& kind) { return kind.kType; }, force.force)];
    facts.add("title", scene.title);
    facts.add("description", scene.description);
    facts.add("bodies", full.bodies.size());
    add_counts(facts, "kinds", kinds);
    add_counts(facts, "shapes", shapes);
    facts.add("joints", full.joints.size());
    add_counts(facts, "joint_kinds", joints);
    if (!full.forces.empty()) add_counts(facts, "forces", forces);
    facts.add("timeline", full.timeline.size());
    facts.add("preset", full.settings.method.preset);
    facts.add("dt", full.settings.dt, "s");
    facts.add("duration", full.settings.duration, "s");
}

// Of all bodies, as the world has them: with what follows from shapes and materials.
void add_bodies(Facts& facts, const Scene& scene) {
    const World world(scene);
    Table table(
        {"body", "kind", "shape", ">mass", "centre of mass [m]", "moments of inertia [kg m²]", "products"});
    Json list = Json::array();
    const auto numbers = [](const Vec3& v) { return fmt::format("{:.4g}, {:.4g}, {:.4g}", v.x, v.y, v.z); };
    const auto json_of = [](const Vec3& v) { return Json(std::vector<double>{v.x, v.y, v.z}); };
    for (const BodyDesc& body : world.structure()->bodies) {
        const BodyId id = world.find_body(body.name);
        const Mat3 inertia = world.inertia(id);
        const Vec3 moments{inertia.c0.x, inertia.c1.y, inertia.c2.z},
            products{inertia.c0.y, inertia.c0.z, inertia.c1.z};
        const char* kind = EnumNames<BodyKind>::names[static_cast<std::size_t>(body.kind)];
        const char* shape = std::visit([](const auto& s) { return s.kType; }, body.shape);
        table.row({body.name, kind, shape, with_unit(world.mass(id), "kg"), numbers(world.center_of_mass(id)),
                   numbers(moments), products == Vec3{} ? "" : numbers(products)});
        list.push(Json::object()
                      .add("name", body.name)
                      .add("kind", kind)
                      .add("shape", shape)
                      .add("mass", world.mass(id))
                      .add("center_of_mass", json_of(world.center_of_mass(id)))
                      .add("inertia", json_of(moments))
                      .add("products_of_inertia", json_of(products)));
    }
    facts.add("mass_properties", table, list);
}

void add_samples(Facts& facts, const Recording& recording) {
    std::map<std::string, std::size_t> samples;
    for (const std::string& name : recording.sample_names()) samples[name] = recording.samples(name).size();
    add_counts(facts, "measurements", samples);
}

// Before compression, the largest first.
void add_columns(Facts& facts, const Recording& recording) {
    auto columns = recording.column_bytes();
    std::stable_sort(columns.begin(), columns.end(),
                     [](const auto& a, const auto& b) { return a.second > b.second; });
    std::string text;
    Json json = Json::object();
    for (const auto& [name, bytes] : columns) {
        json.add(name, bytes);
        if (bytes > 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, size_text(bytes));
    }
    facts.add("column_bytes", text, json);
}

// Of the frames kept: events of steps between them are not in the file.
void add_events(Facts& facts, const Recording& recording, const std::vector<std::int64_t>& frames) {
    if (recording.scene().settings.events.empty()) return;
    std::map<std::string, std::size_t> events;
    for (const std::int64_t step : frames)
        for (const Event& e : recording.frame(step).events)
            ++events[EnumNames<EventKind>::names[static_cast<std::size_t>(e.kind)]];
    add_counts(facts, "events", events);
}

void add_recording(Facts& facts, const std::string& file) {
    const Recording recording(file);
    for (const std::string& warning : recording.file_warnings()) complain("warning: " + warning);
    const std::vector<std::int64_t> frames = recording.frame_steps();
    const auto hashes = recording.hashes();
    facts.add("type", "recording");
    facts.add("file", file);
    const std::uint64_t bytes = std::filesystem::file_size(file);
    facts.add("size", size_text(bytes), Json(bytes));
    facts.add_meta(recording.all_meta());
    facts.add("steps", hashes.empty() ? 0 : static_cast<std::size_t>(hashes.back().first));
    facts.add("frames", frames.size());
    if (!frames.empty()) {
        const double first = recording.frame(frames.front()).time, last = recording.frame(frames.back()).time;
        facts.add("time_range", fmt::format("{} to {}", with_unit(first, "s"), with_unit(last, "s")),
                  Json(std::vector<double>{first, last}));
    }
    add_columns(facts, recording);
    facts.add("checkpoints", recording.checkpoint_steps().size());
    facts.add("commands", recording.commands().size());
    add_samples(facts, recording);
    const std::vector<Warning> warnings = recording.warnings();
    facts.add("warnings", warning_counts(warnings), warnings_json(warnings));
    add_events(facts, recording, frames);
    if (!hashes.empty()) facts.add("state_hash", hex(hashes.back().second));
    add_scene(facts, recording.scene());
}

int info(const InfoOptions& o) {
    Facts facts;
    if (is_recording(o.file)) {
        add_recording(facts, o.file);
        if (o.bodies) add_bodies(facts, Recording(o.file).scene());
    } else {
        const Scene scene = load_scene(o.file);
        facts.add("type", "scene");
        facts.add("file", o.file);
        add_scene(facts, scene);
        if (o.bodies) add_bodies(facts, scene);
    }
    print(facts.text(o.json));
    return kOk;
}

std::function<int()> prepare_info(CLI::App& app) {
    const auto o = std::make_shared<InfoOptions>();
    add_scene_argument(app, o->file, "file", "Recording or scene file")->type_name("FILE");
    app.add_flag("--bodies", o->bodies, "With mass, centre of mass and inertia of every body");
    app.add_flag("--json", o->json, "Print one JSON object");
    return [o] { return info(*o); };
}

}  // namespace

Subcommand info_command() {
    return {"info", "What is in a recording or scene file",
            "  impuls info tower.impuls\n"
            "  impuls info scenes/examples/newtons-cradle.json --json",
            prepare_info};
}

}  // namespace impuls::cli
