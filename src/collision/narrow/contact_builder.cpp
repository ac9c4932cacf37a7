// Manifolds from facing features (contact_builder.h). All in a's frame; only the result goes to W.
#include "collision/narrow/contact_builder.h"
#include "base/assert.h"
#include "base/raw_array.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "collision/convex/closest_points.h"
#include "collision/convex/support.h"
#include "collision/narrow/narrow.h"
#include "collision/narrow/pairs.h"
#include "collision/narrow/reduce.h"

namespace impuls::narrow {
namespace {

bool has_faces(const Collider& c) {
    return c.kind == ColliderKind::Box || c.kind == ColliderKind::Convex;
}

// Where one side is a face, all of a polyhedron's opposite face is clipped, however it is tilted: its corners
// that are still apart are what keeps the body from tipping further than it should.
void find_features(const Collider& a, const Collider& b, const Pose& X_AB, const Nearest& nearest,
                   Facing& f) {
    const Vec3 n = nearest.normal, m = rotate_inverse(X_AB.orientation, -n);
    facing_feature(a, n, kFacing, f.a, nearest.near_a);
    facing_feature(b, m, f.a.count > 2 && has_faces(b) ? 2 : kFacing, f.b, nearest.near_b);
    if (f.a.count <= 2 && f.b.count > 2 && has_faces(a)) facing_feature(a, n, 2, f.a, nearest.near_a);
    place(f.b, X_AB);
    f.reference = choose_reference(f.a, f.b, n);
}

struct FeatureContacts {
    const Pose& X_WA;
    Vec3 normal;  // in a's frame
    double margin;
    Manifold& out;

