// Putting bodies together: moves them until all joints of a scene are closed, however far apart they begin.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "impuls/scene.h"

namespace impuls {

struct AssembleSettings {
    /// Joints are closed when no point is off by more, relative to the smallest jointed body's size (angles:
    /// rad).
    double tolerance = 1e-10;
    /// Farthest turn of any body in an iteration, rad: scattered bodies come together without winding up.
    double turn = 0.5;
    std::int64_t most_iterations = 2000;
    /// Told after each iteration, with the largest gap (m); may be empty.
    std::function<void(std::int64_t iteration, double gap)> progress{};
};

/// How far a joint is open: its points (m) and its axes (rad). Limits that are passed count.
struct JointGap {
    double distance = 0;
    double angle = 0;
};

struct AssembledJoint {
    std::string name{};
    JointGap before{}, after{};
};

struct Assembly {
    /// Expanded, bodies in their new places; joints keep the old places of bodies that moved as at_a, at_b.
    Scene scene{};
    /// False: the joints contradict each other, or bodies hold each other up on the way.
    bool is_closed = false;
    std::int64_t iterations = 0;
    std::vector<AssembledJoint> joints{};  // those that are enabled
};

/// Only dynamic bodies move, heavy ones less than light ones; velocities stay. Collisions do not count, nor
/// do motors, springs and friction along axes. Throws InputError for scenes that are not valid or have joints
/// with a frame (gear, rack_and_pinion, pulley), whose coordinates count from the start.
Assembly assemble(const Scene& scene, const AssembleSettings& settings = {});

}  // namespace impuls
