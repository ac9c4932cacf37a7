// Choosing well-spread contact points (reduce.h): the farthest from the middle, the farthest from that one,
// the largest triangles to both sides of their line; all across the normal.
#include "collision/narrow/reduce.h"

#include <algorithm>
#include <cmath>

#include "base/assert.h"

namespace impuls {
namespace {

// The entry at or after `from` with the largest score comes to `from`; of nearly equal ones the lowest
// feature, so that rounding does not change the choice from step to step.
template <class Score>
void pick(std::span<ManifoldPoint> points, std::size_t from, Score&& score) {
    constexpr double kTie = 1e-3;
    double top = score(points[from]);
    for (std::size_t k = from + 1; k < points.size(); ++k) top = std::max(top, score(points[k]));
    std::size_t best = points.size();
    for (std::size_t k = from; k < points.size(); ++k)
        if (score(points[k]) >= top - kTie * std::abs(top) &&
            (best == points.size() || points[k].feature < points[best].feature))
            best = k;
    if (best < points.size()) std::swap(points[from], points[best]);
}

Vec3 across(const Vec3& v, const Vec3& normal) {
    return v - normal * dot(normal, v);
}

}  // namespace

int reduce(std::span<ManifoldPoint> points, const Vec3& normal, int limit, double tolerance) {
    IMPULS_ASSERT(limit > 0);
    const auto wanted = static_cast<std::size_t>(limit);
    if (points.size() <= wanted) return static_cast<int>(points.size());
    Vec3 middle;
    for (const ManifoldPoint& p : points) middle += p.position;
    middle = middle / static_cast<double>(points.size());
    const auto squared = [&](const ManifoldPoint& p, const Vec3& q) {
        return length_squared(across(p.position - q, normal));
    };
    pick(points, 0, [&](const ManifoldPoint& p) { return squared(p, middle); });
    const Vec3 first = points[0].position;
    pick(points, 1, [&](const ManifoldPoint& p) { return squared(p, first); });
    const Vec3 line = cross(normal, points[1].position - first);
    pick(points, 2, [&](const ManifoldPoint& p) { return dot(line, p.position - first); });
    pick(points, 3, [&](const ManifoldPoint& p) { return -dot(line, p.position - first); });
    std::size_t count = std::min<std::size_t>(4, wanted);
    double deepest = points[0].separation;
    for (std::size_t k = 1; k < count; ++k) deepest = std::min(deepest, points[k].separation);
    std::size_t deeper = points.size();
    for (std::size_t k = count; k < points.size(); ++k)
        if (points[k].separation < deepest - tolerance) deepest = points[k].separation, deeper = k;
    if (deeper < points.size()) {
        if (count < wanted) {
            std::swap(points[count++], points[deeper]);
        } else {
            std::swap(points[count - 1], points[deeper]);
        }
    }
    for (; count < wanted; ++count)
        pick(points, count, [&](const ManifoldPoint& p) {
            double nearest = squared(p, points[0].position);
            for (std::size_t k = 1; k < count; ++k)
                nearest = std::min(nearest, squared(p, points[k].position));
            return nearest;
        });
    return static_cast<int>(count);
}

void reduce(Manifold& m, int limit, double tolerance) {
    IMPULS_ASSERT(0 <= m.count && m.count <= kMaxManifoldPoints);
    m.count =
        reduce(std::span(m.points.data(), static_cast<std::size_t>(m.count)), m.normal, limit, tolerance);
}

}  // namespace impuls
