// Separating axes (sat.h).
#include "collision/convex/sat.h"
#include "base/raw_array.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "math/cross.h"

namespace impuls {
namespace {

constexpr double kParallelEdges = 1e-26;  // squared sine: edges without a common normal
constexpr std::size_t kFewFaces = 128;    // heights over more faces are not kept

// Pose as a matrix, for many points.
struct Frame {
    Mat3 R;
    Vec3 p;
    explicit Frame(const Pose& X) : R(to_matrix(X.orientation)), p(X.position) {}
    Frame(const Mat3& R_, const Vec3& p_) : R(R_), p(p_) {}
    Frame inverted() const {
        const Mat3 Rt = transpose(R);
        return {Rt, -(Rt * p)};
    }
    Vec3 operator*(const Vec3& x) const { return p + R * x; }
};

Vec3 turned_back(const Mat3& R, const Vec3& v) {
    return {dot(R.c0, v), dot(R.c1, v), dot(R.c2, v)};
}

std::uint32_t lowest_vertex(const PolyhedronView& q, const Vec3& d, std::uint32_t hint) {
    if (q.vertices.size() > kFewVertices) return support_vertex(q, -d, hint);
    std::uint32_t best = 0;
    double height = dot(q.vertices[0], d);
    for (std::uint32_t i = 1; i < q.vertices.size(); ++i) {
        const double h = dot(q.vertices[i], d);
        if (h < height) height = h, best = i;
    }
    return best;
}

// Separation along one face of p; X_PQ places the other polyhedron.
SatFace along_face(const PolyhedronView& p, const PolyhedronView& q, const Frame& X_PQ, std::uint32_t f,
                   std::uint32_t hint) {
    const HullPlane& plane = p.planes[f];
    const std::uint32_t v = lowest_vertex(q, turned_back(X_PQ.R, plane.normal), hint);
    return {f, v, dot(plane.normal, X_PQ * q.vertices[v]) - plane.offset};
}

double height(const HullPlane& plane, const Vec3& x) {
    return dot(plane.normal, x) - plane.offset;
}

// Heights of one point over the first faces, kept for the edges.
struct Heights {
    std::array<double, kFewFaces> over;
    Vec3 point;

    void measure(const PolyhedronView& p, const Vec3& x) {
        point = x;
        const std::size_t count = std::min(p.planes.size(), kFewFaces);
        const HullPlane* planes = p.planes.data();
        for (std::size_t f = 0; f < count; ++f) over[f] = height(planes[f], x);
    }
    double operator()(const PolyhedronView& p, std::size_t f) const {
        return f < kFewFaces ? over[f] : height(p.planes[f], point);
    }
};

// The points of the other body that bound what its faces and edges can reach: its centre, the vertex deepest
// below the best face, and others that were deepest below a face.
struct Probe {
    Heights center, lowest;
    std::size_t count = 0;
    std::array<Vec3, 4> others;

    void add(const Vec3& x) {
        if (count < others.size()) others[count++] = x;
    }
};

// Best face of p: the one that the other's centre is highest over first; a face below which a known point of
// q lies deep enough is passed over.
SatFace best_face(const PolyhedronView& p, const PolyhedronView& q, const Frame& X_PQ, double margin,
                  Probe& probe) {
    probe.center.measure(p, X_PQ * q.center);
    std::uint32_t first = 0;
    double highest = probe.center(p, 0);
    for (std::uint32_t f = 1; f < p.planes.size(); ++f)
        if (const double h = probe.center(p, f); h > highest) first = f, highest = h;
    SatFace best = along_face(p, q, X_PQ, first, 0);
    if (best.separation > margin) return best;
    probe.lowest.measure(p, X_PQ * q.vertices[best.vertex]);
    Vec3 last = probe.lowest.point;
    std::uint32_t hint = best.vertex;
    for (std::uint32_t f = 0; f < p.planes.size(); ++f) {
        if (f == first || probe.lowest(p, f) <= best.separation) continue;
        if (height(p.planes[f], last) <= best.separation) continue;
        const SatFace found = along_face(p, q, X_PQ, f, hint);
        if (found.vertex != hint) {
            probe.add(last);
            hint = found.vertex, last = X_PQ * q.vertices[hint];
        }
        if (!(found.separation > best.separation)) continue;
        best = found;
        if (best.separation > margin) return best;
        probe.lowest.measure(p, last);
    }
    probe.add(last);
    return best;
}

// An edge in a's frame with the normals of its two faces; those of b point into b.
struct Arc {
    std::uint32_t edge;
    Vec3 start, along, left, right;
};

Arc arc_of_a(const PolyhedronView& a, std::uint32_t e) {
    const HullEdge& edge = a.edges[e];
    return {e, a.vertices[edge.a], a.vertices[edge.b] - a.vertices[edge.a], a.planes[edge.left].normal,
            a.planes[edge.right].normal};
}
Arc arc_of_b(const PolyhedronView& b, const Frame& X_AB, std::uint32_t e) {
    const HullEdge& edge = b.edges[e];
    return {e, X_AB * b.vertices[edge.a], X_AB.R * (b.vertices[edge.b] - b.vertices[edge.a]),
            -(X_AB.R * b.planes[edge.left].normal), -(X_AB.R * b.planes[edge.right].normal)};
}

// Separation along the common normal of two edges, where their arcs cross on the Gauss sphere. `along` is
// parallel to left x right for a, opposite for b, whose normals are turned around.
void try_edges(const Arc& a, const Arc& b, SatEdges& best) {
    const double bl = dot(b.left, a.along), br = dot(b.right, a.along);
    if (bl * br >= 0) return;
    const double al = dot(a.left, b.along), ar = dot(a.right, b.along);
    if (al * ar >= 0 || bl * ar <= 0) return;
    const Vec3 n = accurate_cross(a.along, b.along);
    const double nn = dot(n, n);
    if (nn <= kParallelEdges * dot(a.along, a.along) * dot(b.along, b.along)) return;
    const double side = dot(n, a.left) + dot(n, a.right) < 0 ? -1 : 1;
    const double separation = side * dot(n, b.start - a.start) / std::sqrt(nn);
    if (separation > best.separation) best = {a.edge, b.edge, n * (side / std::sqrt(nn)), separation};
}

// Which edges of p can be better than `bound`: a bit for each face and probe that is below it; an edge is
// left out when one probe is below both its faces.
class EdgeFilter {
  public:
    EdgeFilter(const PolyhedronView& p, const Probe& probe, double bound)
        : p_(p), probe_(probe), bound_(bound) {
        const std::size_t count = std::min(p.planes.size(), kFewFaces);
        for (std::size_t f = 0; f < count; ++f) below_[f] = find(f);
    }
    bool leaves_out(const HullEdge& e) const {
        if ((below(e.left) & below(e.right)) != 0) return true;
        const HullPlane &l = p_.planes[e.left], &r = p_.planes[e.right];
        for (std::size_t k = 0; k < probe_.count; ++k)
            if (std::max(height(l, probe_.others[k]), height(r, probe_.others[k])) <= bound_) return true;
        return false;
    }

