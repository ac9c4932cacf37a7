// Coefficients c0 .. c_k-1 of Gear's predictor-corrector method for y^(p) = f with k stored values, as
// fractions; from nilpotency of the parasitic part (c_p = 1 and above) and from the order of each value
// (below). Checked in exact arithmetic; the table of the source (Schinner 1995, Tab 3.1) has c0 of p = 3, k =
// 5 too large by ten, and lost the signs of c0 for p = 4. Called by the Gear integrator, which uses p = 1
// and 2.
#pragma once

#include <array>
#include <span>

namespace impuls::integrators {

struct Fraction {
    long numerator = 0, denominator = 1;
    constexpr double value() const {
        return static_cast<double>(numerator) / static_cast<double>(denominator);
    }
};
struct GearCoefficients {
    int order, values;  // p, k
    std::array<Fraction, 8> c;
};
std::span<const GearCoefficients> gear_table();
// Of p and k; null where there are none.
const GearCoefficients* find_gear(int order, int values);
// For p = 2 another c0, larger by (k - 1) / (k - 2) (19/90 of 5 values, 3/16 of 6), which leaves r0 free of
// drift with an exact r1: for forces that depend on velocity. It loses energy slowly where the other gains
// some.
double damped_gear(int values);

}  // namespace impuls::integrators
