// A step of an island by blocks, in reading order (step.h; equations in docs/internals/blocks.md).
#include "steppers/blocks/step.h"

#include <algorithm>
#include <cmath>

#include "steppers/account.h"
#include "steppers/blocks/bodies.h"
#include "steppers/blocks/context.h"
#include "steppers/blocks/exchange.h"
#include "steppers/blocks/joints.h"
#include "steppers/blocks/loads.h"
#include "steppers/blocks/pace.h"
#include "steppers/blocks/search.h"
#include "steppers/blocks/tuning.h"
#include "steppers/finite.h"
#include "steppers/momentum.h"

namespace impuls::blocks {
namespace {

bool is_plain(const ContactLaw& law) {
    return law.rolling == 0 && law.torsion == 0 && law.compliance == 0 &&
           (law.restitution == 0 || law.restitution_law == RestitutionLaw::Newton);
}

// Islands of the impulse stepper: all but the smallest, without joints.
Refusal fits_method(const Method& method, const Island& island) {
    if (method.is<BlocksMethod>()) return Refusal::None;
    const auto* impulse = std::get_if<ImpulseMethod>(&method.stepper);
    if (!impulse || impulse->blocks_from <= 0) return Refusal::NotSelected;
    if (island.dynamic_count < static_cast<std::size_t>(impulse->blocks_from)) return Refusal::TooSmall;
    return island.joints.empty() ? Refusal::None : Refusal::HasJoints;
}

Refusal fits_contacts(const WorldView& view, const Island& island) {
    const auto laws = view.laws.all();
    if (laws.size() < island.pairs.size() && std::all_of(laws.begin(), laws.end(), is_plain))
        return Refusal::None;
    const bool are_plain = std::all_of(island.pairs.begin(), island.pairs.end(),
                                       [](const IslandPair& pair) { return is_plain(*pair.law); });
    return are_plain ? Refusal::None : Refusal::ContactLaw;
}

// Whether impacts are to be resolved where bodies touch, as the impulse stepper does, and not where they were
// at the start of a pass: those whose errors nothing dissipates.
bool must_be_located(const WorldView& view, const Island& island) {
    const double least = island.dynamic_count <= kFew ? kLively : kElastic;
    const auto rebounds = [&](const ContactLaw& law) { return law.restitution > least; };
    const auto laws = view.laws.all();
    return std::any_of(laws.begin(), laws.end(), rebounds) &&
           std::any_of(island.pairs.begin(), island.pairs.end(),
                       [&](const IslandPair& pair) { return rebounds(*pair.law); });
}

// Whether a body lies on one that is far lighter, where the impulse stepper finds what holds them together
// (solvers/held_faces.h): in lanes of single precision sweeps would not carry such a load.
bool has_uneven_masses(const WorldView& view, const Island& island) {
    if (island.pairs.size() > kMostUneven) return false;
    const auto inv_mass = [&](std::uint32_t node) {
        const std::uint32_t body = island.nodes[node].body;
        return body == kNoBody ? 0 : view.bodies.inv_mass[body];
    };
    return std::any_of(island.pairs.begin(), island.pairs.end(), [&](const IslandPair& pair) {
        const auto [heavy, light] = std::minmax({inv_mass(pair.a), inv_mass(pair.b)});
        return heavy > 0 && light > kUneven * heavy;
    });
}

// Balls are struck along the line of the centres, wherever they are.
bool is_struck_with_lever(const Island& island, const IslandPair& pair) {
    const auto has_lever = [&](std::uint32_t node, const Collider& collider) {
        return island.nodes[node].is_dynamic &&
               (collider.kind != ColliderKind::Sphere || collider.X_BC.position != Vec3{});
    };
    return has_lever(pair.a, *pair.collider_a) || has_lever(pair.b, *pair.collider_b);
}

// The most that a pair's surfaces can approach by, m/s: of those that touched in the last step, what they
// move by at their points. (Which way the points faced is not part of the state.)
double approach_speed(const WorldView& view, const Island& island, const IslandPair& pair) {
    const IslandNode &a = island.nodes[pair.a], &b = island.nodes[pair.b];
    const auto rim = [&](const IslandNode& node) {
        return node.body == kNoBody || node.w == Vec3{} ? 0 : length(node.w) * view.bodies.radius[node.body];
    };
    double fastest = 0;
    bool is_known = false;
    for (const ContactPoint& point : view.pairs.old_range(pair.pair)) {
        if (!view.pairs.is_kept(pair.pair, point)) continue;
        const Vec3 u = b.v + cross(b.w, point.position - b.pose.position) - a.v -
                       cross(a.w, point.position - a.pose.position);
        fastest = std::max(fastest, length(u));
        is_known = true;
    }
    return is_known ? fastest : length(b.v - a.v) + rim(a) + rim(b);
}

// The same where blocks are the method, for few bodies without joints: a pass has the levers and inertia of
// its start, and what rotates on and then is struck would gain energy, or lose it, where little is
// dissipated.
bool is_to_be_struck(const WorldView& view, const Island& island) {
    if (island.dynamic_count > kFew || !island.joints.empty()) return false;
    return std::any_of(island.pairs.begin(), island.pairs.end(), [&](const IslandPair& pair) {
        if (pair.law->restitution <= kLively || !is_struck_with_lever(island, pair)) return false;
        const double rest =
            kRebound * view.usual_substep() * std::max(island.nodes[pair.a].pull, island.nodes[pair.b].pull);
        return approach_speed(view, island, pair) > rest;
    });
}

void save(const Island& island, SavedIsland& saved) {
    saved.nodes = island.nodes;
    saved.memory = island.memory;
    saved.margins.clear();
    for (const IslandPair& pair : island.pairs) saved.margins.push_back(pair.margin);
}

void restore(const SavedIsland& saved, Context& c) {
    c.island.nodes = saved.nodes;
    c.island.memory = saved.memory;
    for (std::size_t k = 0; k < c.island.pairs.size(); ++k) c.island.pairs[k].margin = saved.margins[k];
    c.results.point.resize(c.first_point);
    c.results.pair.resize(c.first_point);
}

IslandEnergy energy_of(const WorldView& view, const Island& island) {
    IslandEnergy energy;
    for (const IslandNode& node : island.dynamic_nodes())
        energy.add(view.bodies.mass[node.body], view.bodies.inertia[node.body], node.acceleration, node.pose,
                   node.v, node.w);
    return energy;
}

// J: what pushing bodies apart may lift them by.
double lift_of(const WorldView& view, const Island& island) {
    double lift = 0;
    for (const IslandNode& node : island.dynamic_nodes())
        lift += kLift * view.bodies.radius[node.body] * node.pull * view.bodies.mass[node.body];
    return lift;
}

bool is_lost(const Context& c, Results& results) {
    for (const IslandNode& node : c.island.dynamic_nodes()) {
        const char* reason = lost_reason(node.pose, node.v, node.w, c.view.bodies.radius[node.body]);
        if (!reason) continue;
        note_lost(node.body, reason, "contacts", results);
        return true;
    }
    return false;
}

// One pass, from where the bodies are to where they get. False: joints are left open.
bool advance_pass(Context& c, StageClock& clock) {
    check_stop(c.view.stop);
    // Geometry: contact points and manifolds, frozen for the pass.
    find_contacts(c);
    clock(Stage::Contacts);

    // Stiffness: loads F at rest, and as many substeps as keep the sag F (1/m_a + 1/m_b)/w^2 small.
    estimate_loads(c);
    if (c.pass.is_first) c.substeps = count_substeps(c);
    c.pass.substeps = (c.substeps + c.passes - 1) / c.passes;

    // Block TGS: two sweeps over contacts and joints in each substep (solvers/blocks/contacts.h).
    load_solver(c);
    add_joints(c);
    clock(Stage::Islands);
    ContactExchange exchange(c);
    c.solver.solve(c.pass.time, c.pass.substeps, exchange, c.view.executor);

    // Impulses and places of contacts and joints; positions, orientations and velocities of bodies.
    measure_displacements(c);
    c.solver.take(exchange, c.view.executor);
    c.has_overlap = exchange.has_overlap();
    c.has_deep = exchange.has_deep();
    clock(Stage::Solve);
    take_joint_impulses(c);
    move_nodes(c);

    // Errors that rows frozen for the pass left in the joints.
    return close_joints(c);
}

// All passes. False: a joint was left open.
bool cross_step(Context& c, Results& results, StageClock& clock) {
    const double time = c.view.dt / c.passes;
    bool are_closed = true;
    for (int pass = 0; pass < c.passes && !c.is_lost; ++pass) {
        clock(Stage::Integrate);
        c.pass = {time, time * (c.passes - pass), pass == 0};
        aim_scripted(c, c.view.dt - c.pass.left, time);
        are_closed = advance_pass(c, clock) && are_closed;
        c.is_lost = is_lost(c, results);
    }
    return are_closed;
}

// Velocities are scaled so that the energy is what the account allows, or half of it is left: joints that
// were drawn together may have lifted bodies by more than their speed, which is no reason to stop them. What
// an island on its own has in common stays, and with it its momentum.
void remove_gain(Context& c, const EnergyAccount& account, Outcome& outcome) {
    const IslandEnergy now = energy_of(c.view, c.island);
    const double allowed = account.allowed(now, kGainShare, lift_of(c.view, c.island));
    if (c.is_lost || !(now.kinetic > allowed)) return;
    const CommonMotion common = own_motion(c.view, c.island);
    const double relative = now.kinetic - common.kinetic(),
                 left = std::max(allowed - common.kinetic(), 0.5 * relative);
    if (!(relative > 0) || left >= relative) return;
    const double share = std::sqrt(left / relative);
    const auto slow = [share](Vec3& velocity, const Vec3& of_all) {
        velocity = of_all + (velocity - of_all) * share;
    };
    for (std::size_t k = 0; k < c.island.dynamic_count; ++k) {
        IslandNode& node = c.island.nodes[k];
        slow(node.v, common.velocity_at(node.pose.position));
        if (c.view.bodies.inertia[node.body] != Vec3{}) slow(node.w, common.angular_velocity());
    }
    outcome.energy_removed += relative - left;
}

// With joints: rows are frozen for a pass, and what is struck in it may rotate by more than was foreseen, or
// be thrown about. Then the step is taken again in twice as many passes; at last it counts as it is, without
// the energy that nothing gave. Nets, whose joints do not hold well here, are left to others.
Refusal cross_joined(Context& c, SavedIsland& saved, Results& results, Outcome& outcome, StageClock& clock) {
    save(c.island, saved);
    c.joints.is_factored = !has_many_loops(c.island);
    const EnergyAccount account(energy_of(c.view, c.island));
    const auto balances = [&] {
        return c.island.is_driven ||
               account.balances(energy_of(c.view, c.island), kGainShare, lift_of(c.view, c.island));
    };
    for (;; ++outcome.retries) {
        const bool are_closed = cross_step(c, results, clock);
        if (c.is_lost || (are_closed && balances())) return Refusal::None;
        if (c.joints.is_factored && 2 * c.passes > kMostPasses) break;
        restore(saved, c);
        clock(Stage::Integrate);
        if (!c.joints.is_factored) return are_closed ? Refusal::GainedEnergy : Refusal::NotConverged;
        c.passes *= 2;
        prepare_nodes(c);
        prepare_pairs(c);
    }
    if (!c.island.is_driven) remove_gain(c, account, outcome);
    return Refusal::None;
}

}  // namespace

Refusal fits(const WorldView& view, const Island& island) {
    if (const Refusal refusal = fits_method(view.method, island); refusal != Refusal::None) return refusal;
    if (!island.forces.empty()) return Refusal::HasForces;
    if (has_uneven_masses(view, island)) return Refusal::UnevenMasses;
    if (view.method.rows().friction != FrictionModel::Cone) return Refusal::FrictionModel;
    if (const Refusal refusal = fits_joints(view, island); refusal != Refusal::None) return refusal;
    if (view.method.is<BlocksMethod>() ? is_to_be_struck(view, island) : must_be_located(view, island))
        return Refusal::Rebounds;
    return fits_contacts(view, island);
}

Refusal advance(const WorldView& view, Island& island, Scratch& scratch, Results& results, Outcome& outcome) {
    StageClock clock(results.stage_seconds);
    Context c{view,
              island,
              view.method.is<BlocksMethod>() ? kCoarse : kFine,
              scratch.bodies,
              scratch.contacts,
              scratch.loads,
              scratch.joints,
              scratch.solver,
              results.contacts,
              results.contacts.point.size()};
    const double g = length(view.gravity);
    if (g > 0) c.up = view.gravity / -g;
    c.contacts.manifolds.clear();

    // Passes: how far pairs can move in the step, relative to their size.
    aim_scripted(c, 0, view.dt);
    prepare_nodes(c);
    prepare_pairs(c);
    c.passes = count_passes(c);
    if (c.passes > kMostPasses) return Refusal::TooFast;
    group_nodes(c);
    if (island.joints.empty()) {
        cross_step(c, results, clock);
    } else if (const Refusal refused = cross_joined(c, scratch.saved, results, outcome, clock);
               refused != Refusal::None) {
        return refused;
    }
    if (c.is_lost) return Refusal::None;

    results.has_overlap |= c.has_overlap;
    results.has_deep |= c.has_deep;
    outcome.substeps = static_cast<std::uint32_t>(c.passes * c.pass.substeps);
    outcome.iterations = 2 * outcome.substeps;  // sweeps
    clock(Stage::Integrate);
    return Refusal::None;
}

}  // namespace impuls::blocks
