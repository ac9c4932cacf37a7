// Rotation of a rigid body that nothing touches: Euler's equations with a constant world-frame torque.
// I dW/dt = T - W x I W in the principal frame, dq/dt = q W / 2 (Schinner 2.3, Bender 3.2).
// Called by the free flight of bodies and in every substep of an island. All integrators divide a step into
// 2^n equal pieces of at most kPieceAngle; a moment of 0 stands for a body that no torque turns about this
// axis.
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
// Classical Runge-Kutta on (w, q) in one piece; fourth order.
Spin rotate_rk4(const Spin& s, const Vec3& inertia, const Vec3& torque_W, double h);
// rotate_rk4 with the step halved until the result does not change any more.
Spin rotate_reference(const Spin& s, const Vec3& inertia, const Vec3& torque_W, double h);

Spin rotate_freely(Integrator method, const Spin& s, const Vec3& inertia, const Vec3& torque_W, double h);

// Orientation after a time h with constant angular momentum l (world frame) and all moments above 0. A body
// that is symmetric about its principal axis 0, 1 or 2, or (axis 3) about all, turns exactly; any other (4)
// by classical Runge-Kutta on q' = q W(q) / 2.
Quat turned_freely(const Quat& q, const Vec3& l, const Vec3& inverse_inertia, int axis, double h);

// The same for two bodies at once, bit for bit; q is replaced.
struct FreeTop {
    Quat q;
    Vec3 l, inverse_inertia;
    int axis;
};
void turned_freely(FreeTop& a, FreeTop& b, double h);

inline constexpr double kPieceAngle = 0.05;  // rad
inline constexpr int kMaxHalvings = 10;      // faster bodies turn about their axis as it is

// l / inertia, where a moment of 0 makes 0.
inline Vec3 divided(const Vec3& l, const Vec3& inertia) {
    return {inertia.x > 0 ? l.x / inertia.x : 0, inertia.y > 0 ? l.y / inertia.y : 0,
            inertia.z > 0 ? l.z / inertia.z : 0};
}
inline bool is_isotropic(const Vec3& inertia) {
    return inertia.x == inertia.y && inertia.y == inertia.z;
}

// How a body tumbles: dW/dt = -ratio (Wy Wz, Wz Wx, Wx Wy), ratio = ((Iz - Iy)/Ix, ...). Real bodies have
// |ratio| <= 1; a given inertia may have more, then the pieces are shorter.
struct Tumbling {
    Vec3 ratio;
    int halvings;  // n; kMaxHalvings + 1 when that is not enough
};
Tumbling tumbling_of(double speed, const Vec3& inertia, const Vec3& inverse_inertia, double h);

// Bodies without torque that rotate_midpoint turns together, one a lane, all with the same n. Each gets the
// bits that it gets alone, whatever is in the other lanes.
struct SpinGroup {
    static constexpr int kLanes = 8;
    alignas(64) double spin[7][kLanes] = {{1, 1, 1, 1, 1, 1, 1, 1}};  // w, x, y, z of q; x, y, z of w
    double ratio[3][kLanes] = {};                                     // of Tumbling

    void set(int lane, const Spin& s, const Vec3& r) {
        spin[0][lane] = s.q.w, spin[1][lane] = s.q.x, spin[2][lane] = s.q.y, spin[3][lane] = s.q.z;
        spin[4][lane] = s.w.x, spin[5][lane] = s.w.y, spin[6][lane] = s.w.z;
        ratio[0][lane] = r.x, ratio[1][lane] = r.y, ratio[2][lane] = r.z;
    }
    Spin get(int lane) const {
        return {{spin[0][lane], spin[1][lane], spin[2][lane], spin[3][lane]},
                {spin[4][lane], spin[5][lane], spin[6][lane]}};
    }
};
void rotate_midpoint(SpinGroup& group, int halvings, double h);

}  // namespace impuls
