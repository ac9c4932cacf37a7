// Exponentials, logarithms, powers (math/functions.h). With k / 32 the nearest to x / ln 2,
//     exp(x) = 2^(k/32) exp(r),  |r| <= ln 2 / 64,
// and with c_i near 128 / i short and i / 128 the nearest to m, where x = m 2^k and sqrt(1/2) < m <= sqrt 2,
//     log(x) = k ln 2 - log c_i + log(1 + r),  r = m c_i - 1 exact, |r| < 0.0063
// (after Tang, ACM TOMS 15, 1989 and 16, 1990). Tables are made by the compiler, to twice the precision.
#include <array>
#include <cmath>
#include <limits>

#include "math/function_parts.h"
#include "math/functions.h"

namespace impuls::functions {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr DoubleDouble kLn2{0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56};

constexpr std::array<DoubleDouble, 32> roots_of_two() {
    std::array<DoubleDouble, 32> table{};
    for (int j = 0; j < 32; ++j) {
        const DoubleDouble x = kLn2 * (j / 32.0);
        DoubleDouble sum{1, 0}, term{1, 0};
        for (int n = 1; n < 28; ++n) {
            term = term * x / DoubleDouble{static_cast<double>(n), 0};
            sum = sum + term;
        }
        table[static_cast<std::size_t>(j)] = sum;
    }
    return table;
}
constexpr std::array<DoubleDouble, 32> kRoots = roots_of_two();

constexpr int kLeast = 90, kMost = 182;  // of 128 m
constexpr double short_inverse(int i) {
    return static_cast<double>((2 * 131072 + i) / (2 * i)) / 1024;  // 128 / i to ten bits behind the point
}
// -log c = -2 artanh z, z = (c - 1) / (c + 1).
constexpr std::array<DoubleDouble, kMost - kLeast + 1> logarithms() {
    std::array<DoubleDouble, kMost - kLeast + 1> table{};
    for (int i = kLeast; i <= kMost; ++i) {
        const double c = short_inverse(i);
        const DoubleDouble z = DoubleDouble{c - 1, 0} / DoubleDouble{c + 1, 0}, z2 = z * z;
        DoubleDouble sum{}, power = z;
        for (int n = 1; n < 44; n += 2) {
            sum = sum + power / DoubleDouble{static_cast<double>(n), 0};
            power = power * z2;
        }
        table[static_cast<std::size_t>(i - kLeast)] = sum * -2.0;
    }
    return table;
}
constexpr std::array<DoubleDouble, kMost - kLeast + 1> kLogarithms = logarithms();

bool is_integer(double y) {
    return std::floor(y) == y;
}
bool is_odd(double y) {  // of an integer
    return std::abs(y) < 0x1p53 && std::floor(y / 2) != y / 2;
}

// Powers of zero, infinities and NaN, and to such; true where it was one.
bool special_power(double x, double y, double& result) {
    if (y == 0 || x == 1) return result = 1, true;
    if (std::isnan(x) || std::isnan(y)) return result = x + y, true;
    const double size = std::abs(x);
    if (std::isinf(y)) {
        result = size == 1 ? 1 : (size > 1) == (y > 0) ? kInfinity : 0;
        return true;
    }
    if (x == 0 || std::isinf(x)) {
        const double limit = (x == 0) == (y > 0) ? 0 : kInfinity;
        result = std::signbit(x) && is_integer(y) && is_odd(y) ? -limit : limit;
        return true;
    }
    if (x < 0 && !is_integer(y)) return result = kNan, true;
    return false;
}

}  // namespace

double scaled(double x, int n) {
    if (n > 1023) return x * 0x1p1023 * power_of_two(n - 1023 > 1023 ? 1023 : n - 1023);
    if (n >= -1022) return x * power_of_two(n);
    return x * power_of_two(n + 1022 < -1022 ? -1022 : n + 1022) * 0x1p-1022;
}

