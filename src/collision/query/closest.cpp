// Closest points by kind of collider (closest.h).
#include "collision/query/closest.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "collision/query/ray.h"

namespace impuls {
namespace {

using Kind = ColliderKind;

bool is_surface(const Collider& c) {
    return c.kind == Kind::Mesh || c.kind == Kind::HeightField || c.kind == Kind::DistanceField;
}

Closest flipped(Closest c) {
    std::swap(c.p_a, c.p_b);
    c.normal = -c.normal;
    return c;
}

Closest too_far(double at_least) {
    Closest c;
    c.distance = at_least, c.beyond = true;
    return c;
}

// Point p at height h over the plane.
Closest over_plane(const Pose& X_WA, const Vec3& p, double limit) {
    Closest c;
    c.normal = rotate(X_WA.orientation, {0, 1, 0});
    c.distance = dot(c.normal, p - X_WA.position);
    c.p_b = p, c.p_a = p - c.normal * c.distance;
    c.beyond = c.distance > limit;
    return c;
}

Closest plane_convex(const Pose& X_WA, const Collider& b, const Pose& X_WB, double limit) {
    const ConvexCore core = convex_core(b);
    const Vec3 down = -rotate(X_WA.orientation, {0, 1, 0});
    std::uint32_t hint = 0;
    const Vec3 p = support_point(core, rotate_inverse(X_WB.orientation, down), hint);
    return over_plane(X_WA, X_WB * p + down * core.radius, limit);
}

Closest plane_surface(const Pose& X_WA, const ContactSurface& s, const Pose& X_WB, double limit) {
    const Vec3 up = rotate_inverse(X_WB.orientation, rotate(X_WA.orientation, {0, 1, 0}));
    const Vec3* lowest = nullptr;
    for (const Vec3& v : s.vertices())
        if (!lowest || dot(v, up) < dot(*lowest, up)) lowest = &v;
    return lowest ? over_plane(X_WA, X_WB * *lowest, limit) : too_far(kNoLimit);
}

// A triangle of a surface as a convex body.
struct TriangleCore {
    std::array<Vec3, 3> corners{};
    ConvexCore core{};

