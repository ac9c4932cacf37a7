// What a command may refer to, and what values it may have (command_check.h).
//
// Pending commands are checked one by one when they are given, each against the names that the ones before it
// will leave behind (CommandPlan). So whatever is accepted is applied, and in a row of commands none is
// refused later because of another.
#include "world/command_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <variant>

#include "scene/check.h"

namespace impuls {
namespace {

// Names and what they stand for: of the world, changed by a plan where there is one.
class Known {
  public:
    explicit Known(const WorldState& s, const CommandPlan* plan = nullptr) : s_(s), plan_(plan) {}

    bool has_body(const std::string& name) const {
        if (plan_)
            if (const auto it = plan_->bodies.find(name); it != plan_->bodies.end())
                return it->second.has_value();
        return s_.body_ids.has(name);
    }
    void require_body(const std::string& name) const {
        if (!has_body(name))
            throw InputError(
                fmt::format("there is no body '{}'{}", name, did_you_mean(name, names(s_.body_ids))));
    }
    BodyDesc body(const std::string& name) const {
        require_body(name);
        if (plan_)
            if (const auto it = plan_->bodies.find(name); it != plan_->bodies.end()) return *it->second;
        return description_of(s_, s_.body_ids.dense(s_.body_ids.find(name)));
    }
    BodyKind kind_of(const std::string& name) const {
        require_body(name);
        if (plan_)
            if (const auto it = plan_->bodies.find(name); it != plan_->bodies.end()) return it->second->kind;
        return s_.bodies.kind[s_.body_ids.dense(s_.body_ids.find(name))];
    }
    bool has_joint(const std::string& name) const {
        if (plan_)
            if (const auto it = plan_->joints.find(name); it != plan_->joints.end())
                return it->second.has_value();
        return s_.joint_ids.has(name);
    }
    // With the axes that it has.
    JointDesc joint(const std::string& name) const {
        if (!has_joint(name))
            throw InputError(
                fmt::format("there is no joint '{}'{}", name, did_you_mean(name, names(s_.joint_ids))));
        if (plan_)
            if (const auto it = plan_->joints.find(name); it != plan_->joints.end()) return *it->second;
        const auto j = s_.joint_ids.dense(s_.joint_ids.find(name));
        JointDesc desc = s_.described.parts().joints[j];
        desc.joint = s_.joints.joint[j];
        return desc;
    }
    bool has_force(const std::string& name) const {
        if (plan_)
            if (const auto it = plan_->forces.find(name); it != plan_->forces.end())
                return it->second.has_value();
        return s_.force_ids.has(name);
    }
    void require_force(const std::string& name) const {
        if (!has_force(name))
            throw InputError(
                fmt::format("there is no force '{}'{}", name, did_you_mean(name, names(s_.force_ids))));
    }
    void require_material(const std::string& name) const {
        if (!plan_ || !plan_->materials.contains(name)) material_of(parts(), name);
    }
    const Scene& parts() const { return s_.described.parts(); }

  private:
    template <class Tag>
    static std::vector<std::string> names(const IdTable<Tag>& ids) {
        std::vector<std::string> all;
        for (std::size_t k = 0; k < ids.size(); ++k) all.push_back(ids.name(k));
        return all;
    }

    const WorldState& s_;
    const CommandPlan* plan_;
};

void require_finite(bool is_fine, const char* what) {
    if (!is_fine) throw InputError(fmt::format("{} is not finite", what));
}

// Throws for the first problem.
void refuse(const std::string& path, const std::string& message) {
    throw InputError(fmt::format("{}: {}", path, message));
}

// A body on its own in a scene with the world's materials: full validation and defaults as for a file.
BodyDesc complete(const Known& known, const BodyDesc& desc) {
    if (desc.repeat) throw InputError("add_body takes one body, without repeat");
    Scene alone;
    alone.settings = known.parts().settings;
    alone.materials = known.parts().materials;
    alone.bodies.push_back(desc);
    BodyDesc body = expand(alone).bodies.at(0);
    if (known.has_body(body.name)) throw InputError(fmt::format("there is already a body '{}'", body.name));
    return body;
}

// A scene with these bodies alone; empty names are the world.
Scene scene_of(const Known& known, std::initializer_list<std::string> bodies) {
    Scene alone;
    for (const auto& name : bodies) {
        const auto is_there = [&](const BodyDesc& body) { return body.name == name; };
        if (name.empty() || std::any_of(alone.bodies.begin(), alone.bodies.end(), is_there)) continue;
        BodyDesc stand_in = known.body(name);
        stand_in.material.clear();
        alone.bodies.push_back(stand_in);
    }
    return alone;
}

ForceDesc complete(const Known& known, const ForceDesc& desc) {
    if (desc.repeat) throw InputError("add_force takes one force, without repeat");
    Scene alone = scene_of(known, {desc.a, desc.b});
    alone.forces.push_back(desc);
    ForceDesc force = expand(alone).forces.at(0);
    if (known.has_force(force.name))
        throw InputError(fmt::format("there is already a force '{}'", force.name));
    return force;
}

JointDesc complete(const Known& known, const JointDesc& desc) {
    if (desc.repeat) throw InputError("add_joint takes one joint, without repeat");
    Scene alone = scene_of(known, {desc.a, desc.b, desc.frame});
    alone.joints.push_back(desc);
    JointDesc joint = expand(alone).joints.at(0);
    if (known.has_joint(joint.name))
        throw InputError(fmt::format("there is already a joint '{}'", joint.name));
    return joint;
}

JointDesc changed(const Known& known, const SetAxis& c) {
    JointDesc desc = known.joint(c.joint);
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
    check_axis(*found, [&](const std::string& path, const std::string& message) {
        throw InputError(fmt::format("{}: {}", path.substr(1), message));
    });
    return desc;
}

void check_values(const Known& known, const SetBody& c) {
    if (known.kind_of(c.body) == BodyKind::Static && (c.velocity || c.angular_velocity))
        throw InputError(fmt::format("body '{}' is static: it has no velocity", c.body));
    require_finite(is_finite(c.position.value_or(Vec3{})), "position");
    require_finite(is_finite(c.velocity.value_or(Vec3{})), "velocity");
    require_finite(is_finite(c.angular_velocity.value_or(Vec3{})), "angular_velocity");
    require_finite(is_finite(c.surface_velocity.value_or(Vec3{})), "surface_velocity");
    const double norm = length_squared(c.orientation.value_or(Quat{}));
    if (!std::isfinite(norm) || norm == 0) throw InputError("orientation is not a rotation");
}

// One command against what is known; in a plan, also what it changes there.
class Check {
  public:
    Check(const WorldState& s, CommandPlan* plan) : s_(s), plan_(plan), known_(s, plan) {}

