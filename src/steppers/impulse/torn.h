// Joints that are torn open: at the start of a scene (at_a, at_b), by a command, or by bodies that were
// pulled apart. To close a wide gap within a substep would take velocities of gap / h, and what of them the
// joints do not stop afterwards stays as motion. So a torn joint only holds its velocity, and once a step all
// joints of its island are drawn together by displacements alone: one damped Gauss-Newton step as in
// mechanisms/assemble.cpp. Bender (2014, 3.5.1) caps each joint's impulse in a step; here the cap is on how
// far a body rotates, which knows no units.
#pragma once

#include "steppers/impulse/context.h"

namespace impuls::impulse {

// Chains that are pulled straight, or farther, have equations that depend on each other: what they ask for
// along the chain they get by flinging the bodies sideways. Substeps are so short that bodies rotate little
// by themselves (next_substep); where the joints' impulses make one rotate far, they are found again with
// joints that give way.
void yield_where_flung(Impulse& s, double h, Phase phase);

// After the substeps: joints that are torn open come closer by displacements alone.
void pull_together(Impulse& s);

}  // namespace impuls::impulse