  private:
    std::uint8_t find(std::size_t f) const {
        return static_cast<std::uint8_t>((probe_.lowest(p_, f) <= bound_ ? 1 : 0) |
                                         (probe_.center(p_, f) <= bound_ ? 2 : 0));
    }
    std::uint8_t below(std::size_t f) const { return f < kFewFaces ? below_[f] : find(f); }

    const PolyhedronView& p_;
    const Probe& probe_;
    double bound_;
    std::array<std::uint8_t, kFewFaces> below_;
};

SatEdges best_edges(const PolyhedronView& a, const PolyhedronView& b, const Frame& X_AB, const Probe& in_a,
                    const Probe& in_b, const SatResult& faces) {
    const double bound = std::min({std::max(faces.face_a.separation, faces.face_b.separation), 0.0});
    const EdgeFilter of_a(a, in_a, bound), of_b(b, in_b, bound);
    SatEdges best;
    RawArray<Arc, 16> arcs;  // usually enough for all
    for (std::uint32_t e = 0; e < b.edges.size();) {
        std::size_t count = 0;
        for (; e < b.edges.size() && count < arcs.size(); ++e)
            if (!of_b.leaves_out(b.edges[e])) arcs[count++] = arc_of_b(b, X_AB, e);
        for (std::uint32_t k = 0; count > 0 && k < a.edges.size(); ++k) {
            if (of_a.leaves_out(a.edges[k])) continue;
            const Arc arc = arc_of_a(a, k);
            for (std::size_t i = 0; i < count; ++i) try_edges(arc, arcs[i], best);
        }
    }
    return best;
}

bool still_separates(const PolyhedronView& a, const PolyhedronView& b, const Frame& X_AB, const Frame& X_BA,
                     double margin, const SatCache& cache) {
    if (cache.axis == SatAxis::FaceA) return along_face(a, b, X_AB, cache.a, 0).separation > margin;
    if (cache.axis == SatAxis::FaceB) return along_face(b, a, X_BA, cache.b, 0).separation > margin;
    SatEdges edges;
    try_edges(arc_of_a(a, cache.a), arc_of_b(b, X_AB, cache.b), edges);
    return edges.separation > margin;
}

void search(const PolyhedronView& a, const PolyhedronView& b, const Frame& X_AB, const Frame& X_BA,
            double margin, SatResult& r) {
    Probe in_a, in_b;
    r.face_a = best_face(a, b, X_AB, margin, in_a);
    if (r.face_a.separation > margin) return;
    r.face_b = best_face(b, a, X_BA, margin, in_b);
    if (r.face_b.separation > r.face_a.separation) r.axis = SatAxis::FaceB;
    if (r.face_b.separation > margin) return;
    r.edges = best_edges(a, b, X_AB, in_a, in_b, r);
    if (r.edges.separation > r.separation()) r.axis = SatAxis::Edges;
}

}  // namespace

SatResult separating_axis(const PolyhedronView& a, const PolyhedronView& b, const Pose& pose, double margin,
                          SatCache* cache) {
    const Frame X_AB(pose), X_BA = X_AB.inverted();
    SatResult r;
    if (cache && cache->is_set && still_separates(a, b, X_AB, X_BA, margin, *cache)) {
        r.separated = true;
        r.axis = cache->axis;
        return r;
    }
    search(a, b, X_AB, X_BA, margin, r);
    r.separated = r.separation() > margin;
    if (cache) {
        const bool edges = r.axis == SatAxis::Edges;
        *cache = {r.axis, edges ? r.edges.edge_a : r.face_a.face, edges ? r.edges.edge_b : r.face_b.face,
                  true};
    }
    return r;
}

Vec3 sat_normal(const SatResult& r, const PolyhedronView& a, const PolyhedronView& b, const Pose& X_AB) {
    if (r.axis == SatAxis::FaceA) return a.planes[r.face_a.face].normal;
    if (r.axis == SatAxis::FaceB) return -rotate(X_AB.orientation, b.planes[r.face_b.face].normal);
    return r.edges.normal;
}

}  // namespace impuls
