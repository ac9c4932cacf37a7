// The constants of this stepper: unit, whether derived or fitted, and what happens when one is doubled, tried
// on the tests ArticulatedStepper, Choose, most of SpecMultibody and RandomMechanism, and on the bench scenes
// chain (25 links; accurate 4 s, default 8 s) and tree (default 2 s). "No effect": no test fails, and no bit
// changes there or in 60 steps of scenes/examples and scenes/seeds; "little": no test fails, some bits
// change, the energy drift keeps three digits. "Fitted" without a scene: chosen on the chains, trees and
// loops of docs/internals/multibody.md, and no record says on which of them.
#pragma once

#include <cstddef>
#include <cstdint>

namespace impuls::articulated {

// What it takes on (step.cpp).

// Joints that are open farther when a step begins are not for this method: closing them at once would take
// velocities of gap / h. Relative to the smallest radius of gyration. Fitted; doubled (and kHeight with
// it): no test notices; scenes/examples/plotter-pen.json: retries 3 -> 0, same energy drift.
inline constexpr double kMaxOpen = 1e-3;

// Closing the joints of a substep (substep.cpp).

// Iterations with the factors of the start reduce the error by a constant factor; 2 to 4 are usual. Fitted;
// doubling only delays giving up, since kStallShare^14 is below 1 %.
inline constexpr int kMaxIterations = 14;
// An iteration that leaves more than this share of the error has stalled. Judged after the first
// kFirstIterations, which correct the guess of the impulses. Fitted; above 1 nothing would stall.
inline constexpr double kStallShare = 0.7;
inline constexpr int kFirstIterations = 2;
// The error at which iterations stall falls with the length of the substep, unless loops contradict each
// other: these are left as they are when, in a shorter substep, more than this share of it remains. Fitted;
// doubled, contradicting loops are never accepted.
inline constexpr double kContradiction = 0.5;
// Loops are closed as far as rounding allows, since near a singular configuration tiny errors of position
// become large errors of direction: relative to the smallest size, but not below kRounding of the distance
// from the origin (18 times the rounding of a double). Derived from rounding; kLoopTolerance doubled:
// loops of scenes/examples/four-bars.json stay open twice as far, 7e-10 mm; kRounding: no effect.
inline constexpr double kLoopTolerance = 1e-12, kRounding = 4e-15;

// The length of substeps (pace.cpp).

// A composition is of fourth order in its length, a substep of second: for errors of the same size its bodies
// may rotate by sqrt(kComposedReach angle), 0.21 rad for angle = 0.02. Fitted on the chain of 25 rods and the
// tree of 127; doubled: no test notices; the chain's energy error 0.8e-6 -> 2.1e-6.
inline constexpr double kComposedReach = 2.2;
// From rest, the angular acceleration a4 of all bodies decides: h^2 a4 <= gain angle (2 would be
// h s(t + h/2) = angle exactly). In a composition it counts for more: with twice kComposedGain the tree of
// 127 rods is twice as far off after 1 s, for 4 % less time. kPlainGain: fitted; doubled: little.
inline constexpr double kPlainGain = 4, kComposedGain = 1.3;
// How far the fastest swing of a body under its joints' forces may get in a substep, or in a composition, of
// the 2 and 2.73 from which on they are unstable. Derived: half of it, since tensions change within a
// substep. Without them the chain of tests/faults that carries 10^4 times its mass gains 5e-3 to 1.3e-2 of
// its energy.
inline constexpr double kSwing = 1, kComposedSwing = 1.4;
// While spins fall, the one half a substep ahead counts as at least this share of the present one. Fitted;
// doubled: no effect.
inline constexpr double kMinSpin = 0.3;
// How far bodies are moved on, at the fastest spin, to see how J v of a joint changes, rad. Derived: a
// difference quotient with an error of the order of this, to be used as an estimate; doubled: little.
inline constexpr double kProbeAngle = 1e-4;
// The pace (longest substep that converges) shrinks after a substep of at least kSlowIterations and grows
// after one of at most kFastIterations. Fitted; kSlowIterations doubled: no test notices; the
// chain under default takes 3.9 substeps instead of 4.3. kFastIterations doubled: mean
// substeps of scenes/examples/hanging-chain.json 1.22 -> 1.10.
inline constexpr int kSlowIterations = 8, kFastIterations = 5;
inline constexpr double kPaceShrinks = 0.9;  // and tuning::kPaceGrowth

// Attempts (step.cpp).

// Attempts at one substep, and the most pieces of a step. Work, not accuracy: doubled, it takes longer until
// the step is given up.
inline constexpr int kMaxAttempts = 16;
inline constexpr double kMaxSubsteps = 4096;
// Substeps of a step, those that were given up or taken again with shorter ones included, when the method has
// no budget of its own. Work, not accuracy: what needs more than this is left to another stepper.
inline constexpr std::int64_t kMostWork = 8192;
// With a budget, substeps may be this many times as long as accuracy asks for before motion is slowed down.
// Fitted; doubled: no effect.
inline constexpr double kBudgetReach = 6;
// Where joints do not close within the budget, spins are limited to this share of the fastest, and in the
// second half of the attempts all velocities are scaled by kBrake. Fitted; above 1 they would not help.
inline constexpr double kSpinBrake = 0.7, kBrake = 0.5;

// Error control (pace.cpp).

// A step in which the energy of an undriven island changes by more than this share of its kinetic energy, in
// either direction, is taken again with substeps shorter by kShorter, up to kMaxSteps times in all: a substep
// has jumped over a stretched or folded configuration. Half of what a world may gain in all; doubled: random
// world 44 of tests/faults gains 1.1e-3. The bench's chain and tree take as long as with ten times as much.
inline constexpr double kEnergyError = 0.0005;
inline constexpr double kShorter = 0.25;
inline constexpr int kMaxSteps = 4;
// Energies within this share of weight times smallest size count as equal. Derived: closing joints that are
// open by kMaxOpen may lift the island by as much.
inline constexpr double kHeight = kMaxOpen;

}  // namespace impuls::articulated
