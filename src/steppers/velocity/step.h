// The velocity stepper: the simulator of Erleben 2005, chapter 6, with fixed steps. First order; the impulse
// stepper is the accurate one.
#pragma once

#include "steppers/velocity/context.h"

namespace impuls::velocity {

Refusal fits(const WorldView& view, const Island& island);
Refusal advance(const WorldView& view, Island& island, Scratch& scratch, Results& results, Outcome& outcome);

}  // namespace impuls::velocity
