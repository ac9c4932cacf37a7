// Damping of a body's description: a term of the sum of its forces, F = -c m v at the centre of mass and
// T = -c' L, with c and c' in 1/s. It needs no other body, so that steppers with substeps solve it for itself
// between the kicks of the other terms, at any c without growing: v exp(-c t), to second order. Force level
// sums it as it is. Called by whatever advances bodies, and by energies.
#pragma once

#include "impuls/vec.h"

namespace impuls {

struct Damping {
    double linear = 0, angular = 0;  // 1/s

    bool acts() const { return linear > 0 || angular > 0; }
    Vec3 force(double mass, const Vec3& v) const { return v * (-linear * mass); }
    Vec3 torque(const Vec3& angular_momentum) const { return angular_momentum * -angular; }
    // What is left of velocities after a time.
    double left_of_v(double time) const { return decay(time * linear); }
    double left_of_w(double time) const { return decay(time * angular); }

  private:
    // exp(-x) for x >= 0 to second order, never negative.
    static constexpr double decay(double x) { return x > 0 ? 1 / (1 + x * (1 + 0.5 * x)) : 1; }
};

}  // namespace impuls
