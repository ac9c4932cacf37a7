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
#include <cmath>

#include "impuls/settings.h"

namespace impuls {

class FrictionSet {
  public:
    FrictionSet() = default;  // the disk
    FrictionSet(FrictionModel model, int directions);

    bool is(FrictionModel model, int directions) const {
        return model_ == model && directions_ == directions;
    }
    bool contains(double limit, double p1, double p2) const {
        return model_ == FrictionModel::Cone ? p1 * p1 + p2 * p2 <= limit * limit
                                             : polygon_contains(limit, p1, p2);
    }
    // The nearest element.
    void project(double limit, double& p1, double& p2) const {
        if (model_ != FrictionModel::Cone) return project_to_polygon(limit, p1, p2);
        const double size = std::sqrt(p1 * p1 + p2 * p2);
        const double s = size > limit ? limit / size : 1;
        p1 *= s, p2 *= s;
    }

  private:
    static constexpr int kMost = 64;
    bool polygon_contains(double limit, double p1, double p2) const;
    void project_to_polygon(double limit, double& p1, double& p2) const;
    // The side whose outward normal is most along p.
    int side_of(double p1, double p2) const;

    FrictionModel model_ = FrictionModel::Cone;
    int directions_ = 0;
    int count_ = 0;
    double inner_ = 0, half_side_ = 0;  // cos(pi / eta), sin(pi / eta)
    std::array<double, kMost> n1_{}, n2_{};
};

}  // namespace impuls
