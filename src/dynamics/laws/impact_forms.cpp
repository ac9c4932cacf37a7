// Closed forms of impacts (impact_forms.h).
#include "dynamics/laws/impact_forms.h"

#include "math/functions.h"

namespace impuls::laws {
namespace {

namespace fn = functions;

// The root of a function that falls from positive to negative in [from, to], to rounding.
template <class F>
double falling_root(const F& f, double from, double to) {
    for (int k = 0; k < 200 && from < to; ++k) {
        const double middle = 0.5 * (from + to);
        if (middle == from || middle == to) break;
        (f(middle) > 0 ? from : to) = middle;
    }
    return 0.5 * (from + to);
}

// log((1 + x) / (1 - x e)) - x (1 + e), by x^2: zero where dissipation x = l v gives restitution e; 0 < x e
// < 1.
double balance(double x, double e) {
    if (x > 0.1) return (fn::log((1 + x) / (1 - x * e)) - x * (1 + e)) / (x * x);
    double sum = 0, power = 1, e_n = e, sign = -1;
    for (int n = 2; n < 20; ++n, power *= x) {
        e_n *= e;
        sign = -sign;
        sum += power * (e_n - sign) / n;
    }
    return sum;
}

}  // namespace

double restitution_of(const Linear<double>& law, double mass) {
    const double b = law.damping / (2 * mass), w0 = law.stiffness / mass, square = w0 - b * b;
    if (square > 0) {
        const double w = std::sqrt(square);
        return fn::exp(-b / w * (3.141592653589793 - fn::atan2(2 * b * w, w0 - 2 * b * b)));
    }
    if (square == 0) return fn::exp(-2);
    const double w = std::sqrt(-square);
    return fn::exp(-b / w * fn::log((b + w) * (b + w) / w0));
}

double damping_for(double restitution, double stiffness, double mass) {
    const double critical = 2 * std::sqrt(stiffness * mass);
    double most = critical;
    while (restitution_of(Linear<double>{stiffness, most}, mass) > restitution) most *= 2;
    return falling_root(
        [&](double c) {
            return restitution_of(Linear<double>{stiffness, c}, mass) - restitution;
        },
        0, most);
}

double restitution_of(const HuntCrossley<double>& law, double speed) {
    const double x = law.dissipation * speed;
    if (!(x > 0)) return 1;
    const double most = x > 1 ? 1 / x : 1;
    return falling_root([&](double e) { return -balance(x, e); }, 0, most);
}

double dissipation_for(double restitution, double speed) {
    if (restitution >= 1) return 0;
    // In x in (0, 1/e): below zero for small x, infinite at the end.
    const double x =
        falling_root([&](double trial) { return -balance(trial, restitution); }, 1e-12, 1 / restitution);
    return x / speed;
}

double restitution_of(const UnloadingSpring<double>& law) {
    return std::sqrt(law.unloading);
}

HertzImpact impact_of(const Hertz<double>& law, double mass, double speed) {
    const double depth = fn::pow(1.25 * mass * speed * speed / law.stiffness, 0.4);
    // 4/5 sqrt(pi) Gamma(2/5) / Gamma(9/10)
    return {depth, law.stiffness * depth * std::sqrt(depth), 2.9432751843247047 * depth / speed};
}

}  // namespace impuls::laws
