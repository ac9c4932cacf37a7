// Shock propagation (Erleben 2005, section 6.4): what a few sweeps cannot carry through a stack is solved
// layer by layer from the ground up, lower bodies held fast. A body held fast keeps the velocity just found
// for it (the text does not say; read as zero, stacks on moving ground and see-saws would be wrong). Each
// body is the upper one of exactly one layer, which gives it the rest of its kick. The solve of a layer goes
// on from that layer's impulses in the last substep: small and hardly changing, it converges while a stack
// stands.
// Impulses of the layers carry one layer's weight each: they are no forces to be read out.
#pragma once

#include "steppers/velocity/context.h"

namespace impuls::velocity {

// Velocities for the drift; with method.shock for all together, then layer by layer.
void solve_step(Velocity& s, double h);

}  // namespace impuls::velocity
