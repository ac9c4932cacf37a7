// Cross products without cancellation, for vectors that are nearly parallel: differences of two products are
// formed from error-free products (Dekker, Numer. Math. 18, 1971), so each component is right to a rounding
// of itself and not of |a| |b|. Called by distances of convex bodies, where the normal of two nearly parallel
// edges decides.
#pragma once

#include "impuls/vec.h"

namespace impuls {

// A value as an unevaluated sum.
struct DoubleSum {
    double high, low;
};

// a + b without error (Knuth).
inline DoubleSum exact_sum(double a, double b) {
    const double s = a + b, t = s - a;
    return {s, (a - (s - t)) + (b - t)};
}

inline DoubleSum split_in_halves(double a) {
    const double c = 134217729.0 * a;  // 2^27 + 1
    const double high = c - (c - a);
    return {high, a - high};
}

// a * b without error (Dekker, Veltkamp).
inline DoubleSum exact_product(double a, double b) {
    const DoubleSum x = split_in_halves(a), y = split_in_halves(b);
    const double p = a * b;
    return {p, ((x.high * y.high - p) + x.high * y.low + x.low * y.high) + x.low * y.low};
}

// a b - c d
inline double difference_of_products(double a, double b, double c, double d) {
    const DoubleSum p = exact_product(a, b), q = exact_product(c, d);
    const DoubleSum s = exact_sum(p.high, -q.high);
    return s.high + (s.low + p.low - q.low);
}

// a x b; plain where the angle is large enough, sine above 1e-3.
inline Vec3 accurate_cross(const Vec3& a, const Vec3& b) {
    const Vec3 n = cross(a, b);
    if (dot(n, n) > 1e-6 * dot(a, a) * dot(b, b)) return n;
    return {difference_of_products(a.y, b.z, a.z, b.y), difference_of_products(a.z, b.x, a.x, b.z),
            difference_of_products(a.x, b.y, a.y, b.x)};
}

}  // namespace impuls
