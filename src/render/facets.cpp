// Surfaces for drawing (facets.h).
#include "render/facets.h"

#include <algorithm>
#include <cmath>

#include "geometry/tessellate.h"

namespace impuls {

namespace {

constexpr double kSmooth = 0.766;  // cosine of 40 degrees

Vec3 area_of(const TriangleMesh& mesh, const std::array<std::uint32_t, 3>& t) {
    return cross(mesh.vertices[t[1]] - mesh.vertices[t[0]], mesh.vertices[t[2]] - mesh.vertices[t[0]]);
}

// The rotation that takes +y to a direction.
Quat from_y(const Vec3& axis) {
    const Vec3 u = normalized(axis);
    if (u.y < -1 + 1e-9) return {0, 1, 0, 0};
    const Vec3 c = cross({0, 1, 0}, u);
    return normalized(Quat{1 + u.y, c.x, c.y, c.z});
}

void append_shape(Facets& out, const Shape& shape, const Pose& pose, int segments) {
    for (Facet facet : smooth_facets(tessellate(shape, segments))) {
        for (Vec3& p : facet.p) p = pose * p;
        for (Vec3& n : facet.n) n = rotate(pose.orientation, n);
        out.push_back(facet);
    }
}

}  // namespace

Facets smooth_facets(const TriangleMesh& mesh) {
    std::vector<Vec3> areas, units;
    std::vector<std::uint32_t> first(mesh.vertices.size() + 1, 0), around;
    for (const auto& t : mesh.triangles) {
        areas.push_back(area_of(mesh, t));
        units.push_back(normalized(areas.back()));
        for (const std::uint32_t v : t) ++first[v + 1];
    }
    for (std::size_t v = 1; v < first.size(); ++v) first[v] += first[v - 1];
    around.resize(3 * mesh.triangles.size());
    std::vector<std::uint32_t> next(first.begin(), first.end() - 1);
    for (std::uint32_t k = 0; k < mesh.triangles.size(); ++k)
        for (const std::uint32_t v : mesh.triangles[k]) around[next[v]++] = k;
    Facets out;
    out.reserve(mesh.triangles.size());
    for (std::size_t k = 0; k < mesh.triangles.size(); ++k) {
        if (length_squared(areas[k]) == 0) continue;
        Facet facet;
        for (std::size_t c = 0; c < 3; ++c) {
            const std::uint32_t v = mesh.triangles[k][c];
            facet.p[c] = mesh.vertices[v];
            for (std::uint32_t at = first[v]; at < first[v + 1]; ++at)
                if (dot(units[around[at]], units[k]) > kSmooth) facet.n[c] += areas[around[at]];
            facet.n[c] = normalized(facet.n[c]);
        }
        out.push_back(facet);
    }
    return out;
}

Vec3 square_to(const Vec3& axis) {
    const Vec3 other = std::abs(axis.x) < 0.6 * length(axis) ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
    return normalized(cross(axis, other));
}

void append_ball(Facets& out, const Vec3& center, double radius) {
    append_shape(out, Sphere{radius}, {center, {}}, 16);
}

void append_tube(Facets& out, const std::vector<Vec3>& points, double radius, int segments) {
    if (points.empty()) return;
    for (const Vec3& end : {points.front(), points.back()})
        append_shape(out, Sphere{radius}, {end, {}}, segments);
    for (std::size_t k = 1; k < points.size(); ++k) {
        const Vec3 way = points[k] - points[k - 1];
        if (!(length_squared(way) > 0)) continue;
        append_shape(out, Cylinder{radius, length(way)}, {0.5 * (points[k] + points[k - 1]), from_y(way)},
                     segments);
    }
}

void append_cylinder(Facets& out, const Vec3& center, const Vec3& axis, double radius, double height) {
    append_shape(out, Cylinder{radius, height}, {center, from_y(axis)}, 20);
}

void append_cone(Facets& out, const Vec3& base, const Vec3& tip, double radius) {
    append_shape(out, Cone{radius, length(tip - base)}, {0.5 * (base + tip), from_y(tip - base)}, 20);
}

void append_box(Facets& out, const Vec3& center, const Quat& orientation, const Vec3& size) {
    append_shape(out, Box{size}, {center, orientation}, 4);
}

void append_arrow(Facets& out, const Vec3& from, const Vec3& to, double radius) {
    const double reach = length(to - from), head = std::min(0.4 * reach, 5 * radius);
    if (!(reach > 0)) return;
    const Vec3 neck = to - head / reach * (to - from);
    append_tube(out, {from, neck}, radius);
    append_cone(out, neck, to, 2.4 * radius);
}

}  // namespace impuls
