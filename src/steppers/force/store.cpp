// What a step at force level leaves (run.h): contact points with their forces, impulses and stretches,
// joints, the books, and what the integrator remembers.
#include <algorithm>
#include <numeric>

#include "steppers/finite.h"
#include "steppers/force/run.h"
#include "steppers/force/tuning.h"

namespace impuls::force_level {
namespace {

ContactPoint point_of(const Run& run, const Touch& touch) {
    ContactPoint point;
    point.key = run.view.pairs.keys[run.island.pairs[touch.pair].pair];
    point.feature = touch.feature;
    point.separation = touch.separation;
    point.position = touch.position;
    point.normal = touch.normal;
    point.is_sliding = touch.slides;
    if (touch.grip != kNoGrip) point.previous_t = run.s.contacts.grips().all()[touch.grip].stretch;
    return point;
}

// Forces of the end stand for the step, with the impulses of impacts. Touches are in the order of pairs;
// strikes that no touch tells go with them, since the points of a pair follow each other.
void store_contacts(Run& run) {
    Scratch& s = run.s;
    auto& order = s.strike_order;
    order.resize(s.strikes.size());
    std::iota(order.begin(), order.end(), 0u);
    std::sort(order.begin(), order.end(), [&](std::uint32_t x, std::uint32_t y) {
        const std::uint32_t a = s.strikes[x].touch.pair, b = s.strikes[y].touch.pair;
        return a != b ? a < b : x < y;
    });
    std::size_t next = 0;
    const auto add_strikes = [&](std::size_t end) {  // of pairs before that one
        for (; next < order.size() && s.strikes[order[next]].touch.pair < end; ++next) {
            const Strike& strike = s.strikes[order[next]];
            if (strike.is_told) continue;
            ContactPoint point = point_of(run, strike.touch);
            point.sum = strike.touch.force;
            run.results.contacts.add(run.island.pairs[strike.touch.pair].pair, point);
        }
    };
    for (const Touch& touch : s.contacts.points()) {
        add_strikes(touch.pair);
        const IslandPair& pair = run.island.pairs[touch.pair];
        ContactPoint point = point_of(run, touch);
        point.is_present = touch.separation <= kTouch * pair.size;
        point.sum = touch.force * run.view.dt;
        for (Strike& strike : s.strikes) {
            if (strike.touch.pair != touch.pair || strike.touch.feature != touch.feature || strike.is_told)
                continue;
            point.sum += strike.touch.force;
            strike.is_told = true;
        }
        if (!point.is_present && point.sum == Vec3{}) continue;
        run.results.contacts.add(pair.pair, point);
        if (pair.law->compliance == 0 && !pair.areal.is_on() &&
            s.contacts.law_of(touch.pair).impact_speed < kUnbounded)
            run.results.note_depth(-touch.separation, pair.size);
    }
    add_strikes(run.island.pairs.size());
}

}  // namespace

void store(Run& run, Outcome& outcome) {
    Scratch& s = run.s;
    take_state(run);
    if (s.contacts.have_grips()) settle_grips(run);
    integrators::Integrator& integrator = run.integrator();
    run.engine->ode.rate(run.end, s.y, s.scales);  // forces at the end; the rates are not needed
    if (!s.areal.are_none())
        s.areal.add_touches(run.view, run.island, s.bodies, s.contacts.points(), run.results.areal_notes);
    for (std::uint32_t k = 0; k < run.island.nodes.size(); ++k) {
        IslandNode& node = run.island.nodes[k];
        if (!node.is_dynamic) {
            node.pose = s.bodies.start[k];
            continue;
        }
        node.v = s.bodies.nodes.v[k], node.w = s.bodies.nodes.w[k];
        const char* reason = lost_reason(node.pose, node.v, node.w, run.view.bodies.radius[node.body]);
        if (reason) note_lost(node.body, reason, "forces", run.results);
    }
    store_contacts(run);
    JointMemory& memory = run.island.memory;
    std::fill(memory.impulses.begin(), memory.impulses.end(), 0.0);
    std::fill(memory.axis_impulses.begin(), memory.axis_impulses.end(), 0.0);
    if (!s.joints.are_none()) s.joints.store(run.view, run.island);
    const Power energies = run.engine->ode.energies(s.y);
    IslandNote& note = run.results.note;
    note.is_booked = true;
    note.supplied = energies.supplied;
    note.dissipated = energies.dissipated;
    s.memory.clear();
    integrator.save(s.memory);
    run.results.memories.add(uid_of(run), stamp_of(run, run.end), s.memory.numbers());
    const integrators::Counters& now = integrator.counters();
    outcome.substeps = static_cast<std::uint32_t>(run.steps);
    outcome.iterations =
        static_cast<std::uint32_t>(run.spent.evaluations + now.evaluations - run.before.evaluations);
    outcome.retries = static_cast<std::uint32_t>(run.spent.rejected + now.rejected - run.before.rejected);
}

}  // namespace impuls::force_level
