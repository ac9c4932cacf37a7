// Constants of the velocity stepper. "Fitted" without a scene: chosen by trial, on which scenes is not
// recorded. Its other numbers are options of the method.
#pragma once

namespace impuls::velocity {

// Share of an impact's squared speed by which the rotation of its normal may change that of the rebound.
// Fitted; doubled: no effect.
inline constexpr double kReboundChange = 0.2;

}  // namespace impuls::velocity
