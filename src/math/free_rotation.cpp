// The integrators of free rotation (free_rotation.h).
#include "math/free_rotation.h"

#include <algorithm>

#include "math/rotation.h"

namespace impuls {
namespace {

Vec3 divide(const Vec3& a, const Vec3& b) {
    return {a.x / b.x, a.y / b.y, a.z / b.z};
}

double max_norm(const Vec3& a) {
    return std::max({std::abs(a.x), std::abs(a.y), std::abs(a.z)});
}

// exp(a) v for |a| <= 1/2 by Rodrigues' formula: v + sinc a x v + (1 - cos)/|a|^2 a x (a x v). Cheaper than a
// quaternion inside an iteration.
Vec3 rotated_a_little(const Vec3& a, const Vec3& v) {
    const double x = -length_squared(a);
    const double sinc =
        1 + x * (1.0 / 6 +
                 x * (1.0 / 120 +
                      x * (1.0 / 5040 + x * (1.0 / 362880 + x * (1.0 / 39916800 + x * (1.0 / 6227020800))))));
    const double versine =
        1.0 / 2 +
        x * (1.0 / 24 +
             x * (1.0 / 720 +
                  x * (1.0 / 40320 + x * (1.0 / 3628800 + x * (1.0 / 479001600 + x * (1.0 / 87178291200))))));
    const Vec3 c = cross(a, v);
    return v + sinc * c + versine * cross(a, c);
}

// d/dt of (q, body-frame W).
struct Rate {
    Quat q;
    Vec3 W;
};

Rate rate_of(const Quat& q, const Vec3& W, const Vec3& inertia, const Vec3& torque_W) {
    const Quat half = q * Quat{0, W.x, W.y, W.z};
    const Vec3 torque = rotate_inverse(normalized(q), torque_W);
    return {{0.5 * half.w, 0.5 * half.x, 0.5 * half.y, 0.5 * half.z},
            divide(torque - cross(W, scale(inertia, W)), inertia)};
}

Quat moved(const Quat& q, const Quat& rate, double h) {
    return {q.w + h * rate.w, q.x + h * rate.x, q.y + h * rate.y, q.z + h * rate.z};
}

}  // namespace

// With l = I W the body-frame angular momentum and M = I^-1 (l + l')/2 the mean rate, one step is
//     l' = exp(-h M) l,   q' = q exp(h M).
// World angular momentum q' l' = q l is kept by construction. l' - l is perpendicular to the axis M, so
// M . (l' - l) = E' - E = 0: energy is kept too. M is found by fixed-point iteration, which contracts with
// the turned angle; steps are split so that this stays below half a radian. A torque enters as two half
// kicks.
Spin rotate_midpoint(const Spin& s, const Vec3& inertia, const Vec3& torque_W, double h) {
    const bool is_isotropic = inertia.x == inertia.y && inertia.y == inertia.z;
    const bool has_torque = torque_W != Vec3{};
    if (is_isotropic) {
        const Vec3 kick = has_torque ? torque_W * (0.5 * h / inertia.x) : Vec3{};
        const Vec3 w = s.w + kick;
        return {turned(s.q, w * h), w + kick};
    }
    const double angle = length(s.w) * std::abs(h);
    if (angle >= 32) return {turned(s.q, s.w * h), s.w};  // many turns a step: nothing is resolved anyway
    if (angle > 0.4) {
        Spin half = rotate_midpoint(s, inertia, torque_W, 0.5 * h);
        return rotate_midpoint(half, inertia, torque_W, 0.5 * h);
    }
    const Vec3 inverse_inertia{1 / inertia.x, 1 / inertia.y, 1 / inertia.z};
    Vec3 l = scale(inertia, rotate_inverse(s.q, s.w));
    if (has_torque) l += rotate_inverse(s.q, torque_W) * (0.5 * h);
    const Vec3 W = scale(inverse_inertia, l);
    // Newton's method with the derivative at h = 0 of the equation M - (W + I^-1 exp(-h M) l)/2 = 0.
    const Mat3 half = skew(l * (0.5 * h));
    const Mat3 newton = inverse(Mat3{{1, -half.c0.y * inverse_inertia.y, -half.c0.z * inverse_inertia.z},
                                     {-half.c1.x * inverse_inertia.x, 1, -half.c1.z * inverse_inertia.z},
                                     {-half.c2.x * inverse_inertia.x, -half.c2.y * inverse_inertia.y, 1}});
    Vec3 mean = W, l_new = l;
    for (int iteration = 0; iteration < 30; ++iteration) {
        l_new = rotated_a_little(mean * -h, l);
        const Vec3 change = newton * (0.5 * (W + scale(inverse_inertia, l_new)) - mean);
        mean += change;
        if (max_norm(change) <= 1e-14 * max_norm(W)) break;  // the next change would be rounding
    }
    const Quat q = normalized(s.q * rotation_by(mean * h));
    Vec3 w = rotate(q, scale(inverse_inertia, l_new));
    if (has_torque) w += rotate(q, divide(rotate_inverse(q, torque_W) * (0.5 * h), inertia));
    return {q, w};
}

Spin rotate_rk4(const Spin& s, const Vec3& inertia, const Vec3& torque_W, double h) {
    const Vec3 W = rotate_inverse(s.q, s.w);
    const Rate k1 = rate_of(s.q, W, inertia, torque_W);
    const Rate k2 = rate_of(moved(s.q, k1.q, 0.5 * h), W + 0.5 * h * k1.W, inertia, torque_W);
    const Rate k3 = rate_of(moved(s.q, k2.q, 0.5 * h), W + 0.5 * h * k2.W, inertia, torque_W);
    const Rate k4 = rate_of(moved(s.q, k3.q, h), W + h * k3.W, inertia, torque_W);
    const auto blend = [h](double a, double b, double c, double d) {
        return h / 6 * (a + 2 * b + 2 * c + d);
    };
    const Quat q = normalized(
        Quat{s.q.w + blend(k1.q.w, k2.q.w, k3.q.w, k4.q.w), s.q.x + blend(k1.q.x, k2.q.x, k3.q.x, k4.q.x),
             s.q.y + blend(k1.q.y, k2.q.y, k3.q.y, k4.q.y), s.q.z + blend(k1.q.z, k2.q.z, k3.q.z, k4.q.z)});
    return {q, rotate(q, W + h / 6 * (k1.W + 2.0 * k2.W + 2.0 * k3.W + k4.W))};
}

Spin rotate_reference(const Spin& s, const Vec3& inertia, const Vec3& torque_W, double h) {
    Spin last = rotate_rk4(s, inertia, torque_W, h);
    for (int pieces = 2; pieces <= 4096; pieces *= 2) {
        Spin now = s;
        for (int k = 0; k < pieces; ++k) now = rotate_rk4(now, inertia, torque_W, h / pieces);
        const double change_q = std::max({std::abs(now.q.w - last.q.w), std::abs(now.q.x - last.q.x),
                                          std::abs(now.q.y - last.q.y), std::abs(now.q.z - last.q.z)});
        const double change_w = max_norm(now.w - last.w);
        last = now;
        if (change_q <= 1e-14 && change_w <= 1e-14 * max_norm(now.w)) break;
    }
    return last;
}

Spin rotate_freely(Integrator method, const Spin& s, const Vec3& inertia, const Vec3& torque_W, double h) {
    switch (method) {
        case Integrator::SemiImplicit:
            return rotate_midpoint(s, inertia, torque_W, h);
        case Integrator::Rk4:
            return rotate_rk4(s, inertia, torque_W, h);
        case Integrator::Reference:
            return rotate_reference(s, inertia, torque_W, h);
    }
    return s;
}

}  // namespace impuls
