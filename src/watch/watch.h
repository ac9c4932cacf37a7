// What a world is watched for to warn its user (impuls/warnings.h): bodies that are in each other when they
// come, contacts that are too deep, joints that are open, energy that nothing gave, laws that a method does
// not have. Looked at once a step, from what the steppers noted; none of it is state, but angles of joints
// are brought to where their bodies are. Called by worlds, which give a WatchView of themselves.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "base/energy_gain.h"
#include "base/id_table.h"
#include "base/warning_log.h"
#include "constraints/problem.h"
#include "dynamics/joint_rows.h"
#include "steppers/schedule.h"
#include "steppers/view.h"

namespace impuls {

// The energy of all islands whose drives are known, summed from step to step: so commands, which act between
// steps, and bodies that come and go count for nothing. While bodies that overlapped from the start are still
// being pushed apart, gains are theirs.
struct EnergyWatch {
    double sum = 0;     // J, of gains and losses so far
    double fallen = 0;  // J, potential energy released so far
    double told = 0;    // J, the largest gain that was warned of
    EnergyGain gain{};

    EnergyWatch() { gain.note(0, 0, 0); }
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

// A world as it is watched, and where what is seen goes.
struct WatchView : WorldView {
    const WorldIds& ids;
    const IslandSchedule& islands;  // with what steppers noted
    Watch& watch;
    WarningLog& warnings;
    JointNumbers& angles;  // of joints; brought to where their bodies are after the step
    std::span<const std::uint32_t> free_bodies{};  // that no stepper advanced
    std::span<const Motion> old{};                 // by body: the motion before the step
    std::span<const std::uint32_t> pair_of{};      // by contact point
    std::span<const std::uint32_t> active_joints{};
};

// When a body comes: whether its closed parts overlap, so that mass is counted twice.
void watch_mass(const BodySet& bodies, std::size_t body, const BodyDesc& desc, double time, Watch& watch,
                WarningLog& warnings);
// When a world is built, or gets another method: what the scene asks for and its method does not do.
void watch_laws(const WatchView& view);
void watch_forces(const WatchView& view);   // when it is built: forces on nothing that they could move
void find_overlaps(const WatchView& view);  // of bodies that came since, before they move
void watch_step(const WatchView& view);     // at the end of a step

}  // namespace impuls
