// Energy that comes from nothing, by the one definition that worlds warn by, tests judge by and `impuls
// validate` prints: at no time t may
//     E(t) - min over earlier E  >  kAllowed (largest kinetic energy so far + potential energy released so
//     far)
//                                   + negligible,
// E without the work of drives. Potential energy released: the largest fall of it from an earlier height. A
// world at rest has released nothing; negligible is what counts as rounding there. What a single step of an
// island may gain before its stepper intervenes is EnergyAccount's (steppers/account.h).
#pragma once

#include <algorithm>

#include "impuls/frame.h"

namespace impuls {

class EnergyGain {
  public:
    static constexpr double kAllowed = 1e-3;  // of the energy that has been at work
    // `weight`: what lifts every body by its own size, J; a thousandth of a thousandth of it is negligible.
    explicit EnergyGain(double weight = 0) : negligible_(kAllowed * kAllowed * weight) {}

    // Once for the start and once after every step, J. `undriven`: all energy without the work of drives
    // since the start.
    void note(double kinetic, double potential, double undriven, double negligible = 0) {
        if (!is_started_) {
            lowest_ = undriven;
            highest_potential_ = potential;
            is_started_ = true;
        }
        kinetic_ = std::max(kinetic_, kinetic);
        released_ = std::max(released_, highest_potential_ - potential);
        highest_potential_ = std::max(highest_potential_, potential);
        negligible_ = std::max(negligible_, negligible);
        gained_ = undriven - lowest_;
        lowest_ = std::min(lowest_, undriven);
        const double scale = allowed() / kAllowed;
        if (!(gained_ <= 0)) largest_ = std::max(largest_, scale > 0 ? gained_ / scale : gained_);
        if (!(gained_ == gained_)) largest_ = gained_;
    }
    void note(const Energy& energy, double work = 0) {
        note(energy.kinetic, energy.potential, energy.total - work);
    }

    double gained() const { return gained_; }  // at the last note, J; below zero where it was lost
    double allowed() const { return kAllowed * (kinetic_ + released_) + negligible_; }
    double kinetic() const { return kinetic_; }  // the largest so far, J
    // Largest gain so far, relative to the energy at work; NaN when the energy was not a number.
    double largest() const { return largest_; }

  private:
    bool is_started_ = false;
    double lowest_ = 0, highest_potential_ = 0, kinetic_ = 0, released_ = 0, negligible_ = 0;
    double gained_ = 0, largest_ = 0;
};

}  // namespace impuls
