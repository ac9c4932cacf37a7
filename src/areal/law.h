// What a piece of the contact surface does, per area (spec: areal-contact 2.11): with the depth u, the speed
// v_n of approach and the slip v_t,
//     p = max(0, k u (1 + c v_n) + d v_n min(u / u_r, 1)),      t = -m(|v_t|) p v_t / |v_t|
// so that damping begins at nothing where surfaces touch and nothing ever pulls. c is Hunt and Crossley's
// dissipation (from a coefficient of restitution), d areal damping with its ramp u_r; m is regularised
// Coulomb friction (dynamics/laws/sliding.h), which creeps. Called by the kernel (clip.h).
#pragma once

#include "areal/dual.h"
#include "dynamics/laws/sliding.h"

namespace impuls::areal {

struct ArealLaw {
    double stiffness = 0;          // N/m^3
    double dissipation = 0;        // s/m
    double damping = 0, ramp = 0;  // N s/m^3; m
    laws::SlidingFriction<double> friction{0, 0, 1, 0};

    friend bool operator==(const ArealLaw& a, const ArealLaw& b) {
        const auto &f = a.friction, &g = b.friction;
        return a.stiffness == b.stiffness && a.dissipation == b.dissipation && a.damping == b.damping &&
               a.ramp == b.ramp && f.sticking == g.sticking && f.sliding == g.sliding && f.slow == g.slow &&
               f.width == g.width;
    }
};

template <class T>
T pressure_at(const ArealLaw& law, const T& depth, const T& approach) {
    T p = depth * law.stiffness;
    if (law.dissipation > 0) p = p * (T(1) + approach * law.dissipation);
    if (law.damping > 0)
        p = p + (value_of(depth) < law.ramp ? approach * depth * (law.damping / law.ramp)
                                            : approach * law.damping);
    return value_of(p) > 0 ? p : T(0);
}

// On the side whose velocity relative to the other is `slip`.
template <class T>
Vec<T> friction_at(const ArealLaw& law, const Vec<T>& slip, const T& pressure) {
    if (!(law.friction.sticking > 0)) return {};
    const T square = dot(slip, slip);
    const double slow = law.friction.slow;
    if (value_of(square) <= slow * slow) return slip * (pressure * (-law.friction.sticking / slow));
    const T speed = root(square);
    const auto c = laws::coefficient_of(law.friction, value_of(speed));
    return slip * (pressure * chained(c.value, c.slope, speed) / speed * -1.0);
}

}  // namespace impuls::areal
