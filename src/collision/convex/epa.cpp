// Depth of penetration (epa.h).
#include "collision/convex/epa.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "collision/convex/gjk.h"
#include "collision/convex/polytope.h"

namespace impuls {
namespace {

constexpr double kFacetGap = 1e-13;  // of the size: a face counts as reached
constexpr double kCurvedGap = 1e-6;  // the same before the descent takes over
constexpr double kNoExtent = 1e-12;  // of the size: a difference thinner than this is flat
constexpr double kLift = 0.01;       // delta of the descent relative to the size
constexpr double kTurned = 1e-11;    // rad: the descent has arrived; the depth is then right to its square
constexpr int kMaxDescents = 60;

// Any unit vector across n.
Vec3 across(const Vec3& n) {
    const Vec3 m{std::abs(n.x), std::abs(n.y), std::abs(n.z)};
    const Vec3 axis = m.x <= m.y && m.x <= m.z ? Vec3{1, 0, 0} : m.y <= m.z ? Vec3{0, 1, 0} : Vec3{0, 0, 1};
    return normalized(cross(n, axis));
}

// Grows a simplex point by point, each the farthest from the span of those before.
struct Spanning {
    MinkowskiDifference& difference;
    std::array<MinkowskiPoint, 4> corners{};
    int count = 1;
    Vec3 normal{1, 0, 0};  // across all corners when the difference is flat

    template <std::size_t N, class Distance>
    bool add(const std::array<Vec3, N>& directions, const Distance& distance) {
        double best = kNoExtent * difference.scale();
        MinkowskiPoint farthest;
        for (const Vec3& d : directions) {
            for (const Vec3& e : {d, -d}) {
                const MinkowskiPoint p = difference.support(e);
                const double r = distance(p.w - corners[0].w);
                if (r > best) best = r, farthest = p, found = true;
            }
        }
        if (found) corners[static_cast<std::size_t>(count++)] = farthest;
        return std::exchange(found, false);
    }
    bool found = false;

    bool build(const MinkowskiPoint& first) {
        corners[0] = first;
        const std::array axes{Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}};
        if (!add(axes, [](const Vec3& r) { return length(r); })) return false;
        const Vec3 u = normalized(corners[1].w - corners[0].w), v = across(u);
        normal = v;
        if (!add(std::array{v, cross(u, v)}, [&](const Vec3& r) { return length(cross(u, r)); }))
            return false;
        const Vec3 n = normalized(cross(u, corners[2].w - corners[0].w));
        normal = n;
        return add(std::array{n}, [&](const Vec3& r) { return std::abs(dot(n, r)); });
    }
};

// Is the seed a tetrahedron with a volume worth its edges?
bool is_solid(const Simplex& s, double scale) {
    if (s.count < 4) return false;
    const Vec3 e = s.points[1].w - s.points[0].w, f = s.points[2].w - s.points[0].w,
               g = s.points[3].w - s.points[0].w;
    return std::abs(dot(cross(e, f), g)) > 1e-6 * scale * scale * scale;
}

Penetration from_simplex(const MinkowskiDifference& d, const Simplex& s, const Vec3& normal, double depth) {
    return {s.point_a(), d.in_a(s.point_b()), normal, depth};
}

// Flat differences hold the origin in their plane (or line, or point).
Penetration flat(const MinkowskiDifference& difference, const Simplex& seed, const Vec3& normal) {
    Simplex s = seed;
    if (s.count == 4) s.count = 3;
    reduce(s, false);
    return from_simplex(difference, s, normal, 0);
}

Penetration from_face(const MinkowskiDifference& d, const Polytope& polytope, const Polytope::Face& face,
                      double depth) {
    const auto weight = polytope.weights(face);
    Penetration out;
    Vec3 p_B;
    for (std::size_t k = 0; k < 3; ++k) {
        out.p_a += polytope.point(face.corner[k]).a * weight[k];
        p_B += polytope.point(face.corner[k]).p_B * weight[k];
    }
    out.p_b = d.in_a(p_B);
    out.normal = face.normal;
    out.depth = depth;
    return out;
}

// Directions that were tried, newest last, each with the slope of the support function there: the part of the
// support point across n. Where the depth is about a radius of curvature the descent creeps; the minimum is
// then extrapolated from the last three, as if the slope were an affine function of n (the secant method in
// the two directions across n).
struct Tried {
    std::array<Vec3, 3> normal, slope;
    int count = 0;

