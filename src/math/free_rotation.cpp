// The Runge-Kutta integrators of free rotation and the choice among all (free_rotation.h); the midpoint rule
// is in midpoint_rotation.cpp.
#include "math/free_rotation.h"

#include <algorithm>

#include "math/rotation.h"

namespace impuls {
namespace {

double max_norm(const Vec3& a) {
    return std::max({std::abs(a.x), std::abs(a.y), std::abs(a.z)});
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
            divided(torque - cross(W, scale(inertia, W)), inertia)};
}

Quat moved(const Quat& q, const Quat& rate, double h) {
    return {q.w + h * rate.w, q.x + h * rate.x, q.y + h * rate.y, q.z + h * rate.z};
}

}  // namespace

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

// A symmetric top turns about l by l / I and about its own axis by the rest of its spin.
Quat turned_freely(const Quat& q, const Vec3& l, const Vec3& inverse_inertia, int axis, double h) {
    if (axis == 3) return turned(q, l * (inverse_inertia.x * h));
    if (axis < 3) {
        const int other = axis == 0 ? 1 : 0;
        Vec3 e{};
        e[axis] = 1;
        const double spin = dot(rotate(q, e), l) * (inverse_inertia[axis] - inverse_inertia[other]);
        return normalized(rotation_by(l * (inverse_inertia[other] * h)) * q * rotation_by(e * (spin * h)));
    }
    const auto rate = [&](const Quat& at) {
        const Vec3 w = scale(inverse_inertia, rotate_inverse(at, l)) * 0.5;
        return at * Quat{0, w.x, w.y, w.z};
    };
    const Quat k1 = rate(q), k2 = rate(moved(q, k1, 0.5 * h)), k3 = rate(moved(q, k2, 0.5 * h)),
               k4 = rate(moved(q, k3, h));
    const auto blend = [h](double a, double b, double c, double d) {
        return h / 6 * (a + 2 * b + 2 * c + d);
    };
    return normalized(Quat{q.w + blend(k1.w, k2.w, k3.w, k4.w), q.x + blend(k1.x, k2.x, k3.x, k4.x),
                           q.y + blend(k1.y, k2.y, k3.y, k4.y), q.z + blend(k1.z, k2.z, k3.z, k4.z)});
}

Spin rotate_freely(Integrator method, const Spin& s, const Vec3& inertia, const Vec3& torque_W, double h) {
    if (method == Integrator::SemiImplicit) return rotate_midpoint(s, inertia, torque_W, h);
    const Tumbling tumbling = tumbling_of(length(s.w), inertia, divided({1, 1, 1}, inertia), h);
    if (tumbling.halvings > kMaxHalvings)
        return rotate_midpoint(s, inertia, torque_W, h);  // explicit ones burst
    const int pieces = 1 << tumbling.halvings;
    const auto rotate_piece = method == Integrator::Rk4 ? rotate_rk4 : rotate_reference;
    Spin now = s;
    for (int k = 0; k < pieces; ++k) now = rotate_piece(now, inertia, torque_W, h / pieces);
    return now;
}

}  // namespace impuls
