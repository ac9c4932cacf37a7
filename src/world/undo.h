// Taking back a step that was given up (base/stop.h). A step changes little before its results are taken over
// (collect.cpp): who sleeps, and what joints remember; a step that begins with commands, or in which grains
// push bodies substep by substep, may change everything, and then all state is kept. Caches are dropped when
// a step is taken back. Called by step.cpp.
#pragma once

#include <memory>
#include <vector>

#include "base/stop.h"
#include "world/state.h"

namespace impuls {

class StepUndo {
  public:
    void keep(const WorldState& s);
    void take_back(WorldState& s);

  private:
    void keep_warnings(const WorldState& s);
    void take_back_warnings(WorldState& s);

    // All that commands may change.
    struct Everything {
        Model model;
        State state;
    };

    // Copied in every step, into the room of the step before.
    std::vector<std::uint8_t> is_asleep_{};
    std::vector<RestWindow> rest_{};
    std::vector<double> pace_{}, impulses_{}, angles_{}, axis_forces_{};
    std::vector<JointReaction> reactions_{};
    granular::GrainState grains_{};
    std::unique_ptr<Everything> everything_{};  // before commands only
    // Before commands, and while there are bodies to be looked at for overlaps: told before islands advance.
    std::unique_ptr<WarningLog> warnings_{};
    std::uint64_t checked_uid_ = 0;
    bool is_parting_ = false;
};

// What a world needs to be interrupted.
struct Interruption {
    explicit Interruption(std::function<bool()> is_wanted) : request(std::move(is_wanted)) {}

    StopRequest request;
    StepUndo undo{};
};

}  // namespace impuls
