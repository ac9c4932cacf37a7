// The impulse stepper: velocities and positions by impulses, joints and contacts alike. The accurate one, and
// the one that takes every island.
#pragma once

#include "steppers/impulse/context.h"

namespace impuls::impulse {

Refusal fits(const WorldView& view, const Island& island);
Refusal advance(const WorldView& view, Island& island, Scratch& scratch, Results& results, Outcome& outcome);

}  // namespace impuls::impulse
