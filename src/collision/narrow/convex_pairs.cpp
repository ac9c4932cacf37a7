// Pairs of convex shapes through their closest points (collision/convex): round shapes by GJK on the cores
// and EPA, then clipping of the features that face each other. And convex shapes on half-spaces: the corners
// of the feature that faces the plane. Called through the dispatch table.
#include <algorithm>
#include <array>
#include <span>

#include "collision/convex/closest_points.h"
#include "collision/narrow/contact_builder.h"
#include "collision/narrow/pairs.h"
#include "collision/narrow/reduce.h"

namespace impuls::narrow {

bool convex_convex(const Collider& a, const Pose& X_WA, const Collider& b, const Pose& X_WB, double margin,
                   Manifold& out) {
    const Pose X_AB = relative_pose(X_WA, X_WB);
    const Closest c = closest_points(convex_core(a), convex_core(b), X_AB, nullptr, margin);
    if (c.beyond || c.distance > margin) return false;
    return build_manifold(a, X_WA, b, X_AB, {c.normal, c.p_a, c.p_b, c.distance}, margin, out);
}

bool convex_plane(const Collider& a, const Pose& X_WA, const Collider&, const Pose& X_WB, double margin,
                  Manifold& out) {
    const Vec3 up = rotate(X_WB.orientation, {0, 1, 0});
    Feature f;
    facing_feature(a, rotate_inverse(X_WA.orientation, -up), a.kind == ColliderKind::Convex ? 2 : kFacing, f);
    place(f, X_WA);
    std::array<ManifoldPoint, kMaxCorners> points;
    std::size_t count = 0;
    for (std::size_t k = 0; k < static_cast<std::size_t>(f.count); ++k) {
        const double separation = dot(up, f.points[k] - X_WB.position);
        if (separation <= margin)
            points[count++] = {f.points[k] - up * (0.5 * separation), separation, f.corner_id[k]};
    }
    out.normal = -up;
    if (count > kMaxManifoldPoints)
        count = static_cast<std::size_t>(
            reduce(std::span(points.data(), count), up, kMaxManifoldPoints, kPrefer * a.size));
    for (std::size_t k = 0; k < count; ++k)
        add_point(out, points[k].position, points[k].separation, points[k].feature);
    return out.count > 0;
}

}  // namespace impuls::narrow
