// What the elementary functions share (math/functions.h): taking doubles apart and scaling them, Horner's
// rule, exponentials and logarithms to twice the precision. Private to math/functions*.cpp.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "math/double_double.h"

namespace impuls::functions {

inline std::uint64_t bits_of(double x) {
    return std::bit_cast<std::uint64_t>(x);
}
// Biased exponent: 0 for zero and subnormal numbers, 2047 for infinities and NaN.
inline int exponent_bits(double x) {
    return static_cast<int>(bits_of(x) >> 52 & 2047);
}
// 2^n of -1022 <= n <= 1023.
inline double power_of_two(int n) {
    return std::bit_cast<double>(static_cast<std::uint64_t>(n + 1023) << 52);
}
// x 2^n, rounded once; n within +-2200.
double scaled(double x, int n);

// c[0] + c[1] x + c[2] x^2 + ...
template <std::size_t n>
constexpr double polynomial(const double (&c)[n], double x) {
    double sum = c[n - 1];
    for (std::size_t k = n - 1; k-- > 0;) sum = c[k] + x * sum;
    return sum;
}

// exp(x) = mantissa 2^exponent with a mantissa in [0.98, 2.02], relative error about 2^-66; |x| < 800.
struct Exponential {
    DoubleDouble mantissa;
    int exponent;
};
Exponential exponential(const DoubleDouble& x);

// log(x) of a finite x > 0, relative error about 2^-75.
DoubleDouble logarithm(double x);

}  // namespace impuls::functions
