// The stages of a substep of length h, in the order of step.cpp.
#pragma once

#include "steppers/impulse/context.h"

namespace impuls::impulse {

// Half of the external impulse.
void first_kick(Impulse& s, double h);
// Velocities that lead to allowed positions: impulses p with x + h v allowed.
void solve_displacements(Impulse& s, double h);
// The other half of the external impulse, for bodies that are held.
void second_kick(Impulse& s, double h);
// Velocities that are allowed where the bodies are now, with restitution.
void solve_velocities(Impulse& s, double h);

}  // namespace impuls::impulse
