// Who advances an island. Steppers are asked in this order; each either takes the island or says why not
// (Refusal in impuls/outcome.h), before it begins (fits) or after it has tried (advance), and then the island
// is as it was:
//
//     articulated   takes    islands of joints alone, if method.articulated
//                   refuses  pairs near, limits, motors, springs, bodies that cannot turn; joints open, too
//                            many loops, no substep short enough, energy gained
//     blocks        takes    islands that touch, under method.stepper blocks; under impulse those of at least
//                            method.blocks_from bodies, without joints
//                   refuses  lively impacts of few bodies, under impulse elastic ones, too; rolling, torsion,
//                            compliance, Poisson's law, friction other than the cone, joints with frames or
//                            curves; motion too fast for its size; nets that do not close or gain energy
//     velocity      takes    all islands, under method.stepper velocity
//     force         takes    all islands that it can express, under method.stepper force; under any method
//                            those that touch over areas, which others refuse
//                   refuses  rolling and torsion, joints that drive or have more than equations and axes,
//                            bodies that joints hold and cannot turn, joints open, too many loops; more work
//                            than a step may take
//     strips        takes    islands with bodies of particles, under method.stepper blocks
//                   refuses  joints, forces between bodies, pairs of bodies alone or of particles alone, laws
//                            with restitution, rolling, torsion, compliance or static friction of its own
//     impulse       takes    all islands; else alone those with bodies of particles
//
// The rule depends on the state alone, not on who advanced the island before. What a stepper remembers and
// that changes results (substeps of contacts, pace of joints, kept points) is state: hashed, and in the
// checkpoint. A new stepper is one line of the list: docs/howto/add_a_stepper.md.
#include "steppers/choose.h"

#include "steppers/momentum.h"

namespace impuls {
namespace {

struct Entry {
    IslandStepper name;
    Refusal (*fits)(const WorldView& view, const Island& island);
    Refusal (*advance)(const WorldView& view, Workspace& workspace, Outcome& outcome);
    bool takes_particles = false;
    bool restores_momentum = false;  // of islands on their own: articulated keeps it, velocity is the text's
    bool has_areas = false;          // contact over areas; the last one takes them in points
};

constexpr Entry kSteppers[] = {
    {IslandStepper::Articulated, articulated::fits,
     [](const WorldView& view, Workspace& w, Outcome& outcome) {
         return articulated::advance(view, w.island, w.articulated, w.results, outcome);
     }},
    {IslandStepper::Blocks, blocks::fits,
     [](const WorldView& view, Workspace& w, Outcome& outcome) {
         return blocks::advance(view, w.island, w.blocks, w.results, outcome);
     },
     false, true},
    {IslandStepper::Velocity, velocity::fits,
     [](const WorldView& view, Workspace& w, Outcome& outcome) {
         return velocity::advance(view, w.island, w.velocity, w.results, outcome);
     }},
    {IslandStepper::ForceLevel, force_level::fits,
     [](const WorldView& view, Workspace& w, Outcome& outcome) {
         return force_level::advance(view, w.island, w.force, w.results, outcome);
     },
     false, false, true},
    {IslandStepper::Strips, strips::fits,
     [](const WorldView& view, Workspace& w, Outcome& outcome) {
         return strips::advance(view, w.island, w.strips, w.results, outcome);
     },
     true},
    {IslandStepper::Impulse, impulse::fits,
     [](const WorldView& view, Workspace& w, Outcome& outcome) {
         return impulse::advance(view, w.island, w.impulse, w.results, outcome);
     },
     true, true, true},
};

// Those of particles are one each.
std::size_t bodies_in(const Island& island) {
    const auto nodes = island.dynamic_nodes();
    if (island.particles.ranges.empty()) return nodes.size();
    const auto rigid =
        std::count_if(nodes.begin(), nodes.end(), [](const IslandNode& k) { return !k.is_particle(); });
    return island.particles.ranges.size() + static_cast<std::size_t>(rigid);
}

}  // namespace

Outcome advance_island(const WorldView& view, Workspace& w) {
    Outcome outcome;
    outcome.first_body = w.island.nodes.front().body;
    outcome.bodies = static_cast<std::uint32_t>(bodies_in(w.island));
    const AngularMomentum before(view, w.island);
    const bool needs_areas = has_areas(w.island);
    for (const Entry& stepper : kSteppers) {
        outcome.stepper = stepper.name;
        Refusal& refused = outcome.refused[static_cast<std::size_t>(stepper.name)];
        refused = needs_areas && !stepper.has_areas ? Refusal::HasAreas : stepper.fits(view, w.island);
        if (!w.island.particles.ranges.empty() && !stepper.takes_particles && refused == Refusal::None)
            refused = Refusal::HasParticles;
        if (refused == Refusal::None) refused = stepper.advance(view, w, outcome);
        if (refused != Refusal::None) continue;
        if (stepper.restores_momentum && w.results.failure.empty()) before.restore(view, w.island);
        break;
    }
    return outcome;
}

}  // namespace impuls
