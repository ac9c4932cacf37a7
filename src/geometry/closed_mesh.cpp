// Loops of unbalanced edges and their cones; self-crossings by edges through triangles.
// Called by distance fields.
#include "geometry/closed_mesh.h"

#include <algorithm>
#include <cmath>

#include "geometry/weld.h"

namespace impuls {

namespace {

using Edge = std::array<std::uint32_t, 2>;

// Directed edges that the mesh lacks, sorted: for every edge run through more often one way than the other,
// the missing runs. Each vertex is entered as often as it is left.
std::vector<Edge> missing_edges(const TriangleMesh& mesh) {
    std::vector<std::array<std::uint32_t, 3>> runs;  // low, high, upwards
    for (const TriangleCorners& t : mesh.triangles)
        for (std::size_t i = 0; i < 3; ++i) {
            const std::uint32_t a = t[i], b = t[(i + 1) % 3];
            if (a != b) runs.push_back({std::min(a, b), std::max(a, b), a < b ? 1u : 0u});
        }
    std::sort(runs.begin(), runs.end());
    std::vector<Edge> missing;
    for (std::size_t i = 0, end = 0; i < runs.size(); i = end) {
        int balance = 0;
        for (end = i; end < runs.size() && runs[end][0] == runs[i][0] && runs[end][1] == runs[i][1]; ++end)
            balance += runs[end][2] ? 1 : -1;
        for (; balance > 0; --balance) missing.push_back({runs[i][1], runs[i][0]});
        for (; balance < 0; ++balance) missing.push_back({runs[i][0], runs[i][1]});
    }
    std::sort(missing.begin(), missing.end());
    return missing;
}

double area(const Vec3& a, const Vec3& b, const Vec3& c) {
    return 0.5 * length(cross(b - a, c - a));
}

double add_cone(TriangleMesh& mesh, const std::vector<std::uint32_t>& loop) {
    if (loop.size() < 3) return 0;
    Vec3 center;
    for (const std::uint32_t v : loop) center += mesh.vertices[v];
    center = center / static_cast<double>(loop.size());
    const bool is_triangle = loop.size() == 3;
    const std::uint32_t apex = is_triangle ? loop[2] : static_cast<std::uint32_t>(mesh.vertices.size());
    if (!is_triangle) mesh.vertices.push_back(center);
    double sum = 0;
    for (std::size_t i = 0; i < (is_triangle ? 1 : loop.size()); ++i) {
        const std::uint32_t a = loop[i], b = loop[(i + 1) % loop.size()];
        mesh.triangles.push_back({a, b, apex});
        sum += area(mesh.vertices[a], mesh.vertices[b], mesh.vertices[apex]);
    }
    return sum;
}

// The segment from p to q passes through the inside of the triangle.
bool passes(const Vec3& p, const Vec3& q, const TriangleTree::Corners& t) {
    const auto volume = [](const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
        return dot(a - d, cross(b - d, c - d));
    };
    if (volume(t.a, t.b, t.c, p) * volume(t.a, t.b, t.c, q) >= 0) return false;
    const double u = volume(p, q, t.a, t.b), v = volume(p, q, t.b, t.c), w = volume(p, q, t.c, t.a);
    return (u > 0 && v > 0 && w > 0) || (u < 0 && v < 0 && w < 0);
}

bool meet(const TriangleTree::Corners& s, const TriangleTree::Corners& t, double tolerance) {
    const Vec3 corner[3] = {s.a, s.b, s.c};
    for (int i = 0; i < 3; ++i) {
        if (passes(corner[i], corner[(i + 1) % 3], t)) return true;
        const Vec3 nearest = closest_on_triangle(corner[i], t.a, t.b, t.c).point;
        if (length_squared(corner[i] - nearest) <= tolerance * tolerance) return true;
    }
    return false;
}

}  // namespace

ClosedMesh close_mesh(const TriangleMesh& mesh) {
    ClosedMesh out;
    out.mesh.vertices = mesh.vertices;
    const std::vector<std::uint32_t> weld = welded(mesh.vertices);
    double own_area = 0, cap_area = 0;
    for (const TriangleCorners& t : mesh.triangles) {
        const TriangleCorners w{weld[t[0]], weld[t[1]], weld[t[2]]};
        if (w[0] == w[1] || w[1] == w[2] || w[2] == w[0]) continue;
        out.mesh.triangles.push_back(w);
        own_area += area(mesh.vertices[w[0]], mesh.vertices[w[1]], mesh.vertices[w[2]]);
    }
    const std::vector<Edge> missing = missing_edges(out.mesh);
    std::vector<bool> used(missing.size(), false);
    std::vector<std::uint32_t> loop;
    for (std::size_t start = 0; start < missing.size(); ++start) {
        if (used[start]) continue;
        loop.clear();
        for (std::size_t e = start;;) {
            used[e] = true;
            loop.push_back(missing[e][0]);
            const std::uint32_t to = missing[e][1];
            if (to == missing[start][0]) break;
            const auto from = std::lower_bound(missing.begin(), missing.end(), Edge{to, 0});
            for (e = static_cast<std::size_t>(from - missing.begin()); used[e];) ++e;
        }
        ++out.loops;
        cap_area += add_cone(out.mesh, loop);
    }
    out.cap_fraction = cap_area > 0 ? cap_area / (own_area + cap_area) : 0;
    return out;
}

bool crosses_itself(const TriangleSurface& s) {
    const auto corners = [&](std::uint32_t t) {
        const auto& [a, b, c] = s.triangles[t];
        return TriangleTree::Corners{s.vertices[a], s.vertices[b], s.vertices[c]};
    };
    bool found = false;
    for (std::uint32_t t = 0; t < s.triangles.size() && !found; ++t) {
        const TriangleTree::Corners own = corners(t);
        Aabb box{own.a, own.a};
        for (const Vec3& p : {own.b, own.c})
            for (int i = 0; i < 3; ++i)
                box.min[i] = std::min(box.min[i], p[i]), box.max[i] = std::max(box.max[i], p[i]);
        s.tree.visit(box, [&](std::uint32_t other) {
            if (found || other == t) return;
            for (const std::uint32_t a : s.triangles[t])
                for (const std::uint32_t b : s.triangles[other])
                    if (a == b) return;
            found = meet(own, corners(other), 1e-9 * s.size);
        });
    }
    return found;
}

}  // namespace impuls
