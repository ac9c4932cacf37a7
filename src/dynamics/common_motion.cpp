// Momentum and angular momentum of many as one motion (common_motion.h).
#include "dynamics/common_motion.h"

namespace impuls {

void CommonMotion::add_mass(double mass, const Vec3& position, const Vec3& v) {
    mass_ += mass;
    center_ += position * mass;
    v_ += v * mass;
}

void CommonMotion::find_center() {
    center_ = center_ / mass_;
    v_ = v_ / mass_;
}

void CommonMotion::add_turn(double mass, const Mat3& inertia_W, const Vec3& position, const Vec3& v,
                            const Vec3& l) {
    const Vec3 r = position - center_;
    l_ += l + cross(r, v - v_) * mass;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            inertia_[i][j] += inertia_W[j][i] + mass * ((i == j ? length_squared(r) : 0) - r[i] * r[j]);
}

// Mass on a line does not turn about it.
void CommonMotion::find_turn() {
    const double least = 1e-12 * (inertia_[0][0] + inertia_[1][1] + inertia_[2][2]);
    std::array<double, SmallLdlt::kMax> w{l_.x, l_.y, l_.z};
    SmallLdlt inverse;
    inverse.factor(inertia_, 3, {least, least, least});
    inverse.solve(w);
    w_ = {w[0], w[1], w[2]};
}

void CommonMotion::take_momenta(const CommonMotion& other) {
    v_ = other.v_;
    take_angular_momentum(other);
}

void CommonMotion::take_angular_momentum(const CommonMotion& other) {
    l_ = other.l_;
    find_turn();
}

}  // namespace impuls
