// Error correction by projection (6.78): a step of the first-order world (dynamics/first_order.h) in which
// overlaps and open joints are all that drives. Nodes have displacements in place of velocities (m and rad,
// unit time); velocities are put aside meanwhile.
//
// With shock propagation errors are corrected layer by layer, too. Lower bodies have been displaced by then:
// a layer's depths are those that they leave, so nothing is pushed up by a depth that is no longer there
// (rippling, 6.4.5), and one substep corrects all layers (the text's simulator needed one for each).
#pragma once

#include "steppers/velocity/context.h"

namespace impuls::velocity {

void correct(Velocity& s, double h);

}  // namespace impuls::velocity
