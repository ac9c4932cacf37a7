// Integrators with a given step: whole steps, and a shorter one where the end asked for comes first. Base of
// Runge-Kutta, Verlet, Euler, midpoint and Gear.
#pragma once

#include <algorithm>

#include "math/integrators/integrator.h"

namespace impuls::integrators {

class FixedIntegrator : public Integrator {
  public:
    using Integrator::Integrator;

  protected:
    // A step of length h from (t_, y_): next_. False: its equations have no solution; `component` says where.
    virtual bool attempt(double h, std::size_t& component) = 0;

  private:
    Report advance(double until) final {
        const double rest = until - t_, h = options_.step >= rest * (1 - 1e-9) ? rest : options_.step;
        Report report{.wanted = options_.step};
        if (!attempt(h, report.component)) {
            report.status = Status::NotConverged;
            return report;
        }
        const std::size_t bad = first_not_finite(next_);
        if (bad < next_.size()) {
            report.status = Status::NotFinite, report.component = bad;
            forget();
        } else {
            report.step = h;
        }
        return report;
    }
};

}  // namespace impuls::integrators
