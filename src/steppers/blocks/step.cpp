// A step of an island by blocks, in reading order (step.h; equations in docs/manual/blocks.md).
#include "steppers/blocks/step.h"

#include <algorithm>

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
// at the start of a pass: those of few bodies, which are cheap and looked at closely, and elastic ones, whose
// errors nothing dissipates.
bool must_be_located(const WorldView& view, const Island& island) {
    const double least = island.dynamic_count <= kFew ? 0 : kElastic;
    const auto rebounds = [&](const ContactLaw& law) { return law.restitution > least; };
    const auto laws = view.laws.all();
    return std::any_of(laws.begin(), laws.end(), rebounds) &&
           std::any_of(island.pairs.begin(), island.pairs.end(),
                       [&](const IslandPair& pair) { return rebounds(*pair.law); });
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
        note_lost(c.view, node.body, reason, "contacts", results);
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

}  // namespace

Refusal fits(const WorldView& view, const Island& island) {
    if (const Refusal refusal = fits_method(view.method, island); refusal != Refusal::None) return refusal;
    if (!island.forces.empty()) return Refusal::HasForces;
    if (view.method.rows().friction != FrictionModel::Cone) return Refusal::FrictionModel;
    if (const Refusal refusal = fits_joints(view, island); refusal != Refusal::None) return refusal;
    if (!view.method.is<BlocksMethod>() && must_be_located(view, island)) return Refusal::Rebounds;
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
    prepare_nodes(c);
    prepare_pairs(c);
    c.passes = count_passes(c);
    if (c.passes > kMostPasses) return Refusal::TooFast;

    // Islands with joints may still be refused when bodies have moved.
    const bool has_joints = !island.joints.empty();
    if (has_joints) save(island, scratch.saved);
    const auto refuse = [&](Refusal why) {
        restore(scratch.saved, c);
        clock(Stage::Integrate);
        return why;
    };
    group_nodes(c);
    if (are_joints_open(c)) return refuse(Refusal::JointsOpen);
    const EnergyAccount account(has_joints ? energy_of(view, island) : IslandEnergy{});

    const double time = view.dt / c.passes;
    for (int pass = 0; pass < c.passes; ++pass) {
        clock(Stage::Integrate);
        c.pass = {time, time * (c.passes - pass), pass == 0};
        if (!advance_pass(c, clock)) return refuse(Refusal::NotConverged);
        if (is_lost(c, results)) return Refusal::None;
    }

    // Joints that pull against each other, or bodies far lighter than their neighbours, can be thrown about
    // by rows that are frozen for a pass.
    if (has_joints && !island.is_driven &&
        !account.balances(energy_of(view, island), 1, lift_of(view, island)))
        return refuse(Refusal::GainedEnergy);

    results.has_overlap |= c.has_overlap;
    results.has_deep |= c.has_deep;
    outcome.substeps = static_cast<std::uint32_t>(c.passes * c.pass.substeps);
    outcome.iterations = 2 * outcome.substeps;  // sweeps
    clock(Stage::Integrate);
    return Refusal::None;
}

}  // namespace impuls::blocks
