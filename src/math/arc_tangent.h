// Angles without libm, so that they have the same bits on every machine and may be used inside a step: atan2
// by halving the argument three times (tan(a/2) = t / (1 + sqrt(1 + t^2)), which leaves t < 0.1) and the
// series of atan to t^17; exact to a few units in the last place. Called for the angles of joints.
#pragma once

#include <cmath>

namespace impuls {

inline constexpr double kHalfPi = 1.5707963267948966;
inline constexpr double kTwoPi = 6.283185307179586;

// The angle of the direction (x, y) from the x-axis, in [-pi, pi]; 0 for the zero vector.
inline double arc_tangent(double y, double x) {
    const double ay = std::abs(y), ax = std::abs(x);
    if (ay == 0 && ax == 0) return 0;
    double t = ay <= ax ? ay / ax : ax / ay;
    for (int k = 0; k < 3; ++k) t /= 1 + std::sqrt(1 + t * t);
    const double u = -t * t;
    const double series =
        1 +
        u * (1.0 / 3 +
             u * (1.0 / 5 +
                  u * (1.0 / 7 + u * (1.0 / 9 + u * (1.0 / 11 + u * (1.0 / 13 + u * (1.0 / 15 + u / 17)))))));
    double angle = 8 * (t * series);
    if (ay > ax) angle = kHalfPi - angle;
    if (x < 0) angle = 2 * kHalfPi - angle;
    return y < 0 ? -angle : angle;
}

}  // namespace impuls
