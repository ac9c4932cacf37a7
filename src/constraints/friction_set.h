// The set that the friction impulse of a contact point is kept in, scaled by limit = friction * normal
// impulse:
//     cone      the disk of that radius (Coulomb)
//     pyramid   the regular polygon with corners limit * d_h, d_h at the angles 2 pi h / eta from t1,
//     inscribed in it box       the square |p1|, |p2| <= limit around it
// Friction that dissipates most is p = project(p - gamma u) with slip u and any gamma > 0: at a fixed point
// -u is in the set's normal cone at p. For the polygon these are the conditions of the linear complementarity
// problem
//     lambda + d_h . u >= 0 compl. beta_h >= 0,   limit - sum beta >= 0 compl. lambda >= 0,   p = sum beta_h
//     d_h.
// Solvers project with it; the world asks whether a point slides.
#pragma once

#include <array>

#include "impuls/settings.h"

namespace impuls {

class FrictionSet {
  public:
    FrictionSet() = default;  // the disk
    FrictionSet(FrictionModel model, int directions);

    bool contains(double limit, double p1, double p2) const;
    // The nearest element.
    void project(double limit, double& p1, double& p2) const;

  private:
    static constexpr int kMost = 64;
    // The side whose outward normal is most along p.
    int side_of(double p1, double p2) const;

    FrictionModel model_ = FrictionModel::Cone;
    int count_ = 0;
    double inner_ = 0, half_side_ = 0;  // cos(pi / eta), sin(pi / eta)
    std::array<double, kMost> n1_{}, n2_{};
};

}  // namespace impuls
