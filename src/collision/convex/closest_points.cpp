// Closest points of two convex colliders (closest_points.h).
#include "collision/convex/closest_points.h"

#include <algorithm>

#include "collision/convex/epa.h"

namespace impuls {
namespace {

void load(const GjkCache& cache, const MinkowskiDifference& difference, Simplex& s) {
    for (std::size_t i = 0; i < static_cast<std::size_t>(cache.count); ++i)
        s.push(difference.point(cache.a[i], cache.b[i]));
}

void store(const Simplex& s, GjkCache& cache) {
    cache.count = std::min(s.count, 3);
    for (std::size_t i = 0; i < static_cast<std::size_t>(cache.count); ++i) {
        cache.a[i] = s.points[i].a;
        cache.b[i] = s.points[i].p_B;
    }
}

// Closest points of the swept bodies from those of the cores.
Closest swept(const MinkowskiDifference& d, const Vec3& p_a, const Vec3& p_b, const Vec3& normal,
              double core_distance) {
    Closest c;
    c.normal = normal;
    c.distance = core_distance - d.a.radius - d.b.radius;
    c.p_a = p_a + normal * d.a.radius;
    c.p_b = p_b - normal * d.b.radius;
    return c;
}

}  // namespace

Closest closest_points(const ConvexCore& a, const ConvexCore& b, const Pose& X_AB, GjkCache* cache,
                       double give_up_beyond) {
    MinkowskiDifference difference(a, b, X_AB);
    Simplex s;
    if (cache) load(*cache, difference, s);
    const GjkResult found = gjk(difference, s, give_up_beyond + a.radius + b.radius);
    if (cache) store(s, *cache);
    Closest c;
    if (found.kind == GjkResult::Kind::Beyond) {
        c.beyond = true;
        c.distance = found.lower_bound - a.radius - b.radius;
        c.normal = normalized(-s.v);
    } else if (found.kind == GjkResult::Kind::Apart) {
        const double distance = length(s.v);
        c = swept(difference, s.point_a(), difference.in_a(s.point_b()), s.v / -distance, distance);
        c.ok = found.ok;
    } else {
        const Penetration deepest = penetration(difference, s);
        c = swept(difference, deepest.p_a, deepest.p_b, deepest.normal, -deepest.depth);
        c.ok = deepest.ok;
        c.iterations = deepest.iterations;
    }
    c.iterations += found.iterations;
    return c;
}

bool are_within(const ConvexCore& a, const ConvexCore& b, const Pose& X_AB, double limit, const Vec3& n) {
    MinkowskiDifference difference(a, b, X_AB);
    Simplex s;
    s.push(difference.support(n));
    const double most = limit + a.radius + b.radius;
    const GjkResult found = gjk(difference, s, most, most);
    return found.kind == GjkResult::Kind::Overlap ||
           (found.kind == GjkResult::Kind::Apart && length(s.v) <= most);
}

Closest closest_points(const Collider& a, const Pose& X_WA, const Collider& b, const Pose& X_WB,
                       GjkCache* cache, double give_up_beyond) {
    Closest c =
        closest_points(convex_core(a), convex_core(b), relative_pose(X_WA, X_WB), cache, give_up_beyond);
    c.normal = rotate(X_WA.orientation, c.normal);
    if (c.beyond) return c;
    c.p_a = X_WA * c.p_a;
    c.p_b = X_WA * c.p_b;
    return c;
}

}  // namespace impuls
