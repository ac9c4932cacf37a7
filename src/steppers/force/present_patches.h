// Areas over which bodies press each other, of the present state (Frame::patches, Frame::pressed): found anew
// from poses and velocities for the pairs that have contacts, so that a frame tells the same wherever its
// state came from. Called by frames.
#pragma once

#include <vector>

#include "collision/graph/pair_key.h"
#include "impuls/frame.h"
#include "steppers/view.h"

namespace impuls::force_level {

// Those of a pair of colliders, if it touches over areas.
void append_patches(const WorldView& view, const PairKey& pair, std::vector<ContactPatch>& patches,
                    std::vector<PressedTriangle>& pressed);

}  // namespace impuls::force_level
