// Constants of the solvers that were chosen by trial; on which scenes is not recorded where none is named.
// What follows from the equations or from the size of numbers stands where it is used. See also the
// tuning.h of the steppers.
#pragma once

#include <cstddef>

namespace impuls::tuning {

// The active set takes a problem when a light body bears this many times what forces make in a substep, or
// lies between bodies that are this many times heavier. Fitted. Doubled: fewer problems are solved to
// rounding, and sweeps take their place.
inline constexpr double kStrain = 30;
// Contacts and joints of the largest problem that it takes. Structural: its time grows with the cube.
inline constexpr std::size_t kMostPivoted = 120;

// The active set: the share of the diagonal that is added to rows of contacts, for loads that are shared in
// more than one way; rounds at most, which end when kActiveEnough of what was off is left; the result counts
// when no more than kActiveGain of it is left, or kActiveNoise of the speed that forces make in a substep.
// Derived: between rounding and what tolerances ask for. Doubled: no test notices.
inline constexpr double kActiveRidge = 1e-6;
inline constexpr int kActiveRounds = 8;
inline constexpr double kActiveGain = 1e-4, kActiveEnough = 1e-9, kActiveNoise = 1e-6;
// Share of the diagonal that is added where four points of a plane are solved as one block (blocked.h). It
// only slows steps. Fitted. Doubled: no test notices.
inline constexpr double kBlockRidge = 0.02;

// Faces that are held (held_faces.h): a guess that is worse than this share of what forces make in a substep
// is improved; points that open faster than this share of it are not held; rounds of letting go; what is
// redundant, of a pivot. Structural, but the first two: fitted.
inline constexpr double kHeldError = 1e-6, kHeldGap = 0.01;
inline constexpr int kHeldRounds = 12;
inline constexpr double kHeldRedundant = 1e-12;

// Sweeps after which it is known which contacts carry, before joints and contacts are solved in turn. Fitted.
inline constexpr int kFirstTry = 6;
// A correction that misses by so many times what was left is taken back. Fitted: far above what rounding of
// nearly dependent equations does.
inline constexpr double kLost = 20;

// Blocks. Displacements that take out excess depths and open joints: sweeps without and with joints, which
// hand on what contacts push, and the share of the excess that goes in one. Fitted.
inline constexpr int kCorrections = 3, kCorrectionsOfJoints = 10;
inline constexpr float kCorrected = 0.3f;
// Damping ratio of contacts in lanes, a quarter of a period a substep; less, and stiff springs ring. Fitted.
inline constexpr double kDampingRatio = 10;
// Share of a joint's error that a substep in lanes closes. Fitted: rigid rows may not sag.
inline constexpr float kClosed = 0.1f;
// Sweeps of a round of impacts, without and with joints. Fitted.
inline constexpr int kImpactSweeps = 4, kImpactSweepsOfJoints = 16;

}  // namespace impuls::tuning
