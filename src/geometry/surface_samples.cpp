// Vertices, edge points and region points in mesh order. Building only.
// Called when bodies with distance fields are built.
#include "geometry/surface_samples.h"

#include <algorithm>
#include <cmath>

namespace impuls {

namespace {

void add_vertices(const TriangleSurface& s, SurfaceSamples& out) {
    std::vector<bool> sharp(s.vertices.size(), false);
    for (std::uint32_t t = 0; t < s.triangles.size(); ++t)
        for (std::size_t i = 0; i < 3; ++i)
            if (!is_flat_edge(s, t, static_cast<int>(i)))
                sharp[s.triangles[t][i]] = sharp[s.triangles[t][(i + 1) % 3]] = true;
    for (std::size_t v = 0; v < s.vertices.size(); ++v)
        if (sharp[v]) out.points.push_back(s.vertices[v]), out.normals.push_back(s.vertex_normals[v]);
}

void add_edges(const TriangleSurface& s, double threshold, SurfaceSamples& out) {
    for (std::uint32_t t = 0; t < s.triangles.size(); ++t)
        for (std::size_t i = 0; i < 3; ++i) {
            if (!owns_edge(s, t, static_cast<int>(i)) || is_flat_edge(s, t, static_cast<int>(i))) continue;
            const std::uint32_t a = s.triangles[t][i], b = s.triangles[t][(i + 1) % 3];
            const Vec3 from = s.vertices[std::min(a, b)], edge = s.vertices[std::max(a, b)] - from;
            const double n = length(edge);
            for (int k = 1, count = interior_samples(n, threshold); k <= count; ++k) {
                out.points.push_back(from + edge * (k * threshold / n));
                out.normals.push_back(s.edge_normals[t][i]);
            }
        }
}

struct Region {
    std::vector<std::uint32_t> triangles{};
    double area = 0;
};

Vec3 corner_mean(const TriangleSurface& s, std::uint32_t t) {
    const auto& [a, b, c] = s.triangles[t];
    return (s.vertices[a] + s.vertices[b] + s.vertices[c]) / 3;
}

// Breadth first over flat edges; all faces are compared with the first, so that fine curved meshes do not
// drift around the bend.
Region gather(const TriangleSurface& s, std::uint32_t seed, std::vector<bool>& taken) {
    Region region;
    region.triangles.push_back(seed);
    taken[seed] = true;
    for (std::size_t k = 0; k < region.triangles.size(); ++k) {
        const std::uint32_t t = region.triangles[k];
        const auto& [a, b, c] = s.triangles[t];
        const Vec3 u = (s.vertices[b] - s.vertices[a]) / s.size, v = (s.vertices[c] - s.vertices[a]) / s.size;
        region.area += 0.5 * length(cross(u, v)) * s.size * s.size;
        for (const std::uint32_t n : s.neighbours[t]) {
            if (n == kNoTriangle || taken[n]) continue;
            if (length_squared(s.face_normals[n] - s.face_normals[seed]) > 2e-10) continue;
            taken[n] = true;
            region.triangles.push_back(n);
        }
    }
    return region;
}

Vec3 region_point(const TriangleSurface& s, const Region& region) {
    std::vector<std::uint32_t> corners;
    for (const std::uint32_t t : region.triangles)
        corners.insert(corners.end(), s.triangles[t].begin(), s.triangles[t].end());
    std::sort(corners.begin(), corners.end());
    corners.erase(std::unique(corners.begin(), corners.end()), corners.end());
    Vec3 mean;
    for (const std::uint32_t v : corners) mean += s.vertices[v];
    mean = mean / static_cast<double>(corners.size());

    double nearest = std::numeric_limits<double>::infinity();
    std::uint32_t at = region.triangles[0];
    for (const std::uint32_t t : region.triangles) {
        const auto& [a, b, c] = s.triangles[t];
        const Vec3 q = closest_on_triangle(mean, s.vertices[a], s.vertices[b], s.vertices[c]).point;
        const double d = length_squared(mean - q);
        if (d < nearest) nearest = d, at = t;
    }
    return std::sqrt(nearest) <= 1e-6 * s.size ? mean : corner_mean(s, at);
}

}  // namespace

int interior_samples(double edge_length, double threshold) {
    if (!(edge_length > threshold) || !(threshold > 0)) return 0;
    // A last sample within rounding of the end is the end.
    return static_cast<int>(std::ceil(edge_length / threshold * (1 - 1e-9))) - 1;
}

SurfaceSamples sample_surface(const TriangleSurface& s, const SamplingRule& rule) {
    SurfaceSamples out;
    add_vertices(s, out);
    out.vertices = out.points.size();
    add_edges(s, rule.threshold, out);
    out.edges = out.points.size() - out.vertices;
    std::vector<bool> taken(s.triangles.size(), !rule.regions);
    for (std::uint32_t t = 0; t < s.triangles.size(); ++t) {
        if (taken[t]) continue;
        const Region region = gather(s, t, taken);
        if (!(region.area > rule.region_area)) continue;
        out.points.push_back(region_point(s, region));
        out.normals.push_back(s.face_normals[t]);
    }
    out.regions = out.points.size() - out.vertices - out.edges;
    return out;
}

}  // namespace impuls
