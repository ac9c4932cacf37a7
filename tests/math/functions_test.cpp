// Elementary functions: within 1 ulp of the C library's long double ones, which have 11 more bits; special
// values; and one hash of results, which every compiler and build must find.
#include "math/functions.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

#include "base/rng.h"
#include "support/constants.h"
#include "support/full_size.h"

namespace impuls {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
const double kNan = std::numeric_limits<double>::quiet_NaN();

// Distance in units in the last place of a double as large as the reference.
double ulps(double ours, long double reference) {
    if (std::isnan(ours) || std::isnan(reference))
        return std::isnan(ours) && std::isnan(reference) ? 0 : kInf;
    const auto rounded = static_cast<double>(reference);
    if (std::isinf(ours) || std::isinf(rounded)) return ours == rounded ? 0 : kInf;
    const double size = std::abs(rounded), unit = std::nextafter(size, kInf) - size;
    return static_cast<double>(std::abs(ours - reference) / unit);
}

// Doubles of every size: bits at random between those of `least` and `most`, either sign.
double of_any_size(Rng& rng, double least, double most) {
    const auto a = std::bit_cast<std::uint64_t>(least), b = std::bit_cast<std::uint64_t>(most);
    const double x = std::bit_cast<double>(a + rng.next() % (b - a));
    return rng.next() % 2 == 0 ? x : -x;
}

struct Single {
    const char* name;
    double (*ours)(double);
    long double (*reference)(long double);
    double from, to;     // even samples
    double least, most;  // samples of any size
};
const Single kSingles[] = {
    {"sin", functions::sin, sinl, -20, 20, 1e-300, 1.7e308},
    {"cos", functions::cos, cosl, -20, 20, 1e-9, 1.7e308},
    {"tan", functions::tan, tanl, -20, 20, 1e-300, 1.7e308},
    {"asin", functions::asin, asinl, -1, 1, 1e-300, 1},
    {"acos", functions::acos, acosl, -1, 1, 1e-9, 1},
    {"atan", functions::atan, atanl, -4, 4, 1e-300, 1.7e308},
    {"exp", functions::exp, expl, -746, 710, 1e-9, 746},
    {"log", functions::log, logl, 0.4, 2.6, 4e-324, 1.7e308},
    {"tanh", functions::tanh, tanhl, -3, 3, 1e-300, 25},
};

TEST(Functions, WithinOneUnitInTheLastPlace) {
    if (std::numeric_limits<long double>::digits < 64) GTEST_SKIP() << "long double is no better";
    Rng rng(1, 0);
    for (const Single& f : kSingles) {
        double worst = 0, at = 0;
        for (int k = 0; k < amount(100000, 1000000); ++k) {
            double x = k % 2 == 0 ? rng.uniform(f.from, f.to) : of_any_size(rng, f.least, f.most);
            if (f.ours == functions::log) x = std::abs(x);
            const double error = ulps(f.ours(x), f.reference(x));
            if (error > worst) worst = error, at = x;
        }
        EXPECT_LT(worst, 1) << f.name << " of " << at;
        if (is_long()) std::printf("%-6s %.3f ulp at most\n", f.name, worst);
    }
}

struct Double {
    const char* name;
    double (*ours)(double, double);
    long double (*reference)(long double, long double);
};
const Double kDoubles[] = {
    {"atan2", functions::atan2, atan2l}, {"pow", functions::pow, powl}, {"hypot", functions::hypot, hypotl}};

TEST(Functions, OfTwoArgumentsWithinOneUnitInTheLastPlace) {
    if (std::numeric_limits<long double>::digits < 64) GTEST_SKIP() << "long double is no better";
    Rng rng(2, 0);
    for (const Double& f : kDoubles) {
        double worst = 0, at = 0, with = 0;
        for (int k = 0; k < amount(100000, 1000000); ++k) {
            double x = 0, y = 0;
            switch (k % 4) {
                case 0:
                    x = rng.uniform(-1, 1), y = rng.uniform(-1, 1);
                    break;
                case 1:
                    x = of_any_size(rng, 4e-324, 1.7e308), y = of_any_size(rng, 4e-324, 1.7e308);
                    break;
                case 2:
                    x = of_any_size(rng, 1e-300, 1e300), y = rng.uniform(-30, 30);
                    break;
                default:
                    x = 1 + of_any_size(rng, 1e-15, 1e-1), y = of_any_size(rng, 1e-2, 1e12);
            }
            if (f.ours == functions::pow) x = std::abs(x);
            const double error = ulps(f.ours(x, y), f.reference(x, y));
            if (error > worst) worst = error, at = x, with = y;
        }
        EXPECT_LT(worst, 1) << f.name << " of " << at << ", " << with;
        if (is_long()) std::printf("%-6s %.3f ulp at most\n", f.name, worst);
    }
}

// The doubles that come nearest to a multiple of pi/2, and those beside multiples of pi/4.
TEST(Functions, NearMultiplesOfARightAngle) {
    if (std::numeric_limits<long double>::digits < 64) GTEST_SKIP() << "long double is no better";
    const double hard =
        std::ldexp(6381956970095103.0, 797);  // Muller et al., Handbook of Floating-Point Arithmetic
    EXPECT_NEAR(functions::cos(hard), -4.68716592425462761112e-19, 1e-33);
    EXPECT_EQ(functions::sin(hard), 1);
    for (int k = 1; k < amount(20000, 400000); ++k)
        for (const double x : {k * kPi / 4, std::nextafter(k * kPi / 4, 0), k * 1048576 * kPi / 4}) {
            ASSERT_LT(ulps(functions::sin(x), sinl(x)), 1) << x;
            ASSERT_LT(ulps(functions::cos(x), cosl(x)), 1) << x;
            ASSERT_LT(ulps(functions::tan(x), tanl(x)), 1) << x;
        }
}

TEST(Functions, SinCosAreBoth) {
    Rng rng(3, 0);
    for (int k = 0; k < 1000; ++k) {
        const double x = of_any_size(rng, 1e-300, 1e300);
        const functions::SinCos both = functions::sin_cos(x);
        EXPECT_EQ(both.sin, functions::sin(x));
        EXPECT_EQ(both.cos, functions::cos(x));
    }
}

bool same(double a, double b) {
    return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b));
}

