// Joints of an island by blocks: rows are made once a pass where the bodies are then, as displacements
// (dynamics/joint_rows.h), and solved in lanes with the contacts. While bodies rotate in a pass, their rows
// do not: what that leaves of the errors is removed by displacements afterwards.
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
