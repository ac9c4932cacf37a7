// The motion of one rigid body with the momentum and angular momentum of many: what is left of their motion
// without it has none, and the kinetic energies of the two add up. Every body is added twice, first to find
// the common centre, then to find the rotation about it.
#pragma once

#include "impuls/vec.h"
#include "math/small_ldlt.h"

namespace impuls {

class CommonMotion {
  public:
    void add_mass(double mass, const Vec3& position, const Vec3& v);
    void find_center();
    // l: the body's own angular momentum, about its centre.
    void add_turn(double mass, const Mat3& inertia_W, const Vec3& position, const Vec3& v, const Vec3& l);
    void find_turn();
    // The motion that bodies at these places have with the momenta of another.
    void take_momenta(const CommonMotion& other);
    // The same with the angular momentum of another alone.
    void take_angular_momentum(const CommonMotion& other);

    Vec3 velocity_at(const Vec3& position) const { return v_ + cross(w_, position - center_); }
    const Vec3& angular_velocity() const { return w_; }
    double kinetic() const { return 0.5 * (mass_ * dot(v_, v_) + dot(w_, l_)); }

  private:
    double mass_ = 0;
    Vec3 center_{}, v_{}, w_{}, l_{};
    SmallLdlt::Matrix inertia_{};
};

}  // namespace impuls
