// Joints that are torn open: at the start of a scene (at_a, at_b), by a command, or by bodies that were
// pulled apart. To close a wide gap within a substep of the impulse stepper would take velocities of gap / h,
// and what of them the joints do not stop afterwards stays as motion. So a torn joint only holds its
// velocity, and once a step all joints of its island are drawn together by displacements alone: one damped
// Gauss-Newton step as in assemble.cpp. Bender (2014, 3.5.1) caps each joint's impulse in a step; here the
// cap is on how far a body turns, which knows no units.
#include <algorithm>

#include "dynamics/first_order.h"
#include "world/island.h"
#include "world/state.h"

namespace impuls {
namespace {

constexpr double kTornOpen = 0.05;  // gap relative to the smaller body's size, or rad
constexpr double kMostTurn = 0.25;  // rad in a step
constexpr double kOverturn = 0.5;   // rad in a substep that joints alone make
constexpr double kYielding = 1e-2;  // of a body's own response to an impulse

}  // namespace

// The smaller size of a joint's bodies that can turn; infinite when there is none.
double IslandWork::size_of(const JointWork& joint) const {
    double size = kUnbounded;
    for (const std::uint32_t k : {joint.a, joint.b}) {
        if (k >= dynamic_count_) continue;
        const std::uint32_t body = nodes_[k].body;
        const double radius = gyration_radius(world_->bodies.mass[body], world_->bodies.inertia[body]);
        if (radius > 0) size = std::min(size, radius);
    }
    return size;
}

// Whether the equations among the rows from `first` on, just made for a joint, are off too far.
bool IslandWork::is_torn(const JointWork& joint, std::size_t first) const {
    const Rows& rows = problem_.rows;
    double distance2 = 0, angle2 = 0;
    for (std::size_t r = first; r < rows.rows.size(); ++r) {
        const Row& row = rows.rows[r];
        if (row.is_equation() && axis_log_.row_axis[r] == 0)
            (row.is_linear ? distance2 : angle2) += row.error * row.error;
    }
    const double size = size_of(joint);
    return distance2 > kTornOpen * kTornOpen * size * size || angle2 > kTornOpen * kTornOpen;
}

// Chains that are pulled straight, or farther, have equations that depend on each other: what they ask for
// along the chain they get by flinging the bodies sideways. Substeps are so short that bodies turn little by
// themselves (next_substep); where the joints' impulses make one turn far, they are found again with joints
// that give way.
bool IslandWork::overturns(double h) const {
    if (joints_.empty() || is_yielding_) return false;
    double before = 0, now = 0;
    for (std::size_t k = 0; k < dynamic_count_; ++k) {
        before = std::max(before, length_squared(nodes_[k].start_w));
        now = std::max(now, length_squared(problem_.nodes.w[k]));
    }
    return now * (h * h) > kOverturn * kOverturn && now > 16 * before;
}

void IslandWork::yield_joints(double h, Phase phase) {
    is_yielding_ = true;
    unstrained_.restore(problem_);
    make_joint_rows(h, phase);
    solver_->solve(problem_, solve_settings(h));
}

// Joints' equations J v + bias + c p = 0 with c a part of their bodies' own response.
void IslandWork::add_yielding() {
    double response = 0, size = kUnbounded;
    for (const JointWork& joint : joints_) {
        size = std::min(size, size_of(joint));
        for (const std::uint32_t k : {joint.a, joint.b})
            if (k < dynamic_count_) response = std::max(response, problem_.nodes.inv_mass[k]);
    }
    const double linear = kYielding * response, angular = size < kUnbounded ? linear / (size * size) : linear;
    Rows& rows = problem_.rows;
    for (Row& row : rows.rows)
        if (row.is_equation()) row.compliance = row.is_linear ? linear : angular;
}

// At their new places the bodies have other momenta with the velocities they have: back to the old ones.
void IslandWork::keep_momenta(const CommonMotion& before) {
    auto& n = problem_.nodes;
    const CommonMotion after = common_motion();
    CommonMotion kept = after;
    kept.take_momenta(before);
    for (std::uint32_t k = 0; k < dynamic_count_; ++k) {
        const Vec3& x = nodes_[k].pose.position;
        n.v[k] += kept.velocity_at(x) - after.velocity_at(x);
        n.w[k] += kept.angular_velocity() - after.angular_velocity();
    }
}

void IslandWork::pull_together() {
    if (!is_torn_) return;
    auto& n = problem_.nodes;
    const CommonMotion before = common_motion();
    std::swap(n.v, stack_.saved_v), std::swap(n.w, stack_.saved_w);
    n.v.assign(nodes_.size(), {}), n.w.assign(nodes_.size(), {});
    problem_.contacts.clear(), problem_.rows.clear();
    for (const JointWork& joint : joints_) {
        JointRows out = joint_rows(joint, problem_.rows, 1, Phase::Displacement);
        out.angles = {};
        make_rows(world_->joints, joint.joint, joint_poses(joint), out);
        for (std::size_t b = out.first_block + 1; b < problem_.rows.blocks.size(); ++b)
            for (Row& row : problem_.rows.rows_of(problem_.rows.blocks[b]))
                if (row.is_equation()) row.lower = row.upper = 0;  // a drive
    }
    keep_geometry(problem_.rows);
    add_yielding();
    solver_->solve(problem_, {sweeps(), 0});
    double turn = 0;
    for (std::size_t k = 0; k < dynamic_count_; ++k) turn = std::max(turn, length(n.w[k]));
    const double share = turn > kMostTurn ? kMostTurn / turn : 1;
    for (std::uint32_t k = 0; k < dynamic_count_; ++k) {
        n.v[k] *= share, n.w[k] *= share;
        displace(k);
    }
    std::swap(n.v, stack_.saved_v), std::swap(n.w, stack_.saved_w);
    update_inertia();
    if (is_free()) keep_momenta(before);
    check_finite("drawing torn joints together");
}

}  // namespace impuls
