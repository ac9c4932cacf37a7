// Impacts of two bodies that nothing else is near, at the touch itself.
//
// Both fly on, exactly, to the time when a point that approaches has closed its gap (Newton's method on the
// gap of that point, the narrow phase at each try); there the impact is resolved with the levers and the
// inertia of that place, and they fly on for the rest of the substep, or to the next touch. So corners strike
// where they are, energy and momenta are kept to rounding, and times and heights of bounces are exact.
// Where that is not to be had (touches that come to rest, too many of them, features that change in between)
// the impact is left to the rounds at the start of the substep (strikes.h).
#pragma once

#include "steppers/impulse/context.h"

namespace impuls::impulse {

// Takes the pairs that are struck within h, and that nothing else is near, through the substep; their bodies
// are done with it (NodeMotion::is_flown). `first` is the speed of the fastest impact.
void strike_at_touch(Impulse& s, double h, double first);

}  // namespace impuls::impulse