    void add(const Vec3& p, double separation, std::uint32_t feature) {
        if (separation <= margin) add_point(out, X_WA * p, separation, feature);
    }
};

// Lines side by side: the ends of their common stretch. False when they cross or do not overlap.
bool touch_lines(const Feature& a, const Feature& b, FeatureContacts& build) {
    const Vec3 d = a.points[1] - a.points[0], e = b.points[1] - b.points[0];
    const double dd = length_squared(d), ee = length_squared(e), de = dot(d, e);
    if (!(dd > 0) || !(ee > 0) || de * de < (1 - kFacing * kFacing) * dd * ee) return false;
    const double t0 = dot(b.points[0] - a.points[0], d) / dd, t1 = dot(b.points[1] - a.points[0], d) / dd;
    const double low = std::max(0.0, std::min(t0, t1)), high = std::min(1.0, std::max(t0, t1));
    if (high - low < kShort * std::min(1.0, std::abs(t1 - t0))) return false;
    for (const double t : {low, high}) {
        const Vec3 p = a.points[0] + d * t, q = b.points[0] + e * ((t - t0) / (t1 - t0));
        build.add(0.5 * (p + q), dot(build.normal, q - p),
                  pair_name(a.edge_id[0], pair_name(b.edge_id[0], t == low ? 0 : 1)));
    }
    return build.out.count > 0;
}

void touch_face(const Facing& f, double snap, double tolerance, FeatureContacts& build) {
    RawArray<ManifoldPoint, kClipRoom> points;
    const bool on_a = f.reference == 1;
    int count = clip_feature(on_a ? f.a : f.b, on_a ? f.b : f.a, on_a ? build.normal : -build.normal,
                             build.margin, snap, on_a, points.data());
    IMPULS_ASSERT(count <= kClipRoom);
    if (count > kMaxManifoldPoints)
        count = reduce(std::span(points.data(), static_cast<std::size_t>(count)), build.normal,
                       kMaxManifoldPoints, tolerance);
    for (int k = 0; k < count; ++k) {
        const ManifoldPoint& p = points[static_cast<std::size_t>(k)];
        build.add(p.position, p.separation, p.feature);
    }
}

std::uint32_t name_of(const Feature& f) {
    return f.count == 1 ? f.corner_id[0] : f.count == 2 ? f.edge_id[0] : f.id;
}

}  // namespace

void place(Feature& f, const Pose& X) {
    const Mat3 R = to_matrix(X.orientation);
    for (int k = 0; k < f.count; ++k) {
        Vec3& p = f.points[static_cast<std::size_t>(k)];
        p = X.position + R * p;
    }
    f.normal = R * f.normal;
}

int choose_reference(const Feature& a, const Feature& b, const Vec3& n) {
    constexpr double kTie = 1e-6;
    const double cos_a = a.count > 2 ? dot(a.normal, n) : -2, cos_b = b.count > 2 ? -dot(b.normal, n) : -2;
    if (std::max(cos_a, cos_b) < 1 - 0.5 * kFacing * kFacing) return 0;
    return cos_a >= cos_b - kTie ? 1 : 2;
}

bool touch_features(const Facing& f, const Pose& X_WA, const Nearest& nearest, double size, double margin,
                    Manifold& out) {
    FeatureContacts build{X_WA, nearest.normal, margin, out};
    out.normal = rotate(X_WA.orientation, build.normal);
    if (f.reference != 0 && std::min(f.a.count, f.b.count) > 1)
        touch_face(f, kSnap * size, kPrefer * size, build);
    else if (f.a.count == 2 && f.b.count == 2)
        touch_lines(f.a, f.b, build);

    double deepest = margin;
    for (int k = 0; k < out.count; ++k)
        deepest = std::min(deepest, out.points[static_cast<std::size_t>(k)].separation);
    const double separation = dot(build.normal, nearest.p_b - nearest.p_a);
    if (out.count == 0 || deepest > separation + kPrefer * size) {
        if (out.count == kMaxManifoldPoints) reduce(out, kMaxManifoldPoints - 1, kPrefer * size);
        // A corner is exact; the opposite point of a face or line that lies along it may be any of its
        // points.
        const Vec3 half = build.normal * (0.5 * separation);
        const Vec3 middle = f.a.count == 1   ? f.a.points[0] + half
                            : f.b.count == 1 ? f.b.points[0] - half
                                             : 0.5 * (nearest.p_a + nearest.p_b);
        build.add(middle, separation, pair_name(name_of(f.a), name_of(f.b)) ^ 1u);
    }
    return out.count > 0;
}

namespace {

// Whether p is over the face by more than `inside` from all its sides.
bool is_over(const Feature& face, const Vec3& p, double inside) {
    for (int k = 0; k < face.count; ++k) {
        const Vec3& q = face.points[static_cast<std::size_t>(k)];
        const Vec3 e = face.points[static_cast<std::size_t>(k + 1 < face.count ? k + 1 : 0)] - q;
        const Vec3 out = cross(e, face.normal);
        if (dot(out, p - q) > -inside * length(out)) return false;
    }
    return true;
}

// Inside a face there is one normal; what differs from it is the rounding of nearly touching points. The
// other feature is then the one that faces the face exactly.
void snap_to_face(const Collider& a, const Collider& b, const Pose& X_AB, double size, Facing& f,
                  Nearest& n) {
    const bool on_a = f.reference == 1;
    const Feature& face = on_a ? f.a : f.b;
    Feature& other = on_a ? f.b : f.a;
    const Vec3 normal = on_a ? face.normal : -face.normal;
    const double snap = other.count > 1 ? kSnapNormal : kSnapPoint;
    if (length_squared(normal - n.normal) > snap * snap &&
        !(other.count == 1 && is_over(face, on_a ? n.p_a : n.p_b, kSnap * size)))
        return;
    n.normal = normal;
    if (has_faces(on_a ? b : a)) return;
    if (on_a) {
        facing_feature(b, rotate_inverse(X_AB.orientation, -normal), kFacing, f.b);
        place(f.b, X_AB);
    } else {
        facing_feature(a, normal, kFacing, f.a);
    }
    if (other.count != 1) return;
    const double height = dot(face.normal, other.points[0] - face.points[0]);
    n.distance = height;
    (on_a ? n.p_b : n.p_a) = other.points[0];
    (on_a ? n.p_a : n.p_b) = other.points[0] - face.normal * height;
}

}  // namespace

bool build_manifold(const Collider& a, const Pose& X_WA, const Collider& b, const Pose& X_AB,
                    const Nearest& nearest, double margin, Manifold& out) {
    const double size = std::min(a.size, b.size);
    Facing f;
    Nearest n = nearest;
    find_features(a, b, X_AB, n, f);
    if (f.reference != 0) snap_to_face(a, b, X_AB, size, f, n);
    return touch_features(f, X_WA, n, size, margin, out);
}

}  // namespace impuls::narrow

namespace impuls {

Along collide_along(const Collider& a, const Pose& X_WA, const Collider& b, const Pose& X_WB,
                    const Vec3& normal, double margin, Manifold& out) {
    if (!is_convex(a.kind) || !is_convex(b.kind)) return Along::Beside;
    const double size = std::min(a.size, b.size);
    narrow::Facing f;
    const narrow::Nearest nearest{rotate_inverse(X_WA.orientation, normal), {}, {}, 0};
    narrow::find_features(a, b, relative_pose(X_WA, X_WB), nearest, f);
    if (f.reference == 0) return Along::NoFace;
    narrow::FeatureContacts build{X_WA, nearest.normal, margin, out};
    out.normal = normal;
    constexpr double kNoSnap = 1e-9;  // what is beside the face is the neighbour's
    narrow::touch_face(f, kNoSnap * size, narrow::kPrefer * size, build);
    return out.count > 0 ? Along::Touching : Along::Beside;
}

}  // namespace impuls
