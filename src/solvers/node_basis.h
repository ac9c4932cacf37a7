// Coordinates in which a node's mass matrix is diagonal: v as it is, and w = L u with I^-1 = L D L^T, so that
// mass along u is 1/D. No square roots and no inverse of a tensor: directions in which a node cannot move or
// turn (static nodes, particles) have D = 0, and rows get nothing from them.
#pragma once

#include <algorithm>
#include <array>

#include "constraints/problem.h"

namespace impuls {

using Vec6 = std::array<double, 6>;

class NodeBasis {
  public:
    void set(double inv_mass, const Mat3& inv_inertia) {
        const double most = std::max({inv_inertia.c0.x, inv_inertia.c1.y, inv_inertia.c2.z});
        const auto kept = [&](double d) { return d > 1e-14 * most ? d : 0.0; };
        const double d0 = kept(inv_inertia.c0.x);
        l10_ = d0 > 0 ? inv_inertia.c0.y / d0 : 0;
        l20_ = d0 > 0 ? inv_inertia.c0.z / d0 : 0;
        const double d1 = kept(inv_inertia.c1.y - l10_ * l10_ * d0);
        l21_ = d1 > 0 ? (inv_inertia.c1.z - l20_ * l10_ * d0) / d1 : 0;
        const double d2 = kept(inv_inertia.c2.z - l20_ * l20_ * d0 - l21_ * l21_ * d1);
        mobility_ = {inv_mass, inv_mass, inv_mass, d0, d1, d2};
    }
    bool is_movable() const { return mobility_[0] > 0 || mobility_[3] + mobility_[4] + mobility_[5] > 0; }
    // 1 / mass along each coordinate.
    const Vec6& mobility() const { return mobility_; }
    // A row's part: linear . v + angular . w = result . (v, u), without the coordinates that cannot change.
    Vec6 row(const Vec3& linear, const Vec3& angular) const {
        Vec6 j{linear.x,
               linear.y,
               linear.z,
               angular.x + l10_ * angular.y + l20_ * angular.z,
               angular.y + l21_ * angular.z,
               angular.z};
        for (std::size_t k = 0; k < 6; ++k)
            if (mobility_[k] == 0) j[k] = 0;
        return j;
    }

  private:
    double l10_ = 0, l20_ = 0, l21_ = 0;
    Vec6 mobility_{};
};

}  // namespace impuls
