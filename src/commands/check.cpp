// What a command may refer to, and what values it may have (check.h).
//
// Commands are checked one by one when they are given, each against the names that the ones before it will
// leave behind (CommandPlan), and kept as completed then: with defaults, and with the joints and forces that
// go with a body. So whatever is accepted is applied without another check, in any number.
#include "commands/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "commands/planned_world.h"
#include "dynamics/axis_goal.h"
#include "geometry/particle_net.h"
#include "impuls/scene_file.h"
#include "scene/check.h"
#include "scene/check_fields.h"
#include "scene/described.h"
#include "scene/material_library.h"

namespace impuls {
namespace {

void require_finite(bool is_fine, const char* what) {
    if (!is_fine) throw InputError(fmt::format("{} is not finite", what));
}

template <class T>
void require_in_range(const T& command) {
    FieldCheck([](const Path& path, const std::string& message) {
        throw InputError(fmt::format("{}: {}", path.text().substr(1), message));
    }).walk(command, Path{});
}

bool is_on(const JointDesc& joint, const std::string& body) {
    return joint.a == body || joint.b == body || joint.frame == body;
}
bool is_on(const ForceDesc& force, const std::string& body) {
    return force.a == body || force.b == body;
}

void refuse_axis_state(const JointDesc& joint) {
    visit_axes(joint.joint, [&](const char* name, const AxisDesc& axis) {
        if (!axis.position && !axis.velocity) return;
        throw InputError(
            fmt::format("joint '{}', axis '{}': position and velocity are for the start of a "
                        "scene; use set_axis in a later step",
                        joint.name, name));
    });
}

template <class T>
void refuse_unnamed(const char* list, const std::vector<T>& things) {
    for (std::size_t k = 0; k < things.size(); ++k) {
        if (things[k].name.empty())
            throw InputError(fmt::format("{}/{}/name: what is put needs a name", list, k));
        if (things[k].repeat)
            throw InputError(fmt::format("{}/{}/repeat: a command puts single things", list, k));
    }
}

// One command against what is known; it is completed, and noted in the plan.
class Preparation {
  public:
    Preparation(const PresentWorld& now, CommandPlan& plan, CommandWork& work)
        : plan_(plan), work_(work), known_(now, plan), now_(now) {}

    void operator()(Put& put) {
        if (put.materials.empty() && put.contacts.empty() && put.bodies.empty() && put.joints.empty() &&
            put.forces.empty())
            throw InputError("there is nothing to put");
        refuse_unnamed("bodies", put.bodies);
        refuse_unnamed("joints", put.joints);
        refuse_unnamed("forces", put.forces);
        work_.checked += put.materials.size() + put.contacts.size() + put.bodies.size() + put.joints.size() +
                         put.forces.size();
        if (put.move)  // else bodies stay where they are, and so do joints
            for (const JointDesc& joint : put.joints) refuse_axis_state(joint);
        complete(put);
        if (!known_.parts().grains.empty()) refuse_beside_grains(put.bodies, known_.parts().granular);
        for (const MaterialDesc& material : put.materials) plan_.materials[material.name] = material;
        for (const ContactDesc& c : put.contacts) plan_.contacts.push_back({{c.a, c.b}, true});
        for (BodyDesc& body : put.bodies) {
            if (!put.move && known_.has_body(body.name)) {
                const BodyDesc there = known_.body(body.name);
                body.position = there.position;
                body.orientation = there.orientation;
                body.velocity = there.velocity;
                body.angular_velocity = there.angular_velocity;
            }
            plan_.bodies[body.name] = body;
        }
        for (const JointDesc& joint : put.joints) {
            plan_.joints[joint.name] = joint;
            if (plan_.has_ends) note_ends(joint, plan_.joints_of);
            require_ends({joint.a, joint.b, joint.frame}, particle_end_problem(joint));
        }
        for (const ForceDesc& force : put.forces) {
            note_force(force);
            require_ends({force.a, force.b}, particle_end_problem(force));
        }
    }

