// What a world watches to warn its user (impuls/warnings.h): bodies that are in each other when they come,
// contacts that are too deep, joints that are open, energy that nothing gave. Looked at once a step, from
// what the steppers noted; nothing here changes the state, and none of it is part of it.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "constraints/problem.h"
#include "dynamics/joint_rows.h"

namespace impuls {

// The energy of all islands whose drives are known, summed from step to step: so commands, which act between
// steps, and bodies that come and go count for nothing. Energy never grows beyond what it was at any time
// before:
//     E - min E <= kGain (largest T + largest release of potential energy) + negligible
// While bodies that overlapped from the start are still being pushed apart, gains are theirs.
struct EnergyWatch {
    static constexpr double kGain = 1e-3;

    double sum = 0, least = 0;       // J, of gains and losses so far
    double fallen = 0, deepest = 0;  // J, potential energy released so far; the largest of it
    double kinetic = 0;              // J, the largest so far
    double negligible = 0;           // J, likewise
    double told = 0;                 // J, the largest gain that was warned of

    double allowed() const { return kGain * (kinetic + deepest) + negligible; }
    double gain() const { return sum - least; }
};

// How far a joint is open.
struct JointOpening {
    std::uint32_t joint;
    double value, allowed;
    bool is_angle;
};

// Rows of joints, chunk by chunk.
struct JointCheck {
    Rows rows{};
    std::vector<JointOpening> open{};
};

// What was found of shapes, by the mass, the inertia and the centre that follow from them: copies are alike.
using CountedShares = std::map<std::array<double, 7>, double>;

struct Watch {
    std::uint64_t checked_uid = 0;  // bodies below were looked at for overlaps
    bool is_parting = false;        // some that overlapped then still do
    EnergyWatch energy{};
    std::vector<JointCheck> joints{};
    CountedShares counted{};
};

}  // namespace impuls
