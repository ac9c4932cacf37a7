// A step of the impulse stepper, in reading order.
//
// Each substep of length h is a kick-drift-kick step with constraints (RATTLE, Andersen 1983), for joints and
// contacts alike, in the stages
//     (0) v  += M^-1 J^T P        impacts, with restitution (strikes.h)
//     (1) v  += h/2 a             first kick
//     (2) v  += M^-1 J^T p        displacement phase: impulses p such that x + h v is allowed
//     (3) x  += h v               drift
//     (4) v  += h/2 a             second kick
//     (5) v  += M^-1 J^T r        velocity phase: impulses r such that v is allowed at the new x
// Free motion under constant force is exact, smooth constrained motion second order, a body at rest has v =
// 0, and pushing bodies out of each other leaves no velocity behind (p + r is clamped, not p and r).
#include "steppers/impulse/step.h"

#include "steppers/impulse/deep.h"
#include "steppers/impulse/memory.h"
#include "steppers/impulse/pace.h"
#include "steppers/impulse/patches.h"
#include "steppers/impulse/phases.h"
#include "steppers/impulse/push_out.h"
#include "steppers/impulse/strikes.h"
#include "steppers/impulse/torn.h"
#include "steppers/impulse/tuning.h"
#include "steppers/substep/contacts.h"
#include "steppers/substep/energy.h"
#include "steppers/substep/motion.h"
#include "steppers/substep/sweep.h"

namespace impuls::impulse {
namespace {

// One substep of this length, or a shorter one where impacts ask for it; returns its length. Stops early when
// joints did not close (PaceState::is_stalled) or a body was lost.
double take_substep(Impulse& s, double h, StageClock& timed) {
    check_stop(s.view.stop);
    ++s.outcome.substeps;
    const bool may_gain = may_gain_energy(s);
    const EnergyAccount account = may_gain ? EnergyAccount(energy_of(s)) : EnergyAccount();

    aim_scripted(s, h);
    if (resolve_impacts(s, h)) {  // (0)
        h = shortened_substep(s, h);
        aim_scripted(s, h);
    }
    timed(Stage::Solve);

    first_kick(s, h);  // (1)
    timed(Stage::Integrate);

    sweep(s, h);  // impacts of fast pairs, ahead of time
    timed(Stage::Contacts);

    solve_displacements(s, h);  // (2)
    timed(Stage::Solve);
    if (s.pace.is_stalled) return h;

    drift(s, h);  // (3)
    if (!s.has_failed()) stop_passages(s, h);
    timed(Stage::Integrate);
    if (s.has_failed()) return h;

    find_contacts(s, h);
    timed(Stage::Contacts);

    push_out(s);  // depths, by displacements alone
    timed(Stage::Solve);

    second_kick(s, h);  // (4)
    timed(Stage::Integrate);

    solve_velocities(s, h);  // (5)
    if (may_gain) settle_account(s, account, h);
    timed(Stage::Solve);
    s.elapsed += h;
    return h;
}

// A substep as a whole, or again in halves where bodies get deep into each other.
void take_or_halve(Impulse& s, double h, int halvings, StageClock& timed) {
    s.stretch = h / s.view.usual_substep();
    const bool may_be_deep = halvings > 0 && may_get_deep(s, h);
    const double start = s.elapsed;
    take_substep(s, h, timed);
    if (!may_be_deep || s.has_failed() || !got_deep(s)) return;
    recall_bodies(s);
    s.elapsed = start;
    for (int half = 0; half < 2 && !s.has_failed(); ++half) take_or_halve(s, 0.5 * h, halvings - 1, timed);
}

void advance_contacts(Impulse& s, StageClock& timed) {
    for (std::int64_t k = 0; k < s.view.method.rows().substeps && !s.has_failed(); ++k)
        take_or_halve(s, s.view.usual_substep(), kHalvings, timed);
}

// Islands with joints choose the length of each substep; one that does not close them is taken again,
// shorter.
void advance_joints(Impulse& s, StageClock& timed) {
    for (double remaining = s.view.dt; remaining > 0 && !s.has_failed();) {
        s.elapsed = s.view.dt - remaining;
        const double h = take_substep(s, next_substep(s, remaining), timed);
        if (s.pace.is_stalled) {
            recall_joints(s);
            continue;
        }
        remaining = h < remaining ? remaining - h : 0;
    }
    if (!s.has_failed()) pull_together(s);
    timed(Stage::Solve);
}

}  // namespace

Refusal fits(const WorldView&, const Island&) {
    return Refusal::None;
}

Refusal advance(const WorldView& view, Island& island, Scratch& scratch, Results& results, Outcome& outcome) {
    StageClock timed(results.stage_seconds);
    Impulse s(view, island, scratch, results, outcome);
    begin_pace(s);
    update_inertia(s);
    find_contacts(s, view.usual_substep());
    spread_friction(s, view.usual_substep());
    timed(Stage::Contacts);
    if (s.has_joints())
        advance_joints(s, timed);
    else
        advance_contacts(s, timed);
    store_velocities(s);
    store_contacts(s);
    return Refusal::None;
}

}  // namespace impuls::impulse
