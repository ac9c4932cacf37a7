// GJK (gjk.h).
#include "collision/convex/gjk.h"

#include <algorithm>
#include <cmath>

#include "collision/convex/epa.h"

namespace impuls {
namespace {

constexpr int kMaxIterations = 200;
constexpr double kGap = 1e-14;       // duality gap relative to the size
constexpr double kTouching = 4e-15;  // nearer than this, relative to the size, the direction is rounding

void start(MinkowskiDifference& difference, Simplex& s) {
    const Vec3 to_b = difference.in_a(difference.b.center) - difference.a.center;
    s.push(difference.support(length_squared(to_b) > 0 ? to_b : Vec3{1, 0, 0}));
}

void load(const GjkCache& cache, const MinkowskiDifference& difference, Simplex& s) {
    for (std::size_t i = 0; i < static_cast<std::size_t>(cache.count); ++i)
        s.push(difference.point(cache.a[i], cache.b[i]));
}

void store(const Simplex& s, GjkCache& cache) {
    cache.count = std::min(s.count, 3);
    for (std::size_t i = 0; i < static_cast<std::size_t>(cache.count); ++i)
        cache.a[i] = s.points[i].a, cache.b[i] = s.points[i].p_B;
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

GjkResult gjk(MinkowskiDifference& difference, Simplex& s, double give_up_beyond, double enough) {
    GjkResult out;
    if (s.count == 0) start(difference, s);
    if (reduce(s, false)) return {GjkResult::Kind::Overlap};
    const double scale = difference.scale() + length(difference.p_AB);
    double vv = dot(s.v, s.v);
    for (;; ++out.iterations) {
        const double distance = std::sqrt(vv);
        if (distance <= kTouching * scale) return {GjkResult::Kind::Overlap, true, 0, out.iterations};
        if (distance <= enough) return out;
        const MinkowskiPoint p = difference.support(-s.v);
        const double bound = dot(s.v, p.w) / distance;
        out.lower_bound = std::max(out.lower_bound, bound);
        if (bound > give_up_beyond) return {GjkResult::Kind::Beyond, true, bound, out.iterations};
        // Without progress: apart when -v separates at all, otherwise the origin is inside a thin
        // tetrahedron.
        const auto stalled = [&] { return out.kind = bound > 0 ? out.kind : GjkResult::Kind::Overlap, out; };
        if (distance - bound <= kGap * scale) return out;
        if (s.holds(p.w)) return stalled();
        if (out.iterations == kMaxIterations) return out.ok = false, out;
        const Simplex before = s;
        s.push(p);
        if (reduce(s, true)) return {GjkResult::Kind::Overlap, true, 0, out.iterations};
        const double next = dot(s.v, s.v);
        if (!(next < vv)) return s = before, stalled();
        vv = next;
    }
}

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
