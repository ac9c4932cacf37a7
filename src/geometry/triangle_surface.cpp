// Neighbours by sorted edges, pseudo-normals, and the sign of a distance.
// Called by distance fields and surface samples.
#include "geometry/triangle_surface.h"

#include <algorithm>
#include <cmath>

#include "base/assert.h"
#include "geometry/angle.h"
#include "geometry/edge_runs.h"
#include "geometry/weld.h"

namespace impuls {

namespace {

void find_neighbours(TriangleSurface& s) {
    s.neighbours.assign(s.triangles.size(), {kNoTriangle, kNoTriangle, kNoTriangle});
    s.is_manifold = !s.triangles.empty();
    const std::vector<EdgeRun> runs = sorted_edge_runs(s.triangles);
    for (std::size_t i = 0, end = 0; i < runs.size(); i = end) {
        const EdgeRun& a = runs[i];
        for (end = i + 1; end < runs.size() && runs[end].is_along(a);) ++end;
        const bool paired = end - i == 2 && a.upwards != runs[i + 1].upwards && a.low != a.high;
        if (paired) {
            s.neighbours[a.triangle][a.edge] = runs[i + 1].triangle;
            s.neighbours[runs[i + 1].triangle][runs[i + 1].edge] = a.triangle;
        } else {
            s.is_manifold = false;
        }
    }
}

void find_normals(TriangleSurface& s) {
    s.vertex_normals.assign(s.vertices.size(), {});
    for (std::uint32_t t = 0; t < s.triangles.size(); ++t) {
        const auto& [a, b, c] = s.triangles[t];
        const Vec3 p[3] = {s.vertices[a], s.vertices[b], s.vertices[c]};
        // In units of the longest side, so that squares of small lengths do not vanish.
        const Vec3 n = normalized(cross((p[1] - p[0]) / s.size, (p[2] - p[0]) / s.size));
        s.face_normals.push_back(n);
        for (std::size_t i = 0; i < 3; ++i) {
            const std::uint32_t v = s.triangles[t][i];
            s.vertex_normals[v] +=
                n * angle_between((p[(i + 1) % 3] - p[i]) / s.size, (p[(i + 2) % 3] - p[i]) / s.size);
        }
    }
    for (Vec3& n : s.vertex_normals) n = normalized(n);
    s.edge_normals.resize(s.triangles.size());
    for (std::uint32_t t = 0; t < s.triangles.size(); ++t)
        for (std::size_t i = 0; i < 3; ++i) {
            const std::uint32_t other = s.neighbours[t][i];
            // Lower triangle first: both see the same bits.
            const Vec3 n = other == kNoTriangle
                               ? s.face_normals[t]
                               : s.face_normals[std::min(t, other)] + s.face_normals[std::max(t, other)];
            s.edge_normals[t][i] = normalized(n);
        }
}

Vec3 pseudo_normal(const TriangleSurface& s, const ClosestOnMesh& q) {
    IMPULS_ASSERT_INDEX(q.triangle, s.triangles.size());
    const auto f = static_cast<std::size_t>(q.feature);
    if (f == 0) return s.face_normals[q.triangle];
    return f < 4 ? s.edge_normals[q.triangle][f - 1] : s.vertex_normals[s.triangles[q.triangle][f - 4]];
}

}  // namespace

TriangleSurface make_surface(TriangleMesh mesh) {
    TriangleSurface s;
    s.vertices = std::move(mesh.vertices);
    const std::vector<std::uint32_t> weld = welded(s.vertices);
    for (const TriangleCorners& t : mesh.triangles)
        s.triangles.push_back({weld[t[0]], weld[t[1]], weld[t[2]]});
    s.tree.build(s.vertices, s.triangles);
    const Aabb box = s.tree.bounds();
    s.size =
        s.tree.empty() ? 0 : std::max({box.max.x - box.min.x, box.max.y - box.min.y, box.max.z - box.min.z});
    find_neighbours(s);
    find_normals(s);
    return s;
}

bool is_flat_edge(const TriangleSurface& s, std::uint32_t triangle, int i) {
    IMPULS_ASSERT_INDEX(triangle, s.triangles.size());
    IMPULS_ASSERT_INDEX(i, 3);
    const std::uint32_t other = s.neighbours[triangle][static_cast<std::size_t>(i)];
    if (other == kNoTriangle) return false;
    return length_squared(s.face_normals[triangle] - s.face_normals[other]) <= 2e-10;
}

SurfaceDistance signed_distance(const TriangleSurface& s, const Vec3& p, double limit) {
    const ClosestOnMesh q = s.tree.closest(p, limit * limit);
    if (q.triangle == kNoTriangle) return {};
    const double distance = std::sqrt(q.distance_squared);
    return {dot(p - q.point, pseudo_normal(s, q)) < 0 ? -distance : distance, q.point, q.triangle};
}

}  // namespace impuls