Exponential exponential(const DoubleDouble& x) {
    constexpr double kShift = 0x1.8p52;  // adding it rounds to an integer
    constexpr double kHigh = 0x1.62e42fefa0000p-6, kLow = 0x1.cf79abc9e3b3ap-45;  // ln 2 / 32
    const double k = (x.hi * 0x1.71547652b82fep+5 + kShift) - kShift;
    const auto number = static_cast<int>(k);
    const DoubleDouble r = two_sum(x.hi - k * kHigh, x.lo - k * kLow);  // the first difference is exact
    static constexpr double kSeries[]{1.0 / 2,   1.0 / 6,    1.0 / 24,   1.0 / 120,
                                      1.0 / 720, 1.0 / 5040, 1.0 / 40320};
    const DoubleDouble& root = kRoots[static_cast<std::size_t>(number & 31)];
    const double more = r.lo + r.hi * r.hi * polynomial(kSeries, r.hi);  // exp r - 1 - r.hi
    const DoubleDouble product = two_product(root.hi, r.hi);
    const double low = root.lo + (product.lo + (root.hi * more + root.lo * r.hi));
    return {two_sum(root.hi, product.hi) + low, number >> 5};
}

DoubleDouble logarithm(double x) {
    int k = 0;
    if (x < 0x1p-1022) x *= 0x1p54, k = -54;
    k += exponent_bits(x) - 1023;
    double m = std::bit_cast<double>((bits_of(x) & 0xfffffffffffffu) | 0x3ff0000000000000u);
    if (m > 0x1.6a09e667f3bcdp0) m *= 0.5, ++k;
    const auto i = static_cast<int>(m * 128 + 0.5);
    const DoubleDouble product = two_product(m, short_inverse(i));
    const DoubleDouble r = two_sum(product.hi - 1, product.lo);
    constexpr DoubleDouble kThird{0x1.5555555555555p-2, 0x1.5555555555555p-56};
    static constexpr double kSeries[]{-1.0 / 4, 1.0 / 5, -1.0 / 6,  1.0 / 7,
                                      -1.0 / 8, 1.0 / 9, -1.0 / 10, 1.0 / 11};
    const DoubleDouble square = r * r;
    const double tail = square.hi * square.hi * polynomial(kSeries, r.hi);
    const DoubleDouble series = (r + square * -0.5) + (square * r * kThird + tail);  // log(1 + r)
    constexpr double kHigh = 0x1.62e42fefa3800p-1;                                   // k times it is exact
    constexpr DoubleDouble kLow{0x1.ef35793c76730p-45, 0x1.f97b57a079a19p-103};
    const DoubleDouble whole = DoubleDouble{k * kHigh, 0} + kLow * static_cast<double>(k);
    return (whole + kLogarithms[static_cast<std::size_t>(i - kLeast)]) + series;
}

double exp(double x) {
    if (std::isnan(x)) return x + x;
    if (x > 709.79) return kInfinity;
    if (x < -745.2) return 0;
    const Exponential e = exponential({x, 0});
    return scaled(e.mantissa.hi, e.exponent);
}

double log(double x) {
    if (std::isnan(x)) return x + x;
    if (x < 0) return kNan;
    if (x == 0) return -kInfinity;
    return std::isinf(x) ? x : logarithm(x).hi;
}

double pow(double x, double y) {
    double result = 0;
    if (special_power(x, y, result)) return result;
    const bool is_negative = x < 0 && is_odd(y);
    const DoubleDouble l = logarithm(std::abs(x));
    const double rough = y * l.hi;
    if (rough > 710 || rough < -746) {
        result = rough > 0 ? kInfinity : 0;
    } else if (std::abs(rough) < 0x1p-60) {
        result = 1;
    } else {
        // A large y would overflow when it is split; the logarithm is no less than 2^-53.
        const Exponential e = exponential(l * y);
        result = scaled(e.mantissa.hi, e.exponent);
    }
    return is_negative ? -result : result;
}

double tanh(double x) {
    const double size = std::abs(x);
    if (std::isnan(x)) return x + x;
    if (size < 0x1p-28) return x;
    double result = 1;
    if (size < 0x1p-5) {
        static constexpr double kSeries[]{-1.0 / 3,    2.0 / 15,         -17.0 / 315,
                                          62.0 / 2835, -1382.0 / 155925, 21844.0 / 6081075};
        const double x2 = size * size;
        result = size + size * x2 * polynomial(kSeries, x2);
    } else if (size < 20) {  // (e^2x - 1) / (e^2x + 1)
        const Exponential e = exponential({2 * size, 0});
        const double power = power_of_two(e.exponent);
        const DoubleDouble grown{e.mantissa.hi * power, e.mantissa.lo * power};
        result = ((grown + -1.0) / (grown + 1.0)).hi;
    }
    return x < 0 ? -result : result;
}

}  // namespace impuls::functions
