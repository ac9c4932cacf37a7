// Numbers of twice the precision: the unevaluated sum hi + lo of two doubles with |lo| <= ulp(hi) / 2
// (Dekker, Numer. Math. 18, 1971; Knuth, TAOCP 2, 4.2.2). Sums and products of doubles are exact; of pairs
// good to about 2^-102. Only + - * / and sqrt, so the same bits everywhere as long as nothing is contracted.
// Factors must stay below 2^990. Called by math/functions.
#pragma once

#include <cmath>

namespace impuls {

struct DoubleDouble {
    double hi = 0, lo = 0;
};

// a + b of |a| >= |b| or a == 0.
constexpr DoubleDouble quick_two_sum(double a, double b) {
    const double sum = a + b;
    return {sum, b - (sum - a)};
}
constexpr DoubleDouble two_sum(double a, double b) {
    const double sum = a + b, part = sum - a;
    return {sum, (a - (sum - part)) + (b - part)};
}
constexpr DoubleDouble two_product(double a, double b) {
    constexpr double kSplit = 134217729;  // 2^27 + 1
    const double product = a * b, as = kSplit * a, bs = kSplit * b;
    const double ah = as - (as - a), al = a - ah, bh = bs - (bs - b), bl = b - bh;
    return {product, ((ah * bh - product) + ah * bl + al * bh) + al * bl};
}

constexpr DoubleDouble operator-(const DoubleDouble& a) {
    return {-a.hi, -a.lo};
}
constexpr DoubleDouble operator+(const DoubleDouble& a, double b) {
    const DoubleDouble sum = two_sum(a.hi, b);
    return quick_two_sum(sum.hi, sum.lo + a.lo);
}
constexpr DoubleDouble operator+(const DoubleDouble& a, const DoubleDouble& b) {
    const DoubleDouble high = two_sum(a.hi, b.hi), low = two_sum(a.lo, b.lo);
    const DoubleDouble sum = quick_two_sum(high.hi, high.lo + low.hi);
    return quick_two_sum(sum.hi, sum.lo + low.lo);
}
constexpr DoubleDouble operator-(const DoubleDouble& a, const DoubleDouble& b) {
    return a + -b;
}
constexpr DoubleDouble operator*(const DoubleDouble& a, double b) {
    const DoubleDouble product = two_product(a.hi, b);
    return quick_two_sum(product.hi, product.lo + a.lo * b);
}
constexpr DoubleDouble operator*(const DoubleDouble& a, const DoubleDouble& b) {
    const DoubleDouble product = two_product(a.hi, b.hi);
    return quick_two_sum(product.hi, product.lo + (a.hi * b.lo + a.lo * b.hi));
}
constexpr DoubleDouble operator/(const DoubleDouble& a, const DoubleDouble& b) {
    const double first = a.hi / b.hi;
    const DoubleDouble rest = a - b * first;
    const double second = rest.hi / b.hi;
    const DoubleDouble last = rest - b * second;
    return quick_two_sum(first, second) + last.hi / b.hi;
}
inline DoubleDouble square_root(const DoubleDouble& a) {
    if (!(a.hi > 0)) return {};
    const double root = std::sqrt(a.hi);
    const DoubleDouble rest = a - two_product(root, root);
    return quick_two_sum(root, rest.hi / (2 * root));
}

}  // namespace impuls
