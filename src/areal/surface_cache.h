// Surfaces of colliders, made once: equal shapes of equal resolution share one. Neutral; used by all islands
// at once. Called by the force stepper and by frames (steppers/force/present_patches.h).
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "areal/surface.h"

namespace impuls::areal {

class SurfaceCache {
  public:
    Surface of(const Collider& collider, double resolution);

  private:
    struct Entry {
        Collider collider{};
        double resolution = 0;
        Surface surface{};
    };
    std::mutex mutex_{};
    std::vector<std::unique_ptr<Entry>> entries_{};
};

}  // namespace impuls::areal
