// The impacts of a substep, all of them at its start: before the first kick, with the velocities and the
// contact points of that place.
//
// An impulse does the work p (u + u')/2 with the relative velocities before and after it, at the one
// configuration where it acts. What is given at one place, with one J and one M, therefore keeps energy to
// rounding; in two halves at two places it does not, since J M^-1 J^T has changed in between.
// A point is struck when it closes its gap s within the substep, s < u h + a h^2/2, and meets at
// u_t^2 = u^2 + 2 a s faster than forces make it in a substep. Its gap is still open, so the speed T that it
// parts with is that which a rebound of e u_t at the touch has left when the gap is s again:
//     T^2 = u^2 - (1 - e^2) u_t^2,   0 where it does not come back so far
// and heights of bounces are exact. What is struck then flies on as if free.
//
// method.impacts says what takes part. Propagating: points that approach, in rounds for as long as there are
// any (generalised reflections: Smith, Kaufman, Vouga, Tamstorf, Grinspun, Reflections on simultaneous
// impact, ACM Trans. Graph. 31, 2012). Points that only touch take no part until they approach; so one ball
// in moves one ball out, and symmetric impacts stay symmetric. Simultaneous: with them all points that touch.
// Rounds end when their work is spent (kImpactWork); what still approaches then comes to rest in the phases.
#pragma once

#include "steppers/impulse/context.h"

namespace impuls::impulse {

// Whether there were any.
bool resolve_impacts(Impulse& s, double h);

// Points that approach too fast to come to rest: their impact is left to the next substep, and no phase of
// this one stops them.
void find_late_impacts(Impulse& s, double h, Phase phase);

}  // namespace impuls::impulse
