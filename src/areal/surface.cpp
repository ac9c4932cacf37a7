// Making surfaces (surface.h).
#include "areal/surface.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "geometry/mass_properties.h"

namespace impuls::areal {
namespace {

TriangleMesh icosahedron() {
    const double g = (1 + std::sqrt(5.0)) / 2;
    TriangleMesh mesh;
    mesh.vertices = {{-1, g, 0},  {1, g, 0},  {-1, -g, 0}, {1, -g, 0}, {0, -1, g},  {0, 1, g},
                     {0, -1, -g}, {0, 1, -g}, {g, 0, -1},  {g, 0, 1},  {-g, 0, -1}, {-g, 0, 1}};
    mesh.triangles = {{0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
                      {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
                      {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1}};
    for (Vec3& v : mesh.vertices) v = normalized(v);
    return mesh;
}

// Each triangle in n^2, on the unit sphere.
TriangleMesh geodesic(std::uint32_t n) {
    const TriangleMesh start = icosahedron();
    TriangleMesh mesh;
    std::map<std::array<std::uint64_t, 4>, std::uint32_t> known;
    for (const auto& triangle : start.triangles) {
        const std::uint32_t a = triangle[0], b = triangle[1], c = triangle[2];
        const auto at = [&](std::uint32_t i, std::uint32_t j) {  // i of n towards b, j towards c
            // Named by the corners that it lies between, ascending, with their weights.
            std::array<std::pair<std::uint64_t, std::uint64_t>, 3> parts{
                std::pair<std::uint64_t, std::uint64_t>{a, n - i - j}, {b, i}, {c, j}};
            std::sort(parts.begin(), parts.end());
            std::array<std::uint64_t, 4> key{};
            std::size_t used = 0;
            for (const auto& [corner, weight] : parts)
                if (weight > 0) key[used++] = corner * (n + 1) + weight + 1;
            const auto [place, is_new] =
                known.try_emplace(key, static_cast<std::uint32_t>(mesh.vertices.size()));
            if (is_new) {
                Vec3 sum{};
                for (const auto& [corner, weight] : parts)
                    sum += start.vertices[corner] * static_cast<double>(weight);
                mesh.vertices.push_back(normalized(sum));
            }
            return place->second;
        };
        for (std::uint32_t i = 0; i < n; ++i)
            for (std::uint32_t j = 0; i + j < n; ++j) {
                mesh.triangles.push_back({at(i, j), at(i + 1, j), at(i, j + 1)});
                if (i + j + 2 <= n) mesh.triangles.push_back({at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)});
            }
    }
    return mesh;
}

double volume_of(const TriangleMesh& mesh) {
    double six = 0;
    for (const auto& [a, b, c] : mesh.triangles)
        six += dot(mesh.vertices[a], cross(mesh.vertices[b], mesh.vertices[c]));
    return six / 6;
}

int segments_for(double radius, double edge) {
    return std::clamp(static_cast<int>(std::ceil(2 * std::numbers::pi * radius / edge)), 8, 4096);
}

// A radius at which a regular polygon has the area of the circle.
double equal_area(double radius, int segments) {
    const double angle = 2 * std::numbers::pi / segments;
    return radius * std::sqrt(angle / std::sin(angle));
}

TriangleMesh mesh_of(const ContactSurface& surface) {
    TriangleMesh mesh;
    mesh.vertices = surface.vertices();
    for (std::uint32_t t = 0; t < surface.size(); ++t) mesh.triangles.push_back(surface.corners(t));
    return mesh;
}

TriangleMesh mesh_of(const Collider& c, double edge) {
    const double r = c.radius, length = 2 * c.half.y;
    const int around = segments_for(r > 0 ? r : c.size, edge);
    switch (c.kind) {
        case ColliderKind::Sphere:
            return sphere_mesh(r, edge);
        case ColliderKind::Box:
            return tessellate(Box{c.half * 2});
        case ColliderKind::Cylinder:
            return tessellate(Cylinder{equal_area(r, around), length}, around);
        case ColliderKind::Cone:
            return tessellate(Cone{equal_area(r, around), length}, around);
        case ColliderKind::Capsule:
            return tessellate(Capsule{equal_area(r, around), length}, around);
        case ColliderKind::Ellipsoid: {
            const double smallest = std::min({c.half.x, c.half.y, c.half.z});
            TriangleMesh mesh = sphere_mesh(1, edge / smallest);
            for (Vec3& v : mesh.vertices) v = scale(v, c.half);
            return mesh;
        }
        case ColliderKind::Convex: {
            TriangleMesh mesh;
            const PolyhedronView p = c.polyhedron->view();
            mesh.vertices = c.polyhedron->hull.vertices;
            for (std::size_t f = 0; f < p.face_count(); ++f) {
                const auto corners = p.face(f);
                for (std::size_t k = 1; k + 1 < corners.size(); ++k)
                    mesh.triangles.push_back({corners[0], corners[k], corners[k + 1]});
            }
            return mesh;
        }
        default:
            return c.surface ? mesh_of(*c.surface) : TriangleMesh{};
    }
}

}  // namespace

TriangleMesh sphere_mesh(double radius, double edge) {
    // An icosahedron's edge spans 1.107 rad.
    const double wanted = std::ceil(1.1071487177940904 * radius / edge);
    TriangleMesh mesh = geodesic(static_cast<std::uint32_t>(std::clamp(wanted, 2.0, 200.0)));
    const double grown = std::cbrt(4 * std::numbers::pi / 3 / volume_of(mesh));
    for (Vec3& v : mesh.vertices) v = v * (radius * grown);
    return mesh;
}

Surface plane_surface() {
    return {nullptr, kInfinity, kInfinity, kInfinity, true, false};
}

Surface mesh_surface(const TriangleMesh& mesh) {
    auto made = std::make_shared<const TriangleSurface>(make_surface(mesh));
    Surface out;
    double sum = 0;
    for (const auto& corners : made->triangles) {
        double least = kInfinity;
        for (std::size_t i = 0; i < 3; ++i)
            least =
                std::min(least, length(made->vertices[corners[(i + 1) % 3]] - made->vertices[corners[i]]));
        sum += least;
    }
    out.edge = made->triangles.empty() ? 0 : sum / static_cast<double>(made->triangles.size());
    const Aabb box = made->tree.bounds();
    const Vec3 side = made->tree.empty() ? Vec3{} : box.max - box.min;
    for (std::uint32_t t = 0; t < made->triangles.size(); ++t)
        for (const std::uint32_t n : made->neighbours[t])
            out.is_sharp |=
                n != kNoTriangle && dot(made->face_normals[t], made->face_normals[n]) < kSharpCosine;
    out.is_closed = made->is_manifold;
    // An open sheet may be flat: what it is in is as thick as it is wide.
    out.thickness =
        0.5 * (out.is_closed ? std::min({side.x, side.y, side.z}) : std::max({side.x, side.y, side.z}));
    for (const Vec3& v : made->vertices) out.radius = std::max(out.radius, length(v));
    out.triangles = std::move(made);
    return out;
}

Surface surface_of(const Collider& collider, double resolution) {
    if (collider.kind == ColliderKind::Plane) return plane_surface();
    const double size = collider.kind == ColliderKind::Ellipsoid
                            ? std::min({collider.half.x, collider.half.y, collider.half.z})
                            : std::max(collider.radius, collider.size);
    return mesh_surface(mesh_of(collider, resolution > 0 ? resolution : size / 32));
}

}  // namespace impuls::areal
