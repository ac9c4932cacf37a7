// Constants of the stepper of ropes, sheets and nets: unit; derived, or fitted and on which scene; what
// happens with twice the value. "No test": none of particles notices. The length of a substep is in
// deformable/tuning.h.
#pragma once

#include <cstddef>

namespace impuls::strips {

// Substeps of a step, at most. Structural: bounds the time of a step. No test.
inline constexpr int kMostSubsteps = 4000;
// Substeps between two searches for contacts. Derived: planes go with their bodies, and margins cover the way
// of these substeps. No test.
inline constexpr int kRenewed = 8;
// How much links without compliance give, relative to the masses' part of their row. Fitted: without, a flat
// sheet that is pinned at its exact size has no solution. No test.
inline constexpr double kGive = 1e-3;
// Depth that a substep mends, of a particle's radius. Fitted: all at once would throw what begins in another.
// No test.
inline constexpr double kRecovered = 1.0 / 20;
// Paths of nets that are kept from step to step. Structural: bounds memory.
inline constexpr std::size_t kMostNets = 64;
// Margin of searches beyond the way of the substeps until the next, of a pair's size. Derived: above
// rounding.
inline constexpr double kNear = 1e-3;

}  // namespace impuls::strips
