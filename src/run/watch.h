// What a run looks at while it goes: energy, penetration and joint error of frames, and the
// outcomes of islands.
// Called by run.cpp only.
#pragma once

#include <cstdint>

#include "impuls/run.h"
#include "impuls/world.h"

namespace impuls {

// Extremes over the frames of a run, put into its summary.
class FrameWatch {
  public:
    // E0 and the energy scale come from the world as it is now.
    explicit FrameWatch(World& world);
    // Frames are looked at every n steps so that deriving them stays cheap next to stepping.
    std::int64_t every() const { return every_; }
    void look(const Frame& frame);
    void finish(RunSummary& summary) const;
    double energy_scale() const;  // J, that drift is relative to

  private:
    std::int64_t every_;
    Energy first_{}, last_{};
    double scale_ = 0;          // J, m g size summed over dynamic bodies
    double max_kinetic_ = 0;    // J
    double max_deviation_ = 0;  // J
    Vec3 linear_{}, angular_{};
    double penetration_ = 0, joint_error_ = 0;
    std::array<double, kStages> stage_seconds_{};
    std::int64_t frames_ = 0;
};

}  // namespace impuls
