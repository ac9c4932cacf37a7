// Where the friction of contact points acts, and how much of it there is, so that the points of a manifold
// together have the friction of the face that they enclose (patch.h). Called before each of the two solves.
#pragma once

#include "steppers/impulse/context.h"

namespace impuls::impulse {

// Sets SubstepPoint::shift and grip of all points, from the loads of the last substep and the present slip.
void spread_friction(Impulse& s, double h);

}  // namespace impuls::impulse
