// Closest points of points, edges and triangles, as weights: pure functions on plain values (Ericson,
// Real-Time Collision Detection, 2005, 5.1.5 and 5.1.9). Degenerate triangles give a point of an edge. Called
// by body_contacts.cpp and self_collision.
#pragma once

#include <algorithm>
#include <array>

#include "impuls/vec.h"

namespace impuls::deformable {

// Weights of a, b, c at the point of the triangle that is closest to p.
inline std::array<double, 3> closest_on_triangle(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c) {
    const Vec3 ab = b - a, ac = c - a, ap = p - a;
    const double d1 = dot(ab, ap), d2 = dot(ac, ap);
    if (d1 <= 0 && d2 <= 0) return {1, 0, 0};
    const Vec3 bp = p - b;
    const double d3 = dot(ab, bp), d4 = dot(ac, bp);
    if (d3 >= 0 && d4 <= d3) return {0, 1, 0};
    const double vc = d1 * d4 - d3 * d2;
    if (vc <= 0 && d1 >= 0 && d3 <= 0) {
        const double v = d1 - d3 > 0 ? d1 / (d1 - d3) : 0;
        return {1 - v, v, 0};
    }
    const Vec3 cp = p - c;
    const double d5 = dot(ab, cp), d6 = dot(ac, cp);
    if (d6 >= 0 && d5 <= d6) return {0, 0, 1};
    const double vb = d5 * d2 - d1 * d6;
    if (vb <= 0 && d2 >= 0 && d6 <= 0) {
        const double w = d2 - d6 > 0 ? d2 / (d2 - d6) : 0;
        return {1 - w, 0, w};
    }
    const double va = d3 * d6 - d5 * d4;
    if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
        const double all = (d4 - d3) + (d5 - d6), w = all > 0 ? (d4 - d3) / all : 0;
        return {0, 1 - w, w};
    }
    const double scale = 1 / (va + vb + vc);
    return {1 - vb * scale - vc * scale, vb * scale, vc * scale};
}

// Places in [0, 1] of the closest points of the segments a0 a1 and b0 b1.
inline std::array<double, 2> closest_of_segments(const Vec3& a0, const Vec3& a1, const Vec3& b0,
                                                 const Vec3& b1) {
    const Vec3 u = a1 - a0, v = b1 - b0, r = a0 - b0;
    const double a = dot(u, u), e = dot(v, v), f = dot(v, r), c = dot(u, r), b = dot(u, v);
    if (!(a > 0)) return {0, e > 0 ? std::clamp(f / e, 0.0, 1.0) : 0};
    if (!(e > 0)) return {std::clamp(-c / a, 0.0, 1.0), 0};
    const double denominator = a * e - b * b;
    double s = denominator > 0 ? std::clamp((b * f - c * e) / denominator, 0.0, 1.0) : 0;
    double t = (b * s + f) / e;
    if (t < 0) {
        t = 0;
        s = std::clamp(-c / a, 0.0, 1.0);
    } else if (t > 1) {
        t = 1;
        s = std::clamp((b - c) / a, 0.0, 1.0);
    }
    return {s, t};
}

}  // namespace impuls::deformable
