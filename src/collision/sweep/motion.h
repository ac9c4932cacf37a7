// Steady motion of a body: constant velocity and constant angular velocity about its origin (the centre of
// mass). x(t) = x0 + v t, q(t) = exp(w t) q0. Used by time of impact and shape casts.
#pragma once

#include "impuls/vec.h"
#include "math/rotation.h"

namespace impuls {

struct SteadyMotion {
    Pose start{};
    Vec3 velocity{}, angular_velocity{};

    Pose at(double t) const {
        return {start.position + velocity * t, turned(start.orientation, angular_velocity * t)};
    }
};

}  // namespace impuls
