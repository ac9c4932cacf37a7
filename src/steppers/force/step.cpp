// The step of an island at force level, in reading order (step.h):
//
//     begin                laws of contacts, tree of joints, the integrator with what it remembers
//     strike               impacts of what touches already
//     until the end of the step, with stops where forces begin or end (and on AERO's grid):
//         step             one step of the integrator, projected on the joints
//         locate           the first touch within it: back to that moment
//         strike           impacts there, or at the step's end; the integrator starts afresh
//     store                contacts, joints, books, memory
#include "steppers/force/step.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "impuls/scene.h"
#include "steppers/finite.h"
#include "steppers/force/run.h"
#include "steppers/force/tuning.h"

namespace impuls::force_level {
namespace {

using integrators::Status;

// Moments within the step at which forces begin or end, those of AERO's grid, and the end of the step.
void find_stops(Run& run) {
    const double from = run.view.time;
    auto& stops = run.s.stops;
    stops.clear();
    for (const IslandForce& force : run.island.forces)
        for (const double time : {run.view.forces->from[force.force], run.view.forces->until[force.force]})
            if (time > from && time < run.end) stops.push_back(time);
    const double grid = run.view.method.force().collision_grid;
    if (grid > 0 && grid < run.view.dt)
        for (double k = std::floor(from / grid) + 1; k * grid < run.end; ++k)
            if (k * grid > from) stops.push_back(k * grid);
    stops.push_back(run.end);
    std::sort(stops.begin(), stops.end());
    stops.erase(std::unique(stops.begin(), stops.end()), stops.end());
}

void find_points(Run& run) {
    const ContactSearch search = run.view.method.force().contact_search;
    if (search == ContactSearch::Eager)
        run.s.contacts.find(run.view, run.island);
    else if (search == ContactSearch::Moderate)
        run.s.contacts.carry(run.island);
    if (!run.s.joints.are_none()) run.s.joints.find_axes(run.view, run.island, run.s.bodies);
}

// Impacts where the bodies are now; the integrator starts afresh from there.
void strike(Run& run, double t) {
    Scratch& s = run.s;
    const double lost = s.impacts.resolve(run.view, run.island, s.contacts, s.joints, s.bodies);
    for (const Impacts::Impulse& impulse : s.impacts.impulses()) {
        const Touch& touch = s.contacts.points()[impulse.point];
        Strike& strike = s.strikes.emplace_back();
        strike.touch = touch;
        strike.touch.force = impulse.on_b;
    }
    Power energies = run.engine->ode.energies(s.y);
    energies.dissipated += lost;
    run.engine->ode.write(s.y);
    run.engine->ode.set_energies(s.y, energies);
    run.integrator().start(t, s.y);
}

// Checks the present moment, with y the state there. True: there were impacts.
bool strike_if_due(Run& run, double t) {
    if (run.s.contacts.are_none() && run.s.joints.are_none()) return false;
    find_points(run);
    if (!run.s.impacts.are_due(run.view, run.island, run.s.contacts, run.s.joints, run.s.bodies))
        return false;
    strike(run, t);
    return true;
}

void note_short(Run& run, const integrators::Report& report) {
    IslandNote& note = run.results.note;
    if (note.short_step > 0 && note.short_step <= report.step) return;
    const std::uint32_t node = run.engine->ode.body_of(report.component);
    const std::uint32_t force = run.engine->ode.strongest_force(node);
    note.short_step = report.step;
    note.short_body = run.island.nodes[node].body;
    note.short_force = force == IslandOde::kNone ? kNoForce : force;
}

void note_broken(Run& run, const integrators::Report& report) {
    take_state(run);
    const std::uint32_t node = run.engine->ode.body_of(report.component);
    const std::uint32_t force = run.engine->ode.broken_force();
    const auto& scene = run.view.structure;
    const std::string stage =
        force == IslandOde::kNone ? "forces" : fmt::format("force '{}'", scene.forces[force].name);
    note_lost(run.island.nodes[node].body, "is not finite",
              fmt::format("{} at {:.6g} s", stage, run.integrator().time()).c_str(), run.results);
    run.is_lost = true;
}

// One step of the integrator, no farther than `until`, and what happens in it.
Refusal take_step(Run& run, double until) {
    Scratch& s = run.s;
    check_stop(run.view.stop);
    const bool locates = run.view.method.force().collision_grid == 0 &&
                         run.view.method.force().contact_search == ContactSearch::Eager;
    const double t = run.integrator().time();
    const double longest =
        locates ? s.events->begin(run.view, run.island, run.engine->ode, s.contacts, s.joints, s.bodies)
                : kUnbounded;
    if (s.contacts.have_grips()) settle_grips(run);
    integrators::Integrator& integrator = run.integrator();
    const integrators::Report report = integrator.step(std::min(until, t + longest));
    ++run.steps;
    if (report.status == Status::NotFinite) {
        note_broken(run, report);
        return Refusal::None;
    }
    if (report.step == 0) return Refusal::NotConverged;
    if (report.status == Status::SmallestStep) note_short(run, report);
    const double event = locates ? s.events->first(integrator, report.step) : kUnbounded;
    if (event < integrator.time()) {
        integrator.interpolate(event, s.y);
        run.engine->ode.project(event, s.y);
        if (!strike_if_due(run, event)) integrator.start(event, s.y);
    } else {
        take_state(run);
        if (locates || run.view.method.force().contact_search == ContactSearch::Moderate)
            strike_if_due(run, integrator.time());
    }
    if (!s.joints.are_none()) s.joints.count_turns(run.view, run.island);
    return Refusal::None;
}

Refusal integrate(Run& run) {
    Scratch& s = run.s;
    double from = run.view.time;
    if (run.view.method.force().contact_search != ContactSearch::Eager) {
        s.contacts.find(run.view, run.island);
        s.contacts.push(run.view, run.island, false, s.bodies);
    }
    strike_if_due(run, from);
    for (const double stop : s.stops) {
        run.engine->ode.choose_forces(from, stop);
        if (from > run.view.time) run.integrator().restart(run.integrator().state());
        while (run.integrator().time() < stop) {
            if (run.steps >= kMostSteps) {
                run.results.note.is_cut = true;
                return Refusal::NotConverged;
            }
            const Refusal refusal = take_step(run, stop);
            if (refusal != Refusal::None || run.is_lost) return refusal;
        }
        if (run.view.method.force().collision_grid > 0) {
            take_state(run);
            strike_if_due(run, stop);
        }
        from = stop;
    }
    return Refusal::None;
}

}  // namespace

Refusal fits(const WorldView& view, const Island& island) {
    if (!view.method.is<ForceMethod>() && !has_areas(island)) return Refusal::NotSelected;
    for (const IslandPair& pair : island.pairs)
        if (pair.law->rolling > 0 || pair.law->torsion > 0) return Refusal::ContactLaw;
    for (const IslandJoint& joint : island.joints)  // whose accelerations they would need
        for (const std::uint32_t k : {joint.a, joint.b})
            if (island.nodes[k].body != kNoBody && view.bodies.script[island.nodes[k].body])
                return Refusal::HasScript;
    return Refusal::None;
}

Refusal advance(const WorldView& view, Island& island, Scratch& scratch, Results& results, Outcome& outcome) {
    StageClock clock(results.stage_seconds);
    if (!scratch.events) scratch.events = std::make_unique<Events>();
    scratch.strikes.clear();
    if (const Refusal refusal = scratch.joints.begin(view, island); refusal != Refusal::None) return refusal;
    scratch.saved = island.nodes;
    scratch.contacts.begin(view, island);
    scratch.areal.begin(view, island);
    Run run{view, island, scratch, results};
    run.engine = &engine_for(view, island.dynamic_count, scratch);
    run.end = (std::floor(view.time / view.dt + 0.5) + 1) * view.dt;
    begin_integrator(run);
    find_stops(run);
    const Refusal refusal = integrate(run);
    if (refusal != Refusal::None) {
        island.nodes = scratch.saved;
        for (IslandPair& pair : island.pairs) pair.margin = 0;
        clock(Stage::Solve);
        return refusal;
    }
    if (!run.is_lost) store(run, outcome);
    clock(Stage::Solve);
    return Refusal::None;
}

}  // namespace impuls::force_level
