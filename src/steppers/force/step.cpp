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
#include <bit>
#include <cmath>
#include <numeric>

#include "impuls/scene.h"
#include "math/integrators/methods.h"
#include "steppers/finite.h"
#include "steppers/force/tuning.h"

namespace impuls::force_level {
namespace {

using integrators::Status;

const integrators::Method& method_of(const Method& method) {
    const auto number =
        static_cast<std::size_t>(method.integrator) - static_cast<std::size_t>(Integrator::DormandPrince);
    return integrators::methods()[number];
}

struct Run {
    const WorldView& view;
    Island& island;
    Scratch& s;
    Results& results;
    Engine* engine = nullptr;
    double end = 0;
    long steps = 0;
    bool is_lost = false;

    integrators::Integrator& integrator() { return *engine->integrator; }
};

// An equation of this size; made once.
Engine& engine_for(const WorldView& view, std::size_t bodies, Scratch& s) {
    const ForceMethod& m = view.method.force();
    const std::array<double, 6> numbers{static_cast<double>(view.method.integrator),
                                        m.tolerance,
                                        view.dt,
                                        static_cast<double>(m.substeps),
                                        m.least_step,
                                        static_cast<double>(m.gear_values)};
    if (!std::equal(numbers.begin(), numbers.end(), s.made_for.begin(), s.made_for.end())) {
        s.engines.clear();
        s.made_for.assign(numbers.begin(), numbers.end());
    }
    const std::size_t size = 13 * bodies + 2;
    for (const auto& engine : s.engines)
        if (engine->ode.size() == size) return *engine;
    const integrators::Method& method = method_of(view.method);
    integrators::Options options;
    options.tolerance = m.tolerance;
    options.step = method.has_error_control ? 0 : view.dt / static_cast<double>(m.substeps);
    options.least_step = m.least_step > 0 ? m.least_step : kLeastStep * view.dt;
    options.gear_values = static_cast<int>(m.gear_values);
    auto& engine = s.engines.emplace_back(std::make_unique<Engine>(bodies, method.needs_positions));
    engine->integrator = method.make(engine->ode, options);
    return *engine;
}

// A mark of all that the integrator's memory depends on.
std::uint64_t stamp_of(const WorldView& view, const Island& island, double time) {
    std::uint64_t mark = 0x9e3779b97f4a7c15u;
    const auto add = [&](std::uint64_t bits) {
        mark = (mark ^ bits) * 0xbf58476d1ce4e5b9u;
        mark ^= mark >> 29;
    };
    const auto add_vec = [&](const Vec3& v) {
        for (const double x : {v.x, v.y, v.z}) add(std::bit_cast<std::uint64_t>(x));
    };
    add_vec(view.gravity);
    add(static_cast<std::uint64_t>(view.method.integrator)),
        add(static_cast<std::uint64_t>(view.method.force().gear_values));
    for (const IslandNode& node : island.nodes) {
        add(node.body == kNoBody ? 0 : view.bodies.uid[node.body]);
        add_vec(node.pose.position), add_vec(node.v), add_vec(node.w);
        const Quat& q = node.pose.orientation;
        add_vec({q.x, q.y, q.z}), add(std::bit_cast<std::uint64_t>(q.w));
        if (node.is_dynamic) add_vec(view.bodies.force[node.body]), add_vec(view.bodies.torque[node.body]);
    }
    for (const IslandForce& force : island.forces) {
        add(view.forces->uid[force.force]);
        add(view.forces->share(force.force, time, 0) > 0);
        if (const auto* grab = std::get_if<GrabForce>(&view.forces->force[force.force]))
            add_vec(grab->target);
    }
    for (const IslandJoint& joint : island.joints) add(view.joints.uid[joint.joint]);
    return mark;
}

std::uint64_t uid_of(const Run& run) {
    return run.view.bodies.uid[run.island.nodes.front().body];
}

void begin_integrator(Run& run) {
    Scratch& s = run.s;
    IslandOde& ode = run.engine->ode;
    ode.bind(run.view, run.island, s.contacts, s.joints, s.bodies);
    s.y.resize(ode.size()), s.scales.resize(ode.size());
    ode.scales(s.scales);
    run.integrator().set_scales(s.scales);
    ode.write(s.y);
    ode.set_energies(s.y, {});
    const auto numbers = run.view.memories ? run.view.memories->find(
                                                 uid_of(run), stamp_of(run.view, run.island, run.view.time))
                                           : std::span<const double>{};
    if (!numbers.empty()) {
        s.memory.assign(numbers);
        run.integrator().load(s.memory);
        if (run.integrator().time() == run.view.time) {
            run.integrator().replace(s.y);
            return;
        }
    }
    run.integrator().start(run.view.time, s.y);
}

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

void take_state(Run& run) {
    const auto state = run.integrator().state();
    std::copy(state.begin(), state.end(), run.s.y.begin());
    run.engine->ode.place(run.integrator().time(), run.s.y);
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
    integrators::Integrator& integrator = run.integrator();
    const bool locates = run.view.method.force().collision_grid == 0 &&
                         run.view.method.force().contact_search == ContactSearch::Eager;
    const double t = integrator.time();
    const double longest =
        locates ? s.events->begin(run.view, run.island, run.engine->ode, s.contacts, s.joints, s.bodies)
                : kUnbounded;
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

ContactPoint point_of(const Run& run, const Touch& touch) {
    ContactPoint point;
    point.key = run.view.pairs.keys[run.island.pairs[touch.pair].pair];
    point.feature = touch.feature;
    point.separation = touch.separation;
    point.position = touch.position, point.normal = touch.normal;
    point.is_sliding = touch.slides;
    return point;
}

// Forces of the end stand for the step, with the impulses of impacts.
// Touches are in the order of pairs; strikes that no touch tells go with them, since the points of a pair
// follow each other.
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
        if (pair.law->compliance == 0 && s.contacts.law_of(touch.pair).impact_speed < kUnbounded)
            run.results.note_depth(-touch.separation, pair.size);
    }
    add_strikes(run.island.pairs.size());
}

void store(Run& run, Outcome& outcome, const integrators::Counters& before) {
    Scratch& s = run.s;
    integrators::Integrator& integrator = run.integrator();
    take_state(run);
    run.engine->ode.rate(run.end, s.y, s.scales);  // forces at the end; the rates are not needed
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
    note.supplied = energies.supplied, note.dissipated = energies.dissipated;
    s.memory.clear();
    integrator.save(s.memory);
    run.results.memories.add(uid_of(run), stamp_of(run.view, run.island, run.end), s.memory.numbers());
    const integrators::Counters& now = integrator.counters();
    outcome.substeps = static_cast<std::uint32_t>(run.steps);
    outcome.iterations = static_cast<std::uint32_t>(now.evaluations - before.evaluations);
    outcome.retries = static_cast<std::uint32_t>(now.rejected - before.rejected);
}

}  // namespace

Refusal fits(const WorldView& view, const Island& island) {
    if (!view.method.is<ForceMethod>()) return Refusal::NotSelected;
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
    Run run{view, island, scratch, results};
    run.engine = &engine_for(view, island.dynamic_count, scratch);
    run.end = (std::floor(view.time / view.dt + 0.5) + 1) * view.dt;
    begin_integrator(run);
    find_stops(run);
    const integrators::Counters before = run.integrator().counters();
    const Refusal refusal = integrate(run);
    if (refusal != Refusal::None) {
        island.nodes = scratch.saved;
        for (IslandPair& pair : island.pairs) pair.margin = 0;
        clock(Stage::Solve);
        return refusal;
    }
    if (!run.is_lost) store(run, outcome, before);
    clock(Stage::Solve);
    return Refusal::None;
}

}  // namespace impuls::force_level
