// A convex polyhedron with all neighbours: what closest-feature walks, separating axes and clipping need
// beyond a Hull. PolyhedronView is the same as spans, so that boxes and single triangles can be seen as
// polyhedra with corners on the stack and constant topology. Called by the collision layer and by granular
// contact.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/assert.h"
#include "geometry/box_plan.h"
#include "geometry/hull.h"
#include "geometry/polyhedron_blocks.h"
#include "impuls/vec.h"

namespace impuls {

struct PolyhedronView {
    std::span<const Vec3> vertices{};
    std::span<const HullPlane> planes{};       // one a face
    std::span<const std::uint32_t> corners{};  // vertex numbers of all faces, counter-clockwise from outside
    std::span<const std::uint32_t> face_edges{};    // edge from this corner to the next one of its face
    std::span<const std::uint32_t> first_corner{};  // where each face begins in `corners`, and the end
    std::span<const HullEdge> edges{};
    std::span<const std::uint32_t> vertex_edges{};  // edges around all vertices, ascending
    std::span<const std::uint32_t>
        first_vertex_edge{};  // where each vertex begins in `vertex_edges`, and the end
    Vec3 center{};            // a point inside
    // Not set for single triangles, whose axes nobody asks for; bits not for more than 64 edges.
    std::span<const PointBlock> vertex_blocks{};
    std::span<const PlaneBlock> plane_blocks{};
    std::span<const std::uint64_t> edge_bits{};  // edges of each face

    std::size_t face_count() const { return planes.size(); }
    std::span<const std::uint32_t> face(std::size_t f) const {
        IMPULS_ASSERT_INDEX(f + 1, first_corner.size());
        return corners.subspan(first_corner[f], first_corner[f + 1] - first_corner[f]);
    }
    std::span<const std::uint32_t> edges_of_face(std::size_t f) const {
        return face_edges.subspan(first_corner[f], first_corner[f + 1] - first_corner[f]);
    }
    std::span<const std::uint32_t> edges_of_vertex(std::size_t v) const {
        IMPULS_ASSERT_INDEX(v + 1, first_vertex_edge.size());
        return vertex_edges.subspan(first_vertex_edge[v], first_vertex_edge[v + 1] - first_vertex_edge[v]);
    }
};

struct Polyhedron {
    Hull hull{};
    std::vector<std::uint32_t> face_edges{}, vertex_edges{}, first_vertex_edge{};
    Vec3 center{};         // mean of the vertices
    double radius = 0;     // of a sphere about `center` that holds all vertices
    double in_radius = 0;  // of a sphere about `center` that is inside: the length tolerances are relative to
    BoxPlan boxes{};       // for polyhedron_bounds.h
    std::vector<PointBlock> vertex_blocks{};
    std::vector<PlaneBlock> plane_blocks{};
    std::vector<std::uint64_t> edge_bits{};

    PolyhedronView view() const {
        return {hull.vertices, hull.planes,       hull.corners, face_edges,    hull.first_corner, hull.edges,
                vertex_edges,  first_vertex_edge, center,       vertex_blocks, plane_blocks,      edge_bits};
    }
};

Polyhedron make_polyhedron(Hull hull);

inline constexpr std::size_t kFewVertices = 24;  // up to here a scan of all is faster than walking
// The vertex farthest along `direction`, by walking from neighbour to neighbour; `start` is any vertex.
std::uint32_t support_vertex(const PolyhedronView& p, const Vec3& direction, std::uint32_t start = 0);

}  // namespace impuls
