// Running a formula's program on numbers or jets (formula.h). Derivatives by the chain rule:
//     f(g)' = f'(g) g',   f(g)'' = f''(g) g'^2 + f'(g) g''.
// Both branches of a choice are evaluated; only the one that is chosen counts.
#include <array>
#include <cmath>

#include "math/formula.h"
#include "math/formula_codes.h"
#include "math/functions.h"

namespace impuls {

namespace formula {
namespace {

// ---- plain numbers

double remainder_of(double a, double b) {  // with the sign of b
    return a - b * std::floor(a / b);
}
double sign_of(double x) {
    return x > 0 ? 1 : x < 0 ? -1 : x;
}
double sinh_of(double x) {
    if (std::abs(x) < 0.5) {  // (e^x - e^-x)/2 would cancel: x + x^3/3! + ...
        double term = x, sum = x;
        for (int k = 1; k < 10; ++k) {
            term *= x * x / ((2.0 * k) * (2.0 * k + 1));
            sum += term;
        }
        return sum;
    }
    return 0.5 * (functions::exp(x) - functions::exp(-x));
}
double cosh_of(double x) {
    return 0.5 * (functions::exp(x) + functions::exp(-x));
}
// Half away from zero.
double rounded(double x) {
    return x < 0 ? -std::floor(0.5 - x) : std::floor(x + 0.5);
}

constexpr double kLogOfTen = 2.302585092994046;

// f, f', f'' of one argument.
struct Derivatives {
    double f, first, second;
};
Derivatives derivatives_of(std::uint8_t code, double x) {
    switch (code) {
        case kSin: {
            const auto [s, c] = functions::sin_cos(x);
            return {s, c, -s};
        }
        case kCos: {
            const auto [s, c] = functions::sin_cos(x);
            return {c, -s, -c};
        }
        case kTan: {
            const double f = functions::tan(x), first = 1 + f * f;
            return {f, first, 2 * f * first};
        }
        case kAsin: {
            const double root = 1 / std::sqrt(1 - x * x);
            return {functions::asin(x), root, x * root * root * root};
        }
        case kAcos: {
            const double root = 1 / std::sqrt(1 - x * x);
            return {functions::acos(x), -root, -x * root * root * root};
        }
        case kAtan: {
            const double part = 1 / (1 + x * x);
            return {functions::atan(x), part, -2 * x * part * part};
        }
        case kSinh:
            return {sinh_of(x), cosh_of(x), sinh_of(x)};
        case kCosh:
            return {cosh_of(x), sinh_of(x), cosh_of(x)};
        case kTanh: {
            const double f = functions::tanh(x), first = 1 - f * f;
            return {f, first, -2 * f * first};
        }
        case kExp: {
            const double f = functions::exp(x);
            return {f, f, f};
        }
        case kLog:
            return {functions::log(x), 1 / x, -1 / (x * x)};
        case kLog10:
            return {functions::log(x) / kLogOfTen, 1 / (x * kLogOfTen), -1 / (x * x * kLogOfTen)};
        case kSqrt: {
            const double f = std::sqrt(x);
            return {f, 0.5 / f, -0.25 / (f * x)};
        }
        case kAbs:
            return {std::abs(x), sign_of(x), 0};
        case kSign:
            return {sign_of(x), 0, 0};
        case kFloor:
            return {std::floor(x), 0, 0};
        case kCeil:
            return {std::ceil(x), 0, 0};
        case kRound:
            return {rounded(x), 0, 0};
        default:  // kStep
            return {x >= 0 ? 1.0 : 0.0, 0, 0};
    }
}

double apply(std::uint8_t code, double x) {
    return derivatives_of(code, x).f;
}
Jet apply(std::uint8_t code, const Jet& x) {
    const Derivatives d = derivatives_of(code, x.value);
    // Where the argument stands still infinite derivatives do not count: sqrt(0).
    const bool stands = x.first == 0 && x.second == 0;
    return stands ? Jet{d.f} : Jet{d.f, d.first * x.first, d.second * x.first * x.first + d.first * x.second};
}

double negated(double x) {
    return -x;
}
Jet negated(const Jet& x) {
    return {-x.value, -x.first, -x.second};
}
double value_of(double x) {
    return x;
}
double value_of(const Jet& x) {
    return x.value;
}

double combine(std::uint8_t code, double a, double b) {
    switch (code) {
        case kAdd:
            return a + b;
        case kSubtract:
            return a - b;
        case kMultiply:
            return a * b;
        case kDivide:
            return a / b;
        case kModulo:
            return remainder_of(a, b);
        case kPower:
            return functions::pow(a, b);
        case kAtan2:
            return functions::atan2(a, b);
        default:  // kHypot
            return functions::hypot(a, b);
    }
}

Jet product_of(const Jet& a, const Jet& b) {
    return {a.value * b.value, a.first * b.value + a.value * b.first,
            a.second * b.value + 2 * a.first * b.first + a.value * b.second};
}
Jet quotient_of(const Jet& a, const Jet& b) {
    const double q = a.value / b.value, first = (a.first - q * b.first) / b.value;
    return {q, first, (a.second - q * b.second - 2 * first * b.first) / b.value};
}
Jet root_of(const Jet& x) {
    return apply(kSqrt, x);
}
// a^b with b constant by the power rule, else exp(b log a).
Jet power_of(const Jet& a, const Jet& b) {
    if (b.first == 0 && b.second == 0) {
        const double n = b.value, p = functions::pow(a.value, n);
        if (a.first == 0 && a.second == 0) return {p};
        const double d1 = n == 0 ? 0 : n * functions::pow(a.value, n - 1);
        const double d2 = n == 0 || n == 1 ? 0 : n * (n - 1) * functions::pow(a.value, n - 2);
        return {p, d1 * a.first, d2 * a.first * a.first + d1 * a.second};
    }
    Jet power = apply(kExp, product_of(b, apply(kLog, a)));
    power.value = functions::pow(a.value, b.value);
    return power;
}

Jet combine(std::uint8_t code, const Jet& a, const Jet& b) {
    switch (code) {
        case kAdd:
            return {a.value + b.value, a.first + b.first, a.second + b.second};
        case kSubtract:
            return {a.value - b.value, a.first - b.first, a.second - b.second};
        case kMultiply:
            return product_of(a, b);
        case kDivide:
            return quotient_of(a, b);
        case kModulo: {
            const double turns = std::floor(a.value / b.value);
            return {remainder_of(a.value, b.value), a.first - turns * b.first, a.second - turns * b.second};
        }
        case kPower:
            return power_of(a, b);
        case kAtan2: {  // angle' = (b a' - a b') / r^2
            const Jet square = combine(kAdd, product_of(a, a), product_of(b, b));
            const double across = b.value * a.first - a.value * b.first;
            const double first = across / square.value;
            const double second =
                (b.value * a.second - a.value * b.second - first * square.first) / square.value;
            return {functions::atan2(a.value, b.value), first, second};
        }
        default: {  // kHypot
            Jet root = root_of(combine(kAdd, product_of(a, a), product_of(b, b)));
            root.value = functions::hypot(a.value, b.value);
            return root;
        }
    }
}

double truth(std::uint8_t code, double a, double b) {
    switch (code) {
        case kOr:
            return a != 0 || b != 0;
        case kAnd:
            return a != 0 && b != 0;
        case kEqual:
            return a == b;
        case kNotEqual:
            return a != b;
        case kLess:
            return a < b;
        case kLessEqual:
            return a <= b;
        case kGreater:
            return a > b;
        default:
            return a >= b;
    }
}

}  // namespace
}  // namespace formula

using namespace formula;

template <class T>
T Formula::run(std::span<const T> variables) const {
    std::array<T, kDeepest + 1> stack;
    std::size_t top = 0;  // number of values
    for (const Step& step : steps_) {
        const std::uint8_t code = step.code;
        if (code == kNumber) {
            stack[top++] = T{step.number};
        } else if (code == kVariable) {
            stack[top++] = variables[step.variable];
        } else if (code >= kOr && code <= kGreaterEqual) {
            --top;
            stack[top - 1] = T{truth(code, value_of(stack[top - 1]), value_of(stack[top]))};
        } else if (code == kChoose) {
            top -= 2;
            stack[top - 1] = value_of(stack[top - 1]) != 0 ? stack[top] : stack[top + 1];
        } else if (code == kMin || code == kMax) {
            --top;
            const bool keeps = code == kMin ? value_of(stack[top - 1]) <= value_of(stack[top])
                                            : value_of(stack[top - 1]) >= value_of(stack[top]);
            if (!keeps) stack[top - 1] = stack[top];
        } else if (code == kNegate) {
            stack[top - 1] = negated(stack[top - 1]);
        } else if (code == kNot) {
            stack[top - 1] = T{value_of(stack[top - 1]) == 0 ? 1.0 : 0.0};
        } else if ((code >= kAdd && code <= kPower) || code == kAtan2 || code == kHypot) {
            --top;
            stack[top - 1] = combine(code, stack[top - 1], stack[top]);
        } else {
            stack[top - 1] = apply(code, stack[top - 1]);
        }
    }
    return stack[0];
}

double Formula::operator()(std::span<const double> variables) const {
    return run(variables);
}
Jet Formula::operator()(std::span<const Jet> variables) const {
    return run(variables);
}

}  // namespace impuls
