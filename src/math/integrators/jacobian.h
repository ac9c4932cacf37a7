// df/dy and df/dt of a System: its own, or forward differences with steps of the square root of rounding.
// Called by the implicit integrators.
#pragma once

#include <cmath>

#include "math/integrators/integrator.h"

namespace impuls::integrators {

class Jacobian {
  public:
    explicit Jacobian(std::size_t size) : by_y_(size * size), by_t_(size), place_(size), rate_(size) {}

    // At (t, y), where f is `here` and components have the sizes `scales`. Counts evaluations.
    void find(System& system, double t, const Vector& y, const Vector& here, const Vector& scales,
              Counters& counters) {
        ++counters.jacobians;
        if (system.jacobian(t, y, by_y_, by_t_)) return;
        system.linearise(t, y, true);
        constexpr double kRoot = 0x1p-26;
        const std::size_t n = y.size();
        place_ = y;
        double latest = 0;
        for (std::size_t j = 0; j < n; ++j) {
            place_[j] = y[j] + kRoot * std::fmax(scales[j], std::abs(y[j]));
            const double step = place_[j] - y[j];  // as rounded
            system.rate(t, place_, rate_);
            for (std::size_t i = 0; i < n; ++i) by_y_[i * n + j] = (rate_[i] - here[i]) / step;
            place_[j] = y[j];
            latest = std::fmax(latest, std::abs(here[j]) / std::fmax(scales[j], std::abs(y[j])));
        }
        // In a time in which y changes by the same share.
        const double aim = t + kRoot * std::fmax(std::abs(t), latest > 0 ? 1 / latest : 1), step = aim - t;
        system.rate(aim, y, rate_);
        for (std::size_t i = 0; i < n; ++i) by_t_[i] = (rate_[i] - here[i]) / step;
        system.linearise(t, y, false);
        counters.evaluations += static_cast<long>(n) + 1;
    }
    const Vector& by_y() const { return by_y_; }
    const Vector& by_t() const { return by_t_; }

  private:
    Vector by_y_, by_t_, place_, rate_;
};

}  // namespace impuls::integrators
