// A box seen as a convex polyhedron: corners and planes on the stack, constant topology numbered as in
// box_features.h. Called by the polyhedron pairs.
#pragma once

#include <array>

#include "collision/narrow/box_features.h"
#include "geometry/polyhedron.h"

namespace impuls::narrow {

namespace box_topology {

struct Tables {
    std::array<std::uint32_t, 24> corners{}, face_edges{}, vertex_edges{};
    std::array<std::uint32_t, 7> first_corner{};
    std::array<std::uint32_t, 9> first_vertex_edge{};
    std::array<HullEdge, 12> edges{};
    std::array<std::uint64_t, 6> edge_bits{};
};

// Face 2 axis + (positive): corners counter-clockwise from outside. An edge's left face runs from its lower
// to its higher corner.
constexpr Tables make() {
    Tables t;
    std::uint32_t edge_count = 0;
    for (std::uint32_t v = 0; v < 8; ++v)
        for (std::uint32_t axis = 0; axis < 3; ++axis)
            if ((v >> axis & 1) == 0) t.edges[edge_count++] = {v, v | 1u << axis, 0, 0};
    for (std::uint32_t f = 0; f < 6; ++f) {
        const std::uint32_t axis = f / 2, u = (axis + 1) % 3, v = (axis + 2) % 3;
        const std::uint32_t base = (f % 2) << axis;
        const std::uint32_t around[4] = {base, base | 1u << u, base | 1u << u | 1u << v, base | 1u << v};
        t.first_corner[f + 1] = 4 * (f + 1);
        for (std::uint32_t k = 0; k < 4; ++k) t.corners[4 * f + k] = around[f % 2 == 1 ? k : (4 - k) % 4];
        for (std::uint32_t k = 0; k < 4; ++k) {
            const std::uint32_t from = t.corners[4 * f + k], to = t.corners[4 * f + (k + 1) % 4];
            for (std::uint32_t e = 0; e < 12; ++e) {
                if (t.edges[e].a == from && t.edges[e].b == to)
                    t.edges[e].left = f, t.face_edges[4 * f + k] = e;
                if (t.edges[e].a == to && t.edges[e].b == from)
                    t.edges[e].right = f, t.face_edges[4 * f + k] = e;
            }
        }
    }
    for (std::uint32_t e = 0; e < 12; ++e)
        for (const std::uint32_t f : {t.edges[e].left, t.edges[e].right})
            t.edge_bits[f] |= std::uint64_t{1} << e;
    std::uint32_t at = 0;
    for (std::uint32_t v = 0; v < 8; ++v) {
        for (std::uint32_t e = 0; e < 12; ++e)
            if (t.edges[e].a == v || t.edges[e].b == v) t.vertex_edges[at++] = e;
        t.first_vertex_edge[v + 1] = at;
    }
    return t;
}
inline constexpr Tables kTables = make();

}  // namespace box_topology

struct BoxPolyhedron {
    std::array<Vec3, 8> vertices;
    std::array<HullPlane, 6> planes;
    std::array<PointBlock, 2> vertex_blocks;
    std::array<PlaneBlock, 2> plane_blocks;

    explicit BoxPolyhedron(const Vec3& half) {
        for (unsigned k = 0; k < 8; ++k)
            vertices[k] = corner(half, {(k & 1) != 0, (k & 2) != 0, (k & 4) != 0});
        for (int axis = 0; axis < 3; ++axis)
            for (int side = 0; side < 2; ++side) {
                Vec3 n;
                n[axis] = side == 1 ? 1 : -1;
                planes[static_cast<std::size_t>(2 * axis + side)] = {n, half[axis]};
            }
        fill_blocks(vertices, vertex_blocks), fill_blocks(planes, plane_blocks);
    }
    PolyhedronView view() const {
        const auto& t = box_topology::kTables;
        return {vertices,     planes,         t.corners,           t.face_edges, t.first_corner,
                t.edges,      t.vertex_edges, t.first_vertex_edge, {},           vertex_blocks,
                plane_blocks, t.edge_bits};
    }
};

}  // namespace impuls::narrow
