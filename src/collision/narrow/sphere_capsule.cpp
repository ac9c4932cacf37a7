// Sphere against capsule: the capsule is a ball swept along its axis, so only the ball at the axis point
// nearest to the sphere's centre matters. A centre on the axis leaves along the capsule's local x.
#include "collision/narrow/pairs.h"

namespace impuls::narrow {

bool sphere_capsule(const Collider& a, const Pose& X_WA, const Collider& b, const Pose& X_WB, double margin,
                    Manifold& out) {
    const Vec3 axis = rotate(X_WB.orientation, {0, 1, 0});
    const double t = clamp(dot(axis, X_WA.position - X_WB.position), b.half.y);
    const Vec3 across = rotate(X_WB.orientation, {1, 0, 0});
    return touch_balls(X_WA.position, a.radius, X_WB.position + axis * t, b.radius, across, margin, out);
}

}  // namespace impuls::narrow
