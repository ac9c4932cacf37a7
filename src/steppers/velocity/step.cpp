// A step of the velocity stepper, in reading order.
//
// Each substep of length h, with contacts and joints as they are at its start (equation 6.76):
//     (1) v  += h a               forces
//     (2) v  += M^-1 J^T p        impulses p such that v is allowed, open gaps g by v_n >= -g/h
//     (3) x  += h v               with these velocities, not the old ones (6.75 would sink)
//     (4) v  += M^-1 J^T r        restitution where the positions have come to the touch
//     (5) x  += M^-1 J^T c        error correction by projection: positions alone (6.78)
// Shock propagation (figures 6.56 and 6.60) solves (2) twice: with the share f of the forces for all
// together, with the rest layer by layer from the ground up, lower bodies held fast; likewise (5), each layer
// with depths found anew. Gravity and drift reach every body exactly once.
#include "steppers/velocity/step.h"

#include <algorithm>

#include "steppers/substep/contacts.h"
#include "steppers/substep/energy.h"
#include "steppers/substep/motion.h"
#include "steppers/substep/sweep.h"
#include "steppers/velocity/project.h"
#include "steppers/velocity/rebound.h"
#include "steppers/velocity/shock.h"
#include "steppers/velocity/solve.h"

namespace impuls::velocity {
namespace {

std::ptrdiff_t count_held(const Velocity& s) {
    return std::count_if(s.nodes.begin(), s.nodes.end(), [](const NodeMotion& node) { return node.is_held; });
}

// A swept impact: not in the text, and the inertia of its moment is known to second order only.
bool has_struck(const Velocity& s) {
    return std::any_of(s.nodes.begin(), s.nodes.end(), [](const NodeMotion& node) { return node.lead > 0; });
}

// Energy may be gained by joints, which never close exactly, by swept impacts, and by a projection that lifts
// what flew: there the account is kept.
void take_substep(Velocity& s, double h, StageClock& timed) {
    check_stop(s.view.stop);
    ++s.outcome.substeps;
    const EnergyAccount account = s.island.is_driven ? EnergyAccount() : EnergyAccount(energy_of(s));

    aim_scripted(s, h);
    kick(s, h);  // (1)
    timed(Stage::Integrate);

    sweep(s, h);  // impacts of fast pairs, ahead of time
    timed(Stage::Contacts);

    solve_step(s, h);  // (2)
    timed(Stage::Solve);

    drift(s, h);  // (3)
    if (!s.has_failed()) stop_passages(s, h);
    turn_freely(s, h);
    timed(Stage::Integrate);

    find_contacts(s, h);
    timed(Stage::Contacts);

    rebound(s, h);  // (4)
    const std::ptrdiff_t pushed = count_held(s);
    correct(s, h);  // (5)
    // What stands is corrected by little and often, as in the text.
    if (!s.island.is_driven && (!s.island.joints.empty() || has_struck(s) || count_held(s) > pushed))
        settle_account(s, account, h);
    timed(Stage::Solve);
    s.elapsed += h;
}

}  // namespace

Refusal fits(const WorldView& view, const Island&) {
    return view.method.is<VelocityMethod>() ? Refusal::None : Refusal::NotSelected;
}

Refusal advance(const WorldView& view, Island& island, Scratch& scratch, Results& results, Outcome& outcome) {
    StageClock timed(results.stage_seconds);
    const double h = view.usual_substep();
    Velocity s(view, island, scratch, results, outcome);
    update_inertia(s);
    find_contacts(s, h);
    timed(Stage::Contacts);
    for (std::int64_t k = 0; k < view.method.rows().substeps && !s.has_failed(); ++k)
        take_substep(s, h, timed);
    store_velocities(s);
    store_contacts(s);
    return Refusal::None;
}

}  // namespace impuls::velocity
