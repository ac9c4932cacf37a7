// Bodies of an island as the block solver has them: velocities in root coordinates I^(1/2) w, masses in a
// unit near the largest one, so that floats stay in their range; and their motion in a pass.
#pragma once

#include <cstdint>

#include "steppers/blocks/context.h"

namespace impuls::blocks {

void prepare_nodes(Context& c);
// Bodies with a script: where they are `elapsed` s into the step, and the velocities that carry them to where
// they are a time h later.
void aim_scripted(Context& c, double elapsed, double h);

// The solver begins anew, with all bodies where they are now, and with the contacts that were found.
void load_solver(Context& c);

// The solver's number of a node, for one contact or joint.
std::uint32_t number_of(Context& c, std::uint32_t node);

// How far bodies moved in the solver, once for all contacts.
void measure_displacements(Context& c);

// Positions and velocities after a pass.
void move_nodes(Context& c);

void rotate_node(Context& c, std::size_t node, const Vec3& angle);

}  // namespace impuls::blocks
