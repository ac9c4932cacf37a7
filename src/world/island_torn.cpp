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

constexpr double kTornOpen = 0.02;  // gap relative to the smaller body's radius, or rad
constexpr double kMostTurn = 0.25;  // rad in a step
constexpr double kYielding = 1e-2;  // of a body's own response to an impulse

}  // namespace

// Whether the equations among rows [first, end), just made for a joint, are off too far.
bool IslandWork::is_torn(const JointWork& joint, std::size_t first) const {
    const Rows& rows = problem_.rows;
    double size = kUnbounded, distance2 = 0, angle2 = 0;
    for (const std::uint32_t k : {joint.a, joint.b})
        if (k < dynamic_count_) size = std::min(size, world_->bodies.radius[nodes_[k].body]);
    for (std::size_t r = first; r < rows.rows.size(); ++r) {
        const Row& row = rows.rows[r];
        if (row.is_equation() && axis_log_.row_axis[r] == 0)
            (row.is_linear(rows) ? distance2 : angle2) += row.error * row.error;
    }
    return (size < kUnbounded && distance2 > kTornOpen * kTornOpen * size * size) ||
           angle2 > kTornOpen * kTornOpen;
}

void IslandWork::pull_together() {
    if (!is_torn_) return;
    auto& n = problem_.nodes;
    std::swap(n.v, stack_.saved_v), std::swap(n.w, stack_.saved_w);
    n.v.assign(nodes_.size(), {}), n.w.assign(nodes_.size(), {});
    problem_.contacts.clear(), problem_.rows.clear();
    double response = 0, size = kUnbounded;
    for (const JointWork& joint : joints_) {
        JointRows out = joint_rows(joint, problem_.rows, 1, Phase::Displacement);
        out.angles = {};
        make_rows(world_->joints, joint.joint, joint_poses(joint), out);
        for (std::size_t b = out.first_block + 1; b < problem_.rows.blocks.size(); ++b)
            for (Row& row : problem_.rows.rows_of(problem_.rows.blocks[b]))
                if (row.is_equation()) row.lower = row.upper = 0;  // a drive
        for (const std::uint32_t k : {joint.a, joint.b}) {
            if (k >= dynamic_count_) continue;
            response = std::max(response, n.inv_mass[k]);
            if (world_->bodies.radius[nodes_[k].body] > 0)
                size = std::min(size, world_->bodies.radius[nodes_[k].body]);
        }
    }
    keep_geometry(problem_.rows);
    for (Row& row : problem_.rows.rows) {
        const double linear = kYielding * response;
        row.compliance = row.is_linear(problem_.rows) || size == kUnbounded ? linear : linear / (size * size);
    }
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
    check_finite("drawing torn joints together");
}

}  // namespace impuls
