// Islands of bodies that joints alone hold together: no contacts, no limits, motors, springs or friction. All
// joints are solved at once, in linear time (solvers/articulated_tree.h); substeps are RATTLE (substep.h), as
// long as the motion allows (pace.h), and with method.composed five of them make one of fourth order
// (compose.h). docs/internals/multibody.md.
//
// A step whose energy is off is taken again with shorter substeps; what gains energy even then, does not
// converge, or starts with joints far open is left to another stepper. With a budget there are no more
// substeps than that: motion too fast for them is slowed down, and energy gained is taken out.
#pragma once

#include "steppers/articulated/compose.h"
#include "steppers/articulated/substep.h"
#include "steppers/articulated/tree.h"
#include "steppers/island.h"
#include "steppers/results.h"

namespace impuls::articulated {

struct Scratch {
    Mechanism mechanism{};
    JointForces forces{};
    Convergence convergence{};
    SavedState saved{};
};

// None: it can try. Depends on the present state alone.
Refusal fits(const WorldView& view, const Island& island);

// Advances the island by a step. None: the island has the result, and the outcome says what it took (the
// residual is the largest error of a joint that a substep left, over its length). Otherwise island and
// outcome are as before.
Refusal advance(const WorldView& view, Island& island, Scratch& scratch, Results& results, Outcome& outcome);

}  // namespace impuls::articulated
