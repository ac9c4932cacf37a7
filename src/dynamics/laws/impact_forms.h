// Closed forms of an impact of two bodies (reduced mass m, speed v) under the laws of normal.h: restitution,
// and the parameter that a restitution asks for; depth, force and duration of Hertz's. For set-up and tests,
// not for steps.
//     linear, let go where F = 0 (Schwager, Poeschel 2007), b = c/2m, w0^2 = k/m, w = sqrt(w0^2 - b^2):
//         e = exp(-b/w (pi - atan2(2 b w, w0^2 - 2 b^2)))                 and with W = sqrt(b^2 - w0^2) above
//         critical e = exp(-b/W log((b + W) / (b - W)))
//     Hunt-Crossley, whatever its exponent:  l v (1 + e) = log((1 + l v) / (1 - l v e))
//     Hertz:  d = (5 m v^2 / 4 k)^(2/5),  duration 2.9433 d / v
#pragma once

#include "dynamics/laws/normal.h"

namespace impuls::laws {

double restitution_of(const Linear<double>& law, double mass);
// 0 < e <= 1.
double damping_for(double restitution, double stiffness, double mass);

double restitution_of(const HuntCrossley<double>& law, double speed);
double dissipation_for(double restitution, double speed);

double restitution_of(const UnloadingSpring<double>& law);

struct HertzImpact {
    double depth, force, duration;  // largest depth and force
};
HertzImpact impact_of(const Hertz<double>& law, double mass, double speed);

}  // namespace impuls::laws
