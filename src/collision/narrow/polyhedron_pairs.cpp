// Convex polyhedra and boxes against each other: separating axes (collision/convex/sat.h) choose the normal,
// faces of a before faces of b before edges unless the later is better by kPrefer; the facing features are
// clipped. Pairs that are apart, and nearer to each other than a face or edge axis can tell (corner to
// corner), take the line of their closest points. Called through the dispatch table.
#include <algorithm>
#include <cmath>

#include "collision/convex/closest_points.h"
#include "collision/convex/sat.h"
#include "collision/narrow/box_polyhedron.h"
#include "collision/narrow/contact_builder.h"
#include "collision/narrow/pairs.h"

namespace impuls::narrow {
namespace {

Nearest on_face_of_a(const SatFace& f, const PolyhedronView& a, const PolyhedronView& b, const Pose& X_AB) {
    const Vec3 n = a.planes[f.face].normal, p = X_AB * b.vertices[f.vertex];
    return {n, p - n * f.separation, p, f.separation, {0, f.face}, {f.vertex}};
}

Nearest on_face_of_b(const SatFace& f, const PolyhedronView& a, const PolyhedronView& b, const Pose& X_AB) {
    const Vec3 n = -rotate(X_AB.orientation, b.planes[f.face].normal), p = a.vertices[f.vertex];
    return {n, p, p + n * f.separation, f.separation, {f.vertex}, {0, f.face}};
}

// The points of the two edges' lines that are nearest to each other, kept on the edges.
Nearest on_edges(const SatEdges& s, const PolyhedronView& a, const PolyhedronView& b, const Pose& X_AB) {
    const Vec3 p = a.vertices[a.edges[s.edge_a].a], d = a.vertices[a.edges[s.edge_a].b] - p;
    const Vec3 q = X_AB * b.vertices[b.edges[s.edge_b].a], e = X_AB * b.vertices[b.edges[s.edge_b].b] - q;
    const Vec3 w = q - p;
    const double dd = length_squared(d), ee = length_squared(e), de = dot(d, e);
    const double sine = length_squared(cross(d, e)), wd = dot(w, d), we = dot(w, e);
    const double t = std::clamp((wd * ee - we * de) / sine, 0.0, 1.0);
    const double r = std::clamp((wd * de - we * dd) / sine, 0.0, 1.0);
    return {s.normal, p + d * t, q + e * r, s.separation, {a.edges[s.edge_a].a}, {b.edges[s.edge_b].a}};
}

// Whether a point in the plane of a face is within it.
bool is_within(const PolyhedronView& p, std::uint32_t f, const Vec3& x) {
    const auto corners = p.face(f);
    for (std::size_t k = 0; k < corners.size(); ++k) {
        const Vec3 &from = p.vertices[corners[k]],
                   &to = p.vertices[corners[k + 1 < corners.size() ? k + 1 : 0]];
        if (dot(cross(to - from, x - from), p.planes[f].normal) < 0) return false;
    }
    return true;
}

// True when the two nearest points are known to be points of the bodies. When these are apart, the separation
// along the axis is then their distance.
bool is_distance(const Nearest& n, SatAxis axis, const SatResult& r, const PolyhedronView& a,
                 const PolyhedronView& b, const Pose& X_AB, double limit) {
    if (axis == SatAxis::Edges) return length_squared(n.p_b - n.p_a) <= limit * limit;
    if (axis == SatAxis::FaceA) return is_within(a, r.face_a.face, n.p_a);
    return is_within(b, r.face_b.face, rotate_inverse(X_AB.orientation, n.p_b - X_AB.position));
}

bool touch(const Collider& a, const PolyhedronView& va, const Pose& X_WA, const Collider& b,
           const PolyhedronView& vb, const Pose& X_WB, double margin, Manifold& out) {
    const Pose X_AB = relative_pose(X_WA, X_WB);
    const double size = std::min(a.size, b.size), prefer = kPrefer * size;
    const SatResult r = separating_axis(va, vb, X_AB, margin, nullptr, prefer);
    if (r.separated) return false;
    const double faces = std::max(r.face_a.separation, r.face_b.separation);
    const bool is_b = r.face_b.separation > r.face_a.separation + prefer;
    const SatAxis axis = r.edges.separation > faces + prefer ? SatAxis::Edges
                         : is_b                              ? SatAxis::FaceB
                                                             : SatAxis::FaceA;
    const auto on_face = [&](bool of_b) {
        return of_b ? on_face_of_b(r.face_b, va, vb, X_AB) : on_face_of_a(r.face_a, va, vb, X_AB);
    };
    if (axis == SatAxis::Edges && is_deep(r.edges.separation, size)) {
        build_manifold(a, X_WA, b, X_AB, on_face(is_b), margin, out);
        if (holds_as_well(out, r.edges.separation)) return true;
        out = {};
    }
    const Nearest best = axis == SatAxis::Edges ? on_edges(r.edges, va, vb, X_AB) : on_face(is_b);
    if (r.separation() > 0) {
        const double limit = std::min(margin, best.distance + prefer);
        if (!is_distance(best, axis, r, va, vb, X_AB, limit) &&
            !are_within(convex_core(a), convex_core(b), X_AB, limit, best.normal))
            return false;
    }
    if (!build_manifold(a, X_WA, b, X_AB, best, margin, out)) return false;
    // One point, and the axis does not know where: a face that wins by preference, but nothing is over it.
    if (out.count == 1 && !is_distance(best, axis, r, va, vb, X_AB, std::abs(best.distance) + prefer)) {
        const Closest c = closest_points(convex_core(a), convex_core(b), X_AB, nullptr, margin);
        out = {};
        return !c.beyond &&
               build_manifold(a, X_WA, b, X_AB, {c.normal, c.p_a, c.p_b, c.distance}, margin, out);
    }
    return true;
}

}  // namespace

bool box_polyhedron(const Collider& a, const Pose& X_WA, const Collider& b, const Pose& X_WB, double margin,
                    Manifold& out) {
    return touch(a, BoxPolyhedron(a.half).view(), X_WA, b, b.polyhedron->view(), X_WB, margin, out);
}

bool polyhedron_polyhedron(const Collider& a, const Pose& X_WA, const Collider& b, const Pose& X_WB,
                           double margin, Manifold& out) {
    return touch(a, a.polyhedron->view(), X_WA, b, b.polyhedron->view(), X_WB, margin, out);
}

}  // namespace impuls::narrow
