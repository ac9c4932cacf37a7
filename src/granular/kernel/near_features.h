// What of a convex polyhedron lies beyond a plane across the axis of a pair: vertices, and the edges and
// faces at them. If the plane goes through the support vertex of the other body, nothing else of this body
// can bound the overlap: a face without a vertex there has no point there, and inside the slab between the
// two support planes the planes of near faces bound what all planes do. Found by flooding from the support
// vertex. Called by overlap.h.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "geometry/polyhedron.h"
#include "granular/kernel/vector.h"

namespace impuls::granular {

inline constexpr int kMostNearFaces = 62, kMostNearVertices = 160, kMostNearEdges = 256;

// Of one body, in the frame of the pair: origin between the supports, axes of body a.
template <class T>
struct NearFeatures {
    struct Edge {
        std::uint16_t from, to, left, right;  // places in the lists below
    };
    int vertices = 0, faces = 0, edges = 0;
    std::array<std::uint32_t, kMostNearVertices> vertex;
    std::array<V3<T>, kMostNearVertices> place;
    std::array<T, kMostNearVertices> beyond;  // the plane; > 0: near
    std::array<std::uint32_t, kMostNearFaces> face;
    std::array<V3<T>, kMostNearFaces> normal;
    std::array<T, kMostNearFaces> offset;
    std::array<std::uint32_t, kMostNearEdges> edge;
    std::array<Edge, kMostNearEdges> ends;
};

// By vertex, edge and face of the larger of all shapes: place in the lists plus one, 0 between calls.
struct FeatureMarks {
    std::vector<std::uint16_t> vertex{}, edge{}, face{};

    void fit(const PolyhedronView& p) {
        if (vertex.size() < p.vertices.size()) vertex.resize(p.vertices.size());
        if (edge.size() < p.edges.size()) edge.resize(p.edges.size());
        if (face.size() < p.planes.size()) face.resize(p.planes.size());
    }
};

// Where a body is in the frame of the pair: x -> rotation (scale x) + shift.
struct Placement3 {
    Mat3 rotation{};
    Vec3 shift{};
    double scale = 1;
};

// `axis` points from the plane to what is near, in the frame of the pair: near is axis . x > height. False:
// more than there is room for. The lists are as long as they could be made.
template <class T>
bool find_near(const PolyhedronView& p, const Placement3& at, const Vec3& axis, double height,
               std::uint32_t start, FeatureMarks& marks, NearFeatures<T>& out) {
    out.vertices = out.faces = out.edges = 0;
    bool has_room = true;
    const auto add_vertex = [&](std::uint32_t v) -> std::uint16_t {
        if (marks.vertex[v]) return static_cast<std::uint16_t>(marks.vertex[v] - 1);
        if (out.vertices == kMostNearVertices) return has_room = false, std::uint16_t{0};
        const auto k = static_cast<std::size_t>(out.vertices++);
        const Vec3 x = at.rotation * (p.vertices[v] * at.scale) + at.shift;
        out.vertex[k] = v;
        out.place[k] = VectorOf<T>::of(x);
        out.beyond[k] = static_cast<T>(dot(axis, x) - height);
        return static_cast<std::uint16_t>((marks.vertex[v] = static_cast<std::uint16_t>(k + 1)) - 1);
    };
    const auto add_face = [&](std::uint32_t f) -> std::uint16_t {
        if (marks.face[f]) return static_cast<std::uint16_t>(marks.face[f] - 1);
        if (out.faces == kMostNearFaces) return has_room = false, std::uint16_t{0};
        const auto k = static_cast<std::size_t>(out.faces++);
        const Vec3 n = at.rotation * p.planes[f].normal;
        out.face[k] = f;
        out.normal[k] = VectorOf<T>::of(n);
        out.offset[k] = static_cast<T>(p.planes[f].offset * at.scale + dot(n, at.shift));
        return static_cast<std::uint16_t>((marks.face[f] = static_cast<std::uint16_t>(k + 1)) - 1);
    };
    add_vertex(start);
    for (int k = 0; k < out.vertices && has_room; ++k) {
        if (k > 0 && !(out.beyond[static_cast<std::size_t>(k)] > 0)) continue;
        for (const std::uint32_t e : p.edges_of_vertex(out.vertex[static_cast<std::size_t>(k)])) {
            if (marks.edge[e]) continue;
            if (out.edges == kMostNearEdges) {
                has_room = false;
                break;
            }
            const HullEdge& edge = p.edges[e];
            const auto number = static_cast<std::size_t>(out.edges++);
            out.edge[number] = e;
            marks.edge[e] = 1;
            out.ends[number] = {add_vertex(edge.a), add_vertex(edge.b), add_face(edge.left),
                                add_face(edge.right)};
            if (!has_room) break;
        }
    }
    for (int k = 0; k < out.vertices; ++k) marks.vertex[out.vertex[static_cast<std::size_t>(k)]] = 0;
    for (int k = 0; k < out.edges; ++k) marks.edge[out.edge[static_cast<std::size_t>(k)]] = 0;
    for (int k = 0; k < out.faces; ++k) marks.face[out.face[static_cast<std::size_t>(k)]] = 0;
    return has_room;
}

}  // namespace impuls::granular
