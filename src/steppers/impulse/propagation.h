// Impacts that come together, from body to body: rounds of impacts at the points that approach, for as long
// as there are any (generalised reflections: Smith, Kaufman, Vouga, Tamstorf, Grinspun, Reflections on
// simultaneous impact, ACM Trans. Graph. 31, 2012). Points that only touch take no part until they approach;
// so one ball in moves one ball out, and symmetric impacts stay symmetric. For e = 1 each round keeps energy
// exactly. With method.impacts = propagating.
#pragma once

#include "steppers/impulse/context.h"

namespace impuls::impulse {

void propagate_impacts(Impulse& s, double h);
// Points that came to touch by the drift alone and may pass their impact on: a matter of the next substep.
void find_late_impacts(Impulse& s, double h);

}  // namespace impuls::impulse
