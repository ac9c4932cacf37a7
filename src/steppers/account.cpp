// The energy account (account.h).
#include "steppers/account.h"

#include <cmath>

namespace impuls {

void IslandEnergy::add(double mass, const Vec3& inertia, const Vec3& acceleration, const Pose& pose,
                       const Vec3& v, const Vec3& w) {
    const Quat& q = pose.orientation;
    add(mass, acceleration, pose.position, v, w, rotate(q, scale(inertia, rotate_inverse(q, w))));
}

void IslandEnergy::add(double mass, const Vec3& acceleration, const Vec3& position, const Vec3& v,
                       const Vec3& w, const Vec3& l) {
    kinetic += 0.5 * (mass * dot(v, v) + dot(w, l));
    potential -= mass * dot(acceleration, position);
}

double EnergyAccount::allowed(const IslandEnergy& now, double share, double correction) const {
    const double work = before_.potential - now.potential;
    return before_.kinetic * (1 + kGain * share) + work + kWork * std::abs(work) + correction;
}

}  // namespace impuls
