// Collision detection alone, of one engine: poses in, contact points out. Used by the replay of recorded
// poses.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "bench/model.h"

namespace impuls::bench {

struct Detection {
    std::int64_t points = 0;
    std::int64_t touching = 0;  // of depth >= 0
    double max_depth = 0;       // m

    void add(double depth) {
        ++points;
        touching += depth >= 0 ? 1 : 0;
        max_depth = depth > max_depth ? depth : max_depth;
    }
};

class Detector {
  public:
    virtual ~Detector() = default;
    // Not timed: what an engine's integrator would have done.
    virtual void place(std::span<const Pose> X_WP) = 0;
    // Timed: boxes, broad phase, narrow phase.
    virtual void detect() = 0;
    virtual Detection result() = 0;
};

// Throw Unsupported. With is_near points of a small gap count as well, as in our steps.
std::unique_ptr<Detector> impuls_detector(const Model& model, int threads, bool is_near);
std::unique_ptr<Detector> bullet_detector(const Model& model);
std::unique_ptr<Detector> ode_detector(const Model& model, bool use_sweep);

}  // namespace impuls::bench
