// Stack freezing (Bender 2014, 3.1.2.1 and 3.6.1, after Guendelman, Bridson, Fedkiw 2003), with
// method.shock: after the sweeps over all of an island, its layers are solved once more from the ground up,
// each with the bodies below it frozen: no inverse mass, the velocity just found for them. A layer goes on
// from the impulses that the sweeps gave, so what they have solved stays as it is; what they could not carry
// down a stack is given by the frozen bodies instead. Friction, limits and the clamp to pushing see the sum.
// Both phases of a substep do it, so stacks keep their height; what is above is not felt below but by the
// sweeps.
#pragma once

#include "steppers/impulse/context.h"

namespace impuls::impulse {

void freeze_stacks(Impulse& s, double h, Phase phase);
// The next substep's sweeps begin from what sweeps found alone: bodies below would feel the rest a substep
// too late, and a delay between push and push back makes stacks sway more and more.
void forget_frozen(Impulse& s);

}  // namespace impuls::impulse
