// What commands are checked against: the names, descriptions, bodies and joints of a world as they are now.
// Called by queue.h and planned_world.h; a world makes one of itself (world/commands.cpp).
#pragma once

#include <cstdint>

#include "base/id_table.h"
#include "dynamics/body_set.h"
#include "dynamics/joint.h"
#include "scene/descriptions.h"

namespace impuls {

struct PresentWorld {
    const WorldIds& ids;
    const Descriptions& described;
    const BodySet& bodies;
    const JointSet& joints;
    std::int64_t step;
    double dt;

    // Whether the next step begins at that time, or later.
    bool has_come(double time) const { return time <= static_cast<double>(step) * dt + 1e-9 * dt; }
};

}  // namespace impuls
