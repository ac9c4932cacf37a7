// The walk over feature pairs (closest_features.h). Each check looks at one pair and either accepts it or
// replaces one of its features by a neighbour that is nearer.
#include "collision/convex/closest_features.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "collision/convex/clip_edge.h"

namespace impuls {
namespace {

enum class Verdict { Accept, Moved, Penetrating };

Feature vertex(std::uint32_t i) {
    return {FeatureKind::Vertex, i};
}
Feature edge(std::uint32_t i) {
    return {FeatureKind::Edge, i};
}
Feature face(std::uint32_t i) {
    return {FeatureKind::Face, i};
}

// One polyhedron with its pose in the frame of the other and its current feature.
struct Side {
    const PolyhedronView& p;
    Mat3 R;
    Vec3 origin;
    Feature feature{};

    Vec3 in_other(std::uint32_t v) const { return origin + R * p.vertices[v]; }
    Vec3 from_other(const Vec3& direction) const {
        return {dot(R.c0, direction), dot(R.c1, direction), dot(R.c2, direction)};
    }
    Segment segment(std::uint32_t e) const {
        const HullEdge& h = p.edges[e];
        return {p.vertices[h.a], p.vertices[h.b] - p.vertices[h.a]};
    }
    Segment segment_in_other(std::uint32_t e) const {
        const HullEdge& h = p.edges[e];
        const Vec3 start = in_other(h.a);
        return {start, in_other(h.b) - start};
    }
    // From vertex v along its edge e.
    Vec3 spoke(std::uint32_t v, std::uint32_t e) const {
        const HullEdge& h = p.edges[e];
        return p.vertices[h.a == v ? h.b : h.a] - p.vertices[v];
    }
    Verdict move(const Feature& to) {
        feature = to;
        return Verdict::Moved;
    }
};

// The part of a across d. At a point of the plane across d through v the slope of the distance from v along a
// is that of this part; for edges nearly parallel to d the other part would drown it in rounding.
Vec3 without(const Vec3& a, const Vec3& d) {
    return a - d * (dot(a, d) / dot(d, d));
}

struct Walk {
    double slack =
        0;  // m: how far behind a plane still counts as inside, when rounding makes the walk circle
    int searches = 0;
    bool has_points = false;  // closest points of an accepted pair of edges:
    Vec3 p_a{}, p_b{};        // in a's frame

    bool is_out(double d, const Vec3& direction) const {
        return d > 0 && (slack == 0 || d * d > slack * slack * dot(direction, direction));
    }
    double slack_for(const Vec3& direction) const { return slack == 0 ? 0 : slack * length(direction); }

