// Neighbours of a hull's vertices, edges and faces (polyhedron.h).
#include "geometry/polyhedron.h"

#include <algorithm>
#include <cmath>

#include "base/assert.h"

namespace impuls {
namespace {

std::uint32_t edge_between(const std::vector<HullEdge>& edges, std::uint32_t u, std::uint32_t v) {
    const std::pair key{std::min(u, v), std::max(u, v)};
    const auto it = std::lower_bound(edges.begin(), edges.end(), key, [](const HullEdge& e, const auto& k) {
        return std::pair{e.a, e.b} < k;
    });
    IMPULS_ASSERT(it != edges.end() && it->a == key.first && it->b == key.second);
    return static_cast<std::uint32_t>(it - edges.begin());
}

}  // namespace

Polyhedron make_polyhedron(Hull hull) {
    Polyhedron p;
    p.hull = std::move(hull);
    const auto& h = p.hull;
    for (std::size_t f = 0; f < h.face_count(); ++f) {
        const auto face = h.face(f);
        for (std::size_t k = 0; k < face.size(); ++k)
            p.face_edges.push_back(edge_between(h.edges, face[k], face[(k + 1) % face.size()]));
    }
    p.first_vertex_edge.assign(h.vertices.size() + 1, 0);
    IMPULS_ASSERT(h.source.size() == h.vertices.size() && h.first_corner.size() == h.face_count() + 1);
    for (const HullEdge& e : h.edges) ++p.first_vertex_edge[e.a + 1], ++p.first_vertex_edge[e.b + 1];
    for (std::size_t v = 0; v < h.vertices.size(); ++v) p.first_vertex_edge[v + 1] += p.first_vertex_edge[v];
    p.vertex_edges.resize(2 * h.edges.size());
    auto cursor = p.first_vertex_edge;
    for (std::uint32_t e = 0; e < h.edges.size(); ++e) {
        p.vertex_edges[cursor[h.edges[e].a]++] = e;
        p.vertex_edges[cursor[h.edges[e].b]++] = e;
    }
    for (const Vec3& v : h.vertices) p.center += v / static_cast<double>(h.vertices.size());
    for (const Vec3& v : h.vertices) p.radius = std::max(p.radius, length(v - p.center));
    p.in_radius = p.radius;
    for (const HullPlane& plane : h.planes)
        p.in_radius = std::min(p.in_radius, plane.offset - dot(plane.normal, p.center));
    p.boxes = plan_boxes(h.vertices, p.center);
    p.vertex_blocks.resize(blocks_of(h.vertices.size())), fill_blocks(h.vertices, p.vertex_blocks);
    p.plane_blocks.resize(blocks_of(h.planes.size())), fill_blocks(h.planes, p.plane_blocks);
    if (h.edges.size() <= 64) p.edge_bits.resize(h.planes.size());
    for (std::size_t e = 0; e < h.edges.size() && !p.edge_bits.empty(); ++e)
        for (const auto f : {h.edges[e].left, h.edges[e].right}) p.edge_bits[f] |= std::uint64_t{1} << e;
    return p;
}

std::uint32_t support_vertex(const PolyhedronView& p, const Vec3& direction, std::uint32_t start) {
    IMPULS_ASSERT_INDEX(start, p.vertices.size());
    std::uint32_t best = start;
    double height = dot(p.vertices[best], direction);
    for (bool climbs = true; climbs;) {
        climbs = false;
        for (const auto e : p.edges_of_vertex(best)) {
            const std::uint32_t other = p.edges[e].a == best ? p.edges[e].b : p.edges[e].a;
            const double h = dot(p.vertices[other], direction);
            if (h > height) {
                height = h, best = other, climbs = true;
                break;
            }
        }
    }
    return best;
}

}  // namespace impuls
