// The pair functions behind the dispatch table of narrow.cpp, one file each. All share one contract: the
// normal points from a to b, a point is kept when its separation is at most `margin`, its position is midway
// between the surfaces, lengths enter only through sizes and poses (so results scale exactly with powers of
// two).
#pragma once

#include <cstdint>
#include <vector>

#include "collision/collider.h"
#include "collision/manifold.h"

namespace impuls::narrow {

using PairFunction = bool(const Collider& a, const Pose& X_WA, const Collider& b, const Pose& X_WB,
                          double margin, Manifold& out);

// The same for pairs that may touch in several places: appends manifolds.
using ManyFunction = bool(const Collider& a, const Pose& X_WA, const Collider& b, const Pose& X_WB,
                          double margin, std::vector<Manifold>& out);

PairFunction sphere_sphere, sphere_box, sphere_capsule, sphere_plane;
PairFunction box_box, box_capsule, box_plane;
PairFunction capsule_capsule, capsule_plane;
PairFunction convex_convex, convex_plane, box_polyhedron, polyhedron_polyhedron;
ManyFunction convex_surface;
ManyFunction sphere_revolved;

// Relative tolerances. They decide which of nearly equal answers is taken, never whether bodies touch.
inline constexpr double kPrefer = 0.01;  // of the smaller size: how much better a less preferred axis must be
inline constexpr double kSnap = 0.005;   // of the smaller size: corners this close to an edge count as on it
inline constexpr double kDrift = 0.05;   // of the radius: how far nearly parallel axes may drift sideways
inline constexpr double kShort = 0.01;   // of the half length: shorter overlaps get one point instead of two
inline constexpr double kZero = 1e-9;    // of the size: a distance without a trustworthy direction

// Which end of a capsule a point belongs to; kSide is anywhere between. Of two capsules the first names the
// ends.
inline constexpr std::uint32_t kLowEnd = 0, kHighEnd = 1, kSide = 2, kLowEndOfB = 3, kHighEndOfB = 4;

// Two edges have one point. Bodies that overlap deeply would rock on it from edge to edge, and never part:
// then a face that holds them in several points, and is hardly deeper, is better.
inline bool is_deep(double separation, double size) {
    constexpr double kDeep = 0.1;  // of the smaller size
    return separation < -kDeep * size;
}
inline bool holds_as_well(const Manifold& face, double edges) {
    constexpr double kMore = 0.25;  // of the depth
    double deepest = 0;
    for (int k = 0; k < face.count; ++k) deepest = std::min(deepest, face.points[k].separation);
    return face.count > 1 && deepest > (1 + kMore) * edges && deepest < (1 - kMore) * edges;
}

inline void add_point(Manifold& m, const Vec3& position, double separation, std::uint32_t feature) {
    if (m.count < kMaxManifoldPoints) m.points[m.count++] = {position, separation, feature};
}

inline double clamp(double x, double limit) {
    return x < -limit ? -limit : x > limit ? limit : x;
}

// Two balls: the one-point manifold shared by sphere-sphere and sphere-capsule. `fallback` is the normal when
// the centres coincide.
inline bool touch_balls(const Vec3& ca, double ra, const Vec3& cb, double rb, const Vec3& fallback,
                        double margin, Manifold& out) {
    const Vec3 d = cb - ca;
    const double distance = length(d);
    const double separation = distance - (ra + rb);
    if (separation > margin) return false;
    out.normal = distance > 0 ? d / distance : fallback;
    add_point(out, 0.5 * ((ca + out.normal * ra) + (cb - out.normal * rb)), separation, 0);
    return true;
}

}  // namespace impuls::narrow
