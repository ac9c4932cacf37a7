// Box against box: separating axes (Gottschalk, Lin, Manocha, "OBBTree", 1996, section 5): 3 + 3 face normals
// and 9 edge x edge directions; the largest separation wins, faces of a before faces of b before edges unless
// the later is better by kPrefer. Faces: the incident face clipped by the reference face, up to 8 points.
// Edges: the nearest points of the two edges. All in a's frame: R holds b's axes as columns, t b's centre. R
// comes from the product of the quaternions, which is exactly the identity for equal orientations. Faces
// covered by another part of a compound are no candidates. Boxes that are apart and nearest corner to corner
// give nothing before they overlap: a normal along the line of two corners would hinder them from passing
// each other, and piles would tremble.
#include <algorithm>
#include <cmath>
#include <limits>

#include "collision/compound_faces.h"
#include "collision/narrow/box_clip.h"
#include "collision/narrow/box_features.h"
#include "collision/narrow/pairs.h"

namespace impuls::narrow {

namespace {

constexpr double kNever = -std::numeric_limits<double>::infinity();

struct FaceAxis {
    double separation = kNever;  // of the best face that may be touched
    int axis = -1;
    bool positive = true;
    double widest = kNever;  // over all faces
};

struct EdgeAxis {
    double separation = kNever;
    int a = -1, b = -1;
    Vec3 normal;  // in a's frame, from a to b
};

double reach(const Vec3& half, const Vec3& direction) {
    return std::abs(direction.x) * half.x + std::abs(direction.y) * half.y + std::abs(direction.z) * half.z;
}

// Faces of the box with half edges `half` against a box placed by R, t in its frame.
FaceAxis best_face(const Vec3& half, const Vec3& other_half, const Mat3& R, const Vec3& t,
                   std::uint8_t covered) {
    FaceAxis best;
    for (int i = 0; i < 3; ++i) {
        const double separation = std::abs(t[i]) - (half[i] + reach(other_half, {R.c0[i], R.c1[i], R.c2[i]}));
        best.widest = std::max(best.widest, separation);
        const bool positive = t[i] >= 0;
        if (covered >> (2 * i + positive) & 1) continue;
        if (separation > best.separation) best = {separation, i, positive, best.widest};
    }
    return best;
}

struct Boxes {
    const Collider& a;
    const Pose& X_WA;
    const Collider& b;
    const Pose& X_WB;
    Mat3 R, Rt;
    Vec3 t;  // b's centre in a's frame
    double size, margin;
};

// Directions e_i x R_j that separate by more than `least` along the unit vector; the best of them. Lengths
// are compared squared, so that only a winner is normalised. `separated`: by more than the margin.
EdgeAxis best_edge(const Boxes& x, double least, bool& separated) {
    EdgeAxis best;
    const Vec3 &ha = x.a.half, &hb = x.b.half, &t = x.t;
    for (int i = 0; i < 3; ++i) {
        const int u = i == 2 ? 0 : i + 1, v = 3 - i - u;
        for (int j = 0; j < 3; ++j) {
            const Vec3& r = x.R[j];
            const double squared = r[u] * r[u] + r[v] * r[v];
            if (squared <= kZero) continue;  // parallel edges: a face axis tells as much
            const int k = j == 2 ? 0 : j + 1, l = 3 - j - k;
            const double s = std::abs(t[v] * r[u] - t[u] * r[v]) -
                             (ha[u] * std::abs(r[v]) + ha[v] * std::abs(r[u]) + hb[k] * std::abs(x.R[l][i]) +
                              hb[l] * std::abs(x.R[k][i]));
            if (s > 0 && s * s > x.margin * x.margin * squared) return separated = true, best;
            const double bar = std::max(least, best.separation), bar_squared = bar * bar * squared;
            if (bar > 0 ? s <= 0 || s * s <= bar_squared : s <= 0 && s * s >= bar_squared) continue;
            Vec3 along;
            along[i] = 1;
            Vec3 m = cross(along, r) / std::sqrt(squared);
            if (dot(m, t) < 0) m = -m;
            Vec3 n_a = m, n_b = -(x.Rt * m);
            if (!avoid_covered(x.a.covered, n_a) || !avoid_covered(x.b.covered, n_b)) continue;
            const double separation = dot(m, t) - (reach(ha, m) + reach(hb, x.Rt * m));
            if (separation > bar) best = {separation, i, j, m};
        }
    }
    return best;
}

bool touch_face(const Boxes& pair, const FaceAxis& face, bool on_a, Manifold& out) {
    const Vec3& half = on_a ? pair.a.half : pair.b.half;
    const Vec3& other = on_a ? pair.b.half : pair.a.half;
    const Pose& X = on_a ? pair.X_WA : pair.X_WB;
    const Mat3& R = on_a ? pair.R : pair.Rt;
    const Vec3 t = on_a ? pair.t : -(pair.Rt * pair.t);
    const double sign = face.positive ? 1 : -1;
    Vec3 outward;
    outward[face.axis] = sign;
    out.normal = rotate(X.orientation, on_a ? outward : -outward);

    const auto add = [&](Vec3 p, double height, std::uint32_t on_reference, std::uint32_t on_incident) {
        p[face.axis] = sign * (half[face.axis] + 0.5 * height);
        const auto feature =
            on_a ? pair_feature(on_reference, on_incident) : pair_feature(on_incident, on_reference);
        add_point(out, X * p, height, feature);
    };
    const ClipPolygon polygon =
        clip_incident_face(half, {face.axis, face.positive}, other, R, t, kSnap * pair.size);
    for (int k = 0; k < polygon.count; ++k) {
        const ClipPoint& c = polygon.points[static_cast<std::size_t>(k)];
        if (c.height <= pair.margin) add(c.p, c.height, c.on_reference, c.on_incident);
    }
    if (out.count > 0 || face.separation > 0) return out.count > 0;

    // Overlapping, but beside the incident face: the deepest corner, moved onto the reference face.
    const Vec3 row{R.c0[face.axis] * sign, R.c1[face.axis] * sign, R.c2[face.axis] * sign};
    const Signs deepest{row.x < 0, row.y < 0, row.z < 0};
    Vec3 p = t + R * corner(other, deepest);
    for (int i = 0; i < 3; ++i) p[i] = clamp(p[i], half[i]);
    add(p, face.separation, face_number(face.axis, face.positive), corner_number(deepest));
    return true;
}

// The edges' lines pa + s e and pb + r g, nearest to each other.
bool touch_edges(const Boxes& pair, const EdgeAxis& edge, Manifold& out) {
    const Vec3 m_B = pair.Rt * edge.normal;
    const Signs sa{edge.normal.x > 0, edge.normal.y > 0, edge.normal.z > 0};
    const Signs sb{m_B.x < 0, m_B.y < 0, m_B.z < 0};
    Vec3 pa = corner(pair.a.half, sa), pb_B = corner(pair.b.half, sb), e;
    e[edge.a] = 1, pa[edge.a] = 0, pb_B[edge.b] = 0;
    const Vec3 pb = pair.t + pair.R * pb_B, g = pair.R[edge.b], w = pb - pa;

    const double k = g[edge.a], sin_squared = length_squared(cross(e, g)), we = w[edge.a], wg = dot(w, g);
    const double s = clamp((we - k * wg) / sin_squared, pair.a.half[edge.a]);
    const double r = clamp((k * we - wg) / sin_squared, pair.b.half[edge.b]);
    const Vec3 on_a = pa + e * s, on_b = pb + g * r;
    if (edge.separation > 0 && length(on_b - on_a) > pair.margin) return false;

    out.normal = rotate(pair.X_WA.orientation, edge.normal);
    add_point(out, pair.X_WA * (0.5 * (on_a + on_b)), edge.separation,
              pair_feature(edge_number(edge.a, sa), edge_number(edge.b, sb)));
    return true;
}

}  // namespace

bool box_box(const Collider& a, const Pose& X_WA, const Collider& b, const Pose& X_WB, double margin,
             Manifold& out) {
    const Mat3 R = to_matrix(conjugate(X_WA.orientation) * X_WB.orientation);
    const Boxes pair{a,
                     X_WA,
                     b,
                     X_WB,
                     R,
                     transpose(R),
                     rotate_inverse(X_WA.orientation, X_WB.position - X_WA.position),
                     std::min(a.size, b.size),
                     margin};
    const FaceAxis face_a = best_face(a.half, b.half, R, pair.t, a.covered);
    if (face_a.widest > margin) return false;
    const FaceAxis face_b = best_face(b.half, a.half, pair.Rt, -(pair.Rt * pair.t), b.covered);
    if (face_b.widest > margin) return false;
    const double prefer = kPrefer * pair.size;
    const bool on_a = face_a.axis >= 0 && face_b.separation <= face_a.separation + prefer;
    const FaceAxis& face = on_a ? face_a : face_b;
    bool separated = false;
    const EdgeAxis edge = best_edge(pair, face.separation + prefer, separated);
    if (separated) return false;

    if (edge.a >= 0) return touch_edges(pair, edge, out);
    return face.axis >= 0 && touch_face(pair, face, on_a, out);
}

}  // namespace impuls::narrow
