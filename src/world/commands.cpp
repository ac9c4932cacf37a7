// Commands that have been checked, applied: those of a step as one batch (structure_batch.h).
#include "impuls/command.h"

#include <fmt/format.h>

#include <cmath>

#include "commands/check.h"
#include "dynamics/axis_goal.h"
#include "world/structure_batch.h"

namespace impuls {
namespace {

class CommandBatch {
  public:
    explicit CommandBatch(WorldState& s) : s_(s), batch_(s) {}

    void apply(const Command& command) {
        visit_changes(command, [&](const auto& change) {
            if (apply_change(change)) s_.commands.journal.emplace_back(change);
        });
    }
    void finish() { batch_.finish(); }

  private:
    // Of names that were checked.
    std::uint32_t body_number(const std::string& name) const {
        return s_.body_ids.dense(s_.body_ids.find(name));
    }
    std::size_t joint_number(const std::string& name) const {
        return s_.joint_ids.dense(s_.joint_ids.find(name));
    }

    // All return whether the structure has changed, so that a checkpoint must tell how.
    bool apply_change(const Put& c) {
        batch_.put(c);
        return true;
    }
    bool apply_change(const Remove& c) {
        batch_.remove(c);
        return true;
    }

    bool apply_change(const SetBody& c) {
        const auto k = body_number(c.body);
        batch_.wake(k);
        if (c.position || c.orientation) {
            Pose X_WB = s_.bodies.body_pose(k);
            if (c.position) X_WB.position = *c.position;
            if (c.orientation) X_WB.orientation = normalized(*c.orientation);
            if (s_.bodies.particles[k])
                s_.bodies.carry_particles(k, X_WB * s_.bodies.X_BP[k]);
            else
                s_.bodies.pose[k] = X_WB * s_.bodies.X_BP[k];
        }
        if (c.velocity && s_.bodies.particles[k]) push_particles(k, *c.velocity - s_.bodies.v[k]);
        if (c.velocity) s_.bodies.v[k] = *c.velocity;
        if (c.angular_velocity) s_.bodies.w[k] = *c.angular_velocity;
        if (!c.surface_velocity) return false;
        s_.bodies.surface_velocity.set(k, rotate_inverse(s_.bodies.X_BP[k].orientation, *c.surface_velocity));
        BodyDesc desc = description_of(s_, k);
        desc.surface_velocity = *c.surface_velocity;
        s_.described.set_body(s_.bodies.uid[k], std::move(desc));
        return true;
    }

    // All that move, alike.
    void push_particles(std::uint32_t k, const Vec3& dv) {
        ParticleRange& range = *s_.bodies.particles[k];
        for (std::size_t i = 0; i < range.size(); ++i)
            if (range.inv_mass[i] > 0) range.now.v[i] += dv;
        s_.bodies.follow_particles(k);
    }

    bool apply_change(const SetForce& c) {
        const auto k = body_number(c.body);
        batch_.wake(k);
        Vec3 torque = c.torque;
        if (c.point) torque += cross(*c.point - s_.bodies.pose[k].position, c.force);
        s_.bodies.force.set(k, c.force);
        s_.bodies.torque.set(k, torque);
        return false;
    }

    bool apply_change(const ApplyImpulse& c) {
        const auto k = body_number(c.body);
        batch_.wake(k);
        if (s_.bodies.particles[k]) {
            ParticleRange& range = *s_.bodies.particles[k];
            if (!c.point) {
                push_particles(k, c.impulse * s_.bodies.inv_mass[k]);
            } else {
                const std::uint32_t at = nearest_particle(range, *c.point);
                range.now.v[at] += c.impulse * range.inv_mass[at];
                s_.bodies.follow_particles(k);
            }
            return false;
        }
        const Pose& pose = s_.bodies.pose[k];
        Vec3 angular = c.angular_impulse;
        if (c.point) angular += cross(*c.point - pose.position, c.impulse);
        s_.bodies.v[k] += c.impulse * s_.bodies.inv_mass[k];
        s_.bodies.w[k] += rotate(pose.orientation,
                                 scale(s_.bodies.inv_inertia[k], rotate_inverse(pose.orientation, angular)));
        return false;
    }

    // The joints of a passive body hold nothing and remember nothing.
    bool apply_change(const SetActive& c) {
        const auto k = body_number(c.body);
        batch_.wake(k);
        batch_.note_nodes();
        s_.bodies.is_active[k] = c.active;
        if (c.active) return false;
        for (std::size_t j = 0; j < s_.joints.size(); ++j)
            if (s_.joints.a[j] == k || s_.joints.b[j] == k || s_.joints.c[j] == k) s_.joints.forget(j);
        return false;
    }

    bool apply_change(const SetJoint& c) {
        const auto j = joint_number(c.joint);
        s_.joints.is_enabled[j] = c.enabled;
        batch_.note_holding();
        batch_.wake_joint(j);
        return false;
    }

    bool apply_change(const SetAxis& c) {
        const auto j = joint_number(c.joint);
        JointDesc desc;
        desc.joint = s_.joints.joint[j];
        s_.joints.joint[j] = changed_axis(desc, c).joint;
        s_.joints.count_rows(j);
        batch_.wake_joint(j);
        if (c.position || c.velocity) set_state(j, c);
        return false;
    }

    // Commands before it in the step may have closed a loop since it was checked.
    void set_state(std::size_t j, const SetAxis& c) {
        try {
            const AxisMove move =
                find_axis_move({s_, s_.bodies, s_.joints}, j, c.axis, {c.position, c.velocity});
            apply_move(move, s_.bodies, s_.joints);
            for (const std::uint32_t k : move.bodies) batch_.wake(k);
        } catch (const InputError& e) {
            s_.output.warnings.say(WarningKind::CommandSkipped, static_cast<double>(s_.step) * s_.dt,
                                   fmt::format("step {}: {}", s_.step, e.what()));
        }
    }