    void operator()(Remove& c) {
        if (c.bodies.empty() && c.joints.empty() && c.forces.empty() && c.contacts.empty() &&
            c.materials.empty())
            throw InputError("there is nothing to remove");
        for (const std::string& name : c.joints) {
            known_.joint(name);
            plan_.joints[name].reset();
        }
        for (const std::string& name : c.forces) {
            known_.force(name);
            plan_.forces[name].reset();
        }
        for (const std::string& name : c.bodies) remove_body(name, c);
        for (const MaterialPair& pair : c.contacts) {
            if (!known_.has_contact(pair))
                throw InputError(fmt::format("there is no contact of '{}' and '{}'", pair.a, pair.b));
            plan_.contacts.push_back({pair, false});
        }
        for (const std::string& name : c.materials) remove_material(name);
    }

    void operator()(SetBody& c) {
        if (known_.kind_of(c.body) == BodyKind::Static && (c.velocity || c.angular_velocity))
            throw InputError(fmt::format("body '{}' is static: it has no velocity", c.body));
        if (known_.is_scripted(c.body) && (c.position || c.orientation || c.velocity || c.angular_velocity))
            throw InputError(fmt::format("body '{}' moves by its script", c.body));
        if (c.angular_velocity) refuse_turning(c.body, "angular_velocity");
        require_finite(is_finite(c.position.value_or(Vec3{})), "position");
        require_finite(is_finite(c.velocity.value_or(Vec3{})), "velocity");
        require_finite(is_finite(c.angular_velocity.value_or(Vec3{})), "angular_velocity");
        require_finite(is_finite(c.surface_velocity.value_or(Vec3{})), "surface_velocity");
        const double norm = length_squared(c.orientation.value_or(Quat{}));
        if (!std::isfinite(norm) || norm == 0) throw InputError("orientation is not a rotation");
    }
    void operator()(SetForce& c) {
        known_.require_body(c.body);
        if (c.torque != Vec3{}) refuse_turning(c.body, "torque");
        require_finite(is_finite(c.force) && is_finite(c.torque) && is_finite(c.point.value_or(Vec3{})),
                       "force");
    }
    void operator()(ApplyImpulse& c) {
        known_.require_body(c.body);
        if (c.angular_impulse != Vec3{}) refuse_turning(c.body, "angular_impulse");
        require_finite(
            is_finite(c.impulse) && is_finite(c.angular_impulse) && is_finite(c.point.value_or(Vec3{})),
            "impulse");
    }
    void operator()(SetActive& c) { known_.require_body(c.body); }
    void operator()(SetJoint& c) { known_.joint(c.joint); }
    void operator()(SetAxis& c) {
        const bool is_new = plan_.joints.contains(c.joint) && !now_.ids.joint_ids.has(c.joint);
        plan_.joints[c.joint] = changed_axis(known_.joint(c.joint), c);
        const AxisGoal wanted{c.position, c.velocity};
        if (!wanted.is_any()) return;
        if (is_new)
            throw InputError(
                fmt::format("joint '{}' comes in the same step: set its axes in a later one", c.joint));
        const auto& ids = now_.ids.joint_ids;
        find_axis_move({now_.ids, now_.bodies, now_.joints}, ids.dense(ids.find(c.joint)), c.axis, wanted);
    }
    void operator()(EnableForce& c) { known_.force(c.name); }
    void operator()(SetSettings& c) { require_finite(is_finite(c.gravity.value_or(Vec3{})), "gravity"); }
    void operator()(SetMethod& c) {
        require_in_range(c);
        resolve(c.method);
    }
    void operator()(Drag& c) {
        if (known_.kind_of(c.body) != BodyKind::Dynamic)
            throw InputError(fmt::format("body '{}' is not dynamic: it cannot be drawn", c.body));
        require_in_range(c);
        const std::string name = drag_name(c.body);
        if (c.target) {
            ForceDesc force;
            force.name = name;
            force.b = c.body;
            note_force(force);
        } else {
            known_.force(name);
            plan_.forces[name].reset();
        }
    }
    void operator()(Batch& c) {
        for (Change& change : c.commands) std::visit(*this, change);
    }

