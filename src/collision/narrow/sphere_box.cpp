// Sphere against box. In the box's frame the nearest box point is the centre clamped to the box. A centre
// inside leaves through the nearest face (the first axis on ties, the positive side for a centre in the
// middle).
#include <cmath>

#include "collision/narrow/pairs.h"

namespace impuls::narrow {

namespace {

// Direction from the centre to the box's surface (away from the box when inside) and the signed distance.
struct BoxSurface {
    Vec3 toward_box;
    double distance;
};

BoxSurface nearest_outside(const Vec3& gap, double distance) {
    return {gap / distance, distance};
}

BoxSurface nearest_inside(const Vec3& c, const Vec3& half) {
    int axis = 0;
    for (int i = 1; i < 3; ++i) {
        if (half[i] - std::abs(c[i]) < half[axis] - std::abs(c[axis])) axis = i;
    }
    Vec3 toward_box;
    toward_box[axis] = c[axis] < 0 ? 1 : -1;
    return {toward_box, std::abs(c[axis]) - half[axis]};
}

}  // namespace

bool sphere_box(const Collider& a, const Pose& X_WA, const Collider& b, const Pose& X_WB, double margin,
                Manifold& out) {
    const Vec3 c = rotate_inverse(X_WB.orientation, X_WA.position - X_WB.position);
    const Vec3 gap = Vec3{clamp(c.x, b.half.x), clamp(c.y, b.half.y), clamp(c.z, b.half.z)} - c;
    const double outside = length(gap);
    if (outside - a.radius > margin) return false;
    const BoxSurface nearest = outside > 0 ? nearest_outside(gap, outside) : nearest_inside(c, b.half);

    out.normal = rotate(X_WB.orientation, nearest.toward_box);
    const double separation = nearest.distance - a.radius;
    add_point(out, X_WA.position + out.normal * (a.radius + 0.5 * separation), separation, 0);
    return true;
}

}  // namespace impuls::narrow
