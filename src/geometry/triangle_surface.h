// A triangle mesh with neighbours, pseudo-normals and a tree: signed distance to a surface. The sign is that
// of dot(p - q, N) with q the nearest point and N the angle-weighted pseudo-normal of the face, edge or
// vertex that q lies on (Baerentzen and Aanaes, Signed distance computation using the angle weighted
// pseudonormal, IEEE TVCG 11, 2005): right for every closed oriented manifold without self-crossings. Called
// by distance fields, meshes and height fields in the narrow phase.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "geometry/tessellate.h"
#include "geometry/triangle_tree.h"
#include "impuls/vec.h"

namespace impuls {

struct TriangleSurface {
    std::vector<Vec3> vertices{};
    std::vector<TriangleCorners> triangles{};  // vertices at the same place are one: the lowest number
    std::vector<std::array<std::uint32_t, 3>> neighbours{};  // across edge i; kNoTriangle: border or not two
    std::vector<Vec3> face_normals{};                        // unit; zero without area
    std::vector<std::array<Vec3, 3>> edge_normals{};         // mean of the two faces, unit
    std::vector<Vec3> vertex_normals{};                      // angle-weighted, unit
    TriangleTree tree{};
    double size = 0;           // longest side of the box around it
    bool is_manifold = false;  // every edge has two triangles that run through it in opposite directions
};

TriangleSurface make_surface(TriangleMesh mesh);

// True when the two faces at edge i of the triangle are in one plane: 1 - cos of the angle <= 1e-10.
bool is_flat_edge(const TriangleSurface& surface, std::uint32_t triangle, int i);
// Each edge belongs to the lower of its triangles.
inline bool owns_edge(const TriangleSurface& s, std::uint32_t triangle, int i) {
    return triangle < s.neighbours[triangle][static_cast<std::size_t>(i)];
}

struct SurfaceDistance {
    double distance = 0;  // negative below the surface
    Vec3 point{};         // nearest point of the surface
    std::uint32_t triangle = kNoTriangle;
};
// Of the nearest point closer than `limit`; triangle = kNoTriangle when there is none.
SurfaceDistance signed_distance(const TriangleSurface& surface, const Vec3& p, double limit);

}  // namespace impuls
