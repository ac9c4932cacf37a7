// Nearest point by boxes of growing size, then its pseudo-normal from the triangles around it
// (surface_distance.h). Called for samples of distance field solids.
#include "collision/narrow/surface_distance.h"

#include <algorithm>
#include <cmath>

#include "geometry/angle.h"
#include "geometry/triangle_tree.h"

namespace impuls::narrow {

namespace {

struct SurfacePoint {
    std::uint32_t triangle = ContactSurface::kNone;
    TrianglePoint at{};
    double distance = 0;
};

SurfacePoint nearest(const ContactSurface& s, const Vec3& p, double radius) {
    SurfacePoint best;
    best.distance = radius;
    const Vec3 r{radius, radius, radius};
    s.for_each_in({p - r, p + r}, [&](std::uint32_t t) {
        const auto& [a, b, c] = s.corners(t);
        const TrianglePoint q = closest_on_triangle(p, s.vertex(a), s.vertex(b), s.vertex(c));
        const double d = length(p - q.point);
        if (d < best.distance || (d == best.distance && t < best.triangle)) best = {t, q, d};
    });
    return best;
}

// Sum of the normals around a vertex, weighted by angle; whether the fan is open.
Vec3 vertex_normal(const ContactSurface& s, std::uint32_t v, bool& is_border) {
    Vec3 sum;
    s.for_each_in({s.vertex(v), s.vertex(v)}, [&](std::uint32_t t) {
        const auto& corners = s.corners(t);
        for (std::size_t i = 0; i < 3; ++i) {
            if (corners[i] != v) continue;
            const Vec3 u = s.vertex(corners[(i + 1) % 3]) - s.vertex(v);
            const Vec3 w = s.vertex(corners[(i + 2) % 3]) - s.vertex(v);
            sum += s.normal(t) * angle_between(u, w);
            is_border = is_border || s.neighbour(t, static_cast<int>(i)) == ContactSurface::kNone ||
                        s.neighbour(t, static_cast<int>((i + 2) % 3)) == ContactSurface::kNone;
        }
    });
    return normalized(sum);
}

Vec3 pseudo_normal(const ContactSurface& s, const SurfacePoint& n, bool& is_border) {
    const int f = static_cast<int>(n.at.feature);
    if (f == 0) return s.normal(n.triangle);
    if (f >= 4) return vertex_normal(s, s.corners(n.triangle)[static_cast<std::size_t>(f - 4)], is_border);
    const std::uint32_t other = s.neighbour(n.triangle, f - 1);
    is_border = other == ContactSurface::kNone;
    return is_border ? s.normal(n.triangle) : normalized(s.normal(n.triangle) + s.normal(other));
}

}  // namespace

PointOnSurface surface_distance(const ContactSurface& s, const Vec3& p, double first, double limit,
                                double tiny) {
    SurfacePoint n;
    for (double radius = std::min(first, limit);; radius = std::min(2 * radius, limit)) {
        n = nearest(s, p, radius);
        if (n.triangle != ContactSurface::kNone || !(radius < limit)) break;
    }
    if (n.triangle == ContactSurface::kNone) return {};
    bool is_border = false;
    const Vec3 normal = pseudo_normal(s, n, is_border), d = p - n.at.point;
    const double side = dot(d, normal), sign = side < 0 ? -1 : 1;
    const bool beside = is_border && std::abs(side) < 0.99 * n.distance;
    return {true, sign * n.distance, n.distance > tiny ? d * (sign / n.distance) : normal, beside};
}

}  // namespace impuls::narrow
