// Continuous collision of fast pairs: those that move by a good part of their size in a substep. A margin as
// wide as the way would find contacts with bodies that are passed by; instead the time of impact along the
// present motions (conservative advancement with rotation; collision/sweep) says whether and where they meet.
//
// Bodies that meet move on for that time (their lead) with the velocities they had, and for the rest of the
// substep with those after the impact; the contact has the levers of the touch, and rebounds at once. Of
// several meetings of a body the first counts; what the motion then would pass through holds it up at the
// touch (stop_passages), for the next substep to deal with.
// Bodies with joints have no lead: what a joint gives to a body here and takes from one that is lead * v
// farther on by then would be angular momentum from nowhere. They come as far as the touch by the end of the
// substep, and are held up together.
#pragma once

#include "steppers/substep/context.h"

namespace impuls::substep {

// Finds meetings within h and adds their contact points.
void sweep(Substep& s, double h);
// After the drift: pairs that would have passed through each other are held at the touch.
void stop_passages(Substep& s, double h);

}  // namespace impuls::substep
