// Signed distances by kind. Solids of revolution are solved in the half-plane (distance from the axis,
// height). Called for samples of distance field solids.
#include "collision/narrow/point_distance.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace impuls::narrow {

namespace {

PointDistance from_nearest(const Vec3& p, const Vec3& q, const Vec3& fallback, double size) {
    const Vec3 d = p - q;
    const double n = length(d);
    return n > 1e-12 * size ? PointDistance{n, d / n} : PointDistance{n, fallback};
}

PointDistance to_box(const Vec3& half, const Vec3& p) {
    const Vec3 q{std::clamp(p.x, -half.x, half.x), std::clamp(p.y, -half.y, half.y),
                 std::clamp(p.z, -half.z, half.z)};
    int axis = 0;
    double least = std::numeric_limits<double>::infinity();
    for (int i = 0; i < 3; ++i)
        if (half[i] - std::abs(p[i]) < least) least = half[i] - std::abs(p[i]), axis = i;
    Vec3 normal;
    normal[axis] = p[axis] < 0 ? -1 : 1;
    if (q == p) return {-least, normal};
    return from_nearest(p, q, normal, half[axis]);
}

struct Flat {
    double r, y;
};
double dot(Flat a, Flat b) {
    return a.r * b.r + a.y * b.y;
}

// Distance in the half-plane from the segments of an outline run through counter-clockwise (outside on the
// right); `inside` decides the sign. Returns the gradient in `normal`.
double to_outline(Flat p, const Flat* corner, int count, bool inside, double size, Flat& normal) {
    double best = std::numeric_limits<double>::infinity();
    for (int i = 0; i + 1 < count; ++i) {
        const Flat e{corner[i + 1].r - corner[i].r, corner[i + 1].y - corner[i].y};
        const Flat d{p.r - corner[i].r, p.y - corner[i].y};
        const double t = std::clamp(dot(d, e) / dot(e, e), 0.0, 1.0);
        const Flat off{d.r - e.r * t, d.y - e.y * t};
        const double distance = std::sqrt(dot(off, off));
        if (!(distance < best)) continue;
        best = distance;
        const double l = std::sqrt(dot(e, e)), sign = inside ? -1 : 1;
        normal = distance > 1e-12 * size ? Flat{off.r * sign / distance, off.y * sign / distance}
                                         : Flat{e.y / l, -e.r / l};
    }
    return inside ? -best : best;
}

PointDistance revolved(const Collider& c, const Vec3& p) {
    const double rho = std::sqrt(p.x * p.x + p.z * p.z), R = c.radius, h = c.half.y;
    const Vec3 out = rho > 0 ? Vec3{p.x / rho, 0, p.z / rho} : Vec3{1, 0, 0};
    Flat n{};
    double distance = 0;
    if (c.kind == ColliderKind::Cylinder) {
        const Flat outline[] = {{0, -h}, {R, -h}, {R, h}, {0, h}};
        distance = to_outline({rho, p.y}, outline, 4, rho < R && std::abs(p.y) < h, c.size, n);
    } else {
        const Flat outline[] = {{0, -h}, {R, -h}, {0, h}};
        const bool inside = p.y > -h && rho * 2 * h < R * (h - p.y);
        distance = to_outline({rho, p.y}, outline, 3, inside, c.size, n);
    }
    return {distance, out * n.r + Vec3{0, n.y, 0}};
}

// Nearest point q with q_i = r_i^2 p_i / (t + r_i^2), t the largest root of sum (r_i p_i / (t + r_i^2))^2 = 1
// (Eberly, Distance from a point to an ellipse, an ellipsoid, or a hyperellipsoid, 2013). The sum is convex
// and falling right of its last pole, so Newton's method from the left of the root never passes it.
PointDistance to_ellipsoid(const Vec3& r, const Vec3& at) {
    const double least = std::min({r.x, r.y, r.z});
    Vec3 p = at;
    for (int i = 0; i < 3; ++i)
        if (std::abs(p[i]) < 1e-9 * r[i]) p[i] = p[i] < 0 ? -1e-9 * r[i] : 1e-9 * r[i];
    double t = -least * least;
    for (int i = 0; i < 3; ++i) t = std::max(t, r[i] * std::abs(p[i]) - r[i] * r[i]);
    for (int round = 0; round < 60; ++round) {
        double f = -1, slope = 0;
        for (int i = 0; i < 3; ++i) {
            const double below = t + r[i] * r[i], ratio = r[i] * p[i] / below;
            f += ratio * ratio;
            slope -= 2 * ratio * ratio / below;
        }
        const double next = t - f / slope;
        if (!(next > t)) break;
        t = next;
    }
    Vec3 q, n;
    for (int i = 0; i < 3; ++i)
        q[i] = r[i] * r[i] * p[i] / (t + r[i] * r[i]), n[i] = q[i] * (least / r[i]) * (1 / r[i]);
    const double distance = length(p - q);
    return {t < 0 ? -distance : distance, normalized(n)};
}

Vec3 nearest_of_face(const PolyhedronView& v, std::size_t f, const Vec3& p) {
    const Vec3& n = v.planes[f].normal;
    const auto corners = v.face(f);
    Vec3 best = p - n * (dot(n, p) - v.planes[f].offset);
    double nearest = std::numeric_limits<double>::infinity();
    bool is_inside = true;
    const Vec3 projected = best;
    for (std::size_t k = 0; k < corners.size(); ++k) {
        const Vec3& a = v.vertices[corners[k]];
        const Vec3 e = v.vertices[corners[(k + 1) % corners.size()]] - a;
        if (dot(cross(e, projected - a), n) >= 0) continue;
        is_inside = false;
        const Vec3 q = a + e * std::clamp(dot(projected - a, e) / length_squared(e), 0.0, 1.0);
        if (length_squared(p - q) < nearest) nearest = length_squared(p - q), best = q;
    }
    return is_inside ? projected : best;
}

PointDistance to_convex(const Polyhedron& polyhedron, const Vec3& p) {
    const PolyhedronView v = polyhedron.view();
    PointDistance deepest{-std::numeric_limits<double>::infinity(), {}};
    Vec3 nearest;
    double distance_squared = std::numeric_limits<double>::infinity();
    for (std::size_t f = 0; f < v.face_count(); ++f) {
        const double d = dot(v.planes[f].normal, p) - v.planes[f].offset;
        if (d > deepest.distance) deepest = {d, v.planes[f].normal};
        if (d <= 0) continue;
        const Vec3 q = nearest_of_face(v, f, p);
        if (length_squared(p - q) < distance_squared) distance_squared = length_squared(p - q), nearest = q;
    }
    if (deepest.distance <= 0) return deepest;
    return from_nearest(p, nearest, deepest.normal, polyhedron.in_radius);
}

}  // namespace

