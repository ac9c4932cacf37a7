// Plain vectors, quaternions and 3x3 matrices: values, no hidden state, no SIMD, no Eigen.
// Every operation is a fixed sequence of IEEE operations, so results do not depend on build or machine.
#pragma once

#include <cmath>

namespace impuls {

/// A vector in R^3; the unit is that of the field holding it.
struct Vec3 {
    double x = 0, y = 0, z = 0;

    constexpr Vec3& operator+=(const Vec3& b) { return x += b.x, y += b.y, z += b.z, *this; }
    constexpr Vec3& operator-=(const Vec3& b) { return x -= b.x, y -= b.y, z -= b.z, *this; }
    constexpr Vec3& operator*=(double s) { return x *= s, y *= s, z *= s, *this; }
    constexpr double operator[](int i) const { return i == 0 ? x : i == 1 ? y : z; }
    constexpr double& operator[](int i) { return i == 0 ? x : i == 1 ? y : z; }
    friend constexpr bool operator==(const Vec3&, const Vec3&) = default;
};

constexpr Vec3 operator+(Vec3 a, const Vec3& b) {
    return a += b;
}
constexpr Vec3 operator-(Vec3 a, const Vec3& b) {
    return a -= b;
}
constexpr Vec3 operator-(const Vec3& a) {
    return {-a.x, -a.y, -a.z};
}
constexpr Vec3 operator*(Vec3 a, double s) {
    return a *= s;
}
constexpr Vec3 operator*(double s, Vec3 a) {
    return a *= s;
}
constexpr Vec3 operator/(const Vec3& a, double s) {
    return {a.x / s, a.y / s, a.z / s};
}
constexpr double dot(const Vec3& a, const Vec3& b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
constexpr Vec3 cross(const Vec3& a, const Vec3& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
constexpr Vec3 scale(const Vec3& a, const Vec3& b) {
    return {a.x * b.x, a.y * b.y, a.z * b.z};
}
constexpr double length_squared(const Vec3& a) {
    return dot(a, a);
}
inline double length(const Vec3& a) {
    return std::sqrt(dot(a, a));
}
/// Unit vector along a; zero stays zero.
inline Vec3 normalized(const Vec3& a) {
    const double n = length(a);
    return n > 0 ? a / n : a;
}
inline bool is_finite(const Vec3& a) {
    return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z);
}

/// A 3x3 matrix by columns.
struct Mat3 {
    Vec3 c0{1, 0, 0}, c1{0, 1, 0}, c2{0, 0, 1};

    constexpr const Vec3& operator[](int j) const { return j == 0 ? c0 : j == 1 ? c1 : c2; }
    constexpr Vec3& operator[](int j) { return j == 0 ? c0 : j == 1 ? c1 : c2; }
    friend constexpr bool operator==(const Mat3&, const Mat3&) = default;
};

constexpr Mat3 diagonal(const Vec3& d) {
    return {{d.x, 0, 0}, {0, d.y, 0}, {0, 0, d.z}};
}
constexpr Mat3 transpose(const Mat3& m) {
    return {{m.c0.x, m.c1.x, m.c2.x}, {m.c0.y, m.c1.y, m.c2.y}, {m.c0.z, m.c1.z, m.c2.z}};
}
constexpr Vec3 operator*(const Mat3& m, const Vec3& v) {
    return m.c0 * v.x + m.c1 * v.y + m.c2 * v.z;
}
constexpr Mat3 operator*(const Mat3& a, const Mat3& b) {
    return {a * b.c0, a * b.c1, a * b.c2};
}
constexpr Mat3 operator*(const Mat3& a, double s) {
    return {a.c0 * s, a.c1 * s, a.c2 * s};
}
constexpr Mat3 operator+(const Mat3& a, const Mat3& b) {
    return {a.c0 + b.c0, a.c1 + b.c1, a.c2 + b.c2};
}
constexpr Mat3 operator-(const Mat3& a, const Mat3& b) {
    return {a.c0 - b.c0, a.c1 - b.c1, a.c2 - b.c2};
}
/// The matrix of v -> a x v.
constexpr Mat3 skew(const Vec3& a) {
    return {{0, a.z, -a.y}, {-a.z, 0, a.x}, {a.y, -a.x, 0}};
}
constexpr double determinant(const Mat3& m) {
    return dot(m.c0, cross(m.c1, m.c2));
}
/// Inverse by cofactors; the caller makes sure that m is regular.
constexpr Mat3 inverse(const Mat3& m) {
    const double s = 1.0 / determinant(m);
    return transpose({cross(m.c1, m.c2) * s, cross(m.c2, m.c0) * s, cross(m.c0, m.c1) * s});
}

/// A rotation as unit quaternion w + xi + yj + zk; rotates body coordinates into world coordinates.
struct Quat {
    double w = 1, x = 0, y = 0, z = 0;
    friend constexpr bool operator==(const Quat&, const Quat&) = default;
};

constexpr Quat operator*(const Quat& a, const Quat& b) {
    return {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
            a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}
constexpr Quat conjugate(const Quat& q) {
    return {q.w, -q.x, -q.y, -q.z};
}
constexpr double length_squared(const Quat& q) {
    return q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
}
inline Quat normalized(const Quat& q) {
    const double s = 1.0 / std::sqrt(length_squared(q));
    return {q.w * s, q.x * s, q.y * s, q.z * s};
}
constexpr Vec3 rotate(const Quat& q, const Vec3& v) {
    const Vec3 u{q.x, q.y, q.z};
    const Vec3 t = 2.0 * cross(u, v);
    return v + q.w * t + cross(u, t);
}
constexpr Vec3 rotate_inverse(const Quat& q, const Vec3& v) {
    return rotate(conjugate(q), v);
}
/// The matrix of a unit quaternion; exactly the identity for {1, 0, 0, 0}.
constexpr Mat3 to_matrix(const Quat& q) {
    const double x = 2 * q.x, y = 2 * q.y, z = 2 * q.z;
    const double xx = q.x * x, yy = q.y * y, zz = q.z * z, xy = q.x * y, xz = q.x * z, yz = q.y * z;
    const double wx = q.w * x, wy = q.w * y, wz = q.w * z;
    return {{1 - (yy + zz), xy + wz, xz - wy},
            {xy - wz, 1 - (xx + zz), yz + wx},
            {xz + wy, yz - wx, 1 - (xx + yy)}};
}
inline bool is_finite(const Quat& q) {
    return std::isfinite(length_squared(q));
}
/// Rotation by `angle` (rad) about `axis` (any length but zero).
inline Quat from_axis_angle(const Vec3& axis, double angle) {
    const Vec3 u = normalized(axis) * std::sin(0.5 * angle);
    return {std::cos(0.5 * angle), u.x, u.y, u.z};
}

/// Position and orientation of a frame B in a frame W (X_WB).
struct Pose {
    Vec3 position;
    Quat orientation;
    friend constexpr bool operator==(const Pose&, const Pose&) = default;
};

constexpr Vec3 operator*(const Pose& X_WB, const Vec3& p_B) {
    return X_WB.position + rotate(X_WB.orientation, p_B);
}
constexpr Pose operator*(const Pose& X_WA, const Pose& X_AB) {
    return {X_WA * X_AB.position, X_WA.orientation * X_AB.orientation};
}
constexpr Pose inverse(const Pose& X) {
    return {rotate_inverse(X.orientation, -X.position), conjugate(X.orientation)};
}

}  // namespace impuls
