// The boundary layer (spec: areal-contact 2.1): an elastic layer of thickness b on a rigid body yields to a
// pressure p by u = p / k, each place for itself, with
//     k = K / b,   K = E (1 - n) / ((1 + n) (1 - 2 n))                      (laterally confined modulus)
// and two layers act one behind the other: k = k1 k2 / (k1 + k2). Where there is no real layer, k is that
// which agrees with Hertz at one load. Called when contact laws are made, and by tests.
#pragma once

#include <cstdint>

namespace impuls::laws {

// Above this Poisson's ratio K is singular, and the lateral confinement of a thin layer is all that counts.
inline constexpr double kMostPoisson = 0.45;

struct Layer {
    double modulus = 0;    // Pa, E; 0: rigid
    double poisson = 0.3;  // at most kMostPoisson
    double thickness = 0;  // m, b
};

// Pa. Throws InputError when Poisson's ratio is outside [0, kMostPoisson].
double confined_modulus(double modulus, double poisson);
// N/m^3; 0: rigid.
double stiffness_of(const Layer& layer);
// Of two layers; one of them may be rigid (0).
double in_series(double a, double b);
// N/m^3: of a sphere on a plane, and of a cylinder along a line, with the effective modulus E* of Hertz and
// the half-width a of the contact at the load at which both agree.
double matched_to_sphere(double effective_modulus, double half_width);
double matched_to_line(double effective_modulus, double half_width);

}  // namespace impuls::laws
