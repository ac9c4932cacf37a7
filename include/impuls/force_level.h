// What the force stepper does at contacts: choices of its options (settings.h).
#pragma once

#include <array>

#include "impuls/fields.h"

namespace impuls {

/// What a contact does at force level (src/dynamics/laws). All but `penalty` bounce by their own force.
enum class ContactForce {
    Penalty,          // spring and damper below `impact_speed`; faster ones are impacts, resolved at once
    Linear,           // spring and damper for the pair's restitution
    Hertz,            // k d^(3/2), from the materials' moduli
    HuntCrossley,     // the same, damped in proportion
    Spring,           // AERO's, weaker while parting by the factor e: restitution sqrt(e)
    CorrectedSpring,  // by e^2: restitution e
};
template <>
struct EnumNames<ContactForce> {
    static constexpr std::array<const char*, 6> names{"penalty",       "linear", "hertz",
                                                      "hunt_crossley", "spring", "corrected_spring"};
};

/// Friction of contacts at force level.
enum class FrictionLaw {
    Regularised,  // by the slip speed alone: what rests on a slope creeps
    Bristle,      // with memory: a spring that the slip stretches up to Coulomb's limit; it sticks for ever
};
template <>
struct EnumNames<FrictionLaw> {
    static constexpr std::array<const char*, 2> names{"regularised", "bristle"};
};

/// How often the force stepper looks for contacts (Erleben 2005, 2.2.3).
enum class ContactSearch {
    Eager,     // wherever forces are asked for
    Moderate,  // once a time step: points move with their bodies
    Lazy,      // once a time step, and their forces stay as they were
};
template <>
struct EnumNames<ContactSearch> {
    static constexpr std::array<const char*, 3> names{"eager", "moderate", "lazy"};
};

}  // namespace impuls
