// Ball arithmetic: a number of many bits and a bound on its error. Sums, products and quotients are rounded
// to nearest, so each adds 2^-bits of the result to the bound. Bounds are doubles, enlarged by more than
// their own rounding after every operation. A sign is known when the ball is clear of zero.
#pragma once

#include <boost/multiprecision/cpp_bin_float.hpp>

#include <cmath>

namespace impuls::exact {

__extension__ typedef __float128 Quad;

// Ten times slower, for the few cases that binary128 leaves open.
using Wide = boost::multiprecision::number<
    boost::multiprecision::cpp_bin_float<320, boost::multiprecision::digit_base_2>,
    boost::multiprecision::et_off>;

template <class Real>
constexpr double kRounding = 0x1p-113;
template <>
inline constexpr double kRounding<Wide> = 0x1p-320;
constexpr double kEnlarge = 1 + 0x1p-40;

template <class Real>
double size_of(const Real& x) {
    return std::abs(static_cast<double>(x)) * kEnlarge;
}

template <class Real>
struct Ball {
    Real middle = 0;
    double radius = 0;

    Ball() = default;
    Ball(double x) : middle(x) {}
    Ball(const Real& x, double r) : middle(x), radius(r) {}

    // 1, -1, or 0 when not known.
    int sign() const {
        const double m = static_cast<double>(middle);
        return std::abs(m) <= radius * kEnlarge ? 0 : m > 0 ? 1 : -1;
    }
    double value() const { return static_cast<double>(middle); }
    // Of the nearest double.
    double bound() const { return radius * kEnlarge + std::abs(value()) * 0x1p-53; }
};

template <class Real>
Ball<Real> rounded(const Real& x, double radius) {
    return {x, (radius + size_of(x) * kRounding<Real>)*kEnlarge};
}
template <class Real>
Ball<Real> operator+(const Ball<Real>& a, const Ball<Real>& b) {
    return rounded<Real>(a.middle + b.middle, a.radius + b.radius);
}
template <class Real>
Ball<Real> operator-(const Ball<Real>& a, const Ball<Real>& b) {
    return rounded<Real>(a.middle - b.middle, a.radius + b.radius);
}
template <class Real>
Ball<Real> operator*(const Ball<Real>& a, const Ball<Real>& b) {
    return rounded<Real>(a.middle * b.middle,
                         size_of(a.middle) * b.radius + size_of(b.middle) * a.radius + a.radius * b.radius);
}
// The divisor must be clear of zero: |x/y - X/Y| <= (|x/y| dy + dx) / (|y| - dy).
template <class Real>
Ball<Real> operator/(const Ball<Real>& a, const Ball<Real>& b) {
    const Real q = a.middle / b.middle;
    const double least = std::abs(static_cast<double>(b.middle)) / kEnlarge - b.radius * kEnlarge;
    return rounded<Real>(q, (size_of(q) * b.radius + a.radius) * kEnlarge / least);
}

template <class Real>
struct Ball3 {
    Ball<Real> x{}, y{}, z{};
};
template <class Real>
Ball3<Real> operator+(const Ball3<Real>& a, const Ball3<Real>& b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class Real>
Ball3<Real> operator-(const Ball3<Real>& a, const Ball3<Real>& b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class Real>
Ball3<Real> operator*(const Ball3<Real>& a, const Ball<Real>& s) {
    return {a.x * s, a.y * s, a.z * s};
}
template <class Real>
Ball<Real> dot(const Ball3<Real>& a, const Ball3<Real>& b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class Real>
Ball3<Real> cross(const Ball3<Real>& a, const Ball3<Real>& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

}  // namespace impuls::exact
