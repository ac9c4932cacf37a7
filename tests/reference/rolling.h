// A solid ellipsoid (a ball among them) with any mass distribution on a horizontal plane, by Runge-Kutta of
// fourth order on Newton's and Euler's equations with the contact as a constraint: rolling without slipping
// (Garcia and Hubbard, Proc. R. Soc. A 418, 165, 1988), or slipping with Coulomb friction (Cohen, Am. J.
// Phys. 45, 12, 1977). Independent of the engine: no contact search, no impulses. Used by tests/faults.
#pragma once

#include "impuls/vec.h"

namespace impuls::reference {

struct RollingSolid {
    double mass = 1;
    Mat3 inertia{};  // about the centre of mass, body frame, kg m^2
    Mat3 shape{};    // Q diag(radii^2) Q^T in the body frame
    Vec3 centre{};   // of the ellipsoid, from the centre of mass, body frame
    double gravity = 9.81;
};

struct RollingState {
    Quat q{};         // body frame in the world, y up
    Vec3 w{};         // angular velocity, world
    Vec3 velocity{};  // of the centre of mass; follows from w while rolling
};

// Without slipping.
RollingState rolled(const RollingSolid& solid, RollingState state, double seconds, int steps);
// With friction mu; the law is smoothed below the slip velocity `smooth`, which must be small beside those
// that matter, and needs seconds / steps below smooth / (4 mu g).
RollingState slipped(const RollingSolid& solid, double mu, double smooth, RollingState state, double seconds,
                     int steps);
// Kinetic and potential energy (of the centre of mass above the plane).
double rolling_energy(const RollingSolid& solid, const RollingState& state);
// From the centre of mass to the point of contact, world.
Vec3 contact_lever(const RollingSolid& solid, const Quat& q);

}  // namespace impuls::reference
