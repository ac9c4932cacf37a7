// The force stepper: bodies move under forces, as a differential equation with error control (ode.h;
// docs/manual/force-level.md). The user gives a tolerance, not a step. Contacts are forces (contacts.h);
// what is too fast for them is an impact, located on the curve between steps (events.h) and resolved at once
// (impacts.h); joints hold exactly (joints.h). Moments at which forces of the scene begin or end are hit.
// AERO's model (spec: workbench part 2), with its formulas corrected.
#pragma once

#include "steppers/force/run.h"

namespace impuls::force_level {

// None: it can try. Depends on the present state alone.
Refusal fits(const WorldView& view, const Island& island);
// Advances the island by a step; where it cannot, the island is as before.
Refusal advance(const WorldView& view, Island& island, Scratch& scratch, Results& results, Outcome& outcome);

}  // namespace impuls::force_level
