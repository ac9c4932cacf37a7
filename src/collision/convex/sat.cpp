// Separating axes (sat.h).
#include "collision/convex/sat.h"
#include "base/raw_array.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "math/cross.h"

namespace impuls {
namespace {

constexpr double kParallelEdges = 1e-26;  // squared sine: edges without a common normal
constexpr std::size_t kFewFaces = 128;    // heights over more faces are not kept
constexpr double kNoBound = -std::numeric_limits<double>::infinity();

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
    return farthest_point(q.vertex_blocks, -d);
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
        heights_over(p.plane_blocks.first(std::min(p.plane_blocks.size(), kFewFaces / kInBlock)), x,
                     over.data());
    }
    double operator()(const PolyhedronView& p, std::size_t f) const {
        return f < kFewFaces ? over[f] : height(p.planes[f], point);
    }
    // Of the faces from 64 w on those that the point is higher over than `bound`; all where it is not known.
    std::uint64_t above(const PolyhedronView& p, std::size_t w, double bound) const {
        const std::size_t first = 64 * w, count = p.planes.size() - first;
        if (first < kFewFaces)
            return two::bits(&over[first], std::min<std::size_t>(kInBlock * blocks_of(count), 64), bound,
                             two::above);
        return count < 64 ? (std::uint64_t{1} << count) - 1 : ~std::uint64_t{0};
    }
    // The face that the point is highest over, of equal ones the first.
    std::uint32_t highest_over(const PolyhedronView& p) const {
        std::uint32_t best = 0;
        double highest = over[0];
        const std::size_t count = p.planes.size(), known = std::min(count, kFewFaces);
        for (std::size_t first = 0; first < known; first += 64) {
            const std::size_t n = std::min<std::size_t>(kInBlock * blocks_of(known - first), 64);
            const double top = two::largest(&over[first], n);
            if (first > 0 && !(top > highest)) continue;
            highest = top;
            if (const std::uint64_t at = two::bits(&over[first], n, top, two::equal); at != 0)
                best = static_cast<std::uint32_t>(first) + static_cast<std::uint32_t>(std::countr_zero(at));
        }
        for (std::size_t f = known; f < count; ++f)
            if (const double h = height(p.planes[f], point); h > highest)
                best = static_cast<std::uint32_t>(f), highest = h;
        return best;
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

// The face of p that the other's centre is highest over: mostly the best, and a start for best_face.
SatFace likely_face(const PolyhedronView& p, const PolyhedronView& q, const Frame& X_PQ, Probe& probe) {
    probe.center.measure(p, X_PQ * q.center);
    return along_face(p, q, X_PQ, probe.center.highest_over(p), 0);
}

// Best face of p, in doubt `likely`; a face below which a known point of q lies deep enough is passed over,
// and so are those that are not better than `enough`. Ends with the first that is better than the margin.
SatFace best_face(const PolyhedronView& p, const PolyhedronView& q, const Frame& X_PQ, const SatFace& likely,
                  double margin, double enough, Probe& probe) {
    SatFace best = likely;
    Vec3 last = X_PQ * q.vertices[best.vertex];
    probe.lowest.measure(p, last);
    std::uint32_t hint = best.vertex;
    double bound = std::max(best.separation, enough);
    for (std::size_t w = 0; 64 * w < p.planes.size(); ++w)
        for (std::uint64_t left = probe.lowest.above(p, w, bound); left != 0;) {
            const auto f =
                static_cast<std::uint32_t>(64 * w) + static_cast<std::uint32_t>(std::countr_zero(left));
            left &= left - 1;
            if (f == likely.face || height(p.planes[f], last) <= bound) continue;
            const SatFace found = along_face(p, q, X_PQ, f, hint);
            if (found.vertex != hint) {
                probe.add(last);
                hint = found.vertex, last = X_PQ * q.vertices[hint];
            }
            if (!(found.separation > best.separation)) continue;
            best = found;
            if (best.separation > margin) return best;
            probe.lowest.measure(p, last);
            bound = std::max(bound, best.separation);
            left &= probe.lowest.above(p, w, bound);
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
    // One branch, which is seldom taken: each test alone could as well be tossed.
    const double bl = dot(b.left, a.along), br = dot(b.right, a.along);
    const double al = dot(a.left, b.along), ar = dot(a.right, b.along);
    if ((bl * br >= 0) | (al * ar >= 0) | (bl * ar <= 0)) return;
    const Vec3 n = accurate_cross(a.along, b.along);
    const double nn = dot(n, n);
    if (nn <= kParallelEdges * dot(a.along, a.along) * dot(b.along, b.along)) return;
    const double side = dot(n, a.left) + dot(n, a.right) < 0 ? -1 : 1;
    const double separation = side * dot(n, b.start - a.start) / std::sqrt(nn);
    if (separation > best.separation) best = {a.edge, b.edge, n * (side / std::sqrt(nn)), separation};
}

// Which edges of p can be better than `bound`: an edge is left out when one probe is below both its faces.
// Seen from the faces: few are not above a probe, and for each probe only edges of those remain. Which they
// are differs from pair to pair, so that branches on single edges would cost more than the sums.
class EdgeFilter {
  public:
    EdgeFilter(const PolyhedronView& p, const Probe& probe, double bound)
        : p_(p), probe_(probe), bound_(bound) {
        if (p.edge_bits.empty()) return;
        keep(probe.lowest.above(p, 0, bound));
        keep(probe.center.above(p, 0, bound));
        for (std::size_t k = 0; k < probe.count && left_ != 0; ++k)
            keep(planes_below(p.plane_blocks, probe.others[k], bound));
    }
    bool is_empty() const { return left_ == 0; }  // known at once
    // Writes edges from `first` on that are not left out until there is no more room; first is then where to
    // go on.
    std::size_t collect(std::uint32_t& first, std::span<std::uint32_t> out) const {
        const auto end = static_cast<std::uint32_t>(p_.edges.size());
        std::size_t count = 0;
        if (!p_.edge_bits.empty()) {
            std::uint64_t left = first < 64 ? left_ >> first << first : 0;
            for (; left != 0 && count < out.size(); left &= left - 1)
                out[count++] = static_cast<std::uint32_t>(std::countr_zero(left));
            first = left == 0 ? end : static_cast<std::uint32_t>(std::countr_zero(left));
            return count;
        }
        for (; first < end && count < out.size(); ++first)
            if (!leaves_out(p_.edges[first])) out[count++] = first;
        return count;
    }

  private:
    void keep(std::uint64_t faces) {
        std::uint64_t edges = 0;
        for (; faces != 0; faces &= faces - 1)
            edges |= p_.edge_bits[static_cast<std::size_t>(std::countr_zero(faces))];
        left_ &= edges;
    }
    bool leaves_out(const HullEdge& e) const {
        for (const Heights* h : {&probe_.lowest, &probe_.center})
            if (std::max((*h)(p_, e.left), (*h)(p_, e.right)) <= bound_) return true;
        const HullPlane &l = p_.planes[e.left], &r = p_.planes[e.right];
        for (std::size_t k = 0; k < probe_.count; ++k)
            if (std::max(height(l, probe_.others[k]), height(r, probe_.others[k])) <= bound_) return true;
        return false;
    }

    const PolyhedronView& p_;
    const Probe& probe_;
    double bound_;
    std::uint64_t left_ = ~std::uint64_t{0};  // where p has edge_bits
};

SatEdges best_edges(const PolyhedronView& a, const PolyhedronView& b, const Frame& X_AB, const Probe& in_a,
                    const Probe& in_b, double bound) {
    SatEdges best;
    const EdgeFilter of_a(a, in_a, bound);
    if (of_a.is_empty()) return best;
    const EdgeFilter of_b(b, in_b, bound);
    std::array<std::uint32_t, 16> edges_a, edges_b;  // usually enough for all
    RawArray<Arc, 16> arcs;
    for (std::uint32_t next_b = 0; next_b < b.edges.size();) {
        const std::size_t count = of_b.collect(next_b, edges_b);
        for (std::size_t i = 0; i < count; ++i) arcs[i] = arc_of_b(b, X_AB, edges_b[i]);
        for (std::uint32_t next_a = 0; count > 0 && next_a < a.edges.size();) {
            const std::size_t count_a = of_a.collect(next_a, edges_a);
            for (std::size_t k = 0; k < count_a; ++k) {
                const Arc arc = arc_of_a(a, edges_a[k]);
                for (std::size_t i = 0; i < count; ++i) try_edges(arc, arcs[i], best);
            }
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
            double margin, double worth, SatResult& r) {
    Probe in_a, in_b;
    r.face_a = likely_face(a, b, X_AB, in_a);
    r.face_b = likely_face(b, a, X_BA, in_b);
    if (r.face_a.separation <= margin && r.face_b.separation <= margin) {
        r.face_a = best_face(a, b, X_AB, r.face_a, margin, kNoBound, in_a);
        if (r.face_a.separation > margin) return;
        r.face_b = best_face(b, a, X_BA, r.face_b, margin, r.face_a.separation, in_b);
    }
    if (r.face_b.separation > r.face_a.separation) r.axis = SatAxis::FaceB;
    if (r.separation() > margin) return;
    r.edges = best_edges(a, b, X_AB, in_a, in_b, std::min(r.separation() + worth, 0.0));
    if (r.edges.separation > r.separation()) r.axis = SatAxis::Edges;
}

}  // namespace

SatResult separating_axis(const PolyhedronView& a, const PolyhedronView& b, const Pose& pose, double margin,
                          SatCache* cache, double worth) {
    const Frame X_AB(pose), X_BA = X_AB.inverted();
    SatResult r;
    if (cache && cache->is_set && still_separates(a, b, X_AB, X_BA, margin, *cache)) {
        r.separated = true;
        r.axis = cache->axis;
        return r;
    }
    search(a, b, X_AB, X_BA, margin, worth, r);
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
