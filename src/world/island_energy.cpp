// Bodies joined in singular configurations (stretched, folded, loops that meet their limits) can be thrown
// apart by impulses that no substep is short enough for. Where nothing drives an island its energy does not
// grow; what a substep adds all the same is taken out again. The same goes for bodies that overlap: contacts
// that push them apart may be gone before the velocity phase can take back the velocity they gave.
//
// What is scaled down is the motion without the common one (dynamics/common_motion.h): momenta stay as they
// are, and so do all velocities that joints want to be 0. Where something fixed holds or touches the island,
// its momenta are not its own, and all of the motion is scaled.
#include <algorithm>
#include <cmath>

#include "math/rotation.h"
#include "world/island.h"
#include "world/state.h"

namespace impuls {

// Whether a substep may add energy that nothing gave: see above.
bool IslandWork::may_throw() const {
    if (!joints_.empty()) return true;
    for (std::size_t k = 0; k < points_.size(); ++k)
        if (points_[k].is_present && points_[k].separation < -kOverlap * pairs_[point_pair_[k]].law.size)
            return true;
    return false;
}

// Whether energy may come from anything but constant forces.
bool IslandWork::find_drive() const {
    const auto& bodies = world_->bodies;
    for (std::size_t k = 0; k < nodes_.size(); ++k) {
        const Node& node = nodes_[k];
        if (node.surface != Vec3{} || (node.is_dynamic && bodies.torque[node.body] != Vec3{}) ||
            (!node.is_dynamic && (problem_.nodes.v[k] != Vec3{} || problem_.nodes.w[k] != Vec3{})))
            return true;
    }
    return std::any_of(pairs_.begin(), pairs_.end(),
                       [](const auto& pair) { return pair.law.compliance > 0; }) ||
           std::any_of(joints_.begin(), joints_.end(),
                       [&](const JointWork& joint) { return !world_->joints.is_passive[joint.joint]; });
}

Vec3 IslandWork::angular_momentum_of(std::size_t k) const {
    const Quat& q = nodes_[k].pose.orientation;
    return rotate(q, scale(world_->bodies.inertia[nodes_[k].body], rotate_inverse(q, problem_.nodes.w[k])));
}

IslandWork::Energy IslandWork::energy() const {
    Energy e;
    for (std::size_t k = 0; k < dynamic_count_; ++k) {
        const double mass = 1 / problem_.nodes.inv_mass[k];
        const Vec3& v = problem_.nodes.v[k];
        e.kinetic += 0.5 * (mass * dot(v, v) + dot(problem_.nodes.w[k], angular_momentum_of(k)));
        e.potential -= mass * dot(nodes_[k].acceleration, nodes_[k].pose.position);
    }
    return e;
}

// Nothing fixed holds or touched it in this substep.
bool IslandWork::is_free() const {
    return std::none_of(nodes_.begin() + static_cast<std::ptrdiff_t>(dynamic_count_), nodes_.end(),
                        [](const Node& node) { return node.is_held; });
}

CommonMotion IslandWork::common_motion() const {
    const auto& n = problem_.nodes;
    CommonMotion m;
    for (std::size_t k = 0; k < dynamic_count_; ++k)
        m.add_mass(1 / n.inv_mass[k], nodes_[k].pose.position, n.v[k]);
    m.find_center();
    for (std::size_t k = 0; k < dynamic_count_; ++k) {
        const Pose& pose = nodes_[k].pose;
        m.add_turn(1 / n.inv_mass[k],
                   turned_diagonal(pose.orientation, world_->bodies.inertia[nodes_[k].body]), pose.position,
                   n.v[k], angular_momentum_of(k));
    }
    m.find_turn();
    return m;
}

// After a substep of length h that began with `before`.
void IslandWork::limit_energy(const Energy& before, double h) {
    constexpr double kGain = 0.005;  // of the kinetic energy in a whole step
    if (is_driven_ || !failure.empty()) return;
    const Energy now = energy();
    const double work = before.potential - now.potential;
    const double allowed = before.kinetic * (1 + kGain * h / world_->dt) + work + 0.01 * std::abs(work);
    if (now.kinetic <= allowed) return;
    CommonMotion base;
    if (is_free()) base = common_motion();
    const double rest = now.kinetic - base.kinetic();
    if (!(rest > 0)) return;
    const double share = std::min(1.0, std::sqrt(std::max(0.0, allowed - base.kinetic()) / rest));
    for (std::size_t k = 0; k < dynamic_count_; ++k) {
        Vec3 &v = problem_.nodes.v[k], &w = problem_.nodes.w[k];
        const Vec3 common_v = base.velocity_at(nodes_[k].pose.position), common_w = base.angular_velocity();
        v = common_v + (v - common_v) * share;
        w = common_w + (w - common_w) * share;
    }
    // The impulses that did it are no guess for the next.
    std::fill(joint_previous_.begin(), joint_previous_.end(), 0.0);
    for (auto& point : points_) point.previous_n = 0, point.previous_t = point.previous_torque = {};
}

}  // namespace impuls
