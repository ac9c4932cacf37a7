// Expansion: includes merged (included bodies first), generators unrolled, everything named, every body with
// a material. validate() comes first, so nothing here can fail.
#include "scene/expand.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>

#include "scene/described.h"
#include "scene/grain_sets.h"
#include "scene/material_library.h"
#include "scene/unroll.h"
#include "scene/validator.h"

namespace impuls {

namespace {

constexpr const char* kDefaultMaterial = "default";

bool is_identity(const Pose& X) {
    return X == Pose{};
}

void move_body(BodyDesc& body, const Pose& X_WI) {
    if (is_identity(X_WI)) return;
    body.position = X_WI * body.position;
    body.orientation = normalized(X_WI.orientation * body.orientation);
    body.velocity = rotate(X_WI.orientation, body.velocity);
    body.angular_velocity = rotate(X_WI.orientation, body.angular_velocity);
}

// Fields of joints and forces are in world coordinates: vectors in metres are points, others are directions.
template <class Family>
void move_fields(Family& family, const Pose& X_WI) {
    if (is_identity(X_WI)) return;
    std::visit(
        [&](auto& kind) {
            std::decay_t<decltype(kind)>::visit_fields([&](const char*, auto member, const Field& field) {
                using Member = std::decay_t<decltype(kind.*member)>;
                const auto move = [&](Vec3& v) {
                    v = std::string(field.unit) == "m" ? X_WI * v : rotate(X_WI.orientation, v);
                };
                if constexpr (std::is_same_v<Member, Vec3>) move(kind.*member);
                if constexpr (std::is_same_v<Member, std::vector<Vec3>>)
                    for (Vec3& v : kind.*member) move(v);
            });
        },
        family);
}

void move_joint(JointDesc& desc, const Pose& X_WI) {
    if (is_identity(X_WI)) return;
    move_fields(desc.joint, X_WI);
    for (std::optional<Placement>* at : {&desc.at_a, &desc.at_b}) {
        if (!*at) continue;
        (*at)->position = X_WI * (*at)->position;
        (*at)->orientation = normalized(X_WI.orientation * (*at)->orientation);
    }
}

template <class T>
constexpr const char* kUnnamed = std::is_same_v<T, BodyDesc>    ? "body"
                                 : std::is_same_v<T, JointDesc> ? "joint"
                                                                : "force";

template <class T>
void name_thing(T& thing, const ScenePart& part, std::int64_t number) {
    thing.name = part.prefix + (thing.name.empty() ? fmt::format("{}[{}]", kUnnamed<T>, number) : thing.name);
}

template <class T>
void name_copy(T& copy, const ScenePart& part, bool names_vary, std::int64_t among, std::int64_t number) {
    if (!names_vary && !copy.name.empty()) copy.name += fmt::format("[{}]", among);
    name_thing(copy, part, number);
}

// Visits all things of a list of all parts, named, one at a time.
template <class T, class Visit>
void unroll_list(const Scene& scene, const char* list, std::vector<T> Scene::*things, Visit&& visit) {
    const std::vector<ScenePart> parts = scene_parts(scene);
    BodyOrigin at;
    for (at.part = 0; at.part < parts.size(); ++at.part) {
        const ScenePart& part = parts[at.part];
        std::unique_ptr<Scope> scope;
        const std::vector<T>& all = part.scene->*things;
        for (at.element = 0; at.element < all.size(); ++at.element) {
            const T& thing = all[at.element];
            at.copy = 0;
            if (!thing.repeat) {
                T made = thing;
                name_thing(made, part, at.number);
                visit(std::move(made), part, at);
                ++at.number;
                continue;
            }
            if (!scope) scope = generator_scope(*part.scene);
            Unroller<T> unroller(*part.scene, element_path(list, at.element), thing, *scope);
            unroller.draw_anew(scene.settings.seed);
            const bool names_vary = unroller.varies("/name");
            unroller.each([&](const T& copy, const GridIndex&, std::int64_t among) {
                T made = copy;
                at.copy = among;
                name_copy(made, part, names_vary, among, at.number);
                visit(std::move(made), part, at);
                ++at.number;
                return true;
            });
        }
    }
}

// In the frame of its file, of a body that stands in the frame of another; that other one is not repeated.
void place_on(BodyDesc& body, const Scene& file) {
    std::size_t steps = 0;
    while (!body.relative_to.empty() && steps++ <= file.bodies.size()) {
        const auto base = std::find_if(file.bodies.begin(), file.bodies.end(),
                                       [&](const BodyDesc& other) { return other.name == body.relative_to; });
        if (base == file.bodies.end()) return;
        const Quat turn = normalized(base->orientation);
        body.position = base->position + rotate(turn, body.position);
        body.orientation = normalized(turn * body.orientation);
        body.relative_to = base->relative_to;
    }
}

void place_body(BodyDesc& body, const ScenePart& part) {
    place_on(body, *part.scene);
    move_body(body, part.X_WI);
    if (body.material.empty()) body.material = kDefaultMaterial;
}

void place_joint(JointDesc& joint, const ScenePart& part) {
    if (!joint.a.empty()) joint.a = part.prefix + joint.a;
    joint.b = part.prefix + joint.b;
    if (!joint.frame.empty()) joint.frame = part.prefix + joint.frame;
    move_joint(joint, part.X_WI);
}

void place_force(ForceDesc& force, const ScenePart& part) {
    if (!force.a.empty()) force.a = part.prefix + force.a;
    force.b = part.prefix + force.b;
    move_fields(force.force, part.X_WI);
}

void merge_materials(const Scene& part, Scene& out) {
    for (const MaterialDesc& material : part.materials) {
        bool known = false;
        for (const MaterialDesc& other : out.materials) known = known || other.name == material.name;
        if (!known) out.materials.push_back(material);
    }
    for (const ContactDesc& contact : part.contacts) {
        bool known = false;
        for (const ContactDesc& other : out.contacts) known = known || is_same_pair(other, contact);
        if (!known) out.contacts.push_back(contact);
    }
}

bool names_default(const ContactDesc& contact) {
    return contact.a == kDefaultMaterial || contact.b == kDefaultMaterial;
}

// Whether a body of the scene has the default material, itself or for want of another.
bool uses_default(const Scene& scene) {
    bool is_any = false;
    for (const ScenePart& part : scene_parts(scene))
        for (std::size_t k = 0; k < part.scene->bodies.size() && !is_any; ++k) {
            const BodyDesc& body = part.scene->bodies[k];
            if (!body.material.empty() && body.material != kDefaultMaterial) continue;
            is_any = !body.repeat;
            if (!body.repeat) continue;
            const auto scope = generator_scope(*part.scene);
            Unroller<BodyDesc> unroller(*part.scene, element_path("bodies", k), body, *scope);
            unroller.each([&](const BodyDesc& copy, const GridIndex&, std::int64_t) {
                is_any = copy.material.empty() || copy.material == kDefaultMaterial;
                return !is_any;
            });
        }
    return is_any;
}

// The names of materials of all bodies.
std::set<std::string> body_materials(const Scene& scene) {
    std::set<std::string> names;
    for (const ScenePart& part : scene_parts(scene))
        for (std::size_t k = 0; k < part.scene->bodies.size(); ++k) {
            const BodyDesc& body = part.scene->bodies[k];
            names.insert(body.material);
            if (!body.repeat) continue;
            const auto scope = generator_scope(*part.scene);
            Unroller<BodyDesc> unroller(*part.scene, element_path("bodies", k), body, *scope);
            if (!unroller.varies("/material")) continue;
            unroller.each([&](const BodyDesc& copy, const GridIndex&, std::int64_t) {
                names.insert(copy.material);
                return true;
            });
        }
    return names;
}

void set_default_material(Scene& scene, bool needed) {
    bool known = false;
    for (TimedCommand& timed : scene.timeline) {
        visit_changes(timed.command, [&](auto& change) {
            if constexpr (std::is_same_v<std::decay_t<decltype(change)>, Put>) {
                for (BodyDesc& body : change.bodies) {
                    if (body.material.empty()) body.material = kDefaultMaterial;
                    needed = needed || body.material == kDefaultMaterial;
                }
                for (const MaterialDesc& material : change.materials)
                    needed = needed || material.name == kDefaultMaterial;
                for (const ContactDesc& contact : change.contacts) needed = needed || names_default(contact);
            }
        });
    }
    for (const ContactDesc& contact : scene.contacts) needed = needed || names_default(contact);
    for (const MaterialDesc& material : scene.materials) known = known || material.name == kDefaultMaterial;
    if (needed && !known) scene.materials.emplace_back().name = kDefaultMaterial;
}

}  // namespace

std::vector<Issue> validate(const Scene& scene) {
    return Validator(scene, {}).run();
}

Scene expand_all_but_bodies(const Scene& scene) {
    Scene out;
    out.version = scene.version;
    out.title = scene.title;
    out.description = scene.description;
    out.settings = scene.settings;
    out.timeline = scene.timeline;
    out.timers = scene.timers;
    out.measure = scene.measure;
    out.view = scene.view;
    out.file = scene.file;
    out.granular = scene.granular;
    for (const ScenePart& part : scene_parts(scene)) {
        merge_materials(*part.scene, out);
        expand_grains(part, out.grains);
    }
    unroll_list(scene, "joints", &Scene::joints,
                [&](JointDesc&& joint, const ScenePart& part, const BodyOrigin&) {
                    place_joint(joint, part);
                    out.joints.push_back(std::move(joint));
                });
    unroll_list(scene, "forces", &Scene::forces,
                [&](ForceDesc&& force, const ScenePart& part, const BodyOrigin&) {
                    place_force(force, part);
                    out.forces.push_back(std::move(force));
                });
    std::set<std::string> materials = body_materials(scene);
    for (const GrainsDesc& grains : out.grains) materials.insert(grains.material);
    set_default_material(out, uses_default(scene) || materials.count(kDefaultMaterial) > 0);
    add_library_materials(out, materials);
    return out;
}

void for_each_body(const Scene& scene, const std::function<void(BodyDesc&&, const BodyOrigin&)>& visit) {
    unroll_list(scene, "bodies", &Scene::bodies,
                [&](BodyDesc&& body, const ScenePart& part, const BodyOrigin& origin) {
                    place_body(body, part);
                    visit(std::move(body), origin);
                });
}

BodyDesc expanded_body(const Scene& scene, const BodyOrigin& origin) {
    const ScenePart part = scene_parts(scene).at(origin.part);
    BodyDesc body = part.scene->bodies.at(origin.element);
    if (body.repeat) {
        const auto scope = generator_scope(*part.scene);
        Unroller<BodyDesc> unroller(*part.scene, element_path("bodies", origin.element), body, *scope);
        unroller.draw_anew(scene.settings.seed);
        body = unroller.copy(origin.copy);
        name_copy(body, part, unroller.varies("/name"), origin.copy, origin.number);
    } else {
        name_thing(body, part, origin.number);
    }
    place_body(body, part);
    return body;
}

void require_valid(const Scene& scene) {
    std::vector<Issue> issues = validate(scene);
    if (!issues.empty()) throw InputError(std::move(issues));
}

Scene expand(const Scene& scene) {
    require_valid(scene);
    Scene out = expand_all_but_bodies(scene);
    for_each_body(scene, [&](BodyDesc&& body, const BodyOrigin&) { out.bodies.push_back(std::move(body)); });
    return out;
}

}  // namespace impuls
