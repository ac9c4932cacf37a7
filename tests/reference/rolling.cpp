// Rolling and slipping of an ellipsoid by Runge-Kutta (rolling.h). Symbols: n up, r from the centre of mass
// to the contact, r' its derivative in the world, w the angular velocity, I the inertia.
#include "reference/rolling.h"

#include <cmath>

namespace impuls::reference {

namespace {

constexpr Vec3 kUp{0, 1, 0};

struct Slopes {
    Quat q{};
    Vec3 w{}, velocity{};
};

// Support of the ellipsoid: r = c - B n / sqrt(n . B n) in the body frame, n there turning at -w x n.
struct Lever {
    Vec3 r{}, rate{};  // world
};
Lever lever_of(const RollingSolid& solid, const Quat& q, const Vec3& w) {
    const Vec3 n = rotate_inverse(q, kUp), w_B = rotate_inverse(q, w), dn = -cross(w_B, n);
    const Vec3 Bn = solid.shape * n;
    const double s = std::sqrt(dot(n, Bn));
    const Vec3 r = solid.centre - Bn / s;
    const Vec3 rate = Bn * (dot(dn, Bn) / (s * s * s)) - (solid.shape * dn) / s;
    return {rotate(q, r), rotate(q, rate + cross(w_B, r))};
}

Mat3 in_world(const Mat3& inertia, const Quat& q) {
    const Mat3 R = to_matrix(q);
    return R * inertia * transpose(R);
}

Quat turning(const Quat& q, const Vec3& w) {
    const Quat p = Quat{0, w.x, w.y, w.z} * q;
    return {0.5 * p.w, 0.5 * p.x, 0.5 * p.y, 0.5 * p.z};
}

// v = r x w, a = r' x w + r x dw, and d(I w)/dt = r x m (a - g).
Slopes rolling_slopes(const RollingSolid& solid, const RollingState& s) {
    const Lever lever = lever_of(solid, s.q, s.w);
    const Mat3 I = in_world(solid.inertia, s.q), R = skew(lever.r);
    const Vec3 torque = solid.mass * cross(lever.r, cross(lever.rate, s.w) + solid.gravity * kUp);
    const Vec3 dw = inverse(I - R * R * solid.mass) * (torque - cross(s.w, I * s.w));
    return {turning(s.q, s.w), dw, {}};
}

// F = N (n - mu u/|u|); N such that the contact stays on the plane: n . (a + dw x r + w x r') = 0.
Slopes slipping_slopes(const RollingSolid& solid, double mu, double smooth, const RollingState& s) {
    const Lever lever = lever_of(solid, s.q, s.w);
    const Mat3 I = in_world(solid.inertia, s.q), inv = inverse(I);
    Vec3 slip = s.velocity + cross(s.w, lever.r);
    slip.y = 0;
    const Vec3 direction = kUp - slip * (mu / std::sqrt(length_squared(slip) + smooth * smooth));
    const Vec3 gyroscopic = inv * -cross(s.w, I * s.w), by_load = inv * cross(lever.r, direction);
    const double without = dot(kUp, cross(gyroscopic, lever.r) + cross(s.w, lever.rate)) - solid.gravity;
    const double per_load = dot(kUp, direction / solid.mass + cross(by_load, lever.r));
    const double load = -without / per_load;
    return {turning(s.q, s.w), gyroscopic + by_load * load,
            direction * (load / solid.mass) - solid.gravity * kUp};
}

RollingState advanced(const RollingState& s, const Slopes& k, double h) {
    return {normalized(Quat{s.q.w + h * k.q.w, s.q.x + h * k.q.x, s.q.y + h * k.q.y, s.q.z + h * k.q.z}),
            s.w + h * k.w, s.velocity + h * k.velocity};
}

template <class Law>
RollingState runge_kutta(RollingState s, double h, int steps, const Law& slopes) {
    for (int k = 0; k < steps; ++k) {
        const Slopes a = slopes(s), b = slopes(advanced(s, a, 0.5 * h)), c = slopes(advanced(s, b, 0.5 * h)),
                     d = slopes(advanced(s, c, h));
        const auto mean = [](double i, double j, double l, double m) { return (i + 2 * j + 2 * l + m) / 6; };
        const Slopes sum{{mean(a.q.w, b.q.w, c.q.w, d.q.w), mean(a.q.x, b.q.x, c.q.x, d.q.x),
                          mean(a.q.y, b.q.y, c.q.y, d.q.y), mean(a.q.z, b.q.z, c.q.z, d.q.z)},
                         (a.w + 2 * b.w + 2 * c.w + d.w) / 6,
                         (a.velocity + 2 * b.velocity + 2 * c.velocity + d.velocity) / 6};
        s = advanced(s, sum, h);
    }
    return s;
}

}  // namespace

Vec3 contact_lever(const RollingSolid& solid, const Quat& q) {
    return lever_of(solid, q, {}).r;
}

RollingState rolled(const RollingSolid& solid, RollingState state, double seconds, int steps) {
    state = runge_kutta(state, seconds / steps, steps,
                        [&](const RollingState& s) { return rolling_slopes(solid, s); });
    state.velocity = cross(contact_lever(solid, state.q), state.w);
    return state;
}

RollingState slipped(const RollingSolid& solid, double mu, double smooth, RollingState state, double seconds,
                     int steps) {
    return runge_kutta(state, seconds / steps, steps,
                       [&](const RollingState& s) { return slipping_slopes(solid, mu, smooth, s); });
}

double rolling_energy(const RollingSolid& solid, const RollingState& s) {
    const double height = -contact_lever(solid, s.q).y;
    return 0.5 * solid.mass * length_squared(s.velocity) +
           0.5 * dot(s.w, in_world(solid.inertia, s.q) * s.w) + solid.mass * solid.gravity * height;
}

}  // namespace impuls::reference
