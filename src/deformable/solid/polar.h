// The rotation nearest to a 3x3 matrix, reflection-safe: of an inverted or collapsed one the smallest
// singular direction is flipped. Higham's iteration R <- (R + R^-T) / 2 near a rotation (Computing the polar
// decomposition, 1986), else the singular vectors by Jacobi rotations of F^T F. Divisions and square roots
// alone; stateless. Called by Solid, tetrahedra and shape matching.
#pragma once

#include <algorithm>
#include <cmath>

#include "impuls/vec.h"

namespace impuls::deformable {

inline double norm_squared(const Mat3& m) {
    return dot(m.c0, m.c0) + dot(m.c1, m.c1) + dot(m.c2, m.c2);
}

// Eigenvectors (columns) of a symmetric matrix, by cyclic Jacobi; the diagonal is left in `s`.
inline Mat3 eigenvectors(Mat3& s) {
    Mat3 q{};
    for (int sweep = 0; sweep < 12; ++sweep)
        for (int i = 0; i < 2; ++i)
            for (int j = i + 1; j < 3; ++j) {
                const double off = s[j][i];
                if (off == 0) continue;
                const double tau = (s[j][j] - s[i][i]) / (2 * off);
                const double t = (tau >= 0 ? 1 : -1) / (std::fabs(tau) + std::sqrt(1 + tau * tau));
                const double c = 1 / std::sqrt(1 + t * t), n = t * c;
                const Vec3 a = s[i] * c - s[j] * n, b = s[i] * n + s[j] * c;
                s[i] = a, s[j] = b;  // columns
                for (int k = 0; k < 3; ++k) {
                    const double x = s[k][i] * c - s[k][j] * n, y = s[k][i] * n + s[k][j] * c;
                    s[k][i] = x, s[k][j] = y;  // rows
                }
                const Vec3 u = q[i] * c - q[j] * n, v = q[i] * n + q[j] * c;
                q[i] = u, q[j] = v;
            }
    return q;
}

inline Vec3 any_normal_to(const Vec3& u) {
    const Vec3 axis = std::fabs(u.x) <= std::fabs(u.y) && std::fabs(u.x) <= std::fabs(u.z) ? Vec3{1, 0, 0}
                      : std::fabs(u.y) <= std::fabs(u.z)                                   ? Vec3{0, 1, 0}
                                                                                           : Vec3{0, 0, 1};
    return normalized(cross(u, axis));
}

inline Mat3 rotation_by_singular_vectors(const Mat3& f) {
    Mat3 s = transpose(f) * f;
    const Mat3 q = eigenvectors(s);
    int order[3] = {0, 1, 2};
    std::sort(order, order + 3, [&](int i, int j) { return s[i][i] > s[j][j]; });
    const Vec3 v1 = q[order[0]], v2 = q[order[1]], v3 = cross(v1, v2);
    const Vec3 a = f * v1, b = f * v2;
    const double size = length(a);
    if (!(size > 0)) return {};
    const Vec3 u1 = a / size;
    const Vec3 across = b - u1 * dot(u1, b);
    const double width = length(across);
    const Vec3 u2 = width > 1e-9 * size ? across / width : any_normal_to(u1), u3 = cross(u1, u2);
    return Mat3{u1, u2, u3} * transpose(Mat3{v1, v2, v3});
}

inline Mat3 nearest_rotation(const Mat3& f) {
    const double size = norm_squared(f) / 3;
    if (!(determinant(f) > 0.1 * size * std::sqrt(size))) return rotation_by_singular_vectors(f);
    Mat3 r = f;
    for (int i = 0; i < 20; ++i) {
        const Vec3 a = cross(r.c1, r.c2), b = cross(r.c2, r.c0), c = cross(r.c0, r.c1);
        const double scale = 1 / dot(r.c0, a);
        const Mat3 next = (r + Mat3{a, b, c} * scale) * 0.5;
        const double change = norm_squared(next - r);
        r = next;
        if (change < 1e-16) break;  // quadratic: the next change would be below rounding
    }
    return r;
}

}  // namespace impuls::deformable
