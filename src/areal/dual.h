// Numbers that carry their derivatives (forward differentiation): the same expressions give a wrench alone
// with T = double, and with T = Dual its exact tangent as well, with the same value to the last bit. The
// twelve directions are those of a pair: target displaced and rotated relative to the base, and relative
// velocity and spin. Called by the kernel of elements (clip.h, law.h).
#pragma once

#include <array>
#include <cmath>

#include "impuls/vec.h"

namespace impuls::areal {

inline constexpr std::size_t kDirections = 12;

struct Dual {
    double v = 0;
    std::array<double, kDirections> d{};

    constexpr Dual() = default;
    constexpr Dual(double value) : v(value) {}
};

constexpr double value_of(double a) {
    return a;
}
constexpr double value_of(const Dual& a) {
    return a.v;
}
// A function of one number, by its value and slope.
constexpr double chained(double value, double, double) {
    return value;
}
constexpr Dual chained(double value, double slope, const Dual& of) {
    Dual out(value);
    for (std::size_t k = 0; k < kDirections; ++k) out.d[k] = slope * of.d[k];
    return out;
}
constexpr Dual operator+(const Dual& a, const Dual& b) {
    Dual out(a.v + b.v);
    for (std::size_t k = 0; k < kDirections; ++k) out.d[k] = a.d[k] + b.d[k];
    return out;
}
constexpr Dual operator-(const Dual& a, const Dual& b) {
    Dual out(a.v - b.v);
    for (std::size_t k = 0; k < kDirections; ++k) out.d[k] = a.d[k] - b.d[k];
    return out;
}
constexpr Dual operator*(const Dual& a, const Dual& b) {
    Dual out(a.v * b.v);
    for (std::size_t k = 0; k < kDirections; ++k) out.d[k] = a.d[k] * b.v + a.v * b.d[k];
    return out;
}
constexpr Dual operator*(const Dual& a, double b) {
    Dual out(a.v * b);
    for (std::size_t k = 0; k < kDirections; ++k) out.d[k] = a.d[k] * b;
    return out;
}
constexpr Dual operator/(const Dual& a, const Dual& b) {
    Dual out(a.v / b.v);
    for (std::size_t k = 0; k < kDirections; ++k) out.d[k] = (a.d[k] - out.v * b.d[k]) / b.v;
    return out;
}
inline double root(double a) {
    return std::sqrt(a);
}
inline Dual root(const Dual& a) {
    const double r = std::sqrt(a.v);
    return chained(r, r > 0 ? 0.5 / r : 0, a);
}

template <class T>
struct Vec {
    T x{}, y{}, z{};
};
template <class T>
constexpr Vec<T> operator+(const Vec<T>& a, const Vec<T>& b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class T>
constexpr Vec<T> operator-(const Vec<T>& a, const Vec<T>& b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class T, class S>
constexpr Vec<T> operator*(const Vec<T>& a, const S& s) {
    return {a.x * s, a.y * s, a.z * s};
}
template <class T>
constexpr T dot(const Vec<T>& a, const Vec<T>& b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class T>
constexpr Vec<T> cross(const Vec<T>& a, const Vec<T>& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
// With what does not change; the same sums as above, without the zeros.
template <class T>
constexpr T dot(const Vec<T>& a, const Vec3& b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class T>
constexpr Vec<T> fixed(const Vec3& a) {
    return {T(a.x), T(a.y), T(a.z)};
}
constexpr Vec3 plain(const Vec<double>& a) {
    return {a.x, a.y, a.z};
}
constexpr Vec3 plain(const Vec<Dual>& a) {
    return {a.x.v, a.y.v, a.z.v};
}

}  // namespace impuls::areal
