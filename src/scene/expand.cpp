// Expansion: includes merged (included bodies first), generators unrolled, everything named, every body with
// a material. validate() comes first, so nothing here can fail.
#include <cmath>

#include "scene/described.h"
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

template <class T, class Place>
void unroll_list(const ScenePart& part, const char* list, const std::vector<T>& things, std::vector<T>& out,
                 std::unique_ptr<Scope>& scope, std::int64_t seed, Place&& place) {
    const auto add = [&](const T& thing, const std::string& name) {
        T& made = out.emplace_back(thing);
        const std::string unnamed = std::is_same_v<T, BodyDesc>    ? "body"
                                    : std::is_same_v<T, JointDesc> ? "joint"
                                                                   : "force";
        made.name =
            part.prefix + (thing.name.empty() ? unnamed + "[" + std::to_string(out.size() - 1) + "]" : name);
        place(made);
    };
    for (std::size_t k = 0; k < things.size(); ++k) {
        if (!things[k].repeat) {
            add(things[k], things[k].name);
            continue;
        }
        if (!scope) scope = generator_scope(*part.scene);
        Unroller<T> unroller(*part.scene, element_path(list, k), things[k], *scope);
        unroller.draw_anew(seed);
        const bool names_vary = unroller.varies("/name");
        unroller.each([&](const T& copy, const GridIndex&, std::int64_t number) {
            add(copy, names_vary ? copy.name : copy.name + "[" + std::to_string(number) + "]");
            return true;
        });
    }
}

void merge_part(const ScenePart& part, Scene& out) {
    std::unique_ptr<Scope> scope;
    for (const MaterialDesc& material : part.scene->materials) {
        bool known = false;
        for (const MaterialDesc& other : out.materials) known = known || other.name == material.name;
        if (!known) out.materials.push_back(material);
    }
    for (const ContactDesc& contact : part.scene->contacts) {
        bool known = false;
        for (const ContactDesc& other : out.contacts) known = known || is_same_pair(other, contact);
        if (!known) out.contacts.push_back(contact);
    }
    const std::int64_t seed = out.settings.seed;
    unroll_list(part, "bodies", part.scene->bodies, out.bodies, scope, seed,
                [&](BodyDesc& body) { move_body(body, part.X_WI); });
    unroll_list(part, "joints", part.scene->joints, out.joints, scope, seed, [&](JointDesc& joint) {
        if (!joint.a.empty()) joint.a = part.prefix + joint.a;
        joint.b = part.prefix + joint.b;
        if (!joint.frame.empty()) joint.frame = part.prefix + joint.frame;
        move_joint(joint, part.X_WI);
    });
    unroll_list(part, "forces", part.scene->forces, out.forces, scope, seed, [&](ForceDesc& force) {
        if (!force.a.empty()) force.a = part.prefix + force.a;
        force.b = part.prefix + force.b;
        move_fields(force.force, part.X_WI);
    });
}

bool names_default(const ContactDesc& contact) {
    return contact.a == kDefaultMaterial || contact.b == kDefaultMaterial;
}

void set_default_material(Scene& scene) {
    bool needed = false, known = false;
    for (BodyDesc& body : scene.bodies) {
        if (body.material.empty()) body.material = kDefaultMaterial;
        needed = needed || body.material == kDefaultMaterial;
    }
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

Scene expand(const Scene& scene) {
    std::vector<Issue> issues = validate(scene);
    if (!issues.empty()) throw InputError(std::move(issues));
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
    for (const ScenePart& part : scene_parts(scene)) merge_part(part, out);
    set_default_material(out);
    return out;
}

}  // namespace impuls
