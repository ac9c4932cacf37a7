// The state before a substep, to go back to when it is taken again with a shorter one.
#pragma once

#include "steppers/impulse/context.h"

namespace impuls::impulse {

void remember_bodies(Impulse& s);
void recall_bodies(Impulse& s);
// With what joints hand on.
void remember_joints(Impulse& s);
void recall_joints(Impulse& s);

}  // namespace impuls::impulse
