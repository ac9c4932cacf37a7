// Andrews' squeezer (Schiehlen, Multibody Systems Handbook, 1990; Hairer and Wanner, Solving ODEs II, VII.7):
// seven bodies in a plane, one freedom, driven by a constant torque against a spring, in angles as those
// texts have it. An independent reference for the mechanism built from bodies and hinges in space.
#pragma once

#include <array>

namespace impuls::reference {

// beta, Theta, gamma, Phi, delta, Omega, epsilon.
using SqueezerAngles = std::array<double, 7>;

struct SqueezerState {
    SqueezerAngles q{}, v{};
};

// The published start, at rest. Its loops close to rounding.
SqueezerState squeezer_start();
// Largest of the six loop equations, m.
double squeezer_gap(const SqueezerAngles& q);
// Index-1 equations, Runge-Kutta of `steps` steps, loops projected after each.
SqueezerState squeezer_after(double seconds, int steps);

}  // namespace impuls::reference
