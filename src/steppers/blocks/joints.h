// Joints of an island by blocks. Equations of chains and trees are factored (solvers/blocks/factored.h), with
// rows of the midst of the pass, where velocities at its start say that bodies will be, and with the rates
// that keep velocities to the rows of each time: so rotation in a pass costs no energy to first order.
// Equations of nets, limits, motors and springs have the rows of its start, in lanes. What is left of the
// errors in the end is removed by displacements.
#pragma once

#include "impuls/outcome.h"
#include "steppers/blocks/context.h"

namespace impuls::blocks {

// Joints of two bodies that keep their directions, and limits that do not bounce; where nothing is touched,
// direct solvers are better.
Refusal fits_joints(const WorldView& view, const Island& island);

// Nets: their equations are solved in lanes; those of others are factored.
bool has_many_loops(const Island& island);

// Rows of this pass, into the solver; after load_solver().
void add_joints(Context& c);

// Impulses back from the solver.
void take_joint_impulses(Context& c);

// Removes the errors that are left after a pass. False: a joint is torn open.
bool close_joints(Context& c);

}  // namespace impuls::blocks