PointDistance point_distance(const Collider& c, const Vec3& p) {
    switch (c.kind) {
        case ColliderKind::Plane:
            return {p.y, {0, 1, 0}};
        case ColliderKind::Box:
            return to_box(c.half, p);
        case ColliderKind::Cylinder:
        case ColliderKind::Cone:
            return revolved(c, p);
        case ColliderKind::Ellipsoid:
            return to_ellipsoid(c.half, p);
        case ColliderKind::Convex:
            return to_convex(*c.polyhedron, p);
        default:
            break;
    }
    const double h = c.kind == ColliderKind::Capsule ? c.half.y : 0;
    PointDistance d = from_nearest(p, {0, std::clamp(p.y, -h, h), 0}, {1, 0, 0}, c.size);
    d.distance -= c.radius;
    return d;
}

double distance_bound(const Collider& c, const Vec3& p) {
    if (c.kind == ColliderKind::Ellipsoid) return length(p) - std::max({c.half.x, c.half.y, c.half.z});
    if (c.kind != ColliderKind::Convex) return point_distance(c, p).distance;
    double most = -std::numeric_limits<double>::infinity();
    for (const HullPlane& plane : c.polyhedron->hull.planes)
        most = std::max(most, dot(plane.normal, p) - plane.offset);
    return most;
}

}  // namespace impuls::narrow
