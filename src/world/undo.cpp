// Keeping the state before a step, and taking the step back (undo.h).
#include "world/undo.h"

namespace impuls {

void StepUndo::keep(const WorldState& s) {
    is_asleep_ = s.bodies.is_asleep;
    rest_ = s.bodies.rest;
    pace_ = s.joints.pace;
    impulses_ = s.joints.impulse.value;
    angles_ = s.joints.angle.value;
    axis_forces_ = s.joints.axis_force.value;
    reactions_ = s.joints.reaction;
    everything_.reset();
    keep_warnings(s);
    if (!has_due_commands(s)) return;
    everything_ = std::make_unique<Everything>();
    Everything& all = *everything_;
    all.gravity = s.gravity;
    all.bodies = s.bodies;
    all.joints = s.joints;
    all.forces = s.forces;
    all.ledger = s.ledger;
    for_each_contact(s, [&](const ContactPoint& c) { all.contacts.push_back(c); });
    for_each_edge(s, [&](const GraphEdge& e) { all.edges.push_back(e); });
    all.described = s.described;
    all.method = s.method;
    all.memories = s.memories;
    all.commands = s.commands;
    all.body_ids = s.body_ids;
    all.joint_ids = s.joint_ids;
    all.force_ids = s.force_ids;
}

void StepUndo::keep_warnings(const WorldState& s) {
    const Watch& watch = s.output.watch;
    warnings_.reset();
    if (watch.checked_uid == s.bodies.next_uid && !has_due_commands(s)) return;
    warnings_ = std::make_unique<WarningLog>(s.output.warnings);
    checked_uid_ = watch.checked_uid;
    is_parting_ = watch.is_parting;
}

void StepUndo::take_back_warnings(WorldState& s) {
    if (!warnings_) return;
    s.output.warnings = std::move(*warnings_);
    s.output.watch.checked_uid = checked_uid_;
    s.output.watch.is_parting = is_parting_;
}

void StepUndo::take_back(WorldState& s) {
    take_back_warnings(s);
    if (everything_) {
        Everything& all = *everything_;
        s.active = {};  // what was dormant is among the contacts and edges kept
        s.gravity = all.gravity;
        s.bodies = std::move(all.bodies);
        s.joints = std::move(all.joints);
        s.forces = std::move(all.forces);
        s.ledger = all.ledger;
        s.contacts = std::move(all.contacts);
        s.graph.edges = std::move(all.edges);
        s.described = std::move(all.described);
        s.commands = std::move(all.commands);
        s.body_ids = std::move(all.body_ids);
        s.joint_ids = std::move(all.joint_ids);
        s.force_ids = std::move(all.force_ids);
        s.laws.build(s.described.parts().materials, s.described.parts().contacts);
        s.method = all.method;
        s.memories = std::move(all.memories);
        everything_.reset();
        drop_caches(s);
        update_numbers(s);
        return;
    }
    std::swap(s.bodies.is_asleep, is_asleep_);
    std::swap(s.bodies.rest, rest_);
    std::swap(s.joints.pace, pace_);
    std::swap(s.joints.impulse.value, impulses_);
    std::swap(s.joints.angle.value, angles_);
    std::swap(s.joints.axis_force.value, axis_forces_);
    std::swap(s.joints.reaction, reactions_);
    drop_caches(s);
}

}  // namespace impuls
