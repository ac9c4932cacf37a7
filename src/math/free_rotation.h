// Rotation of a rigid body that nothing touches: Euler's equations with a constant world-frame torque.
// I dW/dt = T - W x I W in the principal frame, dq/dt = q W / 2 (Schinner 2.3, Bender 3.2).
// Called once per substep for each body by the steppers.
#pragma once

#include "impuls/settings.h"
#include "impuls/vec.h"

namespace impuls {

struct Spin {
    Quat q;  // world from principal frame
    Vec3 w;  // rad/s, world frame
};

// Implicit midpoint on the rotation group: keeps energy and angular momentum exactly (to rounding) when no
// torque acts, turns exactly about a fixed axis; second order.
Spin rotate_midpoint(const Spin& s, const Vec3& inertia, const Vec3& torque_W, double h);
// Classical Runge-Kutta on (w, q); fourth order.
Spin rotate_rk4(const Spin& s, const Vec3& inertia, const Vec3& torque_W, double h);
// rotate_rk4 with the step halved until the result does not change any more.
Spin rotate_reference(const Spin& s, const Vec3& inertia, const Vec3& torque_W, double h);

Spin rotate_freely(Integrator method, const Spin& s, const Vec3& inertia, const Vec3& torque_W, double h);

}  // namespace impuls
