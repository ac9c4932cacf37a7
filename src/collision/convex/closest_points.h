// Closest points of two convex colliders, apart or overlapping: GJK (gjk.h) on the cores, EPA (epa.h) where
// the cores overlap. A cache starts from the last simplex. It saves iterations, and its result agrees with
// the one without to rounding but not bit for bit: where results must not depend on caches, pass none.
// Without a cache the result is a function of shapes and relative pose alone. Called by the narrow phase for
// pairs without a closed form, by shape casts, time of impact and queries.
#pragma once

#include <array>

#include "collision/convex/gjk.h"
#include "collision/convex/support.h"

namespace impuls {

struct Closest {
    Vec3 p_a{}, p_b{};    // points of the two surfaces
    Vec3 normal{};        // unit, from a to b; b moved by -distance * normal just touches a
    double distance = 0;  // negative: depth of penetration
    bool ok = true;       // false: stopped at the iteration limit, with the best bound so far
    bool beyond = false;  // farther than asked for: `distance` is only a lower bound, along `normal` where
                          // that is set; points are not
    int iterations = 0;   // support points computed
};

struct GjkCache {
    int count = 0;
    std::array<Vec3, 3> a{}, b{};  // each in its own frame
};

// In world coordinates; poses are X_WC of the colliders themselves.
Closest closest_points(const Collider& a, const Pose& X_WA, const Collider& b, const Pose& X_WB,
                       GjkCache* cache = nullptr, double give_up_beyond = kNoLimit);

// The same for prepared cores, in a's frame.
Closest closest_points(const ConvexCore& a, const ConvexCore& b, const Pose& X_AB, GjkCache* cache = nullptr,
                       double give_up_beyond = kNoLimit);

// Whether they are at most `limit` (>= 0) apart, or overlap: the verdict of closest_points, as soon as it is
// known. The search begins along `n`, any direction in a's frame, best one that nearly separates.
bool are_within(const ConvexCore& a, const ConvexCore& b, const Pose& X_AB, double limit, const Vec3& n);

// X_AB without the rounding of large world coordinates.
inline Pose relative_pose(const Pose& X_WA, const Pose& X_WB) {
    return {rotate_inverse(X_WA.orientation, X_WB.position - X_WA.position),
            conjugate(X_WA.orientation) * X_WB.orientation};
}

}  // namespace impuls
