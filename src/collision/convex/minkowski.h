// The Minkowski difference A - B of two cores in A's frame: what GJK and EPA work on. The bodies touch where
// it holds the origin; its point nearest to the origin is the difference of the closest points.
// Called by gjk.cpp and epa.cpp.
#pragma once

#include "collision/convex/support.h"

namespace impuls {

struct MinkowskiPoint {
    Vec3 w;       // a - X_AB b, in A
    Vec3 a, p_B;  // points of the cores, each in its own frame
};

struct MinkowskiDifference {
    MinkowskiDifference(const ConvexCore& a_, const ConvexCore& b_, const Pose& X_AB)
        : a(a_), b(b_), R_AB(to_matrix(X_AB.orientation)), p_AB(X_AB.position) {}

    const ConvexCore& a;
    const ConvexCore& b;
    Mat3 R_AB;
    Vec3 p_AB;
    std::uint32_t hint_a = 0, hint_b = 0;

    // Lengths of the two bodies together: what tolerances are relative to.
    double scale() const { return a.reach + b.reach; }
    Vec3 in_a(const Vec3& p_B) const { return p_AB + R_AB * p_B; }
    MinkowskiPoint point(const Vec3& p_A, const Vec3& p_B) const { return {p_A - in_a(p_B), p_A, p_B}; }

    // Farthest point along d (in A).
    MinkowskiPoint support(const Vec3& d) {
        const Vec3 e{-dot(R_AB.c0, d), -dot(R_AB.c1, d), -dot(R_AB.c2, d)};
        const Vec3 p_A = support_point(a, d, hint_a);
        return point(p_A, support_point(b, e, hint_b));
    }
};

}  // namespace impuls
