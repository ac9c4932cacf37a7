// Box against box: separating axes (Gottschalk, Lin, Manocha, "OBBTree", 1996, section 5): 3 + 3 face normals
// and 9 edge x edge directions; the largest separation wins, faces of a before faces of b before edges unless
// the later is better by kPrefer (of deep overlaps: holds_as_well). Faces: the incident face clipped by the
// reference face, up to 8 points. Edges: the nearest points of the two edges. All in a's frame: R holds b's
// axes as columns, t b's centre. R comes from the product of the quaternions, which is exactly the identity
// for equal orientations. Faces covered by another part of a compound are no candidates. Boxes that are apart
// and nearest corner to corner give nothing before they overlap: a normal along the line of two corners would
// hinder them from passing each other, and piles would tremble.
#include <algorithm>
#include <cmath>
#include <limits>

#include "base/index.h"
#include "collision/compound_faces.h"
#include "collision/narrow/box_clip.h"
#include "collision/narrow/box_features.h"
#include "collision/narrow/pairs.h"

namespace impuls::narrow {

namespace {

constexpr double kNever = -std::numeric_limits<double>::infinity();

struct FaceAxis {
    double separation = kNever;
    int axis = -1;
    bool positive = true;
};

struct EdgeAxis {
    double separation = kNever;
    int a = -1, b = -1;
    Vec3 normal;  // in a's frame, from a to b
};

double reach(const Vec3& half, const Vec3& direction) {
    return std::abs(direction.x) * half.x + std::abs(direction.y) * half.y + std::abs(direction.z) * half.z;
}

using Rows = std::array<std::array<double, 3>, 3>;

// Plain numbers by constant index: the loops over axes unroll and nothing is looked up at run time.
struct Boxes {
    const Collider& a;
    const Pose& X_WA;
    const Collider& b;
    const Pose& X_WB;
    double size, margin;
    BoxPlace place;  // of b in a's frame
    Rows absolute;   // of place.R

    Mat3 R() const {
        const Rows& r = place.R;
        return {{r[0][0], r[1][0], r[2][0]}, {r[0][1], r[1][1], r[2][1]}, {r[0][2], r[1][2], r[2][2]}};
    }
    Vec3 t() const { return {place.t[0], place.t[1], place.t[2]}; }
    // a in b's frame
    BoxPlace turned() const {
        BoxPlace p;
        for (std::size_t i = 0; i < 3; ++i) {
            for (std::size_t j = 0; j < 3; ++j) p.R[i][j] = place.R[j][i];
            p.t[i] = -(place.R[0][i] * place.t[0] + place.R[1][i] * place.t[1] + place.R[2][i] * place.t[2]);
        }
        return p;
    }
};

// The faces of one box: centre of the other along its axes, and the separation along each.
struct Faces {
    std::array<double, 3> t, separation;