  private:
    // Bodies of particles do not turn as one.
    void refuse_turning(const std::string& body, const char* what) {
        if (is_of_particles(known_.body(body).shape))
            throw InputError(fmt::format("body '{}' is made of particles: it has no {}", body, what));
    }
    void require_ends(const std::initializer_list<std::string>& ends, const std::string& problem) {
        if (problem.empty()) return;
        for (const std::string& body : ends)
            if (!body.empty() && is_of_particles(known_.body(body).shape))
                throw InputError(fmt::format("body '{}': what is put there {}", body, problem));
    }

    // As a scene of its own, with what it refers to: full validation and defaults as for a file.
    void complete(Put& put) {
        Scene alone;
        alone.settings = known_.parts().settings;
        alone.settings.stop_when.clear();  // which is about the whole scene
        alone.materials = put.materials;
        for (const MaterialDesc& material : known_.materials()) {
            const auto is_it = [&](const MaterialDesc& other) { return other.name == material.name; };
            if (std::none_of(put.materials.begin(), put.materials.end(), is_it))
                alone.materials.push_back(material);
        }
        alone.contacts = put.contacts;
        alone.bodies = std::move(put.bodies);
        const std::size_t bodies = alone.bodies.size(), materials = alone.materials.size();
        for (const JointDesc& joint : put.joints) add_stand_ins(alone, {joint.a, joint.b, joint.frame});
        for (const ForceDesc& force : put.forces) add_stand_ins(alone, {force.a, force.b});
        alone.joints = std::move(put.joints);
        alone.forces = std::move(put.forces);
        Scene full = expand(alone);
        full.bodies.resize(bodies);
        put.bodies = std::move(full.bodies);
        put.joints = std::move(full.joints), put.forces = std::move(full.forces);
        put.contacts = std::move(full.contacts);
        for (std::size_t k = materials; k < full.materials.size(); ++k) add_material(full.materials[k], put);
    }

    // The default material, or one of the library with what holds between it and the others of it that are
    // as they are there.
    void add_material(const MaterialDesc& material, Put& put) const {
        put.materials.push_back(material);
        if (!find_library_material(material.name)) return;
        for (const MaterialDesc& other : known_.materials()) {
            const LibraryMaterial* same = find_library_material(other.name);
            if (!same || !is_same(other, same->material)) continue;
            const ContactDesc contact = library_contact(other, material);
            const auto is_it = [&](const ContactDesc& c) { return is_same_pair(c, contact); };
            if (std::none_of(put.contacts.begin(), put.contacts.end(), is_it))
                put.contacts.push_back(contact);
        }
    }
    static bool is_same(const MaterialDesc& x, const MaterialDesc& y) {
        return to_json(Command(Put{.materials = {x}})) == to_json(Command(Put{.materials = {y}}));
    }

    // Bodies of the world beside those that are put.
    void add_stand_ins(Scene& alone, std::initializer_list<std::string> names) const {
        for (const std::string& name : names) {
            const auto is_it = [&](const BodyDesc& body) { return body.name == name; };
            if (name.empty() || std::any_of(alone.bodies.begin(), alone.bodies.end(), is_it)) continue;
            alone.bodies.push_back(known_.body(name));
        }
    }

    static void note_ends(const JointDesc& joint,
                          std::unordered_map<std::string, std::vector<std::string>>& of) {
        for (const std::string& end : {joint.a, joint.b, joint.frame})
            if (!end.empty()) of[end].push_back(joint.name);
    }
    static void note_ends(const ForceDesc& force,
                          std::unordered_map<std::string, std::vector<std::string>>& of) {
        for (const std::string& end : {force.a, force.b})
            if (!end.empty()) of[end].push_back(force.name);
    }
    void note_force(const ForceDesc& force) {
        plan_.forces[force.name] = force;
        if (plan_.has_ends) note_ends(force, plan_.forces_of);
    }

    void find_ends() {
        if (plan_.has_ends) return;
        plan_.has_ends = true;
        for (const JointDesc& joint : known_.parts().joints) note_ends(joint, plan_.joints_of);
        for (const ForceDesc& force : known_.parts().forces) note_ends(force, plan_.forces_of);
        for (const auto& [name, joint] : plan_.joints)
            if (joint) note_ends(*joint, plan_.joints_of);
        for (const auto& [name, force] : plan_.forces)
            if (force) note_ends(*force, plan_.forces_of);
    }