    void operator()(const AddBody& c) {
        BodyDesc body = complete(known_, c.body);
        if (!plan_) return;
        plan_->materials.insert(body.material);
        plan_->bodies[body.name] = std::move(body);
    }
    void operator()(const RemoveBody& c) {
        known_.require_body(c.body);
        if (!plan_) return;
        const auto is_on_it = [&](const JointDesc& j) {
            return j.a == c.body || j.b == c.body || j.frame == c.body;
        };
        for (auto& [name, joint] : plan_->joints)
            if (joint && is_on_it(*joint)) joint.reset();
        for (const JointDesc& joint : s_.described.parts().joints)
            if (is_on_it(joint)) plan_->joints.try_emplace(joint.name, std::nullopt);
        const auto acts_on_it = [&](const ForceDesc& f) { return f.a == c.body || f.b == c.body; };
        for (auto& [name, force] : plan_->forces)
            if (force && acts_on_it(*force)) force.reset();
        for (const ForceDesc& force : s_.described.parts().forces)
            if (acts_on_it(force)) plan_->forces.try_emplace(force.name, std::nullopt);
        plan_->bodies[c.body].reset();
    }
    void operator()(const SetBody& c) { check_values(known_, c); }
    void operator()(const SetForce& c) {
        known_.require_body(c.body);
        require_finite(is_finite(c.force) && is_finite(c.torque), "force");
    }
    void operator()(const ApplyImpulse& c) {
        known_.require_body(c.body);
        require_finite(
            is_finite(c.impulse) && is_finite(c.angular_impulse) && is_finite(c.point.value_or(Vec3{})),
            "impulse");
    }
    void operator()(const SetActive& c) { known_.require_body(c.body); }
    void operator()(const AddJoint& c) {
        JointDesc joint = complete(known_, c.joint);
        if (plan_) plan_->joints[joint.name] = std::move(joint);
    }
    void operator()(const RemoveJoint& c) {
        known_.joint(c.joint);
        if (plan_) plan_->joints[c.joint].reset();
    }
    void operator()(const SetJoint& c) { known_.joint(c.joint); }
    void operator()(const SetAxis& c) {
        JointDesc joint = changed(known_, c);
        if (plan_) plan_->joints[c.joint] = std::move(joint);
    }
    void operator()(const SetGravity& c) { require_finite(is_finite(c.gravity), "gravity"); }
    void operator()(const SetMaterial& c) {
        known_.require_material(c.material.name);
        check_material(c.material, refuse);
    }
    void operator()(const SetContact& c) {
        known_.require_material(c.contact.a);
        known_.require_material(c.contact.b);
        check_contact(c.contact, refuse);
    }

    void operator()(const AddForce& c) {
        ForceDesc force = complete(known_, c.force);
        if (plan_) plan_->forces[force.name] = std::move(force);
    }
    void operator()(const RemoveForce& c) {
        known_.require_force(c.name);
        if (plan_) plan_->forces[c.name].reset();
    }
    void operator()(const EnableForce& c) { known_.require_force(c.name); }

  private:
    const WorldState& s_;
    CommandPlan* plan_;
    Known known_;
};

// What the timeline does first; a command of it that does not apply will be skipped.
void note_timeline(const WorldState& s, CommandPlan& plan) {
    for_due_commands(s, [&](const Command& command) {
        try {
            std::visit(Check(s, &plan), command);
        } catch (const InputError&) {
            return;
        }
    });
}

}  // namespace

void check_command(const WorldState& s, const Command& command) {
    std::visit(Check(s, nullptr), command);
}

void check_pending(WorldState& s, const Command& command) {
    CommandPlan& plan = s.commands.plan;
    if (!plan.is_begun) note_timeline(s, plan);
    plan.is_begun = true;
    for (; plan.noted < s.commands.pending.size(); ++plan.noted)
        std::visit(Check(s, &plan), s.commands.pending[plan.noted]);
    std::visit(Check(s, &plan), command);
    ++plan.noted;
}

BodyDesc checked_body(const WorldState& s, const BodyDesc& desc) {
    return complete(Known(s), desc);
}

JointDesc checked_joint(const WorldState& s, const JointDesc& desc) {
    return complete(Known(s), desc);
}

ForceDesc checked_force(const WorldState& s, const ForceDesc& desc) {
    return complete(Known(s), desc);
}

Joint changed_axis(const WorldState& s, const SetAxis& command) {
    return changed(Known(s), command).joint;
}

}  // namespace impuls
