// Restitution in the velocity stepper: the solve before has brought the pair to the touch, along the normal
// it now leaves with e times the speed it came with. Impulses go on from those of that solve, so that what is
// pressed on is neither pulled nor pushed twice.
#pragma once

#include "steppers/velocity/context.h"

namespace impuls::velocity {

void rebound(Velocity& s, double h);

}  // namespace impuls::velocity
