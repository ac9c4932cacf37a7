// The exponential map of rotations without libm: a fixed polynomial and quaternion squaring, so that a pose
// update gives the same bits on every build and machine. Called by the integrators.
#pragma once

#include "impuls/vec.h"

namespace impuls {

// cos(p) and sin(p)/p of p^2 <= 1/4, by series to p^16. T is a double, or one double a lane.
template <class T>
struct HalfTurn {
    T cosine, sinc;
};
template <class T>
inline HalfTurn<T> half_turn(const T& p2) {
    const T x = -p2;  // cos = sum x^n / (2n)!, sinc = sum x^n / (2n + 1)!
    const T cosine =
        1 +
        x * (1.0 / 2 +
             x * (1.0 / 24 +
                  x * (1.0 / 720 + x * (1.0 / 40320 + x * (1.0 / 3628800 + x * (1.0 / 479001600 +
                                                                                x * (1.0 / 87178291200)))))));
    const T sinc =
        1 + x * (1.0 / 6 +
                 x * (1.0 / 120 +
                      x * (1.0 / 5040 +
                           x * (1.0 / 362880 +
                                x * (1.0 / 39916800 + x * (1.0 / 6227020800 + x * (1.0 / 1307674368000)))))));
    return {cosine, sinc};
}

// The rotation by the vector `angle` (axis times angle, rad): exp(angle/2) as unit quaternion.
// cos(p) and sin(p)/p are even in p = |angle|/2, so only p^2 is needed. The angle is halved k times until
// p <= 1/2, where the series to p^16 are exact to the last bit; squaring the quaternion k times undoes it.
inline Quat rotation_by(const Vec3& angle) {
    double p2 = 0.25 * length_squared(angle);
    double scale = 0.5;
    int halvings = 0;
    for (; p2 > 0.25 && halvings < 64; ++halvings) p2 *= 0.25, scale *= 0.5;
    const HalfTurn<double> half = half_turn(p2);
    const Vec3 u = angle * (scale * half.sinc);
    Quat q{half.cosine, u.x, u.y, u.z};
    for (int k = 0; k < halvings; ++k) q = normalized(q * q);
    return q;
}

// q turned by the world-frame vector `angle`. An angle below the rounding of a unit quaternion turns nothing:
// what creeps by rounding errors alone stays where it is, bit for bit.
inline Quat turned(const Quat& q, const Vec3& angle) {
    constexpr double kTiny = 0x1p-54;  // rad
    if (length_squared(angle) < kTiny * kTiny) return q;
    return normalized(rotation_by(angle) * q);
}

// The turn by `angle` taken apart: first about the unit vector `axis`, then the rest (Erleben 2005, 4.14:
// partial finite rotation). The first leaves the axis where it is, so that however far a wheel spins, its
// axle moves by the rest alone.
inline Quat turned_apart(const Quat& q, const Vec3& angle, const Vec3& axis) {
    const Vec3 spin = axis * dot(axis, angle);
    return turned(turned(q, spin), angle - spin);
}

// R diag(d) R^T: a tensor with principal values d along the axes of q.
inline Mat3 turned_diagonal(const Quat& q, const Vec3& d) {
    if (d.x == d.y && d.y == d.z) return diagonal(d);
    const Mat3 r = to_matrix(q);
    return Mat3{r.c0 * d.x, r.c1 * d.y, r.c2 * d.z} * transpose(r);
}

}  // namespace impuls
