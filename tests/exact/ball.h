// Ball arithmetic: a number of 113 bits and a bound on its error. Sums, products and quotients in binary128
// are rounded to nearest, so each adds 2^-113 of the result to the bound. Bounds are doubles, enlarged by
// more than their own rounding after every operation. A sign is known when the ball is clear of zero.
#pragma once

#include <cmath>

namespace impuls::exact {

__extension__ typedef __float128 Quad;

constexpr double kQuadRounding = 0x1p-113, kEnlarge = 1 + 0x1p-40;

inline double size_of(Quad x) {
    return std::abs(static_cast<double>(x)) * kEnlarge;
}

struct Ball {
    Quad middle = 0;
    double radius = 0;

    Ball() = default;
    Ball(double x) : middle(x) {}
    Ball(Quad x, double r) : middle(x), radius(r) {}

    // 1, -1, or 0 when not known.
    int sign() const {
        const double m = static_cast<double>(middle);
        return std::abs(m) <= radius * kEnlarge ? 0 : m > 0 ? 1 : -1;
    }
    double value() const { return static_cast<double>(middle); }
    // Of the nearest double.
    double bound() const { return radius * kEnlarge + std::abs(value()) * 0x1p-53; }
};

inline Ball rounded(Quad x, double radius) {
    return {x, (radius + size_of(x) * kQuadRounding) * kEnlarge};
}
inline Ball operator+(const Ball& a, const Ball& b) {
    return rounded(a.middle + b.middle, a.radius + b.radius);
}
inline Ball operator-(const Ball& a, const Ball& b) {
    return rounded(a.middle - b.middle, a.radius + b.radius);
}
inline Ball operator*(const Ball& a, const Ball& b) {
    return rounded(a.middle * b.middle,
                   size_of(a.middle) * b.radius + size_of(b.middle) * a.radius + a.radius * b.radius);
}
// The divisor must be clear of zero: |x/y - X/Y| <= (|x/y| dy + dx) / (|y| - dy).
inline Ball operator/(const Ball& a, const Ball& b) {
    const Quad q = a.middle / b.middle;
    const double least = std::abs(static_cast<double>(b.middle)) / kEnlarge - b.radius * kEnlarge;
    return rounded(q, (size_of(q) * b.radius + a.radius) * kEnlarge / least);
}

struct Ball3 {
    Ball x{}, y{}, z{};
};
inline Ball3 operator+(const Ball3& a, const Ball3& b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
}
inline Ball3 operator-(const Ball3& a, const Ball3& b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
}
inline Ball3 operator*(const Ball3& a, const Ball& s) {
    return {a.x * s, a.y * s, a.z * s};
}
inline Ball dot(const Ball3& a, const Ball3& b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
inline Ball3 cross(const Ball3& a, const Ball3& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

}  // namespace impuls::exact