    Verdict vertex_cell(Side& s, const Vec3& x) const;
    Verdict vertex_vertex(Side& s, Side& o) const;
    Verdict vertex_edge(Side& s, Side& o) const;
    Verdict vertex_face(Side& s, Side& o);
    Verdict edge_in_cell(Side& s, const Side& o) const;
    bool are_closest_edges(const Side& s, const Side& o);
    Verdict edge_edge(Side& s, Side& o);
    Verdict edge_face(Side& s, Side& o) const;
    Verdict face_face(Side& s, Side& o) const;
    Verdict check(Side& s, Side& o);
};

// Is x in the cell of the vertex? If not, to the edge whose plane is violated most.
Verdict Walk::vertex_cell(Side& s, const Vec3& x) const {
    const std::uint32_t v = s.feature.index;
    const Vec3 r = x - s.p.vertices[v];
    double worst = 0;
    std::uint32_t to = 0;
    for (const auto e : s.p.edges_of_vertex(v)) {
        const Vec3 d = s.spoke(v, e);
        const double h = dot(r, d);
        if (!is_out(h, d) || h * h <= worst * dot(d, d)) continue;
        worst = h * h / dot(d, d), to = e;
    }
    return worst > 0 ? s.move(edge(to)) : Verdict::Accept;
}

Verdict Walk::vertex_vertex(Side& s, Side& o) const {
    if (vertex_cell(s, o.in_other(o.feature.index)) == Verdict::Moved) return Verdict::Moved;
    return vertex_cell(o, s.in_other(s.feature.index));
}

// Vertex of s against an edge of o: the vertex in the edge's cell, ends before sides; then the edge clipped
// to the vertex's cell.
Verdict Walk::vertex_edge(Side& s, Side& o) const {
    const HullEdge& e = o.p.edges[o.feature.index];
    const Segment g = o.segment(o.feature.index);
    const Vec3 x = s.in_other(s.feature.index), r = x - g.start;
    if (is_out(-dot(r, g.along), g.along)) return o.move(vertex(e.a));
    if (is_out(dot(r - g.along, g.along), g.along)) return o.move(vertex(e.b));
    const Vec3 left = cross(o.p.planes[e.left].normal, g.along);
    if (is_out(dot(r, left), left)) return o.move(face(e.left));
    const Vec3 right = cross(g.along, o.p.planes[e.right].normal);
    if (is_out(dot(r, right), right)) return o.move(face(e.right));

    const std::uint32_t v = s.feature.index;
    const Segment h = o.segment_in_other(o.feature.index);
    const Vec3 q = h.start - s.p.vertices[v];
    ClippedEdge clipped;
    for (const auto k : s.p.edges_of_vertex(v)) {
        const Vec3 d = s.spoke(v, k);
        const double d0 = dot(q, d);
        clipped.cut(d0, d0 + dot(h.along, d), edge(k), slack_for(d));
    }
    if (clipped.outside) return s.move(clipped.below);
    const auto slope = [&](const Feature& k, double t) {
        return dot(without(h.along, s.spoke(v, k.index)), q + h.along * t);
    };
    if (clipped.cut_low && is_out(slope(clipped.below, clipped.low), h.along)) return s.move(clipped.below);
    if (clipped.cut_high && is_out(-slope(clipped.above, clipped.high), h.along))
        return s.move(clipped.above);
    return Verdict::Accept;
}

// Vertex of s against a face of o: in the prism, above the plane, and no edge of the vertex leads down.
Verdict Walk::vertex_face(Side& s, Side& o) {
    const std::uint32_t f = o.feature.index;
    const Vec3 x = s.in_other(s.feature.index);
    const Vec3& n = o.p.planes[f].normal;
    const auto corners = o.p.face(f);
    double worst = 0;
    std::size_t to = 0;
    for (std::size_t k = 0; k < corners.size(); ++k) {
        const Vec3& c = o.p.vertices[corners[k]];
        const Vec3 d = cross(o.p.vertices[corners[k + 1 < corners.size() ? k + 1 : 0]] - c, n);
        const double h = dot(x - c, d);
        if (is_out(h, d) && h * h > worst * dot(d, d)) worst = h * h / dot(d, d), to = k;
    }
    if (worst > 0) return o.move(edge(o.p.edges_of_face(f)[to]));

    const auto height = [&](std::uint32_t k) { return dot(o.p.planes[k].normal, x) - o.p.planes[k].offset; };
    if (height(f) <= 0) {  // a local minimum: below this face, perhaps above another one
        ++searches;
        std::uint32_t best = f;
        for (std::uint32_t k = 0; k < o.p.planes.size(); ++k)
            if (height(k) > height(best)) best = k;
        return height(best) > 0 ? o.move(face(best)) : Verdict::Penetrating;
    }
    const Vec3 down = o.R.c0 * -n.x + o.R.c1 * -n.y + o.R.c2 * -n.z;
    worst = 0;
    for (const auto e : s.p.edges_of_vertex(s.feature.index)) {
        const Vec3 d = s.spoke(s.feature.index, e);
        const double h = dot(d, down);
        if (h > slack && h * h > worst * dot(d, d)) worst = h * h / dot(d, d), to = e;
    }
    return worst > 0 ? s.move(edge(static_cast<std::uint32_t>(to))) : Verdict::Accept;
}

// The edge of o clipped to the cell of the edge of s: its ends first, then its sides.
Verdict Walk::edge_in_cell(Side& s, const Side& o) const {
    const HullEdge& e = s.p.edges[s.feature.index];
    const Segment own = s.segment(s.feature.index), g = o.segment_in_other(o.feature.index);
    const Vec3 r = g.start - own.start;
    const double r0 = dot(r, own.along), r1 = r0 + dot(g.along, own.along), ee = dot(own.along, own.along);
    ClippedEdge clipped;
    clipped.cut(-r0, -r1, vertex(e.a), slack_for(own.along));
    clipped.cut(r0 - ee, r1 - ee, vertex(e.b), slack_for(own.along));
    if (clipped.outside) return s.move(clipped.below);
    const auto from = [&](const Feature& v, double t) {
        return dot(without(g.along, own.along), g.at(t) - s.p.vertices[v.index]);
    };
    if (clipped.cut_low && is_out(from(clipped.below, clipped.low), g.along)) return s.move(clipped.below);
    if (clipped.cut_high && is_out(-from(clipped.above, clipped.high), g.along)) return s.move(clipped.above);

    ClippedEdge sides;
    sides.low = clipped.low, sides.high = clipped.high;
    for (const auto f : {e.left, e.right}) {
        const Vec3 d =
            f == e.left ? cross(s.p.planes[f].normal, own.along) : cross(own.along, s.p.planes[f].normal);
        const double d0 = dot(r, d), slope = dot(g.along, d), limit = slack_for(d);
        if (d0 + slope * clipped.low > limit && d0 + slope * clipped.high > limit) return s.move(face(f));
        sides.cut(d0, d0 + slope, face(f), limit);
    }
    const auto over = [&](const Feature& f, double t) {
        const Vec3& n = s.p.planes[f.index].normal;
        const double h = dot(n, r + g.along * t), slope = dot(n, g.along);
        return h < 0 ? -slope : slope;
    };
    if (sides.cut_low && over(sides.below, sides.low) > slack) return s.move(sides.below);
    if (sides.cut_high && -over(sides.above, sides.high) > slack) return s.move(sides.above);
    return Verdict::Accept;
}

// The usual end of the walk at two edges, for half the work: the nearest points p, q of their lines are
// inside both, and w = q - p, which is across both, is between the normals of a's faces (n.(e x w) changes
// sign from one to the other), -w between those of b's. Then all of a is below the plane across w at p, all
// of b above the one at q. Nearly parallel edges are left to the clipping.
bool Walk::are_closest_edges(const Side& s, const Side& o) {
    const Segment a = s.segment(s.feature.index), b = o.segment_in_other(o.feature.index);
    const Vec3 n = cross(a.along, b.along), r = b.start - a.start;
    const double nn = dot(n, n), wn = dot(r, n);
    if (!(nn > 1e-6 * dot(a.along, a.along) * dot(b.along, b.along))) return false;
    const double t_a = dot(cross(r, b.along), n), t_b = dot(cross(r, a.along), n);
    if (!(t_a > 0 && t_a < nn && t_b > 0 && t_b < nn)) return false;
    const auto is_between = [](const Side& x, const Vec3& along, const Vec3& w) {
        const HullEdge& e = x.p.edges[x.feature.index];
        const Vec3 m = cross(along, w);
        return dot(x.p.planes[e.left].normal, m) <= 0 && dot(x.p.planes[e.right].normal, m) >= 0;
    };
    const Vec3 w = wn > 0 ? n : -n;
    if (!is_between(s, a.along, w)) return false;
    if (!is_between(o, o.segment(o.feature.index).along, -o.from_other(w))) return false;
    const double scale = 1 / nn;
    p_a = a.at(t_a * scale), p_b = b.at(t_b * scale);
    return has_points = wn != 0;
}

Verdict Walk::edge_edge(Side& s, Side& o) {
    if (are_closest_edges(s, o)) return Verdict::Accept;
    if (edge_in_cell(s, o) == Verdict::Moved) return Verdict::Moved;
    return edge_in_cell(o, s);
}

// The border feature of o's face nearest to a segment: a vertex where the nearest point is one.
Feature nearest_border(const Side& o, const Segment& g) {
    const std::uint32_t f = o.feature.index;
    double best = std::numeric_limits<double>::infinity();
    Feature to;
    for (const auto e : o.p.edges_of_face(f)) {
        const Segment own = o.segment(e);
        const SegmentPair at = closest_on_segments(own, g);
        const double d = length_squared(own.at(at.s) - g.at(at.t));
        if (d >= best) continue;
        best = d;
        const HullEdge& h = o.p.edges[e];
        to = at.s <= 0 ? vertex(h.a) : at.s >= 1 ? vertex(h.b) : edge(e);
    }
    return to;
}

// Edge of s against a face of o: never the answer. Outside the prism to the border, through the face an
// overlap, else to the end nearer to the plane.
Verdict Walk::edge_face(Side& s, Side& o) const {
    const std::uint32_t f = o.feature.index;
    const HullPlane& plane = o.p.planes[f];
    const Segment g = s.segment_in_other(s.feature.index);
    const auto corners = o.p.face(f);
    const auto edges = o.p.edges_of_face(f);
    ClippedEdge clipped;
    for (std::size_t k = 0; k < corners.size() && !clipped.outside; ++k) {
        const Vec3& c = o.p.vertices[corners[k]];
        const Vec3 d = cross(o.p.vertices[corners[k + 1 < corners.size() ? k + 1 : 0]] - c, plane.normal);
        const double d0 = dot(g.start - c, d);
        clipped.cut(d0, d0 + dot(g.along, d), edge(edges[k]), slack_for(d));
    }
    if (clipped.outside || clipped.low > clipped.high) return o.move(nearest_border(o, g));
    const double h0 = dot(plane.normal, g.at(clipped.low)) - plane.offset;
    const double h1 = dot(plane.normal, g.at(clipped.high)) - plane.offset;
    if ((h0 <= 0) != (h1 <= 0)) return Verdict::Penetrating;
    const HullEdge& e = s.p.edges[s.feature.index];
    const double slope = dot(plane.normal, g.along);
    if (h0 > 0 ? slope >= 0 : slope <= 0)
        return clipped.cut_low ? o.move(clipped.below) : s.move(vertex(e.a));
    return clipped.cut_high ? o.move(clipped.above) : s.move(vertex(e.b));
}

// Only as a first pair: on to the corner of s that is lowest over o's face.
Verdict Walk::face_face(Side& s, Side& o) const {
    const Vec3& n = o.p.planes[o.feature.index].normal;
    const Vec3 d = o.R.c0 * n.x + o.R.c1 * n.y + o.R.c2 * n.z;
    const auto corners = s.p.face(s.feature.index);
    return s.move(vertex(*std::min_element(corners.begin(), corners.end(), [&](auto i, auto k) {
        return dot(s.p.vertices[i], d) < dot(s.p.vertices[k], d);
    })));
}

// All nine pairs; four of them with the sides exchanged.
Verdict Walk::check(Side& s, Side& o) {
    if (s.feature.kind > o.feature.kind) return check(o, s);
    if (s.feature.kind == FeatureKind::Vertex) {
        if (o.feature.kind == FeatureKind::Vertex) return vertex_vertex(s, o);
        return o.feature.kind == FeatureKind::Edge ? vertex_edge(s, o) : vertex_face(s, o);
    }
    if (s.feature.kind == FeatureKind::Face) return face_face(s, o);
    return o.feature.kind == FeatureKind::Edge ? edge_edge(s, o) : edge_face(s, o);
}

struct PointPair {
    Vec3 p, q;  // on s and on o, in o's frame
};

// Closest points of an accepted pair with s.kind <= o.kind.
PointPair closest_of(const Side& s, const Side& o) {
    if (s.feature.kind == FeatureKind::Edge) {
        const Segment a = s.segment_in_other(s.feature.index), b = o.segment(o.feature.index);
        const SegmentPair at = closest_on_segments(a, b);
        return {a.at(at.s), b.at(at.t)};
    }
    const Vec3 x = s.in_other(s.feature.index);
    if (o.feature.kind == FeatureKind::Vertex) return {x, o.p.vertices[o.feature.index]};
    if (o.feature.kind == FeatureKind::Face) {
        const HullPlane& plane = o.p.planes[o.feature.index];
        return {x, x - plane.normal * (dot(plane.normal, x) - plane.offset)};
    }
    const Segment b = o.segment(o.feature.index);
    const double t = dot(x - b.start, b.along) / dot(b.along, b.along);
    return {x, b.at(std::clamp(t, 0.0, 1.0))};
}

void set_points(const Side& a, const Side& b, const Walk& walk, FeatureDistance& out) {
    PointPair points;
    if (walk.has_points) {
        points = {walk.p_a, walk.p_b};
        out.p_a = walk.p_a, out.p_b = walk.p_b;
    } else if (b.feature.kind <= a.feature.kind) {
        points = closest_of(b, a);
        out.p_a = points.q, out.p_b = points.p;
    } else {
        points = closest_of(a, b);
        out.p_a = b.origin + b.R * points.p, out.p_b = b.origin + b.R * points.q;
    }
    out.distance = length(points.p - points.q);
}

}  // namespace

FeatureDistance closest_features(const PolyhedronView& a, const PolyhedronView& b, const Pose& X_AB,
                                 FeaturePair& pair) {
    const Mat3 R = to_matrix(X_AB.orientation), Rt = transpose(R);
    Side sa{a, Rt, -(Rt * X_AB.position), pair.a}, sb{b, R, X_AB.position, pair.b};
    const int limit = 64 + 2 * static_cast<int>(a.vertices.size() + b.vertices.size());
    Walk walk;
    FeatureDistance out;
    Verdict verdict = Verdict::Moved;
    while (verdict == Verdict::Moved && out.cycles < limit) {
        if (++out.cycles == limit / 2) walk.slack = 1e-13 * length(X_AB.position);
        verdict = walk.check(sa, sb);
    }
    pair = {sa.feature, sb.feature};
    out.searches = walk.searches;
    if (verdict == Verdict::Accept) set_points(sa, sb, walk, out);
    if (verdict == Verdict::Penetrating || (verdict == Verdict::Accept && !(out.distance > 0)))
        out.status = FeatureDistance::Status::Penetrating;
    else if (verdict == Verdict::Moved)
        out.status = FeatureDistance::Status::Undecided;
    return out;
}

FeaturePair start_features(const PolyhedronView& a, const PolyhedronView& b, const Pose& X_AB) {
    const Vec3 d = X_AB * b.center - a.center;
    return {vertex(support_vertex(a, d)), vertex(support_vertex(b, rotate_inverse(X_AB.orientation, -d)))};
}

}  // namespace impuls
