// Contacts of what rolls, for a pass in which rows are frozen.
#pragma once

#include "steppers/blocks/context.h"

namespace impuls::blocks {

// What rolls touches with ever other points, and rows are frozen for the pass. They get the levers and the
// normal of its middle, where impulses act then, as by the midpoint rule; ContactExchange::give() says what
// velocities obey. With those of its start the error is of first order and always to the same side: loads lag
// behind what rocks, and drive it.
void roll(const Context& c, std::size_t p, SearchRun& to);

// Bodies that roll over what cannot move, and touched it before, are moved by the mean of their velocities
// before and after each kick (trapezoidal rule), as measure_displacements() says, so that both are those of
// one time. What else is pushed moves by those after it: blows act where the sweeps have them act.
void find_rolling(Context& c);

}  // namespace impuls::blocks
