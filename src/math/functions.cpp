// Functions of angles (math/functions.h). Multiples of pi/2 are taken off to twice the precision: up to 2^20
// by parts of pi/2 whose multiples are exact (Cody and Waite 1980), beyond by those bits of 2/pi that matter
// (Payne and Hanek, SIGNUM Newsletter 18, 1983; no double comes nearer to a multiple than 2^-61). Inverse
// functions are all atan2: atan(n/d) = atan(c) + atan((n - c d) / (d + c n)) with c = i/32 from a table.
#include "math/functions.h"

#include <array>
#include <cmath>
#include <limits>

#include "math/function_parts.h"

namespace impuls::functions {
namespace {

constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();
constexpr DoubleDouble kHalfTurnOfPi{0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};  // pi/2
constexpr DoubleDouble kPiTwice{0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53};       // pi

// x less a multiple of pi/2: in [-pi/4, pi/4] or a little beyond, and which multiple, modulo 4.
struct Reduced {
    DoubleDouble angle;
    unsigned quarter;
};

Reduced reduce_medium(double x) {
    constexpr double kShift = 0x1.8p52;
    static constexpr double kPart[]{0x1.921fb54400000p+0, 0x1.0b4611a600000p-34, 0x1.3198a2e000000p-69,
                                    0x1.b839a252049c1p-104};
    const double k = (x * 0x1.45f306dc9c883p-1 + kShift) - kShift;
    const DoubleDouble a = two_sum(x - k * kPart[0], -(k * kPart[1]));
    const DoubleDouble b = two_sum(a.hi, -(k * kPart[2]));
    const DoubleDouble c = two_sum(b.hi, a.lo);
    return {two_sum(c.hi, c.lo + (b.lo - k * kPart[3])), static_cast<unsigned>(static_cast<int>(k)) & 3};
}

// |x| = m 2^e of a 53-bit m; bits of 2/pi above 2^(1 - e) give whole turns, and 192 from there are enough.
Reduced reduce_large(double x) {
    __extension__ using Wide = unsigned __int128;
    static constexpr std::array<std::uint64_t, 21> kTwoOverPi{
        0,  // so that windows may begin before the point
        0xa2f9836e4e441529,
        0xfc2757d1f534ddc0,
        0xdb6295993c439041,
        0xfe5163abdebbc561,
        0xb7246e3a424dd2e0,
        0x06492eea09d1921c,
        0xfe1deb1cb129a73e,
        0xe88235f52ebb4484,
        0xe99c7026b45f7e41,
        0x3991d639835339f4,
        0x9c845f8bbdf9283b,
        0x1ff897ffde05980f,
        0xef2f118b5a0a6d1f,
        0x6d367ecf27cb09b7,
        0x4f463f669e5fea2d,
        0x7527bac7ebe5f17b,
        0x3d0739f78a5292ea,
        0x6bfb5fb11f8d5d08,
        0x56033046fc7b6bab,
        0xf0cfbc209af4361d};
    const int e = exponent_bits(x) - 1075;
    const std::uint64_t m = (bits_of(x) & 0xfffffffffffffu) | 0x10000000000000u;
    const auto offset = static_cast<unsigned>(e - 2 + 64), word = offset / 64, shift = offset % 64;
    // The product modulo 4: the highest two of 192 bits are whole quarters.
    std::array<std::uint64_t, 3> product{};  // lowest first
    std::uint64_t carry = 0;
    for (unsigned k = 0; k < 3; ++k) {
        const unsigned at = word + 2 - k;
        const std::uint64_t part =
            shift == 0 ? kTwoOverPi[at] : kTwoOverPi[at] << shift | kTwoOverPi[at + 1] >> (64 - shift);
        const Wide sum = static_cast<Wide>(part) * m + carry;
        product[k] = static_cast<std::uint64_t>(sum);
        carry = static_cast<std::uint64_t>(sum >> 64);
    }
    auto quarter = static_cast<unsigned>(product[2] >> 62);
    std::array<std::uint64_t, 3> share{product[0] << 2, product[1] << 2 | product[0] >> 62,
                                       product[2] << 2 | product[1] >> 62};
    const bool is_beyond = share[2] >> 63 != 0;  // half a quarter or more: from the next one
    if (is_beyond) {
        ++quarter;
        const std::array<std::uint64_t, 3> old = share;
        share = {~old[0] + 1, ~old[1] + (old[0] == 0), ~old[2] + (old[0] == 0 && old[1] == 0)};
    }
    const int zeros = std::countl_zero(share[2]);
    if (zeros == 64) return {{0, 0}, quarter & 3};
    const auto left = static_cast<unsigned>(zeros);
    const std::uint64_t high = left == 0 ? share[2] : share[2] << left | share[1] >> (64 - left);
    const std::uint64_t low = left == 0 ? share[1] : share[1] << left | share[0] >> (64 - left);
    const double first = static_cast<double>(high >> 11) * 0x1p-53;
    const double second = static_cast<double>((high << 42 | low >> 22) & 0x1fffffffffffffu) * 0x1p-106;
    const double size = power_of_two(-zeros) * (is_beyond ? -1 : 1);
    DoubleDouble angle = quick_two_sum(first, second);
    angle = DoubleDouble{angle.hi * size, angle.lo * size} * kHalfTurnOfPi;
    if (x < 0) return {-angle, (0 - quarter) & 3};
    return {angle, quarter & 3};
}

Reduced reduce(double x) {
    if (std::abs(x) < 0x1.9p-1) return {{x, 0}, 0};  // below pi/4
    return std::abs(x) < 0x1p20 ? reduce_medium(x) : reduce_large(x);
}

// Sine and cosine of a reduced angle, relative errors below 2^-57. Leading terms to twice the precision.
struct Pair {
    DoubleDouble sin, cos;
};
Pair series(const DoubleDouble& x) {
    constexpr DoubleDouble kSixth{-0x1.5555555555555p-3, -0x1.5555555555555p-57};
    static constexpr double kSine[]{
        1.0 / 120,          -1.0 / 5040,         1.0 / 362880,         -1.0 / 39916800,
        1.0 / 6227020800.0, -1.0 / 1307674368e3, 1.0 / 355687428096e3, -1.0 / 121645100408832e3};
    static constexpr double kCosine[]{1.0 / 24,
                                      -1.0 / 720,
                                      1.0 / 40320,
                                      -1.0 / 3628800,
                                      1.0 / 479001600,
                                      -1.0 / 87178291200.0,
                                      1.0 / 20922789888e3,
                                      -1.0 / 6402373705728e3,
                                      1.0 / 2432902008176640e3};
    const DoubleDouble z = x * x;
    const double z2 = z.hi * z.hi;
    return {x + (z * x * kSixth + z2 * x.hi * polynomial(kSine, z.hi)),
            DoubleDouble{1, 0} + (z * -0.5 + z2 * polynomial(kCosine, z.hi))};
}

Pair pair_of(double x) {
    const Reduced r = reduce(x);
    const Pair p = series(r.angle);
    switch (r.quarter) {
        case 0:
            return p;
        case 1:
            return {p.cos, -p.sin};
        case 2:
            return {-p.sin, -p.cos};
        default:
            return {-p.cos, p.sin};
    }
}

// atan(i / 32), each from the one before.
constexpr std::array<DoubleDouble, 33> arc_tangents() {
    std::array<DoubleDouble, 33> table{};
    for (int i = 1; i < 33; ++i) {
        const DoubleDouble t = DoubleDouble{32, 0} / DoubleDouble{1024.0 + i * (i - 1), 0}, t2 = t * t;
        DoubleDouble sum{}, power = t;
        for (int n = 1; n < 27; n += 2) {
            const DoubleDouble term = power / DoubleDouble{static_cast<double>(n), 0};
            sum = n % 4 == 1 ? sum + term : sum - term;
            power = power * t2;
        }
        table[static_cast<std::size_t>(i)] = table[static_cast<std::size_t>(i) - 1] + sum;
    }
    return table;
}
constexpr std::array<DoubleDouble, 33> kArcTangents = arc_tangents();

// atan(n / d) of 0 <= n <= d of ordinary size.
DoubleDouble arc(const DoubleDouble& n, const DoubleDouble& d) {
    const auto i = static_cast<int>(32 * (n.hi / d.hi) + 0.5);
    const double c = i / 32.0;
    const DoubleDouble t = (n - d * c) / (d + n * c);
    static constexpr double kSeries[]{-1.0 / 3, 1.0 / 5, -1.0 / 7, 1.0 / 9, -1.0 / 11, 1.0 / 13};
    const double t2 = t.hi * t.hi;
    return kArcTangents[static_cast<std::size_t>(i)] + (t + t.hi * t2 * polynomial(kSeries, t2));
}

// The angle of the direction (x, y), where neither is negative, in [0, pi/2].
DoubleDouble angle_of(const DoubleDouble& y, const DoubleDouble& x) {
    return y.hi <= x.hi ? arc(y, x) : kHalfTurnOfPi - arc(x, y);
}

// cos of the angle whose sine is x, or the other way round.
DoubleDouble companion(double x) {
    return square_root(DoubleDouble{1, 0} - two_product(x, x));
}

}  // namespace

double sin(double x) {
    if (std::abs(x) < 0x1p-27) return x;
    return std::isfinite(x) ? pair_of(x).sin.hi : kNotANumber;
}

double cos(double x) {
    return std::isfinite(x) ? pair_of(x).cos.hi : kNotANumber;
}

SinCos sin_cos(double x) {
    if (!std::isfinite(x)) return {kNotANumber, kNotANumber};
    const Pair p = pair_of(x);
    return {std::abs(x) < 0x1p-27 ? x : p.sin.hi, p.cos.hi};
}

double tan(double x) {
    if (std::abs(x) < 0x1p-27) return x;
    if (!std::isfinite(x)) return kNotANumber;
    const Pair p = pair_of(x);
    return (p.sin / p.cos).hi;
}

double atan2(double y, double x) {
    if (std::isnan(x) || std::isnan(y)) return x + y;
    double ay = std::abs(y), ax = std::abs(x);
    if (std::isinf(ax)) ay = std::isinf(ay) ? 1 : 0, ax = 1;
    if (std::isinf(ay)) ay = 1, ax = 0;
    const bool is_left = std::signbit(x);
    double result = 0;
    const int apart = exponent_bits(ay) - exponent_bits(ax);
    if (ay == 0) {
        result = is_left ? kPiTwice.hi : 0;
    } else if (ax == 0 || apart > 62) {
        result = kHalfTurnOfPi.hi;
    } else if (apart < -62) {
        result = is_left ? kPiTwice.hi : ay / ax;
    } else {
        const double size = ay > ax ? ay : ax;
        const double factor = size > 0x1p500 ? 0x1p-600 : size < 0x1p-500 ? 0x1p600 : 1;
        const DoubleDouble angle = angle_of({ay * factor, 0}, {ax * factor, 0});
        result = is_left ? (kPiTwice - angle).hi : angle.hi;
    }
    return std::signbit(y) ? -result : result;
}

double atan(double x) {
    return std::abs(x) < 0x1p-27 ? x : atan2(x, 1);
}

double asin(double x) {
    if (std::abs(x) < 0x1p-27) return x;
    if (!(std::abs(x) <= 1)) return std::isnan(x) ? x + x : kNotANumber;
    const double angle = angle_of({std::abs(x), 0}, companion(x)).hi;
    return x < 0 ? -angle : angle;
}

double acos(double x) {
    if (!(std::abs(x) <= 1)) return std::isnan(x) ? x + x : kNotANumber;
    const DoubleDouble angle = angle_of(companion(x), {std::abs(x), 0});
    return x < 0 ? (kPiTwice - angle).hi : angle.hi;
}

double hypot(double x, double y) {
    const double ax = std::abs(x), ay = std::abs(y);
    if (std::isinf(ax) || std::isinf(ay)) return std::numeric_limits<double>::infinity();
    if (std::isnan(x) || std::isnan(y)) return x + y;
    const double most = ax > ay ? ax : ay, least = ax > ay ? ay : ax;
    if (least == 0 || exponent_bits(most) - exponent_bits(least) > 60) return most + least;
    const double factor = most > 0x1p500 ? 0x1p-600 : most < 0x1p-400 ? 0x1p600 : 1;
    const double a = most * factor, b = least * factor;
    return square_root(two_product(a, a) + two_product(b, b)).hi / factor;
}

}  // namespace impuls::functions
