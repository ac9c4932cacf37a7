// Constants of the substeps that the impulse and the velocity stepper share. Lengths are relative to the
// size of the pair (IslandPair::size). kSlop, kTouching, kSweptWay and kRecovery are in dynamics/contact.h.
// "Fitted" without a scene: chosen by trial, on which scenes is not recorded. Doubling was
// tried on the tests and scenes that impulse/tuning.h names, and on VelocityStepper; its words are used here.
#pragma once

#include <cstddef>

namespace impuls::substep {

// Margin beyond the way that a pair can move in a substep. Fitted; doubled: no test notices; ragdolls'
// worst penetration 6.0 -> 3.8 mm and joints 0.062 -> 0.0001 mm.
inline constexpr double kNearMargin = 0.01;
// Depth that a contact can still resolve: motion after a swept impact goes on for no more than this. Derived
// as half of half the smaller size, so that the normal stays that of the side it entered by. Doubled:
// Bullet.does_not_pass_a_plate fails.
inline constexpr double kDeep = 0.25;
// Margin of the narrow phase at a swept touch. Derived: above the distance that counts as touching there
// (kSlop). Doubled: no effect.
inline constexpr double kTouchMargin = 0.02;
// A way below this share of a body's radius is none. Derived: half a unit in the last place of its size.
inline constexpr double kTinyWay = 0x1p-54;
// Looks at a rotating pair within one substep. Structural: bounds the time of a step.
inline constexpr int kMostLooks = 64;

// Looks at distances and depths of moving pairs in a step: for each pair of the island, and at least. Beyond,
// fast pairs move by kDeep of their size in a substep, unseen. Structural: bounds the time of a step; a fast
// pair takes some 100, a pair that is 10^5 of its sizes deep in another would take 4000.
inline constexpr std::size_t kLooksPerPair = 256, kLeastLooks = 4096;

// Rotation of a body by one displacement that closes joints or removes overlap, rad: rows are linear, and
// what is beyond comes with the next step. Fitted for the impulse stepper's torn joints; doubled: no test
// notices; energy drift of scenes/examples/reassembly.json 0.003 -> 0.009.
inline constexpr double kMostPull = 0.25;

// Rows that one solve's sweeps may update in all: small islands can afford to converge. Fitted; doubled: up
// to twice the time of islands between 40 and 1000 contacts.
inline constexpr int kRowBudget = 6000;
// Most sweeps that small islands get from that budget. Fitted; doubled: no test notices; ragdolls'
// worst penetration 6.0 -> 3.8 mm and joints 0.062 -> 0.044 mm, but the energy account
// has to remove 4.9 J where it removed none.
inline constexpr int kMostSweeps = 50;
// Sweeps stop when they change no velocity by more than this share of the island's speeds. Derived: far above
// rounding, far below what tests ask for. Doubled: no test notices, the scenes
// differ in rounding.
inline constexpr double kSweepTolerance = 1e-9;

}  // namespace impuls::substep
