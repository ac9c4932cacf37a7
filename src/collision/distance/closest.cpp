// Closest points by kind of collider (closest.h).
#include "collision/distance/closest.h"

#include <algorithm>
#include <cmath>

#include "collision/distance/piece_search.h"
#include "collision/ray/ray.h"

namespace impuls {
namespace {

using Kind = ColliderKind;

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

// In a's frame.
struct DistanceCost {
    double operator()(double gap, const Vec3&) const { return gap; }
    double reach(double distance) const { return std::max(distance, 0.0); }
    double enough(double distance) const { return distance; }
};
Closest nearest_pieces(const Collider& a, const Collider& b, const Pose& X_AB, double limit) {
    const Pieces pieces_a(a), pieces_b(b);
    return PieceSearch(pieces_a, pieces_b, X_AB, DistanceCost{}, limit).found();
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
Closest solid_core(const Collider& a, const Collider& b, const Pose& X_AB, double limit) {
    Closest c = nearest_pieces(a, b, X_AB, limit);
    const ConvexCore core = convex_core(b);
    if (!may_be_inside(c, a) || !contains_point(a, {}, X_AB * core.center)) return c;
    if (c.beyond) c = nearest_pieces(a, b, X_AB, kNoLimit);
    std::uint32_t hint = 0;
    const Vec3 p = X_AB * support_point(core, rotate_inverse(X_AB.orientation, c.normal), hint);
    return from_inside(c, p + c.normal * core.radius);
}

// Of a piece of b that no triangle of a closed mesh cuts all is inside when one vertex is. A height field has
// no walls: there every vertex is asked.
bool has_vertex_in(const Collider& a, const ContactSurface& b, const Pose& X_AB) {
    const auto is_in = [&](const Vec3& v) { return contains_point(a, {}, X_AB * v); };
    if (!a.surface->is_solid()) return false;
    if (a.kind == Kind::HeightField) return std::any_of(b.vertices().begin(), b.vertices().end(), is_in);
    return std::any_of(b.pieces().begin(), b.pieces().end(),
                       [&](std::uint32_t v) { return is_in(b.vertex(v)); });
}

// b, or a piece of it, is inside a; no triangles cross.
Closest surface_inside(const Collider& a, const Collider& b, const Pose& X_AB) {
    const Closest c = nearest_pieces(a, b, X_AB, kNoLimit);
    Vec3 deepest = c.p_b;
    for (const Vec3& v : b.surface->vertices())
        if (dot(X_AB * v - deepest, c.normal) > 0) deepest = X_AB * v;
    return from_inside(c, deepest);
}

Closest solid_solid(const Collider& a, const Pose& X_WA, const Collider& b, const Pose& X_WB, double limit) {
    const Pose X_AB = relative_pose(X_WA, X_WB), X_BA = relative_pose(X_WB, X_WA);
    const Closest c = nearest_pieces(a, b, X_AB, limit);
    if (c.beyond || c.distance > 0) {
        if (has_vertex_in(a, *b.surface, X_AB)) return into_world(surface_inside(a, b, X_AB), X_WA);
        if (has_vertex_in(b, *a.surface, X_BA)) return flipped(into_world(surface_inside(b, a, X_BA), X_WB));
    }
    return into_world(c, X_WA);
}

}  // namespace

Closest into_world(Closest c, const Pose& X) {
    if (c.beyond) return c;
    c.p_a = X * c.p_a, c.p_b = X * c.p_b, c.normal = rotate(X.orientation, c.normal);
    return c;
}

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
        return into_world(solid_core(a, b, relative_pose(X_WA, X_WB), limit), X_WA);
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