    double widest() const { return std::max(std::max(separation[0], separation[1]), separation[2]); }
};

Faces faces_of_a(const Boxes& x) {
    const Rows& A = x.absolute;
    const std::array<double, 3> ha{x.a.half.x, x.a.half.y, x.a.half.z};
    const Vec3& h = x.b.half;
    Faces f{x.place.t, {}};
    for (std::size_t i = 0; i < 3; ++i)
        f.separation[i] = std::abs(f.t[i]) - (ha[i] + (A[i][0] * h.x + A[i][1] * h.y + A[i][2] * h.z));
    return f;
}

Faces faces_of_b(const Boxes& x) {
    const Rows &A = x.absolute, &R = x.place.R;
    const std::array<double, 3> hb{x.b.half.x, x.b.half.y, x.b.half.z};
    const Vec3& h = x.a.half;
    Faces f;
    for (std::size_t j = 0; j < 3; ++j) {
        f.t[j] = -(R[0][j] * x.place.t[0] + R[1][j] * x.place.t[1] + R[2][j] * x.place.t[2]);
        f.separation[j] = std::abs(f.t[j]) - (hb[j] + (A[0][j] * h.x + A[1][j] * h.y + A[2][j] * h.z));
    }
    return f;
}

// The best face that may be touched.
FaceAxis best_face(const Faces& faces, std::uint8_t covered) {
    FaceAxis best;
    for (int i = 0; i < 3; ++i) {
        const bool positive = faces.t[idx(i)] >= 0;
        if (covered >> (2 * i + positive) & 1) continue;
        if (faces.separation[idx(i)] > best.separation) best = {faces.separation[idx(i)], i, positive};
    }
    return best;
}

// e_i x R_j as a unit vector where it beats `bar` and may be touched. Rare: kept out of the loop.
[[gnu::noinline]] void take_edge(const Boxes& x, int i, int j, double squared, double bar, EdgeAxis& best) {
    const Mat3 R = x.R(), Rt = transpose(R);
    const Vec3 t = x.t();
    Vec3 along;
    along[i] = 1;
    Vec3 m = cross(along, R[j]) / std::sqrt(squared);
    if (dot(m, t) < 0) m = -m;
    Vec3 n_a = m, n_b = -(Rt * m);
    if (!avoid_covered(x.a.covered, n_a) || !avoid_covered(x.b.covered, n_b)) return;
    const double separation = dot(m, t) - (reach(x.a.half, m) + reach(x.b.half, Rt * m));
    if (separation > bar) best = {separation, i, j, m};
}

// Directions e_i x R_j that separate by more than `least` along the unit vector; the best of them. Lengths
// are compared squared, so that only a winner is normalised. `separated`: by more than the margin.
EdgeAxis best_edge(const Boxes& x, double least, bool& separated) {
    EdgeAxis best;
    const Rows &R = x.place.R, &A = x.absolute;
    const std::array<double, 3>& t = x.place.t;
    const std::array<double, 3> ha{x.a.half.x, x.a.half.y, x.a.half.z},
        hb{x.b.half.x, x.b.half.y, x.b.half.z};
    const double margin_squared = x.margin * x.margin;
    double bar = least;
#pragma GCC unroll 3
    for (std::size_t i = 0; i < 3; ++i) {
        const std::size_t u = i == 2 ? 0 : i + 1, v = 3 - i - u;
#pragma GCC unroll 3
        for (std::size_t j = 0; j < 3; ++j) {
            const std::size_t k = j == 2 ? 0 : j + 1, l = 3 - j - k;
            const double s = std::abs(t[v] * R[u][j] - t[u] * R[v][j]) -
                             (ha[u] * A[v][j] + ha[v] * A[u][j] + hb[k] * A[i][l] + hb[l] * A[i][k]);
            if (s <= 0 && bar > 0) continue;
            const double squared = R[u][j] * R[u][j] + R[v][j] * R[v][j];
            if (squared <= kZero) continue;  // parallel edges: a face axis tells as much
            if (s > 0 && s * s > margin_squared * squared) return separated = true, best;
            const double bar_squared = bar * bar * squared;
            if (bar > 0 ? s * s <= bar_squared : s <= 0 && s * s >= bar_squared) continue;
            take_edge(x, static_cast<int>(i), static_cast<int>(j), squared, bar, best);
            bar = std::max(least, best.separation);
        }
    }
    return best;
}

bool touch_face(const Boxes& pair, const FaceAxis& face, bool on_a, Manifold& out) {
    const Vec3& half = on_a ? pair.a.half : pair.b.half;
    const Vec3& other = on_a ? pair.b.half : pair.a.half;
    const Pose& X = on_a ? pair.X_WA : pair.X_WB;
    const BoxPlace turned = on_a ? BoxPlace{} : pair.turned();
    const BoxPlace& place = on_a ? pair.place : turned;
    const double sign = face.positive ? 1 : -1;
    const Mat3 axes = to_matrix(X.orientation);
    const int u = face.axis == 2 ? 0 : face.axis + 1, v = 3 - face.axis - u;
    const Vec3 along_u = axes[u], along_v = axes[v], outward = axes[face.axis] * sign;
    const Vec3 middle = X.position + outward * half[face.axis];
    out.normal = on_a ? outward : -outward;

    const auto add = [&](double x, double y, double height, std::uint32_t on_reference,
                         std::uint32_t on_incident) {
        const auto feature =
            on_a ? pair_feature(on_reference, on_incident) : pair_feature(on_incident, on_reference);
        add_point(out, middle + (along_u * x + along_v * y + outward * (0.5 * height)), height, feature);
    };
    ClipPolygon polygon;
    clip_incident_face(half, {face.axis, face.positive}, other, place, kSnap * pair.size, polygon);
    for (int k = 0; k < polygon.count; ++k) {
        const ClipPoint& c = polygon.points[idx(k)];
        if (c.height <= pair.margin) add(c.u, c.v, c.height, c.on_reference, c.on_incident);
    }
    if (out.count > 0 || face.separation > 0) return out.count > 0;

    // Overlapping, but beside the incident face: the deepest corner, moved onto the reference face.
    const auto& row = place.R[idx(face.axis)];
    const Signs deepest{row[0] * sign < 0, row[1] * sign < 0, row[2] * sign < 0};
    const Vec3 p = corner(other, deepest);
    const auto at = [&](int i) {
        const auto& r = place.R[idx(i)];
        return clamp(place.t[idx(i)] + (r[0] * p.x + r[1] * p.y + r[2] * p.z), half[i]);
    };
    add(at(u), at(v), face.separation, face_number(face.axis, face.positive), corner_number(deepest));
    return true;
}

// The edges' lines pa + s e and pb + r g, nearest to each other.
bool touch_edges(const Boxes& pair, const EdgeAxis& edge, Manifold& out) {
    const Mat3 R = pair.R();
    const Vec3 m_B = transpose(R) * edge.normal;
    const Signs sa{edge.normal.x > 0, edge.normal.y > 0, edge.normal.z > 0};
    const Signs sb{m_B.x < 0, m_B.y < 0, m_B.z < 0};
    Vec3 pa = corner(pair.a.half, sa), pb_B = corner(pair.b.half, sb), e;
    e[edge.a] = 1, pa[edge.a] = 0, pb_B[edge.b] = 0;
    const Vec3 pb = pair.t() + R * pb_B, g = R[edge.b], w = pb - pa;

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

void place_boxes(Boxes& x) {
    const Mat3 R = to_matrix(conjugate(x.X_WA.orientation) * x.X_WB.orientation);
    const Vec3 t = rotate_inverse(x.X_WA.orientation, x.X_WB.position - x.X_WA.position);
    x.place = {{{{R.c0.x, R.c1.x, R.c2.x}, {R.c0.y, R.c1.y, R.c2.y}, {R.c0.z, R.c1.z, R.c2.z}}},
               {t.x, t.y, t.z}};
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j) x.absolute[i][j] = std::abs(x.place.R[i][j]);
}

}  // namespace

bool box_box(const Collider& a, const Pose& X_WA, const Collider& b, const Pose& X_WB, double margin,
             Manifold& out) {
    Boxes pair{a, X_WA, b, X_WB, std::min(a.size, b.size), margin, {}, {}};
    place_boxes(pair);
    const Faces faces_a = faces_of_a(pair);
    if (faces_a.widest() > margin) return false;
    const Faces faces_b = faces_of_b(pair);
    if (faces_b.widest() > margin) return false;
    const FaceAxis face_a = best_face(faces_a, a.covered), face_b = best_face(faces_b, b.covered);
    const double prefer = kPrefer * pair.size;
    const bool on_a = face_a.axis >= 0 && face_b.separation <= face_a.separation + prefer;
    const FaceAxis& face = on_a ? face_a : face_b;
    bool separated = false;
    const EdgeAxis edge = best_edge(pair, face.separation + prefer, separated);
    if (separated) return false;

    if (edge.a >= 0) {
        if (is_deep(edge.separation, pair.size) && face.axis >= 0) {
            touch_face(pair, face, on_a, out);
            if (holds_as_well(out, edge.separation)) return true;
            out = {};
        }
        return touch_edges(pair, edge, out);
    }
    return face.axis >= 0 && touch_face(pair, face, on_a, out);
}

}  // namespace impuls::narrow
