// Sphere against half-space: height of the centre over the plane, less the radius.
#include "collision/narrow/pairs.h"

namespace impuls::narrow {

bool sphere_plane(const Collider& a, const Pose& X_WA, const Collider&, const Pose& X_WB, double margin,
                  Manifold& out) {
    const Vec3 up = rotate(X_WB.orientation, {0, 1, 0});
    const double separation = dot(up, X_WA.position - X_WB.position) - a.radius;
    if (separation > margin) return false;
    out.normal = -up;
    add_point(out, X_WA.position - up * (a.radius + 0.5 * separation), separation, 0);
    return true;
}

}  // namespace impuls::narrow
