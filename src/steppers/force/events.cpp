// Events of a step (events.h).
#include "steppers/force/events.h"

#include <algorithm>

#include "steppers/force/tuning.h"

namespace impuls::force_level {
namespace {

integrators::EventOptions event_options() {
    integrators::EventOptions options;
    options.tolerance = kEventTime;
    options.touch = 0;
    return options;
}

}  // namespace

Events::Events() : finder_(*this, 0, event_options()) {}

double Events::begin(const WorldView& view, Island& island, IslandOde& ode, Contacts& contacts,
                     Joints& joints, Bodies& bodies) {
    view_ = &view;
    island_ = &island;
    ode_ = &ode;
    joints_ = &joints;
    bodies_ = &bodies;
    contacts_ = &contacts;
    gaps_.clear();
    double longest = kUnbounded;
    for (std::uint32_t p = 0; p < island.pairs.size(); ++p) {
        const IslandPair& pair = island.pairs[p];
        const double speed = closing_speed(view, island, bodies, pair);
        if (pair.areal.is_on()) {  // forces that begin at nothing
            contacts.turn(p, false);
            if (speed > 0 && pair.size > 0) longest = std::min(longest, kStepWay * pair.size / speed);
            continue;
        }
        const double gap = gap_of(view, island, p, found_);
        gaps_.push_back({p, gap, speed});
        contacts.turn(p, gap <= kNoGap * pair.size);
        if (!(speed > 0)) continue;
        longest = std::min(longest, std::max(gap > 0 ? gap / speed : 0, kStepWay * pair.size / speed));
    }
    if (!joints.are_none()) {
        double spin = 0;
        for (std::uint32_t k = 0; k < island.dynamic_count; ++k)
            spin = std::max(spin, length(bodies.nodes.w[k]));
        if (spin > 0) longest = std::min(longest, kStepTurn / spin);
    }
    return longest;
}

double Events::first(integrators::Integrator& integrator, double h) {
    watched_.clear();
    // What overlaps more than that has touched already.
    for (const Gap& g : gaps_)
        if (g.gap < g.speed * h && g.gap > -kTouch * island_->pairs[g.pair].size)
            watched_.push_back({g.pair, -1, 0});
    const auto axes = joints_->axes();
    for (std::size_t k = 0; k < axes.size(); ++k)
        for (const int side : {-1, 1})
            if (side < 0 ? axes[k].desc->lower.has_value() : axes[k].desc->upper.has_value())
                watched_.push_back({0, static_cast<std::int32_t>(k), side});
    for (std::uint32_t k = 0; k < contacts_->grips().all().size(); ++k) watched_.push_back({0, -1, 0, k});
    if (watched_.empty()) return kUnbounded;
    for (const integrators::Event& event : finder_.find(integrator))
        if (event.direction < 0) return event.time;
    return kUnbounded;
}

void Events::values(double t, std::span<const double> y, std::span<double> out) {
    ode_->place(t, y);
    bool has_axes = false, has_grips = false;
    for (std::size_t k = 0; k < watched_.size(); ++k) {
        if (watched_[k].axis >= 0)
            has_axes = true;
        else if (watched_[k].grip != kNoGrip)
            has_grips = true;
        else
            out[k] = gap_of(*view_, *island_, watched_[k].pair, found_);
    }
    if (has_grips) {
        rates_.resize(y.size());
        ode_->rate(t, y, rates_);
        const auto grips = contacts_->grips().all();
        for (std::size_t k = 0; k < watched_.size(); ++k) {
            if (watched_[k].grip == kNoGrip) continue;
            const Grip& grip = grips[watched_[k].grip];
            out[k] = grip.slides ? dot(grip.slip, grip.ahead) : grip.spare;
        }
    }
    if (!has_axes) return;
    const auto axes = joints_->find_axes(*view_, *island_, *bodies_);
    for (std::size_t k = 0; k < watched_.size(); ++k)
        if (watched_[k].axis >= 0)
            out[k] = -axes[static_cast<std::size_t>(watched_[k].axis)].beyond(watched_[k].side);
}

}  // namespace impuls::force_level