    void push(const Vec3& n, const Vec3& w) {
        if (count == 3) {
            std::rotate(normal.begin(), normal.begin() + 1, normal.end());
            std::rotate(slope.begin(), slope.begin() + 1, slope.end());
        }
        count = std::min(count + 1, 3);
        const auto last = static_cast<std::size_t>(count - 1);
        normal[last] = n, slope[last] = w - n * dot(n, w);
    }
    // Where the slope vanishes; zero when that cannot be told or is a saddle.
    Vec3 minimum() const {
        if (count < 3) return {};
        const Vec3 m1 = normal[2] - normal[1], m2 = normal[2] - normal[0];
        const Vec3 d1 = slope[2] - slope[1], d2 = slope[2] - slope[0];
        const double a = dot(d1, d1), b = dot(d1, d2), c = dot(d2, d2), det = a * c - b * b;
        const double r1 = dot(d1, slope[2]), r2 = dot(d2, slope[2]);
        if (!(a > 0)) return {};
        if (!(det > 1e-12 * a * c)) return normal[2] - m1 * (r1 / a);
        if (dot(cross(m1, m2), cross(d1, d2)) < 0) return {};
        return normal[2] - m1 * ((r1 * c - r2 * b) / det) - m2 * ((r2 * a - r1 * b) / det);
    }
};

// Moves to the minimum of the support function near p.normal.
void descend(MinkowskiDifference& difference, Penetration& p) {
    const Vec3 origin = difference.p_AB;
    const double lift = kLift * difference.scale();
    Simplex s;
    Tried tried;
    for (int k = 0; k < kMaxDescents; ++k) {
        difference.p_AB = origin + p.normal * (p.depth + lift);
        for (int i = 0; i < s.count; ++i) {
            MinkowskiPoint& m = s.points[static_cast<std::size_t>(i)];
            m = difference.point(m.a, m.p_B);
        }
        const GjkResult found = gjk(difference, s);
        difference.p_AB = origin;
        p.iterations += found.iterations;
        if (found.kind != GjkResult::Kind::Apart) return;
        const Vec3 normal = s.v / -length(s.v);
        const MinkowskiPoint deepest = difference.support(normal);
        const double depth = dot(normal, deepest.w);
        p.p_a = s.point_a(), p.p_b = difference.in_a(s.point_b());
        if (depth > p.depth) return;
        const double turned = length_squared(normal - p.normal);
        p.normal = normal, p.depth = depth;
        if (turned < kTurned * kTurned) return;
        tried.push(normal, deepest.w);
        const Vec3 ahead = tried.minimum();
        if (ahead == Vec3{}) continue;
        const Vec3 n = normalized(ahead);
        const MinkowskiPoint there = difference.support(n);
        if (!(dot(n, there.w) <= p.depth)) continue;
        p.normal = n, p.depth = dot(n, there.w);
        tried.push(n, there.w);
        if (length(there.w - n * p.depth) > kTurned * difference.scale()) continue;
        p.p_a = there.a, p.p_b = difference.in_a(there.p_B);
        return;
    }
}

}  // namespace

Penetration penetration(MinkowskiDifference& difference, const Simplex& seed) {
    const double scale = difference.scale();
    const bool facets = difference.a.has_facets && difference.b.has_facets;
    Spanning span{difference};
    if (is_solid(seed, scale))
        span.corners = seed.points;
    else if (!span.build(seed.points[0]))
        return flat(difference, seed, span.normal);
    Polytope polytope(span.corners, scale);
    Penetration out;
    double gap = 0;
    for (int k = 0;; ++k) {
        const Polytope::Face& face = polytope.nearest_face();
        const MinkowskiPoint p = difference.support(face.normal);
        const double depth = dot(face.normal, p.w);
        gap = depth - face.offset;
        if (k == 0 || depth < out.depth || gap <= kFacetGap * scale)
            out = from_face(difference, polytope, face, depth);
        out.iterations = k;
        if (gap <= (facets ? kFacetGap : kCurvedGap) * scale) break;
        if (polytope.is_full() || !polytope.expand(face, p)) break;
    }
    out.ok = gap <= kCurvedGap * scale;
    // Among coplanar triangles the chosen one need not lie over the origin: its points then don't match.
    const Vec3 mismatch = out.p_a - out.p_b - out.normal * out.depth;
    if (gap > kFacetGap * scale || length(mismatch) > kNoExtent * scale) descend(difference, out);
    // Where the polytope was not fine enough to tell minima apart: most shapes are symmetric about their
    // centres, and the minimum across from this one may be as good.
    if (!out.ok) {
        Penetration across = out;
        across.normal = -out.normal;
        across.depth = dot(across.normal, difference.support(across.normal).w);
        if (across.depth - out.depth < gap) descend(difference, across);
        if (across.depth < out.depth) out = across;
        out.iterations = across.iterations;
    }
    return out;
}

}  // namespace impuls
