// Lengths along a spline to rounding, and the parameter at a length: what motion with a given speed needs
// (Erleben 2005, 3.2.1 and 3.2.2). Gauss's rule on each piece, halved until halves agree; U(s) by Newton's
// method within the piece, kept in by bisection. Spline::length_at is the rough and ready one. Called by
// PathMotion.
#pragma once

#include "math/spline.h"

namespace impuls {

class ArcLength {
  public:
    explicit ArcLength(Spline spline);

    const Spline& spline() const { return spline_; }
    double total() const { return lengths_.back(); }
    // From the first knot; beyond open ends the spline goes on straight, closed ones go round.
    double length_at(double u) const;
    double parameter_at(double s) const;
    // Parameters where |dc/du| vanishes beside its mean: cusps and stops, which no speed along the curve can
    // pass.
    std::vector<double> stops() const;

  private:
    double integral(double from, double to) const;

    Spline spline_;
    std::vector<double> lengths_;  // at knots
    double rough_ = 0;             // the whole, before it is known
};

}  // namespace impuls
