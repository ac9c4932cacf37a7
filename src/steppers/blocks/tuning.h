// Tuning constants of the block stepper: unit; derived, or fitted and on which scene; what happens with twice
// the value. Sizes are those of a pair (IslandPair::size) or of a joint (joint_size.h). Doubling was tried on
// the tests BlockStepper, Blocks, BlockJoints and BlockPasses, and under `fast` on the bench scenes ragdolls
// (n = 2, 1.5 s: worst penetration 14 mm, joints open by 0.167 mm), pyramid (n = 10, 1 s: 0.875 mm) and
// funnel (n = 4, 2 s: 35 mm). "No test notices": of these. Depths of poured heaps are those of one impact and
// scatter by some mm, whatever changes.
// Scenes are named where the manual (docs/internals/blocks.md) tells of the trial; "fitted" alone: no record.
#pragma once

#include <array>
#include <cstddef>

#include "steppers/tuning.h"

namespace impuls::blocks {

// Masses of a pair differ so much that sweeps in single precision do not hold them. Fitted on towers of 2 to
// 9 boxes under one of 1e3 to 1e8 times their mass; and pairs of an island in which that is asked.
// Structural: larger ones the impulse stepper does not hold either.
inline constexpr double kUneven = 1e3;
inline constexpr std::size_t kMostUneven = 40;

// --- Passes (pace.cpp) -------------------------------------------------------------------------------------

// How finely a step is divided.
struct Fineness {
    // Of the size: how far the surfaces of a pair may move relative to each other in a pass. Derived:
    // contacts found at its start must still be on the same faces at its end.
    double travel;
    int passes;      // in a step, at most
    int few_passes;  // that pairs of small islands (kFew) may ask for: nearly as far as passes reach
    // Of the size: how deep contacts sag under their loads at rest, at most. Depths are in proportion to it,
    // substeps to its inverse square root.
    double sag;
};
// Of any Fineness. Not tried with twice as many.
inline constexpr int kMostPasses = 16;
// By stepper `blocks`. Travel doubled: BlockStepper.a_pendulum_gains_no_energy_and_pulls_at_its_joint fails;
// ragdolls 14 -> 21 mm, funnel 35 -> 50 mm. Passes fitted on `impuls bench impact`: four times as many reduce
// the penetration of poured heaps from 28-46 mm to 4-15 mm, and cost as much more time. Sag fitted on the
// bench scenes pyramid50 and stack20h.
inline constexpr Fineness kCoarse{0.5, 4, 3, 1.6e-3};
// When another method hands an island over (blocks_from). Fitted on the scene of the README (a thousand cubes
// poured: 4.7 mm, by kCoarse 11.2 mm, by the impulse stepper 0.40 mm; travel and passes of 0.2 and 8: 5.7 mm
// in 0.6 of the time) and on the stacks, arches and slopes of tests/faults, of which four more go wrong with
// four times the sag.
inline constexpr Fineness kFine{0.1, kMostPasses, 15, 0.1e-3};
// rad: how far joined bodies may rotate in a pass, since rows are frozen within it. Fitted; doubled: no test
// notices, the scenes keep their bits.
inline constexpr double kPassAngle = 0.25;
// rad: how far a joint under load may swing in a pass, of the 2 at which leapfrog is no longer stable, and
// passes that are made for this, at most. Fitted on the bridge of tests/faults: with 0.7 joints open by 3.2
// mm instead of 2.2, with 1.5 steps are taken again.
inline constexpr double kSwing = 0.5, kMostLoadPasses = 8;
// Bodies: islands of up to this many with a pair that asks for more than few_passes passes are refused
// (the impulse stepper sweeps fast bodies). Fitted; doubled: BlockJoints.have_the_same_bits_at_any_scale
// fails; funnel 35 -> 16 mm for twice the time, ragdolls for 1.5 times.
inline constexpr std::size_t kFew = 32;
// Restitution above which impacts count as elastic: 1 % of the energy is left to hide errors in. Chosen, not
// fitted; with 0.99 no test notices.
inline constexpr double kElastic = 0.995;
// The same for islands of up to kFew bodies, which are looked at closely: a tenth of the energy comes back.
// Chosen, not fitted: errors of a pass are 0.3 %. With 0, the thousand cubes of the README (restitution 0.1)
// take 4.1 instead of 2.4 s by `fast`, for the sweeps of some thousand small islands.
inline constexpr double kLively = 0.3;

// --- Substeps (pace.cpp, loads.cpp) ------------------------------------------------------------------------

// (pi/2)^2. Derived: soft contacts have a period of four substeps, w = pi/(2 h), and a contact that bears F
// rests F (1/m_a + 1/m_b)/w^2 below the slop.
inline constexpr double kQuarterPeriod2 = 2.4674;
// Load in weights of a body from which on contacts must be stiffer: sag <= Fineness::sag/(1 + R/kHeavy),
// since towers buckle. Fitted on stack20h (top 100:1) and pyramid50. Doubled:
// BlockJoints.figures_in_a_heap_neither_sink_ into_each_other_nor_come_apart fails; pyramid 0.88 -> 0.96 mm,
// ragdolls' joints 0.17 -> 0.31 mm.
inline constexpr double kHeavy = 16;
// Rise of the normal (cosine) of faces that make towers, within 18 degrees. Fitted with kHeavy.
inline constexpr double kUpright = 0.95;
// How much more other contacts (edges, points, slopes) may give. Fitted; doubled: no test notices;
// scenes/examples/heavy-on-light.json 13 -> 31 mm.
inline constexpr double kLoose = 8;
// Substeps, at least, where there are joints. Fitted; doubled: no test notices; ragdolls' joints 0.167 ->
// 0.056 mm.
inline constexpr double kJointed = 8;
// Loops of joints from which on an island that touches nothing is for blocks. Derived: more than what the
// articulated stepper takes (ArticulatedTree::kMostLoopRows) of ball joints.
inline constexpr std::size_t kManyLoops = 20;
// Bounding radius over radius of gyration: what joints may sag is relative to the former, as with contacts,
// while joint_size() is the latter. Derived, for a solid ball: sqrt(5/2); thin rods have 1.73, cubes 2.12.
inline constexpr double kBoundingRadius = 1.5811388300841898;
// Rise below which a push bears no weight. Fitted; doubled: BlockJoints.figures_in_a_heap_neither_sink_into_
// each_other_nor_come_apart fails.
inline constexpr double kBearing = 0.2;
// Numbers of substeps to choose from, no more than a quarter apart: a change of stiffness shakes what stands.
inline constexpr std::array kLevels{4, 5, 6, 7, 8, 9, 10, 12, 14, 16, 18, 20, 24, 28, 32, 40, 48};
// Fewer substeps than in the last step only when this share of them suffices (hysteresis), for the same
// reason. Fitted on pyramid50, which with 0.7 stays at 16 where 14 suffice.
inline constexpr double kFewer = 0.8;

// --- Contacts (search.cpp, exchange.cpp) -------------------------------------------------------------------

// Of the size: depth left alone. A tenth of the impulse stepper's kSlop, since springs sag in addition.
inline constexpr double kBlockSlop = 1e-4;
// Of the size: contacts of pairs that have slid or rotated by less since they were found are kept. Fitted;
// doubled: no test notices, nor does Blocks.kept_contacts_are_given_up_in_time; pyramid 0.875 mm as before.
inline constexpr double kKept = 5e-3;
// rad a pass: rotation from which on the levers of what rolls are those of the middle of the pass (below, the
// correction is less than rounding), and the most for which they are (beyond, other features touch by then).
// Derived; the latter doubled: the bridge by fast misses a further law.
inline constexpr double kLeastTurn = 1e-7, kMostTurn = 0.5;
// Of the size: margin beyond the motion. Derived: kKept, and as much again for pushes from third bodies.
inline constexpr double kSlack = 1e-2;
using tuning::kMatchReach;  // as for all steppers
// Depth that springs answer for: this times the sag of the load, and kFreshDepth of the size; what is deeper
// is removed by displacements. Fitted: with 1.3, what rests on several others is lifted off some of them by
// those displacements, and walks (the tower, the slopes and the arch of tests/faults: 17 mm, 39 mm and 1.9 m
// of fall in the end); with 2.6, overlap left by impacts stays (scenes/seeds/bender-funnel.json with 125
// cubes: 0.94 -> 1.46 mm; scenes/bench/funnel.json is emptied in 6.5 s, with 1.3 in 5.5 s).
inline constexpr double kCapFactor = 2.4, kFreshDepth = 5e-5;
// Restitution acts on approaches faster than this many times what forces add in a substep. Derived: at rest
// the approach is one such change, three are left for noise.
inline constexpr double kRebound = 4;
// Of the largest friction: where a contact counts as sliding. Derived: rounding of floats, generously.
inline constexpr double kSliding = 0.999;
// Of a lever: how far it may be off the normal for a contact to be a ball's. Derived: rounding of floats.
inline constexpr double kRoundLever = 1e-6;
// Root of how much more inertia a kinematic body has than the largest in the island. Derived: its square,
// 2^40, is beyond the 24 bits of a float, and still in its range.
inline constexpr double kKinematicRoot = 0x1p20;

// --- Joints (joints.cpp, step.cpp) -------------------------------------------------------------------------

// Rounds of displacements that close joints after a pass, at most, while any is open by more than kAjar of
// its size (or rad) and each leaves less than kCloseGain of the largest error. Chosen, not fitted: a round
// costs a substitution, and the next pass goes on with it.
inline constexpr int kCloseRounds = 3;
inline constexpr double kAjar = 1e-5, kCloseGain = 0.5;
// Of the size of a body, per step: how far pushing bodies apart may have lifted it (EnergyAccount). Fitted;
// doubled: no test notices, the scenes keep their bits.
inline constexpr double kLift = 5e-4;

// Of EnergyAccount::kGain: energy that a step of joined bodies may gain before it is taken again in shorter
// passes. Derived: gains add up, and 1e-3 in all is what a world may gain. Fivefold: random worlds 30 and 42
// of tests/faults gain 2e-3; bench/ragdolls keeps its bits.
inline constexpr double kGainShare = 0.2;

}  // namespace impuls::blocks
