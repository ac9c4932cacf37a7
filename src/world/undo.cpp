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
    if (s.grains.is_any()) grains_ = s.grains;
    everything_.reset();
    keep_warnings(s);
    if (!has_due_commands(present_world(s), s.commands) && !granular::has_free_bodies(s.grains)) return;
    everything_ = std::make_unique<Everything>(Everything{s, s});
    State& all = everything_->state;
    all.contacts.clear();
    all.graph.edges.clear();
    for_each_contact(s, [&](const ContactPoint& c) { all.contacts.push_back(c); });
    for_each_edge(s, [&](const GraphEdge& e) { all.graph.edges.push_back(e); });
}

void StepUndo::keep_warnings(const WorldState& s) {
    const Watch& watch = s.output.watch;
    warnings_.reset();
    if (watch.checked_uid == s.bodies.next_uid && !has_due_commands(present_world(s), s.commands) &&
        !granular::has_free_bodies(s.grains))
        return;
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
        s.active = {};  // what was dormant is among the contacts and edges kept
        static_cast<Model&>(s) = std::move(everything_->model);
        static_cast<State&>(s) = std::move(everything_->state);
        everything_.reset();
        drop_caches(s);
        update_numbers(s);
        if (s.grains.is_any()) std::swap(s.grains, grains_);  // whose neighbours that forgot
        return;
    }
    std::swap(s.bodies.is_asleep, is_asleep_);
    std::swap(s.bodies.rest, rest_);
    std::swap(s.joints.pace, pace_);
    std::swap(s.joints.impulse.value, impulses_);
    std::swap(s.joints.angle.value, angles_);
    std::swap(s.joints.axis_force.value, axis_forces_);
    std::swap(s.joints.reaction, reactions_);
    if (s.grains.is_any()) std::swap(s.grains, grains_);
    drop_caches(s);
}

}  // namespace impuls
