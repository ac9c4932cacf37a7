// Convex hulls: scaling for Qhull, canonical order, planes and edges (see hull.h).
#include "geometry/hull.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "base/assert.h"
#include "geometry/qhull_faces.h"

namespace impuls {
namespace {

using Cycle = std::vector<std::uint32_t>;

constexpr std::size_t kMaxPoints = std::numeric_limits<int>::max() / 16;

// x -> 2^-exponent (x - center): brings the points into [-1, 1]. The power of two costs no accuracy.
struct Unit {
    Vec3 center;
    int exponent = 0;

    Vec3 into(const Vec3& p) const {
        const Vec3 d = p - center;
        return {std::ldexp(d.x, -exponent), std::ldexp(d.y, -exponent), std::ldexp(d.z, -exponent)};
    }
};

// False when the points do not span a finite, non-zero box.
bool find_unit(std::span<const Vec3> points, Unit& unit) {
    Vec3 low = points[0], high = points[0];
    for (const Vec3& p : points) {
        for (int i = 0; i < 3; ++i) {
            low[i] = std::min(low[i], p[i]);
            high[i] = std::max(high[i], p[i]);
        }
    }
    const Vec3 size = high - low;
    const double extent = std::max({size.x, size.y, size.z});
    unit.center = low * 0.5 + high * 0.5;
    std::frexp(extent, &unit.exponent);
    return std::isfinite(extent) && extent > 0;
}

// Keeps the corners, in input order, and renumbers the faces.
void take_vertices(std::span<const Vec3> points, std::vector<Cycle>& faces, Hull& hull) {
    for (const Cycle& face : faces) hull.source.insert(hull.source.end(), face.begin(), face.end());
    std::sort(hull.source.begin(), hull.source.end());
    hull.source.erase(std::unique(hull.source.begin(), hull.source.end()), hull.source.end());
    for (const std::uint32_t i : hull.source) hull.vertices.push_back(points[i]);
    for (Cycle& face : faces) {
        for (std::uint32_t& i : face) {
            const auto at = std::lower_bound(hull.source.begin(), hull.source.end(), i);
            IMPULS_ASSERT(at != hull.source.end() && *at == i);
            i = static_cast<std::uint32_t>(at - hull.source.begin());
        }
    }
}

// Canonical order: every face begins at its lowest vertex, faces follow each other lexicographically.
void take_faces(std::vector<Cycle>& faces, Hull& hull) {
    for (Cycle& face : faces)
        std::rotate(face.begin(), std::min_element(face.begin(), face.end()), face.end());
    std::sort(faces.begin(), faces.end());
    hull.first_corner.push_back(0);
    for (const Cycle& face : faces) {
        hull.corners.insert(hull.corners.end(), face.begin(), face.end());
        hull.first_corner.push_back(static_cast<std::uint32_t>(hull.corners.size()));
    }
}

// Planes from the area vectors of the scaled polygons (Newell's sum as a fan, which has no cancellation on a
// convex polygon); the offset is that of the outermost corner.
void make_planes(const Unit& unit, Hull& hull) {
    const std::size_t count = hull.first_corner.size() - 1;
    hull.planes.resize(count);
    for (std::size_t f = 0; f < count; ++f) {
        const auto face = hull.face(f);
        IMPULS_ASSERT(face.size() >= 3);
        const Vec3 origin = unit.into(hull.vertices[face[0]]);
        Vec3 area;
        for (std::size_t i = 2; i < face.size(); ++i) {
            area += cross(unit.into(hull.vertices[face[i - 1]]) - origin,
                          unit.into(hull.vertices[face[i]]) - origin);
        }
        HullPlane& plane = hull.planes[f];
        plane.normal = normalized(area);
        double offset = dot(plane.normal, origin);
        for (const std::uint32_t i : face)
            offset = std::max(offset, dot(plane.normal, unit.into(hull.vertices[i])));
        plane.offset = std::ldexp(offset, unit.exponent) + dot(plane.normal, unit.center);
    }
}

// Pairs every directed edge with its opposite; false when the faces do not close up.
bool make_edges(Hull& hull) {
    std::vector<std::array<std::uint32_t, 4>> runs;  // low, high, 0 if run upwards else 1, face
    for (std::size_t f = 0; f < hull.face_count(); ++f) {
        const auto face = hull.face(f);
        for (std::size_t i = 0; i < face.size(); ++i) {
            const std::uint32_t a = face[i], b = face[(i + 1) % face.size()];
            runs.push_back({std::min(a, b), std::max(a, b), a < b ? 0u : 1u, static_cast<std::uint32_t>(f)});
        }
    }
    std::sort(runs.begin(), runs.end());
    if (runs.size() % 2 != 0) return false;
    for (std::size_t i = 0; i < runs.size(); i += 2) {
        const auto &up = runs[i], &down = runs[i + 1];
        if (up[0] != down[0] || up[1] != down[1] || up[2] != 0 || down[2] != 1) return false;
        if (i > 0 && up[0] == runs[i - 1][0] && up[1] == runs[i - 1][1]) return false;
        hull.edges.push_back({up[0], up[1], up[3], down[3]});
    }
    return hull.vertices.size() + hull.face_count() == hull.edges.size() + 2;  // Euler
}

HullResult failed(std::string why) {
    return {{}, std::move(why)};
}

}  // namespace

HullResult convex_hull(std::span<const Vec3> points) {
    if (points.size() < 4) return failed(fmt::format("{} points are fewer than 4", points.size()));
    if (points.size() > kMaxPoints) return failed(fmt::format("{} points are too many", points.size()));
    if (!std::all_of(points.begin(), points.end(), [](const Vec3& p) { return is_finite(p); }))
        return failed("a point is not finite");
    Unit unit;
    if (!find_unit(points, unit)) return failed("the points are all the same, or too far apart");

    std::vector<double> coordinates;
    coordinates.reserve(3 * points.size());
    for (const Vec3& p : points) {
        const Vec3 u = unit.into(p);
        coordinates.insert(coordinates.end(), {u.x, u.y, u.z});
    }
    auto [faces, error] = qhull_faces(coordinates);
    if (!error.empty()) return failed(std::move(error));

    HullResult result;
    take_vertices(points, faces, result.hull);
    take_faces(faces, result.hull);
    make_planes(unit, result.hull);
    if (!make_edges(result.hull))
        return failed("no convex hull within rounding accuracy (faces do not close)");
    return result;
}

}  // namespace impuls
