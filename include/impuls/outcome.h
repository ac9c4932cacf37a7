// How each island was advanced in a step: by which stepper, why those before it in the list did not take it,
// and what it took. The list is in src/steppers/choose.cpp.
#pragma once

#include <array>
#include <cstdint>
#include <limits>

#include "impuls/fields.h"

namespace impuls {

/// Who advances an island. (Numbers are in recordings: new ones come last.)
enum class IslandStepper : std::uint8_t {
    Articulated,  // joints alone: all of them at once, in linear time
    Blocks,       // contacts and joints in lanes
    Velocity,     // Erleben's: fixed steps, shock propagation, projection
    Impulse,      // takes every island, and is asked last
    ForceLevel,   // forces integrated with error control
    Strips,       // ropes, sheets and nets in short substeps
};
inline constexpr int kIslandSteppers = 6;
template <>
struct EnumNames<IslandStepper> {
    static constexpr std::array<const char*, kIslandSteppers> names{"articulated", "blocks", "velocity",
                                                                    "impulse",     "force",  "strips"};
};

/// Why a stepper did not advance an island.
enum class Refusal : std::uint8_t {
    None,            // it did, or was not asked
    NotSelected,     // the method has another stepper
    TooSmall,        // fewer bodies than blocks_from
    HasJoints,       // joints, where large islands by blocks have none
    HasNoJoints,     // nothing but contacts
    HasPairs,        // something is near enough to be touched
    HasNoPairs,      // nothing is near enough to be touched
    JointLaw,        // limits, motors, springs, frames or curves that it does not have
    ContactLaw,      // rolling or torsional resistance, compliance, or a law of impact that it does not have
    FrictionModel,   // friction that is not Coulomb's cone
    CannotTurn,      // a body without inertia
    TooManyLoops,    // more loop rows than its dense matrix holds
    TooFast,         // bodies move too far in a step for their size
    JointsOpen,      // joints are open farther than it closes
    NotConverged,    // no substep was short enough
    GainedEnergy,    // the energy account would not balance (src/steppers/account.h)
    Rebounds,        // impacts with restitution that are to be resolved where the bodies touch
    HasForces,       // forces of the scene, which it does not sum
    HasScript,       // bodies that move by script, which it takes to move straight on
    UnevenMasses,    // one body far heavier than one it may touch, in a small island
    HasParticles,    // bodies made of particles, which it does not have
    HasAreas,        // contact over areas, which force level alone has
    HasNoParticles,  // bodies alone, where it takes what is made of particles
};
inline constexpr int kRefusals = 23;
template <>
struct EnumNames<Refusal> {
    static constexpr std::array<const char*, kRefusals> names{
        "none",          "not_selected",   "too_small",       "has_joints",  "has_no_joints",
        "has_pairs",     "has_no_pairs",   "joint_law",       "contact_law", "friction_model",
        "cannot_turn",   "too_many_loops", "too_fast",        "joints_open", "not_converged",
        "gained_energy", "rebounds",       "has_forces",      "has_script",  "uneven_masses",
        "has_particles", "has_areas",      "has_no_particles"};
};

/// One island in one step.
struct Outcome {
    std::uint32_t first_body = 0;  // its lowest dense index
    std::uint32_t bodies = 0;      // that move
    IslandStepper stepper = IslandStepper::Impulse;
    std::array<Refusal, kIslandSteppers> refused{};  // by stepper
    std::uint32_t substeps = 0;
    std::uint32_t iterations = 0;  // of its solvers, all together
    std::uint32_t retries = 0;     // steps, substeps or solves that were given up and done in another way
    double residual =
        std::numeric_limits<double>::quiet_NaN();  // m/s, largest of its solves; NaN: not measured
    double energy_removed = 0;                     // J, by the energy account

    void note_residual(double value) { residual = residual >= value ? residual : value; }
    friend constexpr bool operator==(const Outcome&, const Outcome&) = default;
};

}  // namespace impuls
