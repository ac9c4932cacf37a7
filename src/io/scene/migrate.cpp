// Older forms (migrate.h). Values are moved with the places that they were read from; what is wrong in them
// is reported by the reader, by the present path.
#include "io/scene/migrate.h"

#include <array>
#include <set>
#include <string>
#include <utility>

#include "impuls/settings.h"
#include "io/scene/text.h"
#include "scene/described.h"

namespace impuls {
namespace {

using AnyStepper = StepperFamily<std::optional>;

// The options of steppers of a type, or of all.
std::set<std::string> options_of(const std::string& type) {
    std::set<std::string> names;
    visit_family<AnyStepper>([&]<class A>(std::type_identity<A>) {
        if (!type.empty() && type != A::kType) return;
        A::visit_fields([&](const char* name, auto, const Field&) { names.insert(name); });
    });
    return names;
}

// The type that a method has where its text does not name one.
std::string usual_type(const Json::Value& method) {
    const std::string preset =
        method["preset"].isString() ? method["preset"].asString() : method_presets().front().preset;
    for (const Method& known : method_presets())
        if (known.preset == preset)
            return std::visit([](const auto& o) { return std::string(std::decay_t<decltype(o)>::kType); },
                              known.stepper);
    return ImpulseMethod::kType;
}

// {"stepper": "velocity", "substeps": 2} becomes {"stepper": {"type": "velocity", "substeps": 2}}. An option
// that its stepper does not have never did anything, and is left out.
void migrate_method(Json::Value& method) {
    if (!method.isObject()) return;
    std::set<std::string> flat;
    for (const std::string& name : options_of(""))
        if (method.isMember(name)) flat.insert(name);
    const Json::Value& given = std::as_const(method)["stepper"];
    const bool lacks_type = given.isString() || (given.isObject() && !given.isMember("type"));
    if (flat.empty() && !lacks_type) return;
    Json::Value stepper = given.isObject() ? given : without_place(Json::Value(Json::objectValue));
    if (given.isString()) stepper["type"] = given;
    if (!stepper.isMember("type")) stepper["type"] = without_place(Json::Value(usual_type(method)));
    const std::set<std::string> own =
        options_of(stepper["type"].isString() ? stepper["type"].asString() : std::string());
    for (const std::string& name : flat) {
        if (own.count(name)) stepper[name] = method[name];
        method.removeMember(name);
    }
    method["stepper"] = stepper;
}

// A thing that is now one of a list.
struct OldCommand {
    const char *type, *key, *new_type, *list;
};
constexpr std::array kOld{
    OldCommand{"add_body", "body", "put", "bodies"},
    OldCommand{"remove_body", "body", "remove", "bodies"},
    OldCommand{"add_joint", "joint", "put", "joints"},
    OldCommand{"remove_joint", "joint", "remove", "joints"},
    OldCommand{"add_force", "force", "put", "forces"},
    OldCommand{"remove_force", "name", "remove", "forces"},
    OldCommand{"set_material", "material", "put", "materials"},
    OldCommand{"set_contact", "contact", "put", "contacts"},
};

}  // namespace

void migrate_command(Json::Value& command) {
    if (!command.isObject() || !std::as_const(command)["type"].isString()) return;
    const std::string type = command["type"].asString();
    if (type == "set_method" && command.isMember("method")) migrate_method(command["method"]);
    if (type == "set_gravity" && command.isMember("gravity"))
        command["type"] = without_place(Json::Value("set_settings"));
    for (const OldCommand& old : kOld) {
        if (type != old.type) continue;
        command["type"] = without_place(Json::Value(old.new_type));
        if (!command.isMember(old.key)) return;
        Json::Value thing = command[old.key];
        const bool is_named = thing.isObject() && thing.isMember("name");
        const std::string list = old.list;
        if (thing.isObject() && !is_named && list != "contacts" && list != "materials")
            thing["name"] = without_place(Json::Value(std::string(old.key) + "[0]"));
        command.removeMember(old.key);
        command[list] = without_place(Json::Value(Json::arrayValue));
        command[list].append(thing);
    }
}

void migrate_scene(Json::Value& scene) {
    if (!scene.isObject()) return;
    if (scene.isMember("settings") && scene["settings"].isObject() && scene["settings"].isMember("method"))
        migrate_method(scene["settings"]["method"]);
    if (!scene.isMember("timeline") || !scene["timeline"].isArray()) return;
    for (Json::Value& command : scene["timeline"]) migrate_command(command);
}

}  // namespace impuls
