// What went wrong in a running world without stopping it: which body or joint, when, by how much, and how
// much is allowed. Kept in bounded memory: per kind and body or joint the first, the worst and a count
// (docs/manual/warnings.md says what each means and what to do).
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "impuls/fields.h"

namespace impuls {

enum class WarningKind : std::uint8_t {
    InitialOverlap,  // bodies were in each other when they were added
    Penetration,     // a contact is deeper than 5 % of the smaller body's size
    JointOpen,       // the equations of a joint are off by more than 1 % of the smaller body's size
    EnergyGained,    // energy that nothing gave
    EnergyRemoved,   // energy that a stepper's account took out again, as a last resort
    NotConverged,    // joints that no substep was short enough to close
    WorkLimit,       // a step would have taken more work than it may
    BodyLost,        // a body whose place is no number any more, or too large for one
    CommandSkipped,  // a command that could not be applied when its time came
    LawNotMet,       // something the scene asks for and its method does not do
    ShortStep,       // the shortest step allowed misses the tolerance: which body, and by which force
    LayerDepth,      // a contact over areas is deeper than the layers that yield
    Unresolved,      // facets are as large as the depth of a contact over areas, or its elements too few
    Immersed,        // a body is inside another that it touches over areas: no depth, and no force
    GrainOverlap,    // grains deeper in each other than 5 % of the smaller one's diameter
    GrainSubstep,    // a contact too stiff for the grains' substep: dt sqrt(k / m) above 0.4
    GrainLost,       // a grain whose place is no number any more, or far beyond all others
    CountedTwice,    // closed parts of a body overlap, and its mass counts what they share twice
};
inline constexpr int kWarningKinds = 18;
template <>
struct EnumNames<WarningKind> {
    static constexpr std::array<const char*, kWarningKinds> names{
        "initial_overlap", "penetration", "joint_open",   "energy_gained",   "energy_removed",
        "not_converged",   "work_limit",  "body_lost",    "command_skipped", "law_not_met",
        "short_step",      "layer_depth", "unresolved",   "immersed",        "grain_overlap",
        "grain_substep",   "grain_lost",  "counted_twice"};
};

/// One kind of trouble of one body, pair of bodies or joint. Numbers are in `unit`.
struct Warning {
    WarningKind kind = WarningKind::LawNotMet;
    std::string subject{};   // name of the body or joint; "": of all that did not fit into the list
    std::string other{};     // name of the other body of a pair; "": none
    double time = 0;         // s, of the first
    double value = 0;        // of the first
    double worst_time = 0;   // s
    double worst = 0;        // largest value
    double total = 0;        // J, all together, where the number is an energy
    double allowed = 0;      // what would not have been worth a warning, at the worst
    std::string unit{};      // of value, worst and allowed; "": a number without unit
    std::int64_t count = 0;  // steps in which it was so
    std::string text{};      // the whole message, of kinds without number
    friend bool operator==(const Warning&, const Warning&) = default;
};

/// The warning as one line, without the word "warning".
std::string describe(const Warning& warning);

}  // namespace impuls