// IEEE 754-2019, 9.2.1: the C library gets these right, to the sign of zeros.
TEST(Functions, SpecialValues) {
    const double values[] = {0.0,    -0.0,    1.0,   -1.0,   2.0,    -2.0,    3.0,
                             -3.0,   0.5,     -0.5,  2.5,    kInf,   -kInf,   kNan,
                             5e-324, -5e-324, 1e308, -1e308, 0x1p53, -0x1p53, 0x1p53 + 2};
    double (*const references[])(double) = {std::sin,  std::cos, std::tan, std::asin, std::acos,
                                            std::atan, std::exp, std::log, std::tanh};
    for (const double x : values) {
        for (std::size_t f = 0; f < std::size(kSingles); ++f) {
            const double expected = references[f](x), ours = kSingles[f].ours(x);
            if (expected == 0 || expected == 1 || !std::isfinite(expected)) {
                EXPECT_TRUE(same(ours, expected)) << kSingles[f].name << " of " << x << ": " << ours;
            }
        }
        for (const double y : values) {
            const double power = std::pow(x, y), angle = std::atan2(x, y), hypotenuse = std::hypot(x, y);
            EXPECT_LE(ulps(functions::pow(x, y), power), 1) << x << " ^ " << y;
            EXPECT_EQ(std::signbit(functions::pow(x, y)) || std::isnan(power),
                      std::signbit(power) || std::isnan(power))
                << x << " ^ " << y;
            EXPECT_TRUE(same(functions::atan2(x, y), angle)) << x << ", " << y;
            EXPECT_TRUE(same(functions::hypot(x, y), hypotenuse) ||
                        ulps(functions::hypot(x, y), hypotenuse) <= 1)
                << x << ", " << y;
        }
    }
    for (const double x : {0.0, -0.0}) {
        EXPECT_TRUE(same(functions::sin(x), x));
        EXPECT_TRUE(same(functions::tanh(x), x));
    }
}

// Where the answer is a number of few bits it is exact.
TEST(Functions, ExactPowers) {
    for (int k = -1074; k < 1024; ++k) EXPECT_EQ(functions::pow(2, k), std::ldexp(1, k)) << k;
    double power = 1;
    for (int k = 0; k < 22; ++k, power *= 10) EXPECT_EQ(functions::pow(10, k), power);
    EXPECT_EQ(functions::exp(0), 1);
    EXPECT_EQ(functions::log(1), 0);
    EXPECT_EQ(functions::hypot(3, 4), 5);
    EXPECT_EQ(functions::pow(81, 0.25), 3);
}

// A hash of bits (FNV-1a): found by g++ 12 Release and clang 14 Debug alike. It stands beside the test of
// errors, which says that the values are right; this says that they are everywhere the same.
TEST(Functions, SameBitsEverywhere) {
    Rng rng(4, 0);
    std::uint64_t hash = 0xcbf29ce484222325u;
    const auto add = [&hash](double value) {
        if (std::isnan(value)) value = 0;
        hash = (hash ^ std::bit_cast<std::uint64_t>(value)) * 0x100000001b3u;
    };
    for (int k = 0; k < 2000; ++k) {
        const double x = of_any_size(rng, 1e-300, 1e300), u = rng.uniform(-1, 1), v = rng.uniform(-30, 30);
        for (const Single& f : kSingles) {
            add(f.ours(x));
            add(f.ours(u));
            add(f.ours(v));
        }
        for (const Double& f : kDoubles) {
            add(f.ours(x, v));
            add(f.ours(u, v));
            add(f.ours(v, u));
        }
    }
    EXPECT_EQ(hash, 0xa53d2956207448a3u) << std::hex << hash;
}

}  // namespace
}  // namespace impuls
