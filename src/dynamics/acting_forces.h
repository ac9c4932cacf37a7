// Forces of a scene together, at a time: which tie bodies together, when they begin and end, how much they
// can accelerate a body, and what potential energy they hold. What they do within a step is the steppers'
// business (steppers/forces.h). Called by worlds and by the energy ledger (steppers/ledger.h).
#pragma once

#include <cstddef>
#include <vector>

#include "dynamics/force.h"

namespace impuls {

// Whether force f ties its bodies together now: it is enabled, and they are there.
bool ties(const ForceSet& forces, const BodySet& bodies, std::size_t f);
// Whether it begins or ends to act from `now` on and before `then`: each moment belongs to one step.
bool begins_or_ends(const ForceSet& forces, std::size_t f, double now, double then);
// By body, m/s^2: most that gravity, the force set by commands and these forces can accelerate it by in the
// time dt from `now`; empty without forces.
void find_pulls(const ForceSet& forces, const BodySet& bodies, const Vec3& gravity, double now, double dt,
                std::vector<double>& pull);
double potential_of(const ForceSet& forces, const BodySet& bodies, double now);  // J

}  // namespace impuls
