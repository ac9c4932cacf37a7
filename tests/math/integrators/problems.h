// Differential equations with known solutions, for the tests of integrators: the oscillator, Kepler's ellipse
// (by Kepler's equation), a pendulum in time-dependent form, springs.
#pragma once

#include <cmath>
#include <functional>

#include "math/integrators/methods.h"
#include "support/constants.h"

namespace impuls::integrators {

// y' = f(t, y) of a function; the first `positions` are positions.
class Problem : public System {
  public:
    using Rate = std::function<void(double, std::span<const double>, std::span<double>)>;
    Problem(std::size_t size, std::size_t positions, Rate f)
        : size_(size), positions_(positions), f_(std::move(f)) {}
    std::size_t size() const override { return size_; }
    std::size_t positions() const override { return positions_; }
    void rate(double t, std::span<const double> y, std::span<double> out) override { f_(t, y, out); }

  private:
    std::size_t size_, positions_;
    Rate f_;
};

inline Problem oscillator(double omega = 1, double damping = 0) {
    return {2, 1, [=](double, auto y, auto out) {
                out[0] = y[1];
                out[1] = -omega * omega * y[0] - damping * y[1];
            }};
}

// Unit mass and unit attraction in the plane; a = 1, period 2 pi.
inline Problem kepler() {
    return {4, 2, [](double, auto y, auto out) {
                const double r2 = y[0] * y[0] + y[1] * y[1], f = -1 / (r2 * std::sqrt(r2));
                out[0] = y[2], out[1] = y[3];
                out[2] = f * y[0], out[3] = f * y[1];
            }};
}
// From the nearest point at t = 0.
inline Vector on_ellipse(double e, double t) {
    double u = t;  // t = u - e sin u
    for (int k = 0; k < 100; ++k) u -= (u - e * std::sin(u) - t) / (1 - e * std::cos(u));
    const double b = std::sqrt(1 - e * e), rate = 1 / (1 - e * std::cos(u));
    return {std::cos(u) - e, b * std::sin(u), -std::sin(u) * rate, b * std::cos(u) * rate};
}

// Coupled, nonlinear and dependent on time, with the solution (sin t, cos t): x'' = -x + (x^2 + v^2 - 1) v +
// ...
inline Problem forced() {
    return {2, 1, [](double t, auto y, auto out) {
                out[0] = y[1];
                out[1] = -std::sin(t) + (y[0] * y[0] * y[0] - std::sin(t) * std::sin(t) * std::sin(t)) -
                         0.5 * (y[1] * y[1] - std::cos(t) * std::cos(t)) * y[0];
            }};
}

inline double distance(std::span<const double> a, std::span<const double> b) {
    double most = 0;
    for (std::size_t k = 0; k < a.size(); ++k) most = std::fmax(most, std::abs(a[k] - b[k]));
    return most;
}

inline void run_to(Integrator& integrator, double end) {
    while (integrator.time() < end && integrator.step(end).step > 0) {
    }
}

}  // namespace impuls::integrators
