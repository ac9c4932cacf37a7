// Projection onto disk, regular polygon and square (friction_set.h).
#include "constraints/friction_set.h"

#include <algorithm>
#include <cmath>

#include "math/rotation.h"

namespace impuls {

FrictionSet::FrictionSet(FrictionModel model, int directions)
    : model_(model), directions_(directions), count_(std::min(directions, kMost)) {
    if (model_ != FrictionModel::Pyramid) return;
    constexpr double kPi = 3.14159265358979323846;
    const auto turned_by = [](double angle) {  // without libm
        return rotate(rotation_by({0, 0, angle}), Vec3{1, 0, 0});
    };
    const Vec3 half = turned_by(kPi / count_);
    inner_ = half.x, half_side_ = half.y;
    for (int k = 0; k < count_; ++k) {
        const Vec3 n = turned_by((2 * k + 1) * kPi / count_);
        n1_[static_cast<std::size_t>(k)] = n.x, n2_[static_cast<std::size_t>(k)] = n.y;
    }
}

int FrictionSet::side_of(double p1, double p2) const {
    int best = 0;
    double most = -1;
    for (int k = 0; k < count_; ++k) {
        const double along = n1_[static_cast<std::size_t>(k)] * p1 + n2_[static_cast<std::size_t>(k)] * p2;
        if (along > most) most = along, best = k;
    }
    return best;
}

bool FrictionSet::polygon_contains(double limit, double p1, double p2) const {
    if (model_ == FrictionModel::Box) return std::abs(p1) <= limit && std::abs(p2) <= limit;
    const auto k = static_cast<std::size_t>(side_of(p1, p2));
    return n1_[k] * p1 + n2_[k] * p2 <= inner_ * limit;
}

// In the sector of a side of a regular polygon the nearest point is on that side.
void FrictionSet::project_to_polygon(double limit, double& p1, double& p2) const {
    if (model_ == FrictionModel::Box) {
        p1 = std::clamp(p1, -limit, limit), p2 = std::clamp(p2, -limit, limit);
    } else if (!polygon_contains(limit, p1, p2)) {
        const auto k = static_cast<std::size_t>(side_of(p1, p2));
        const double along = std::clamp(n1_[k] * p2 - n2_[k] * p1, -half_side_ * limit, half_side_ * limit);
        p1 = n1_[k] * inner_ * limit - n2_[k] * along;
        p2 = n2_[k] * inner_ * limit + n1_[k] * along;
    }
}

}  // namespace impuls
