// Where the bodies of a scene of joints are after a while, by equations in the joints' own coordinates and
// small steps (tests/reference): what every engine's trajectory is compared with.
#pragma once

#include <vector>

#include "bench/model.h"

namespace impuls::bench {

inline constexpr double kTrajectoryTime = 1;  // s; later the motion is chaotic

// Centres of all bodies at kTrajectoryTime, with so many steps in one of the model; empty when the joints are
// no tree that the world holds.
std::vector<Vec3> reference_centres(const Model& model, int parts = 32);

}  // namespace impuls::bench
