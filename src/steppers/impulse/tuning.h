// Constants of the impulse stepper. Lengths of contacts are relative to the size of the pair, those of joints
// to a radius of gyration. "Fitted" without a scene: chosen by trial, on which scenes is not recorded.
// Doubling was tried on the tests ImpulseStepper, EveryStep, IslandPace, Outcomes, Impact*, FrictionLaws,
// ContactSpring, TautNet and Bullet.does_not_pass_a_plate, and under `default` on the bench scenes ragdolls
// (n = 1, 1 s: worst penetration 6 mm, joints open by 0.062 mm), funnel (n = 3, 1.5 s: 2.3 mm) and pyramid
// (n = 6, 0.5 s, blocks_from = 0). "No test notices": of these. "No effect": nor does a bit change in these
// scenes, or in 60 steps of scenes/examples and scenes/seeds (default, default+articulated=off, fast).
#pragma once

#include <cstddef>
#include <cstdint>

namespace impuls::impulse {

// Substeps that put bodies deep into each other are halved so often. Derived: a quarter of the substep leaves
// a sixteenth of the depth. Doubled: up to four times the time of an impact.
inline constexpr int kHalvings = 2;
// Depth that a substep may add before it is taken again, of the size. Derived: twice kSlop. Doubled: no
// test notices; funnel 2.3 -> 6.1 mm, steps taken again 33 -> 19.
inline constexpr double kDeeper = 0.002;
// Way of a body's surface in a substep below which no impact gets that deep, of its radius. Fitted; doubled:
// no effect.
inline constexpr double kFastWay = 0.01;

// Depths beyond the slop are removed down to this share of it. Derived: below it, so that they get there in
// finite time and are then left alone. Doubled: meaningless.
inline constexpr double kPushTo = 0.9;
// Displacements are found to this share of the greatest depth. Derived: a fifth of them goes in a substep
// anyway.
inline constexpr double kPushTolerance = 1e-3;
// Change of a contact point's lever in a substep, of the body's radius, beyond which it is another point.
// Derived: a point that wanders over a body goes as far as the body turns in a substep, and then some.
// Doubled: no test notices.
inline constexpr double kLeverJump = 0.1;

// Rotation of a body with joints in one substep, rad. Fitted; it is for light bodies between heavy
// ones, which gain energy where a substep jumps over a stretched configuration. Doubled: no test
// notices; ragdolls' joints 0.062 -> 0.112 mm, penetration 6.0 -> 7.5 mm.
inline constexpr double kSubstepTurn = 0.1;
// Shortest substep of such an island, of the usual one. Structural: bounds the time of a step.
inline constexpr double kShortest = 1.0 / 64;
// What joints may leave open before a substep is taken again, shorter: of the smallest size, or rad. Fitted;
// doubled: no effect, nor on tests/physics/taut_net_test.cpp.
inline constexpr double kStallOpen = 1e-4;
// Shortest substep for that reason, of the usual one. Fitted; halved: no effect.
inline constexpr double kLeastShare = 0.25;
// A shorter substep helps when it leaves less than this share open. Fitted; halved: no effect.
inline constexpr double kHelps = 0.7;
// Rounding of substeps that are a whole number of parts of the remaining time. Structural.
inline constexpr double kLonger = 1 + 1e-3;

// Rotation in a substep that joints' impulses alone may make, rad, and how much faster (squared) it must be
// than before: beyond, they are solved again with joints that give way. Fitted; it is for chains that
// are pulled straight; either doubled: no effect.
inline constexpr double kOverturn = 0.5;
inline constexpr double kMuchFaster2 = 16;
// How much joints give way then, of a body's own response to an impulse. Fitted; doubled: no test
// notices; of all scenes only scenes/examples/reassembly.json changes, its energy by 1 % of its drift.
inline constexpr double kYielding = 1e-2;

// Impacts are worth more sweeps than rest, since what is not solved is energy lost: rows that one solve may
// update, and most sweeps. Structural: bound the time of a step.
inline constexpr std::size_t kImpactRowBudget = 100000;
inline constexpr std::size_t kMostImpactSweeps = 200;
// Tolerance of such solves, of the island's speed. Derived: a thousand rounds must not add up to more than a
// solve of others (substep/tuning.h, kSweepTolerance).
inline constexpr double kImpactTolerance = 1e-13;
// Work of an impact that is rounding, of what it dissipates. Derived: far above rounding, far below any law.
inline constexpr double kWorkRounding = 1e-9;
// Rows that the rounds of impacts may update in a substep. What still approaches then comes to rest.
// Structural: bounds the time of a step; a break of fifteen balls takes a tenth of it.
inline constexpr std::uint64_t kImpactWork = 60000;
// Touches of a lonely pair within a substep, at most, and looks at the pair on the way to one. Structural.
inline constexpr int kMostTouches = 8, kMostTouchLooks = 16;
// A touch is found to this share of the substep. Derived: gaps then are far below kTouching.
inline constexpr double kTouchTime = 1e-9;
// Margin of the looks beyond the pair's own, of its size. Derived: above rounding.
inline constexpr double kNearTouch = 1e-3;
// Impacts slower than this share of the fastest one are rest. Derived: far above rounding. Doubled: no
// effect.
inline constexpr double kRestShare = 1e-7;
// A point slides when its friction is at its limit, but for this share, and it slips faster than this share
// of a substep's gravity: more than sweeps leave. The latter fitted; doubled: FrictionLaws.static_
// friction_holds_more_than_dynamic fails.
inline constexpr double kAlmostLimit = 1 - 1e-6, kSlip = 0.1;
// The same where all points of a pair are at their limits. Fitted, to between a tenth (a block slips 0.2 %
// below its angle of static friction while its first sweeps settle) and ten times as much (the period of
// stick and slip is 2 % longer).
inline constexpr double kSlipTogether = 1e-2;

}  // namespace impuls::impulse
