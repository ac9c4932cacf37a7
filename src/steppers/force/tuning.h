// Constants of the force stepper. "Derived" ones follow from what they are compared with; of "fitted" ones it
// is said on what, and what changes when they are doubled.
#pragma once

namespace impuls::force_level {

// Slip at which friction is fully there, relative to sqrt(a size) with the acceleration a by gravity. Fitted:
// what rests on a slope creeps by a thousandth of its size in a characteristic time (doubled: by two; steps
// of what rests under friction are half as long).
inline constexpr double kSlipSpeed = 1e-3;
// Damping of penalty contacts and limits, relative to critical. Derived: the fastest way to rest.
inline constexpr double kDampingRatio = 1;
// Poisson's ratio of what friction with memory holds by. Derived: that of metals.
inline constexpr double kPoisson = 0.3;
// Gain of motors and servos without limit, in time steps. Fitted: doubled, steps are half as long.
inline constexpr double kMotorGain = 20;

// Depth at which areal damping is fully there, of the layer (or of the pair's size). Derived from nothing:
// the shorter, the stiffer the equations where surfaces meet.
inline constexpr double kArealRamp = 0.01;

// Surfaces closer than this share of the pair's size touch. Derived: positions of what rolls over seams of a
// surface are off by rounding.
inline constexpr double kTouch = 1e-7;
// Pairs closer than this share of their size exert forces. Derived: above what is left of a gap at the moment
// of its event.
inline constexpr double kNoGap = 1e-9;
// Slack of the narrow phase's margin, of the pair's size.
inline constexpr double kMargin = 0.02;
// A step moves pairs that may touch by no more than this share of their size, so that parts of a step, which
// events are looked for in, see every passage. Derived: the finder looks at quarters of a step.
inline constexpr double kStepWay = 0.5;
// Bodies with joints turn by no more than this in a step, rad, so that angles count their turns.
inline constexpr double kStepTurn = 1;
// Shortest step, of the time step, when the method has none.
inline constexpr double kLeastStep = 1e-9;
// Time to which impacts and limits are located, s.
inline constexpr double kEventTime = 1e-10;

// Rounds of impacts, and sweeps of those that come together; what approaches slower than the share kCalm of
// the fastest impact is left to contact forces. Derived: a chain of five balls needs 10 rounds (spec:
// workbench 2.7), and chains converge by a constant factor a round.
inline constexpr int kMostRounds = 2000, kMostSweeps = 1000;
inline constexpr double kCalm = 1e-10, kSolved = 0x1p-46;
// Work of a time step after which it is left to another stepper.
inline constexpr long kMostSteps = 200000;

// Projection on the joints: done at this error, relative to the smallest size, or when rounding ends it.
inline constexpr double kClosed = 1e-13;
inline constexpr int kMostProjections = 8;
// Rows of joints change as bodies turn: by differences over this angle, rad, of fourth order. Derived:
// truncation 1e-12 and rounding 1e-13 balance.
inline constexpr double kProbe = 1e-3;

}  // namespace impuls::force_level
