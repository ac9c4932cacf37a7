// Energy that comes from nothing, by the definition that all presets are judged by: at no time t may
//   E(t) - min over earlier E  >  1e-3 (largest kinetic energy so far + potential energy released so far) +
//   W,
// W the work of drives. Potential energy released: the largest fall of it from an earlier height. A world at
// rest has released nothing; what lifts its bodies by 1e-6 of their sizes counts as rounding there.
#pragma once

#include <algorithm>

#include "impuls/frame.h"
#include "impuls/world.h"

namespace impuls {

class EnergyGain {
  public:
    static constexpr double kAllowed = 1e-3;  // of the energy that has been at work
    // `weight`: what lifts every body by its own size, J; 0: nothing may be gained at rest.
    explicit EnergyGain(double weight = 0) : weight_(weight) {}

    // Once for the start and once after every step. `work`: of all drives since the start, J.
    void note(const Energy& energy, double work = 0) {
        const double undriven = energy.total - work;
        if (!started_) lowest_ = undriven, highest_potential_ = energy.potential, started_ = true;
        kinetic_ = std::max(kinetic_, energy.kinetic);
        released_ = std::max(released_, highest_potential_ - energy.potential);
        highest_potential_ = std::max(highest_potential_, energy.potential);
        const double scale = kinetic_ + released_ + kAllowed * weight_;
        const double gained = undriven - lowest_;
        if (!(gained <= 0)) largest_ = std::max(largest_, scale > 0 ? gained / scale : gained);
        if (!(gained == gained)) largest_ = gained;
        lowest_ = std::min(lowest_, undriven);
    }
    // Largest gain so far, relative to the energy at work; NaN when the energy was not a number.
    double largest() const { return largest_; }

  private:
    double weight_;
    bool started_ = false;
    double lowest_ = 0, highest_potential_ = 0, kinetic_ = 0, released_ = 0, largest_ = 0;
};

}  // namespace impuls