    bool apply_change(const EnableForce& c) {
        const auto f = s_.force_ids.dense(s_.force_ids.find(c.name));
        s_.forces.is_enabled[f] = c.enabled;
        batch_.wake_force(f);
        return false;
    }

    bool apply_change(const SetSettings& c) {
        if (c.gravity) {
            s_.gravity = *c.gravity;
            batch_.wake_everyone();
        }
        if (!c.broad_phase && !c.events) return false;
        SettingsDesc& settings = batch_.parts().settings;
        if (c.broad_phase) settings.broad_phase = *c.broad_phase;
        if (c.events) settings.events = *c.events;
        batch_.wake_everyone();
        batch_.note_caches();
        return true;
    }

    // What only one stepper remembers is made anew, or gone; the rest of the state is the same for all.
    bool apply_change(const SetMethod& c) {
        batch_.parts().settings.method = c.method;
        s_.method = resolve(c.method);
        s_.memories.clear();
        batch_.wake_everyone();
        batch_.note_caches();
        watch_laws(watch_view_of(s_));
        return true;
    }

    // A force like others; while nothing but the target changes, it is moved where it is.
    bool apply_change(const Drag& c) {
        const std::string name = drag_name(c.body);
        const bool is_there = s_.force_ids.has(name);
        if (!c.target) {
            batch_.remove_force(name);
            return true;
        }
        const auto k = body_number(c.body);
        const double mass = s_.bodies.mass[k];
        GrabForce grab;
        grab.anchor = s_.bodies.body_pose(k) * c.point;
        grab.target = *c.target;
        grab.stiffness = mass / (c.lag * c.lag);
        grab.damping = 2 * mass / c.lag;
        grab.max_force = c.max_force;
        const bool is_particle = static_cast<bool>(s_.bodies.particles[k]);
        const Pose X_PF = is_particle ? Pose{} : inverse(s_.bodies.X_BP[k]) * Pose{c.point, {}};
        if (is_there) {
            const auto f = s_.force_ids.dense(s_.force_ids.find(name));
            auto* held = std::get_if<GrabForce>(&s_.forces.force[f]);
            if (held && held->stiffness == grab.stiffness && held->damping == grab.damping &&
                held->max_force == grab.max_force && s_.forces.X_BF[f].position == X_PF.position) {
                held->target = grab.target;
                batch_.wake_force(f);
                return false;
            }
        }
        ForceDesc desc;
        desc.name = name;
        desc.b = c.body;
        desc.force = grab;
        batch_.put_force(desc);
        if (!is_particle) s_.forces.X_BF.back() = X_PF;
        return true;
    }

    WorldState& s_;
    StructureBatch batch_;
};

}  // namespace

PresentWorld present_world(const WorldState& s) {
    return {s, s.described, s.bodies, s.joints, s.step, s.dt};
}

void apply_now(WorldState& s, std::span<const Command> commands) {
    CommandPlan plan;
    CommandBatch batch(s);
    for (Command command : commands) {
        prepare(present_world(s), plan, s.commands.work, command);
        batch.apply(command);
    }
    batch.finish();
}

namespace {

void say_skipped(WorldState& s, const std::string& problem) {
    s.output.warnings.say(WarningKind::CommandSkipped, static_cast<double>(s.step) * s.dt,
                          fmt::format("step {}: {}", s.step, problem));
}

// Of what frames tell at the start of the step, after the timeline; each sees what those before it did.
bool apply_conditional(WorldState& s) {
    bool is_any = false;
    for (ConditionalCommand& c : s.commands.conditional) {
        if (!may_hold(present_world(s), c)) continue;
        if (!s.output.frame_is_current) fill_frame(s);
        double holds = 0;
        c.condition.read(s.output.frame, &holds);
        if (holds == 0 || std::isnan(holds)) continue;
        c.is_done = is_any = true;
        try {
            apply_now(s, std::span(&s.described.first_parts().timeline[c.entry].command, 1));
        } catch (const InputError& e) {
            say_skipped(s, e.what());
        }
    }
    return is_any;
}

// Of the timeline, and whatever turned out to be wrong.
void apply_due(WorldState& s, CommandBatch& batch) {
    for (const DueCommand& due : s.commands.plan.due) {
        if (due.problem.empty())
            batch.apply(due.command);
        else
            say_skipped(s, due.problem);
    }
    s.commands.plan.due.clear();
}

}  // namespace

// Due commands of the timeline, then those with a condition, then those given from outside, in order. One
// that does not apply (its body was removed meanwhile) is skipped with a warning: a running world does not
// stop for it.
bool apply_commands(WorldState& s) {
    const PresentWorld now = present_world(s);
    if (!has_due_commands(now, s.commands)) return false;
    check_due(now, s.commands);
    CommandPlan& plan = s.commands.plan;
    bool is_any = !plan.due.empty() || !s.commands.pending.empty();
    s.commands.timeline_done += for_due_commands(now, s.commands, [](const Command&) {});
    if (!s.commands.conditional.empty()) {
        if (!plan.due.empty()) {
            CommandBatch batch(s);
            apply_due(s, batch);
            batch.finish();
        }
        if (apply_conditional(s)) {  // what is pending was checked without that
            is_any = true;
            plan = {};
            check_due(now, s.commands);
        }
    }
    if (!plan.due.empty() || !s.commands.pending.empty()) {
        CommandBatch batch(s);
        apply_due(s, batch);
        for (const Command& command : s.commands.pending) batch.apply(command);
        batch.finish();
    }
    s.commands.pending.clear();
    plan = {};
    return is_any;
}

}  // namespace impuls
