// The last resort of the energy account (steppers/account.h) in a substep.
//
// Bodies joined in singular configurations (stretched, folded, loops that meet their limits) can be thrown
// apart by impulses that no substep is short enough for; contacts that push overlapping bodies apart may be
// gone before the velocity phase can take back the velocity they gave. What a substep adds against the
// account is taken out again, and the Outcome says so. What is scaled down is the motion without the common
// one (dynamics/common_motion.h): momenta stay as they are, and so do all velocities that joints want to be
// 0. Where something fixed holds or touches the island, its momenta are not its own, and all of the motion is
// scaled.
#pragma once

#include "steppers/account.h"
#include "steppers/substep/context.h"

namespace impuls::substep {

// Whether a substep may add energy that nothing gave: joints, or bodies that overlap.
bool may_gain_energy(const Substep& s);
IslandEnergy energy_of(const Substep& s);
// After a substep of length h that began with this account.
void settle_account(Substep& s, const EnergyAccount& account, double h);

}  // namespace impuls::substep
