// Damping by restitution (kernel/law.h): of an impact with F = k d^1.5 - c v >= 0, c = 2 z sqrt(k_d m),
// by the impact itself in units of its own, and bisection. At set-up only.
#include <cmath>

#include "granular/kernel/law.h"

namespace impuls::granular {
namespace {

double rebound(double z) {  // m = k = v = 1: F = d^1.5, k_d = 1.5 sqrt(d)
    double d = 0, v = 1;
    const double dt = 2e-3;
    for (int step = 0; step < 100000; ++step) {
        const auto acceleration = [&](double depth, double speed) {
            const double root = std::sqrt(std::fmax(depth, 0.0));
            return -std::fmax(0.0, depth * root + 2 * z * std::sqrt(1.5 * root) * speed);
        };
        const double middle = v + acceleration(d, v) * dt / 2, half = d + v * dt / 2;
        v += acceleration(half, middle) * dt;
        d += middle * dt;
        if (d <= 0) break;
    }
    return -v;
}

}  // namespace

double damping_of(double restitution) {
    if (restitution >= 1) return 0;
    // Less than 0.1 would take damping so strong that substeps had to be shorter for it.
    restitution = std::fmax(restitution, 0.1);
    double low = 0, high = 2;
    for (int round = 0; round < 40; ++round) {
        const double middle = (low + high) / 2;
        (rebound(middle) > restitution ? low : high) = middle;
    }
    return (low + high) / 2;
}

}  // namespace impuls::granular
