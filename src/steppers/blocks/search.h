// Contacts of an island by blocks: the narrow phase of all pairs, or what it found before.
//
// A pair that has hardly moved relative to itself since its contacts were found keeps them: each point is a
// point of either body, and its gap is what lies between the two now. Kept for pairs whose points have slid,
// and whose bodies have rotated, by less than kKept of their size, and whose travel is within what their
// margin leaves of it: features that were beyond the margin then still do not touch. All of it follows from
// the points, which are part of the state.
#pragma once

#include "steppers/blocks/context.h"

namespace impuls::blocks {

// What blocks need to know of pairs beside IslandPair; and the number of substeps of the last step.
void prepare_pairs(Context& c);

// How far a pair's surfaces can move relative to each other in a time h.
double travel_of(const Context& c, std::size_t pair, double h);

// Points and manifolds of all pairs for the present pass.
void find_contacts(Context& c);

}  // namespace impuls::blocks
