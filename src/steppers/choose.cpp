// Who advances an island. Steppers are asked in this order; each either takes the island or says why not
// (Refusal in impuls/outcome.h), before it begins (fits) or after it has tried (advance), and then the island
// is as it was:
//
//     articulated   takes    islands of joints alone, if method.articulated
//                   refuses  pairs near, limits, motors, springs, bodies that cannot turn; joints open, too
//                            many loops, no substep short enough, energy gained
//     blocks        takes    islands that touch, under method.stepper blocks; under impulse those of at least
//                            method.blocks_from bodies, without joints
//                   refuses  under impulse: impacts of few bodies, or elastic ones; rolling, torsion,
//                            compliance, Poisson's law, friction other than the cone, joints with frames or
//                            curves; motion too fast for its size; nets that do not close or gain energy
//     velocity      takes    all islands, under method.stepper velocity
//     force         takes    all islands that it can express, under method.stepper force
//                   refuses  rolling and torsion, joints that drive or have more than equations and axes,
//                            bodies that joints hold and cannot turn, joints open, too many loops; more work
//                            than a step may take
//     impulse       takes    all islands
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
    bool restores_momentum = false;  // of islands on their own: articulated keeps it, velocity is the text's
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
     true},
    {IslandStepper::Velocity, velocity::fits,
     [](const WorldView& view, Workspace& w, Outcome& outcome) {
         return velocity::advance(view, w.island, w.velocity, w.results, outcome);
     }},
    {IslandStepper::ForceLevel, force_level::fits,
     [](const WorldView& view, Workspace& w, Outcome& outcome) {
         return force_level::advance(view, w.island, w.force, w.results, outcome);
     }},
    {IslandStepper::Impulse, impulse::fits,
     [](const WorldView& view, Workspace& w, Outcome& outcome) {
         return impulse::advance(view, w.island, w.impulse, w.results, outcome);
     },
     true},
};

}  // namespace

Outcome advance_island(const WorldView& view, Workspace& w) {
    Outcome outcome;
    outcome.first_body = w.island.nodes.front().body;
    outcome.bodies = static_cast<std::uint32_t>(w.island.dynamic_count);
    const AngularMomentum before(view, w.island);
    for (const Entry& stepper : kSteppers) {
        outcome.stepper = stepper.name;
        Refusal& refused = outcome.refused[static_cast<std::size_t>(stepper.name)];
        refused = stepper.fits(view, w.island);
        if (refused == Refusal::None) refused = stepper.advance(view, w, outcome);
        if (refused != Refusal::None) continue;
        if (stepper.restores_momentum && w.results.failure.empty()) before.restore(view, w.island);
        break;
    }
    return outcome;
}

}  // namespace impuls
