// Constants that several steppers share, or what all of them lean on: unit; derived, or fitted and on which
// scene; what happens with twice the value ("no test": none of steppers, world, faults notices). Those of one
// stepper are in its folder, those of contact points (kSlop and others) in dynamics/contact.h.
#pragma once

namespace impuls::tuning {

// Contacts over seams (seams.h), of the size of a pair: what rises by less is flush. Derived: half of the
// depth that contacts at rest may have (kSlop). No test.
inline constexpr double kFlush = 5e-4;
// Sine of the angle between normals that are the same. Derived: a body at speed v leaves the ground with that
// share of it when it passes over a seam, less than anything measured here. No test.
inline constexpr double kSameDirection = 1e-6;
// The same of a face that carries a body by itself: no edge of it is in the way. Fitted; on which scenes is
// not recorded. No test.
inline constexpr double kSameFace = 0.1;

// Friction over faces (patch.h). Area below which a face is a line, relative to its length squared. Derived:
// far above rounding. No test.
inline constexpr double kThin = 1e-6;
// Slip over spin, and the other way round, below which friction is as at the limit. Derived: its error is of
// this order. Doubled: the golden hash changes, no test of physics notices.
inline constexpr double kLeastSlip = 1e-3;
// A cylinder or cone stands on its rim when its axis rises by kUprightRim (cosine), all its points are at
// most kOffRim of the radius off the rim, and their centre is at most kBesideRim of it beside the axis.
// Fitted; on which scenes is not recorded. No test (0.98 for the first).
inline constexpr double kUprightRim = 0.99, kOffRim = 0.03, kBesideRim = 0.1;

// How far a point may have moved to take over another's impulses, of the size of a pair. Fitted, for all
// steppers; doubled: no test notices; under the impulse stepper depths and joints of the scenes that
// impulse/tuning.h names are as before.
inline constexpr double kMatchReach = 0.2;
// Growth of the pace (longest substep that joints converge with) from one good substep to the next. Fitted;
// doubled: no effect under the impulse stepper; no test under the articulated one.
inline constexpr double kPaceGrowth = 1.08;

}  // namespace impuls::tuning
