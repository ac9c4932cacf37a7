// The energy account of an island: where nothing drives it (Island::is_driven), its energy does not grow.
// What a step may gain before its stepper intervenes; what a run may is EnergyGain (base/energy_gain.h). With
// kinetic energy T, potential energy V of constant forces and W = V_0 - V, after the share s of a step
//     T <= T_0 (1 + kGain s) + W + kWork |W| + correction
// kGain and kWork leave room for the errors of a step of finite length, `correction` for what pushing
// overlapping bodies apart may have lifted (0 where a stepper does not). Who goes beyond is a last resort's
// business: its Outcome says what was taken out (energy_removed), or that the step was given up
// (GainedEnergy).
#pragma once

#include "dynamics/body_set.h"
#include "impuls/vec.h"

namespace impuls {

struct IslandEnergy {
    double kinetic = 0, potential = 0;  // J; the latter of constant forces, zero at the origin

    // A body of this mass and these principal moments.
    void add(double mass, const Vec3& inertia, const Vec3& acceleration, const Pose& pose, const Vec3& v,
             const Vec3& w);
    // One whose angular momentum l is known.
    void add(double mass, const Vec3& acceleration, const Vec3& position, const Vec3& v, const Vec3& w,
             const Vec3& l);
};

class EnergyAccount {
  public:
    static constexpr double kGain = 0.005;  // of the kinetic energy in a step
    static constexpr double kWork = 0.01;   // of the work of constant forces

    EnergyAccount() = default;
    explicit EnergyAccount(const IslandEnergy& before) : before_(before) {}
    // The most kinetic energy that an island may have after the share `share` of a step, J.
    double allowed(const IslandEnergy& now, double share = 1, double correction = 0) const;
    bool balances(const IslandEnergy& now, double share = 1, double correction = 0) const {
        return now.kinetic <= allowed(now, share, correction);  // false for what is not a number
    }

  private:
    IslandEnergy before_{};
};

}  // namespace impuls
