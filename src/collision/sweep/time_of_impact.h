// Time of impact of two moving colliders, and shape casts (one of them at rest): impact.h with the distances
// of distance/closest.h; with surfaces, the safe times of all pairs of triangles at once (after C2A: Tang,
// Kim, Manocha, ICRA 2009). Called by the collision component; a library function for continuous collision.
#pragma once

#include "collision/collider.h"
#include "collision/distance/closest.h"
#include "collision/sweep/impact.h"

namespace impuls {

struct ImpactAt : Impact {
    Closest points{};  // at t_touch when there is a hit, at t at the limit
};

// Bodies move from their centre-of-mass frames (the collider is at X_BC in its body). `target` (> 0, m) is
// the distance that counts as touching; take a small part of the smaller size.
ImpactAt time_of_impact(const Collider& a, const SteadyMotion& motion_a, const Collider& b,
                        const SteadyMotion& motion_b, double end, double target);
// The same by bisection.
ImpactAt time_of_impact_by_bisection(const Collider& a, const SteadyMotion& motion_a, const Collider& b,
                                     const SteadyMotion& motion_b, double end, double target);

}  // namespace impuls