    TriangleCore(const ContactSurface& s, std::uint32_t t) {
        const auto& c = s.corners(t);
        for (std::size_t k = 0; k < 3; ++k) corners[k] = s.vertex(c[k]);
        core.kind = Kind::Convex;
        core.view.vertices = corners;
        core.center = core.view.center = (corners[0] + corners[1] + corners[2]) / 3;
        for (const Vec3& v : corners) core.reach = std::max(core.reach, length(v - core.center));
    }
    TriangleCore(const TriangleCore&) = delete;
    TriangleCore& operator=(const TriangleCore&) = delete;
};

// The nearest triangle of `s` to a convex core at X_SB. Boxes that grow until they hold a triangle give a
// bound, then all triangles within it are measured.
Closest surface_core(const ContactSurface& s, const ConvexCore& b, const Pose& X_SB, double limit) {
    Closest best = too_far(limit);
    const Vec3 center = X_SB * b.center;
    const double body = b.reach + b.radius;
    const auto search = [&](double radius) {
        s.for_each_in(box_around(center, body + radius), [&](std::uint32_t t) {
            const TriangleCore triangle(s, t);
            const double far = best.beyond ? limit : best.distance;
            const Closest c = closest_points(triangle.core, b, X_SB, nullptr, std::max(far, 0.0));
            if (!c.beyond && (best.beyond || c.distance < best.distance)) best = c;
        });
    };
    const double all = length(center) + s.radius();
    const double first = body > 0 ? body : s.radius() / std::sqrt(static_cast<double>(s.size()) + 1);
    for (double radius = first;; radius *= 2) {
        search(std::min(radius, limit));
        if (!best.beyond || radius >= limit || radius >= all) break;
    }
    if (!best.beyond && best.distance > 0) search(best.distance);
    return best;
}

// For a body wholly inside a: `c` has the surface's nearest point and the normal into the inside, `deepest`
// is the body's farthest point along it. The depth is that below the plane that touches the surface there.
Closest from_inside(Closest c, const Vec3& deepest) {
    const double depth = dot(deepest - c.p_a, c.normal);
    c.normal = -c.normal;
    c.p_b = deepest, c.p_a = deepest + c.normal * depth, c.distance = -depth;
    return c;
}

bool may_be_inside(const Closest& c, const Collider& a) {
    return (c.beyond || c.distance > 0) && a.surface->is_solid();
}

// A body that no triangle cuts is inside when one of its points is.
Closest solid_core(const Collider& a, const ConvexCore& b, const Pose& X_AB, double limit) {
    Closest c = surface_core(*a.surface, b, X_AB, limit);
    if (!may_be_inside(c, a) || !contains_point(a, {}, X_AB * b.center)) return c;
    if (c.beyond) c = surface_core(*a.surface, b, X_AB, kNoLimit);
    std::uint32_t hint = 0;
    const Vec3 p = X_AB * support_point(b, rotate_inverse(X_AB.orientation, c.normal), hint);
    return from_inside(c, p + c.normal * b.radius);
}

Closest into_world(Closest c, const Pose& X) {
    c.p_a = X * c.p_a, c.p_b = X * c.p_b, c.normal = rotate(X.orientation, c.normal);
    return c;
}

// In a's frame.
Closest surface_surface(const ContactSurface& a, const ContactSurface& b, const Pose& X_AB, double limit) {
    Closest best = too_far(limit);
    for (std::uint32_t t = 0; t < b.size(); ++t) {
        const TriangleCore triangle(b, t);
        const Closest c = surface_core(a, triangle.core, X_AB, best.beyond ? limit : best.distance);
        if (!c.beyond && (best.beyond || c.distance < best.distance)) best = c;
    }
    return best;
}

bool has_vertex_in(const Collider& a, const ContactSurface& b, const Pose& X_AB) {
    return a.surface->is_solid() && std::any_of(b.vertices().begin(), b.vertices().end(), [&](const Vec3& v) {
               return contains_point(a, {}, X_AB * v);
           });
}

// b, or a piece of it, is inside a; no triangles cross.
Closest surface_inside(const Collider& a, const ContactSurface& b, const Pose& X_AB) {
    const Closest c = surface_surface(*a.surface, b, X_AB, kNoLimit);
    Vec3 deepest = c.p_b;
    for (const Vec3& v : b.vertices())
        if (dot(X_AB * v - deepest, c.normal) > 0) deepest = X_AB * v;
    return from_inside(c, deepest);
}

Closest solid_solid(const Collider& a, const Pose& X_WA, const Collider& b, const Pose& X_WB, double limit) {
    const Pose X_AB = relative_pose(X_WA, X_WB), X_BA = relative_pose(X_WB, X_WA);
    const Closest c = surface_surface(*a.surface, *b.surface, X_AB, limit);
    if (c.beyond || c.distance > 0) {
        if (has_vertex_in(a, *b.surface, X_AB)) return into_world(surface_inside(a, *b.surface, X_AB), X_WA);
        if (has_vertex_in(b, *a.surface, X_BA))
            return flipped(into_world(surface_inside(b, *a.surface, X_BA), X_WB));
    }
    return into_world(c, X_WA);
}

}  // namespace

Aabb box_around(const Vec3& center, double radius) {
    const Vec3 r{radius, radius, radius};
    return {center - r, center + r};
}

Closest closest(const Collider& a, const Pose& X_WA, const Collider& b, const Pose& X_WB, double limit) {
    if (is_convex(a.kind) && is_convex(b.kind)) return closest_points(a, X_WA, b, X_WB, nullptr, limit);
    if (b.kind == Kind::Plane)
        return a.kind == Kind::Plane ? too_far(kNoLimit) : flipped(closest(b, X_WB, a, X_WA, limit));
    if (a.kind == Kind::Plane && is_convex(b.kind)) return plane_convex(X_WA, b, X_WB, limit);
    if (a.kind == Kind::Plane && is_surface(b)) return plane_surface(X_WA, *b.surface, X_WB, limit);
    if (is_surface(a) && is_surface(b)) return solid_solid(a, X_WA, b, X_WB, limit);
    if (is_surface(a) && is_convex(b.kind))
        return into_world(solid_core(a, convex_core(b), relative_pose(X_WA, X_WB), limit), X_WA);
    if (is_convex(a.kind) && is_surface(b)) return flipped(closest(b, X_WB, a, X_WA, limit));
    return too_far(kNoLimit);
}

bool contains_point(const Collider& c, const Pose& X_WC, const Vec3& point) {
    // A ray that starts inside reports it, whatever its direction.
    const Ray up{point, rotate(X_WC.orientation, {0, 1, 0}), kNoLimit};
    const RayHit hit = ray_cast(up, c, X_WC);
    return hit.hit && (hit.inside || hit.t == 0);
}

}  // namespace impuls
