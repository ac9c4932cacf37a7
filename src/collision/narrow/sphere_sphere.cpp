// Sphere against sphere: one point on the line of centres. Coincident centres take +y.
#include "collision/narrow/pairs.h"

namespace impuls::narrow {

bool sphere_sphere(const Collider& a, const Pose& X_WA, const Collider& b, const Pose& X_WB, double margin,
                   Manifold& out) {
    return touch_balls(X_WA.position, a.radius, X_WB.position, b.radius, {0, 1, 0}, margin, out);
}

}  // namespace impuls::narrow
