// How long substeps are, and whether a step made of them is accurate.
//
// With the spins w of all bodies and s = (sum |w|^4)^(1/4), h is such that h s(t + h/2) = angle, the method's
// `turn`:
//     h = angle / (s + angle s' / (2 s)),   s' from the accelerations of the present state
// RATTLE's error of energy is h^2 times a function of the state. Looking at the middle of the substep makes
// the sequence of substeps nearly the same forwards and backwards in time, so that the error comes back to 0;
// with h chosen from the past, energy leaks. Where iterations do not converge h is halved, and the joints
// remember that (pace) for the next substeps.
//
// The forces F of joints at levers a make a body swing, under tension as a string: the second variation of
// F . R a in its rotation is K = |F| (|a|^2 1 - a a^T) / |a|, and pure torques t add |t| 1. The other bodies
// only add inertia, so that no mode is faster than W^2 = max tr(I^-1 K). Leapfrog is unstable from h W = 2
// on, and what is heavy at the end of something light makes W large while hardly anything rotates; so
// h W <= kSwing. Not in loops: where they meet their limits forces have no bound in passing, and substeps
// that follow them are not the same backwards.
//
// After the step, energy is the measure of its error: in an island that nothing drives it is constant.
#pragma once

#include "steppers/account.h"
#include "steppers/articulated/substep.h"

namespace impuls::articulated {

// How far the joints are to be closed, and the pace of the last step.
void begin_convergence(const WorldView& view, const Island& island, const Mechanism& m,
                       Convergence& convergence);

// How long a substep or a composition from the present state may be, s, if bodies rotate by `angle` (rad) in
// a substep.
double longest_substep(Context& c, double angle);
// The pace after a substep of length h that has converged.
void adjust_pace(Convergence& convergence, double h);

double fastest_spin(const Mechanism& m);
// Scales all velocities by `share`, and spins faster than max_spin down to it. Joints' velocities stay 0, and
// so do the momenta of an island that nothing holds.
void slow_down(Context& c, double share, double max_spin);

IslandEnergy energy_of(const Mechanism& m);
// The least energy that counts, J.
double energy_resolution(const Mechanism& m);
// Whether a step of an undriven island kept its energy as far as error control asks for.
bool is_accurate(const Mechanism& m, const IslandEnergy& before, const IslandEnergy& after);

}  // namespace impuls::articulated
