// The angle between two directions without libm, so that it is the same on every machine and may be used
// inside a step: acos by Abramowitz and Stegun, Handbook of Mathematical Functions, 4.4.46 (error below
// 2e-8). Called for pseudo-normals, whose faces are weighted by their angles.
#pragma once

#include <algorithm>
#include <cmath>

#include "impuls/vec.h"

namespace impuls {

inline double arc_cosine(double x) {
    const double a = std::min(std::abs(x), 1.0);
    const double polynomial =
        1.5707963050 +
        a * (-0.2145988016 +
             a * (0.0889789874 +
                  a * (-0.0501743046 +
                       a * (0.0308918810 + a * (-0.0170881256 + a * (0.0066700901 + a * -0.0012624911))))));
    const double angle = std::sqrt(1 - a) * polynomial;
    return x < 0 ? 3.141592653589793 - angle : angle;
}

// Zero when a vector is zero.
inline double angle_between(const Vec3& a, const Vec3& b) {
    const double n = std::sqrt(length_squared(a)) * std::sqrt(length_squared(b));
    return n > 0 ? arc_cosine(dot(a, b) / n) : 0;
}

}  // namespace impuls
