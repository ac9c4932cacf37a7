// Angular momentum of an island on its own. Impulses of joints that are open by a gap g act apart from each
// other (a torque g x p), bodies that are pushed apart take their momentum elsewhere, and levers that are
// frozen for a pass are those of its start: small, but nothing takes it back. So an island that nothing from
// outside can turn gets the angular momentum L again with which it began, by a common rotation with
//     I w = L - L'                I, L': of all bodies about their common centre, after the step
// that changes nothing of how its bodies move relative to each other. Called by choose.cpp; by who slows an
// island down (own_motion).
#pragma once

#include "dynamics/common_motion.h"
#include "steppers/island.h"

namespace impuls {

// The motion that all bodies of an island on its own have in common, which nothing inside can change; none
// for others.
CommonMotion own_motion(const WorldView& view, const Island& island);

class AngularMomentum {
  public:
    AngularMomentum(const WorldView& view, const Island& island);  // before the step
    void restore(const WorldView& view, Island& island) const;     // after it

  private:
    bool is_own_ = false;
    CommonMotion before_{};
};

}  // namespace impuls
