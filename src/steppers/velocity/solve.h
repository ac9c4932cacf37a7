// The velocity stepper's solves: forces, and velocities that positions are advanced with.
#pragma once

#include <span>

#include "steppers/velocity/context.h"

namespace impuls::velocity {

// All of the external impulse.
void kick(Velocity& s, double h);
// Rotation of what was pushed, by its angular momentum, in place of that of the drift.
void turn_freely(Velocity& s, double h);
// Speeds at which points come to touch, from the velocities before forces and impulses (Newton's law).
void measure_approaches(Velocity& s, double h);
// Rows of these edges, solved from a share of their last impulses, and their impulses added to what other
// solves of the substep gave.
void solve_edges(Velocity& s, std::span<const std::uint32_t> edges, double h, const Pass& pass);
// Points that were pushed and met fast enough.
void find_hits(Velocity& s);

}  // namespace impuls::velocity