    // What is on a body goes with it, and is named by the command from now on.
    template <class T>
    void remove_from(const std::string& body,
                     const std::unordered_map<std::string, std::vector<std::string>>& of,
                     PlannedNames<T>& planned, std::vector<std::string>& removed) {
        const auto names = of.find(body);
        if (names == of.end()) return;
        for (const std::string& name : names->second) {
            const T* there = known_.find(name, static_cast<const T*>(nullptr));
            if (!there || !is_on(*there, body)) continue;
            removed.push_back(name);
            planned[name].reset();
        }
    }
    void remove_body(const std::string& name, Remove& c) {
        known_.require_body(name);
        ++work_.checked;
        find_ends();
        remove_from(name, plan_.joints_of, plan_.joints, c.joints);
        remove_from(name, plan_.forces_of, plan_.forces, c.forces);
        plan_.bodies[name].reset();
    }

    void remove_material(const std::string& name) {
        known_.material(name);
        if (known_.is_used(name))
            throw InputError(fmt::format("material '{}' is that of a body: it cannot be removed", name));
        for (const ContactDesc& c : known_.parts().contacts)
            if ((c.a == name || c.b == name) && known_.has_contact({c.a, c.b}))
                throw InputError(fmt::format("material '{}' is in a contact: it cannot be removed", name));
        plan_.materials[name].reset();
    }

    CommandPlan& plan_;
    CommandWork& work_;
    PlannedWorld known_;
    const PresentWorld& now_;
};

}  // namespace

std::string drag_name(const std::string& body) {
    return "drag of " + body;
}

JointDesc changed_axis(JointDesc desc, const SetAxis& c) {
    std::vector<std::string> axes;
    AxisDesc* found = nullptr;
    visit_axes(desc.joint, [&](const char* name, AxisDesc& axis) {
        axes.emplace_back(name);
        if (c.axis == name) found = &axis;
    });
    if (!found)
        throw InputError(
            fmt::format("joint '{}' has no free axis '{}'{}", c.joint, c.axis, did_you_mean(c.axis, axes)));
    if (c.clear) *found = {};
    SetAxis::visit_values([&](const char*, auto given, auto member, const Field&) {
        if (c.*given) found->*member = *(c.*given);
    });
    found->position.reset(), found->velocity.reset();  // of the bodies, not of the joint
    check_axis(*found, [&](const std::string& path, const std::string& message) {
        throw InputError(fmt::format("{}: {}", path.substr(1), message));
    });
    return desc;
}

void prepare(const PresentWorld& now, CommandPlan& plan, CommandWork& work, Command& command) {
    std::visit(Preparation(now, plan, work), command);
}

void check_command(const PresentWorld& now, const Command& command) {
    CommandPlan plan;
    CommandWork work;
    Command copy = command;
    prepare(now, plan, work, copy);
}

void check_due(const PresentWorld& now, CommandQueue& queue) {
    CommandPlan& plan = queue.plan;
    const auto attempt = [&](Command& command) -> std::string {
        try {
            prepare(now, plan, queue.work, command);
            return {};
        } catch (const InputError& e) {
            return e.what();
        }
    };
    if (!plan.is_begun) {
        plan.is_begun = true;
        for_due_commands(now, queue, [&](const Command& command) {
            DueCommand due{command, {}};
            due.problem = attempt(due.command);
            plan.due.push_back(std::move(due));
        });
    }
    for (; plan.noted < queue.pending.size(); ++plan.noted) {
        Command& command = queue.pending[plan.noted];
        const std::string problem = attempt(command);
        if (problem.empty()) continue;
        plan.due.push_back({command, problem});
        command = Batch{};
    }
}

Command prepared(const PresentWorld& now, CommandQueue& queue, const Command& command) {
    check_due(now, queue);
    Command complete = command;
    try {
        prepare(now, queue.plan, queue.work, complete);
    } catch (const InputError&) {
        queue.plan = {};  // with half of a command in it
        throw;
    }
    ++queue.plan.noted;
    return complete;
}

}  // namespace impuls
