// How long the substeps of islands with joints are; those in which the joints do not close are taken again.
//
// Closing joints ahead of time (AlternatingSolver::close_ahead) works with the rows of the substep's start.
// Where an island is nearly singular, as a net that is pulled taut, rows rotate in a substep by as much as
// what makes them independent: with g(y) = y^2 / 2 for the way y across a taut chain, one correction with the
// slope y0 of the start leads from y to y - y^2 / (2 y0), which is farther off than before unless
// 0 < y < 4 y0. A shorter way helps: in a net of 20 x 20 plates half of it leaves gaps that are 20 to 40
// times smaller. (Rows and factors of the place ahead, Newton's method, left similar gaps at a similar cost,
// but the energy drifted two to four times as far.) The joints remember how long the substep was (pace), so
// that few are taken twice.
#pragma once

#include "steppers/impulse/context.h"

namespace impuls::impulse {

void begin_pace(Impulse& s);
// Length of the next substep when `remaining` is left of the step, and the state before it is kept.
double next_substep(Impulse& s, double remaining);
// The same after impacts at its start, which may have made bodies rotate faster.
double shortened_substep(Impulse& s, double h);
// Closes joints at the end of the substep. One that leaves them open is given up for a shorter one
// (PaceState::is_stalled).
void close_ahead(Impulse& s, double h);

}  // namespace impuls::impulse
