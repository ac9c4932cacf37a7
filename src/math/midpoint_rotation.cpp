// The implicit midpoint rule of free rotation (free_rotation.h), for one body and for several in lanes.
// With W the body-frame rate, M = (W + W')/2 its mean and l = I W, one piece of length h is
//     l' = exp(-h M) l,   q' = q exp(h M).
// World angular momentum q' l' = q l is kept by construction. l' - l is perpendicular to the axis M, so
// M . (l' - l) = E' - E = 0: energy is kept too.
// A rotation by the angle a about M is v' - v = tan(a/2)/|M| M x (v' + v). For l, which turns by -h|M|, this
// reads
//     W = M + c ratio (My Mz, Mz Mx, Mx My),   c = tan(h|M|/2)/|M|,
// without any exponential, and exp(h M) is the quaternion 1 + c M up to its length. Energy and momentum are
// kept for any c, so c may come from a first estimate of M. The equation is solved by substitution, which
// contracts with the square of the turned angle: a fixed number of sweeps reaches the last bit.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "math/free_rotation.h"
#include "math/rotation.h"

namespace impuls {
namespace {

// T is a double, or one double a lane; operations are the same for each lane.
using Lanes [[gnu::vector_size(8 * SpinGroup::kLanes)]] = double;
constexpr int kSweeps = 6;  // enough for half as much again as kPieceAngle: the rate may grow during a step

template <class T>
struct Turning {
    T qw, qx, qy, qz;  // world from principal frame, any length
    T x, y, z;         // W
};
template <class T>
struct Ratio {
    T x, y, z;
};

// q v q^-1 for a unit quaternion, as rotate().
template <class T>
[[gnu::always_inline]] inline void rotate_by(const T& qw, const T& qx, const T& qy, const T& qz, T& x, T& y,
                                             T& z) {
    const T tx = 2.0 * (qy * z - qz * y), ty = 2.0 * (qz * x - qx * z), tz = 2.0 * (qx * y - qy * x);
    x = x + qw * tx + (qy * tz - qz * ty);
    y = y + qw * ty + (qz * tx - qx * tz);
    z = z + qw * tz + (qx * ty - qy * tx);
}

inline void take_root(double& a) {
    a = std::sqrt(a);
}
inline void take_root(Lanes& a) {
    for (int i = 0; i < SpinGroup::kLanes; ++i) a[i] = std::sqrt(a[i]);
}

template <class T>
[[gnu::always_inline]] inline void begin(Turning<T>& t) {
    const T qx = -t.qx, qy = -t.qy, qz = -t.qz;
    rotate_by(t.qw, qx, qy, qz, t.x, t.y, t.z);
}

template <class T>
[[gnu::always_inline]] inline void normalize(Turning<T>& t) {
    T length = t.qw * t.qw + t.qx * t.qx + t.qy * t.qy + t.qz * t.qz;
    take_root(length);
    const T s = 1.0 / length;
    t.qw *= s, t.qx *= s, t.qy *= s, t.qz *= s;
}

template <class T>
[[gnu::always_inline]] inline void end(Turning<T>& t) {
    normalize(t);
    rotate_by(t.qw, t.qx, t.qy, t.qz, t.x, t.y, t.z);
}

template <class T>
[[gnu::always_inline]] inline void turn(Turning<T>& t, const Ratio<T>& ratio, double h) {
    const double half = 0.5 * h;
    T x = t.x - half * ratio.x * (t.y * t.z), y = t.y - half * ratio.y * (t.z * t.x),
      z = t.z - half * ratio.z * (t.x * t.y);
    // c = h/2 tan(p)/p with p = h|M|/2 <= 1/40.
    const T p2 = half * half * (x * x + y * y + z * z);
    const T c = half * (1.0 + p2 * (1.0 / 3 + p2 * (2.0 / 15 + p2 * (17.0 / 315 + p2 * (62.0 / 2835)))));
    const T ax = c * ratio.x, ay = c * ratio.y, az = c * ratio.z;
    T dx{}, dy{}, dz{};  // W - M
#pragma GCC unroll 8
    for (int sweep = 0; sweep < kSweeps; ++sweep) {
        dx = ax * (y * z), x = t.x - dx;
        dy = ay * z * x, y = t.y - dy;
        dz = az * x * y, z = t.z - dz;
    }
    t.x -= 2.0 * dx, t.y -= 2.0 * dy, t.z -= 2.0 * dz;

    const T ux = c * x, uy = c * y, uz = c * z;
    const T qw = t.qw, qx = t.qx, qy = t.qy, qz = t.qz;
    t.qw = qw - (qx * ux + qy * uy + qz * uz);
    t.qx = qx + (qw * ux + qy * uz - qz * uy);
    t.qy = qy + (qw * uy + qz * ux - qx * uz);
    t.qz = qz + (qw * uz + qx * uy - qy * ux);
}

// What the torque adds to w in a time h, for the inertia at orientation q.
Vec3 push(const Quat& q, const Vec3& inertia, const Vec3& torque_W, double h) {
    if (torque_W == Vec3{}) return {};
    if (is_isotropic(inertia)) return inertia.x > 0 ? torque_W * (h / inertia.x) : Vec3{};
    return rotate(q, divided(rotate_inverse(q, torque_W), inertia)) * h;
}

// About the axis as it is: exact for isotropic bodies.
Spin turned_about_axis(const Spin& s, const Vec3& inertia, const Vec3& torque_W, double h) {
    const Vec3 w = s.w + push(s.q, inertia, torque_W, 0.5 * h);
    const Quat q = turned(s.q, w * h);
    return {q, w + push(q, inertia, torque_W, 0.5 * h)};
}

}  // namespace

Tumbling tumbling_of(double speed, const Vec3& inertia, const Vec3& inverse, double h) {
    const Vec3 ratio = scale({inertia.z - inertia.y, inertia.x - inertia.z, inertia.y - inertia.x}, inverse);
    const double largest =
        std::max(std::max(1.0, std::abs(ratio.x)), std::max(std::abs(ratio.y), std::abs(ratio.z)));
    int halvings = 0;
    for (double angle = speed * std::abs(h) * largest; angle > kPieceAngle && halvings <= kMaxHalvings;
         angle *= 0.5)
        ++halvings;
    return {ratio, halvings};
}

// A torque enters as two half kicks a piece.
Spin rotate_midpoint(const Spin& s, const Vec3& inertia, const Vec3& torque_W, double h) {
    if (is_isotropic(inertia)) return turned_about_axis(s, inertia, torque_W, h);
    const bool has_torque = torque_W != Vec3{};
    const double speed = length(s.w) + (has_torque ? length(push(s.q, inertia, torque_W, h)) : 0);
    const auto [ratio, halvings] = tumbling_of(speed, inertia, divided({1, 1, 1}, inertia), h);
    if (halvings > kMaxHalvings) return turned_about_axis(s, inertia, torque_W, h);

    const int pieces = 1 << halvings;
    const double piece = h / pieces;
    Turning<double> t{s.q.w, s.q.x, s.q.y, s.q.z, s.w.x, s.w.y, s.w.z};
    const auto kick = [&] {
        normalize(t);
        const Vec3 torque = rotate_inverse(Quat{t.qw, t.qx, t.qy, t.qz}, torque_W);
        const Vec3 change = divided(torque, inertia) * (0.5 * piece);
        t.x += change.x, t.y += change.y, t.z += change.z;
    };
    begin(t);
    for (int k = 0; k < pieces; ++k) {
        if (has_torque) kick();
        turn(t, {ratio.x, ratio.y, ratio.z}, piece);
        if (has_torque) kick();
    }
    end(t);
    return {{t.qw, t.qx, t.qy, t.qz}, {t.x, t.y, t.z}};
}

void rotate_midpoint(SpinGroup& group, int halvings, double h) {
    const int pieces = 1 << halvings;
    Turning<Lanes> t;
    Ratio<Lanes> ratio;
    static_assert(sizeof t == sizeof group.spin && sizeof ratio == sizeof group.ratio);
    std::memcpy(&t, group.spin, sizeof t);
    std::memcpy(&ratio, group.ratio, sizeof ratio);
    begin(t);
    for (int k = 0; k < pieces; ++k) turn(t, ratio, h / pieces);
    end(t);
    std::memcpy(group.spin, &t, sizeof t);
}

}  // namespace impuls
