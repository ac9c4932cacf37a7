// Commands: checked first, then applied; one that fails its check changes nothing.
#include "impuls/command.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "impuls/scene_file.h"
#include "scene/check.h"
#include "scene/material_library.h"
#include "world/command_check.h"

namespace impuls {
namespace {

template <class... F>
struct Overloaded : F... {
    using F::operator()...;
};
template <class... F>
Overloaded(F...) -> Overloaded<F...>;  // clang 14 asks for it

// Of names that were checked.
std::uint32_t body_number(const WorldState& s, const std::string& name) {
    return s.body_ids.dense(s.body_ids.find(name));
}

std::size_t joint_number(const WorldState& s, const std::string& name) {
    return s.joint_ids.dense(s.joint_ids.find(name));
}

// One of the library with what holds between it and the others of it, or the default.
void add_material(Scene& scene, const std::string& name) {
    const LibraryMaterial* found = find_library_material(name);
    if (!found) return void(scene.materials.push_back({.name = name}));
    for (const MaterialDesc& other : scene.materials) {
        const LibraryMaterial* same = find_library_material(other.name);
        if (same && to_json(Command(SetMaterial{other})) == to_json(Command(SetMaterial{same->material})))
            scene.contacts.push_back(library_contact(other, found->material));
    }
    scene.materials.push_back(found->material);
}

void wake_joint(WorldState& s, std::size_t j) {
    for (const auto k : {s.joints.a[j], s.joints.b[j], s.joints.c[j]})
        if (k != kNoBody) wake(s, k);
}

void set_axis(WorldState& s, const SetAxis& c) {
    const auto j = joint_number(s, c.joint);
    s.joints.joint[j] = changed_axis(s, c);
    s.joints.count_rows(j);
    wake_joint(s, j);
}

void set_joint(WorldState& s, const SetJoint& c) {
    const auto j = joint_number(s, c.joint);
    s.joints.is_enabled[j] = c.enabled;
    update_connected(s);
    wake_joint(s, j);
}

void remove_joint(WorldState& s, const std::string& name) {
    const auto j = s.joint_ids.dense(s.joint_ids.find(name));
    wake_joint(s, j);
    s.joints.remove(j);
    s.joint_ids.remove(name);
    s.active.lists.is_current = false;
    s.described.change_parts([&](Scene& scene) { scene.joints.erase(scene.joints.begin() + j); });
}

void wake_force(WorldState& s, std::size_t f) {
    for (const auto k : {s.forces.a[f], s.forces.b[f]})
        if (k != kNoBody) wake(s, k);
}

void remove_force(WorldState& s, const std::string& name) {
    const auto f = s.force_ids.dense(s.force_ids.find(name));
    wake_force(s, f);
    s.forces.remove(f);
    s.force_ids.remove(name);
    s.active.lists.is_current = false;
    s.described.change_parts([&](Scene& scene) { scene.forces.erase(scene.forces.begin() + f); });
}

void remove_body(WorldState& s, const std::string& name) {
    std::vector<std::string> joints;
    for (const auto& joint : s.described.parts().joints)
        if (joint.a == name || joint.b == name || joint.frame == name) joints.push_back(joint.name);
    for (const auto& joint : joints) remove_joint(s, joint);
    std::vector<std::string> forces;
    for (const auto& force : s.described.parts().forces)
        if (force.a == name || force.b == name) forces.push_back(force.name);
    for (const auto& force : forces) remove_force(s, force);
    const auto k = s.body_ids.dense(s.body_ids.find(name));
    const auto uid = s.bodies.uid[k];
    wake(s, k);
    forget_body(s, k);
    std::erase_if(s.contacts,
                  [&](const ContactPoint& c) { return c.key.uid_a == uid || c.key.uid_b == uid; });
    s.pairs.contact_start.clear();
    s.bodies.remove(k);
    s.body_ids.remove(name);
    s.described.remove_body(uid);
}

void set_body(WorldState& s, const SetBody& c) {
    const auto k = body_number(s, c.body);
    wake(s, k);
    if (c.position || c.orientation) {
        Pose X_WB = s.bodies.body_pose(k);
        if (c.position) X_WB.position = *c.position;
        if (c.orientation) X_WB.orientation = normalized(*c.orientation);
        s.bodies.pose[k] = X_WB * s.bodies.X_BP[k];
    }
    if (c.velocity) s.bodies.v[k] = *c.velocity;
    if (c.angular_velocity) s.bodies.w[k] = *c.angular_velocity;
    if (c.surface_velocity) {
        s.bodies.surface_velocity.set(k, rotate_inverse(s.bodies.X_BP[k].orientation, *c.surface_velocity));
        BodyDesc desc = description_of(s, k);
        desc.surface_velocity = *c.surface_velocity;
        s.described.set_body(s.bodies.uid[k], std::move(desc));
    }
}

void apply_impulse(WorldState& s, const ApplyImpulse& c) {
    const auto k = body_number(s, c.body);
    wake(s, k);
    const Pose& pose = s.bodies.pose[k];
    Vec3 angular = c.angular_impulse;
    if (c.point) angular += cross(*c.point - pose.position, c.impulse);
    s.bodies.v[k] += c.impulse * s.bodies.inv_mass[k];
    s.bodies.w[k] +=
        rotate(pose.orientation, scale(s.bodies.inv_inertia[k], rotate_inverse(pose.orientation, angular)));
}

// The joints of a passive body hold nothing and remember nothing.
void set_active(WorldState& s, const SetActive& c) {
    const auto k = body_number(s, c.body);
    wake(s, k);
    s.bodies.is_active[k] = s.graph.nodes[k].is_active = c.active;
    s.pairs.search.can_compare = false;
    if (c.active) return;
    for (std::size_t j = 0; j < s.joints.size(); ++j)
        if (s.joints.a[j] == k || s.joints.b[j] == k || s.joints.c[j] == k) s.joints.forget(j);
}

void set_material(WorldState& s, const MaterialDesc& material) {
    wake_all(s);
    s.described.change_parts([&](Scene& scene) {
        for (auto& m : scene.materials)
            if (m.name == material.name) m = material;
    });
}

void set_contact(WorldState& s, const ContactDesc& contact) {
    s.described.change_parts([&](Scene& scene) {
        for (auto& c : scene.contacts)
            if (is_same_pair(c, contact)) {
                c = contact;
                return;
            }
        scene.contacts.push_back(contact);
    });
}

bool changes_structure(const Command& command) {
    return std::visit(
        Overloaded{[](const SetBody& c) { return c.surface_velocity.has_value(); },
                   [](const SetForce&) { return false; }, [](const ApplyImpulse&) { return false; },
                   [](const SetActive&) { return false; }, [](const SetJoint&) { return false; },
                   [](const SetAxis&) { return false; }, [](const SetGravity&) { return false; },
                   [](const EnableForce&) { return false; }, [](const auto&) { return true; }},
        command);
}

}  // namespace

void apply_command(WorldState& s, const Command& command) {
    check_command(s, command);
    std::visit(
        Overloaded{
            [&](const AddBody& c) {
                const BodyDesc body = checked_body(s, c.body);
                const auto& m = s.described.parts().materials;
                if (std::none_of(m.begin(), m.end(), [&](auto& e) { return e.name == body.material; }))
                    s.described.change_parts([&](Scene& scene) { add_material(scene, body.material); });
                add_body(s, body);
                s.described.set_body(s.bodies.uid.back(), body);
            },
            [&](const RemoveBody& c) { remove_body(s, c.body); },
            [&](const SetBody& c) { set_body(s, c); },
            [&](const SetForce& c) {
                const auto k = body_number(s, c.body);
                wake(s, k);
                s.bodies.force.set(k, c.force);
                s.bodies.torque.set(k, c.torque);
            },
            [&](const ApplyImpulse& c) { apply_impulse(s, c); },
            [&](const SetActive& c) { set_active(s, c); },
            [&](const AddJoint& c) {
                const JointDesc joint = checked_joint(s, c.joint);
                s.described.change_parts([&](Scene& scene) { scene.joints.push_back(joint); });
                add_joint(s, joint);
                wake_joint(s, s.joints.size() - 1);
            },
            [&](const RemoveJoint& c) { remove_joint(s, c.joint); },
            [&](const SetJoint& c) { set_joint(s, c); },
            [&](const SetAxis& c) { set_axis(s, c); },
            [&](const SetGravity& c) {
                s.gravity = c.gravity;
                wake_all(s);
            },
            [&](const SetMaterial& c) { set_material(s, c.material); },
            [&](const SetContact& c) { set_contact(s, c.contact); },
            [&](const AddForce& c) {
                const ForceDesc force = checked_force(s, c.force);
                s.described.change_parts([&](Scene& scene) { scene.forces.push_back(force); });
                add_force(s, force);
                wake_force(s, s.forces.size() - 1);
            },
            [&](const RemoveForce& c) { remove_force(s, c.name); },
            [&](const EnableForce& c) {
                const auto f = s.force_ids.dense(s.force_ids.find(c.name));
                s.forces.is_enabled[f] = c.enabled;
                wake_force(s, f);
            },
        },
        command);
    if (changes_structure(command)) {
        s.commands.journal.push_back(command);
        update_numbers(s);
    }
    s.output.frame_is_current = false;
}

namespace {

bool may_hold(const WorldState& s, const ConditionalCommand& c) {
    const double now = static_cast<double>(s.step) * s.dt;
    return !c.is_done && s.described.first_parts().timeline[c.entry].time <= now + 1e-9 * s.dt;
}

}  // namespace

void find_conditions(WorldState& s) {
    s.commands.conditional.clear();
    SceneRef first;
    const auto& timeline = s.described.first_parts().timeline;
    for (std::size_t k = 0; k < timeline.size(); ++k)
        if (!timeline[k].when.empty()) {
            if (!first) first = s.described.first_scene();
            s.commands.conditional.push_back({k, find_condition(timeline[k].when, *first), 0});
        }
}

bool has_due_commands(const WorldState& s) {
    bool is_any = !s.commands.pending.empty();
    for (const ConditionalCommand& c : s.commands.conditional) is_any = is_any || may_hold(s, c);
    for_due_commands(s, [&](const Command&) { is_any = true; });
    return is_any;
}

// Due commands of the timeline, then those given from outside, in order. One of the timeline that does not
// apply (its body was removed meanwhile) is skipped with a warning: a running world does not stop for it.
bool apply_commands(WorldState& s) {
    bool is_any = !s.commands.pending.empty();
    const auto attempt = [&](const Command& command) {
        try {
            apply_command(s, command);
        } catch (const InputError& e) {
            s.output.warnings.say(WarningKind::CommandSkipped, static_cast<double>(s.step) * s.dt,
                                  fmt::format("step {}: {}", s.step, e.what()));
        }
    };
    s.commands.timeline_done += for_due_commands(s, [&](const Command& command) {
        attempt(command);
        is_any = true;
    });
    // Of what frames tell at the start of the step, after the timeline; each sees what those before it did.
    for (ConditionalCommand& c : s.commands.conditional) {
        if (!may_hold(s, c)) continue;
        if (!s.output.frame_is_current) fill_frame(s);
        double holds = 0;
        c.condition.read(s.output.frame, &holds);
        if (holds == 0 || std::isnan(holds)) continue;
        c.is_done = 1;
        attempt(s.described.first_parts().timeline[c.entry].command);
        is_any = true;
    }
    for (const Command& command : s.commands.pending) attempt(command);
    s.commands.pending.clear();
    if (is_any) s.commands.plan = {};
    return is_any;
}

}  // namespace impuls
