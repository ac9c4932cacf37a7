// Impacts: restitution by Newton and Poisson, without gain of energy.
//
// An impact is solved in two steps, with J the rows of its contact points and W = J M^-1 J^T:
//     compression      v_c = v + M^-1 J^T p     v_c,n >= 0 compl. p_n >= 0, friction in its set
//     decompression    v'  = v + M^-1 J^T P     Newton:  v'_n >= e |v_n| compl. P_n >= 0
//                                               Poisson: v'_n >= 0 compl. P_n >= (1 + e) p_n
// Its work is sum P . (u + u')/2 with the relative velocities u before and u' after. Newton's law may gain
// energy where friction reverses the slip (Kane) or where a point that parted is pushed together again,
// Poisson's where coefficients differ; then v' stops on the way from v_c, where the work is 0. v_c never
// gains, the work is quadratic along the way, and every state on it obeys the contact conditions, which are
// convex. That is part of the law of impact, not the energy account's business (steppers/account.h).
#pragma once

#include "steppers/impulse/context.h"

namespace impuls::impulse {

// Compression and decompression of the rows. `before` has the motions before the impact, `returns` what each
// point wants back. False: that would gain energy by itself (joints that are nearly singular), and nothing is
// changed.
bool solve_impact(Impulse& s, const SolveSettings& settings);
// Settings of solves of impacts.
SolveSettings impact_settings(const Impulse& s, double h);
// Swept touches rebound in the displacement phase, whose solve is their compression: before it, and after it.
// `returns` has what each row wants back; theirs is not to gain energy either.
void begin_swept_rebounds(Impulse& s);
void rebound_swept(Impulse& s, double h);

}  // namespace impuls::impulse
