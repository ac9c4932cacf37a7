// Capsule against half-space: its two end balls; lying flat both touch.
#include "collision/narrow/pairs.h"

namespace impuls::narrow {

bool capsule_plane(const Collider& a, const Pose& X_WA, const Collider&, const Pose& X_WB, double margin,
                   Manifold& out) {
    const Vec3 up = rotate(X_WB.orientation, {0, 1, 0});
    const Vec3 to_end = rotate(X_WA.orientation, {0, a.half.y, 0});
    out.normal = -up;
    for (const std::uint32_t end : {kLowEnd, kHighEnd}) {
        const Vec3 c = end == kHighEnd ? X_WA.position + to_end : X_WA.position - to_end;
        const double separation = dot(up, c - X_WB.position) - a.radius;
        if (separation <= margin) add_point(out, c - up * (a.radius + 0.5 * separation), separation, end);
    }
    return out.count > 0;
}

}  // namespace impuls::narrow
