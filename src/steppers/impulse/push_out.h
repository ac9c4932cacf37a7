// Depths beyond the slop, removed by displacements alone.
//
// A velocity that pushes bodies apart does work, and is taken back only by a solve that converges: where
// sweeps are few, what is left of it shakes towers, and warm starts remember it. So no row of the two phases
// asks for a positive velocity but a rebound, and a share of each depth (kRecovery) is removed here, after
// the drift, by a step of the first-order world (dynamics/first_order.h): the least displacements, weighed by
// mass, that do it. They leave no velocity behind and start no other solve.
#pragma once

#include <algorithm>

#include "steppers/impulse/context.h"

namespace impuls::impulse {

void push_out(Impulse& s);

// From a point's gap to the touch that it is pushed out to, m; negative: back. Depths within the slop stay.
inline double way_to_touch(double separation, double size) {
    return separation > 0 ? separation : std::min(0.0, separation + kSlop * size);
}

}  // namespace impuls::impulse
