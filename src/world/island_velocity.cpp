// The velocity stepper's solves: one for the velocities that positions are advanced with, one for restitution
// (step_velocity.cpp has the order, island_shock.cpp the layers).
#include <algorithm>
#include <cmath>

#include "math/free_rotation.h"
#include "world/island.h"
#include "world/state.h"

namespace impuls {

// All of the external impulse, with -w x I w by the integrator of free rotation. Of it the layers of shock
// propagation give the share 1 - f; impacts of fast pairs are found with the whole, so theirs is not divided.
void IslandWork::kick(double h) {
    const auto& bodies = world_->bodies;
    const double late = world_->method.shock == Switch::On ? 1 - world_->method.weight : 0;
    stack_.rest_v.assign(nodes_.size(), {}), stack_.rest_w.assign(nodes_.size(), {});
    for (std::size_t k = 0; k < nodes_.size(); ++k) {
        Node& node = nodes_[k];
        Vec3 &v = problem_.nodes.v[k], &w = problem_.nodes.w[k];
        node.start_pose = node.pose, node.start_v = v, node.start_w = w;
        node.middle = node.pose.orientation;
        node.is_held = false;
        node.lead = 0;
        if (!node.is_dynamic) continue;
        v = v * decay(h * bodies.linear_damping[node.body]) + node.acceleration * h;
        w *= decay(h * bodies.angular_damping[node.body]);
        if (bodies.inv_inertia[node.body] != Vec3{})
            w = rotate_freely(world_->method.integrator, {node.pose.orientation, w},
                              bodies.inertia[node.body], bodies.torque[node.body], h)
                    .w;
        stack_.rest_v[k] = (v - node.start_v) * late;
        stack_.rest_w[k] = (w - node.start_w) * late;
    }
    check_finite("forces");
}

// Speeds at which points come to touch, from the velocities before forces and impulses (Newton's law).
void IslandWork::measure_approaches(double h) {
    for (std::size_t k = 0; k < points_.size(); ++k) {
        SubstepPoint& point = points_[k];
        point.impulse_n = 0, point.impulse_t = point.torque_impulse = {};
        point.is_hit = false, point.approach = 0;
        if (!point.is_present) continue;
        const PairWork& pair = pairs_[point_pair_[k]];
        const auto velocity = [&](const Node& node) {
            return node.start_v +
                   cross(node.start_w, point.position - node.pose.position - node.start_v * point.lead);
        };
        const Node &a = nodes_[pair.a], &b = nodes_[pair.b];
        const double approach = impact_speed(point.separation, dot(velocity(b) - velocity(a), point.normal),
                                             dot(b.acceleration - a.acceleration, point.normal));
        if (pair.law.restitution > 0 && approach > threshold(pair, h)) point.approach = approach;
    }
}

// An open gap may close within h (linearised contact, Erleben 4.5); stabilisation asks a depth to shrink.
void IslandWork::add_velocity_row(std::uint32_t k, double h, const Pass& pass) {
    const SubstepPoint& point = points_[k];
    if (!point.is_present) return;
    const PairWork& pair = pairs_[point_pair_[k]];
    const Method& method = world_->method;
    auto& rows = problem_.contacts;
    add_contact_row(k);
    const std::size_t r = rows.size() - 1;
    if (point.separation > kSlop * pair.law.size) rows.friction[r] = 0;
    if (pair.law.compliance > 0) {  // what other solves of the substep gave counts too
        const ContactSpring spring = contact_spring(point.separation, pair.law, h);
        rows.bias[r] = spring.bias + spring.compliance * point.impulse_n,
        rows.compliance[r] = spring.compliance;
    } else if (point.lead > 0) {  // at the touch: it rebounds at once
        rows.bias[r] = -pair.law.restitution * point.approach;
    } else if (point.separation > 0) {
        rows.bias[r] = point.separation / h;
    } else if (method.correction == Correction::Stabilisation) {
        rows.bias[r] = method.erp * point.separation / h;
    }
    rows.guess_n[r] = pass.warm * point.previous_n;
    rows.guess_1[r] = pass.warm * dot(point.previous_t, rows.t1[r]);
    rows.guess_2[r] = pass.warm * dot(point.previous_t, rows.t2[r]);
    const Vec3& torque = point.previous_torque;
    rows.torque_guess[r] =
        pass.warm * Vec3{dot(torque, rows.t1[r]), dot(torque, rows.t2[r]), dot(torque, rows.n[r])};
}

void IslandWork::add_joint_rows(std::uint32_t k, double h, const Pass& pass) {
    const JointWork& joint = joints_[k];
    const Method& method = world_->method;
    Rows& rows = problem_.rows;
    const std::size_t first = rows.rows.size();
    JointRows out = joint_rows(joint, rows, h, Phase::Displacement);
    out.recovery = method.correction == Correction::Stabilisation ? method.erp : 0;
    out.share = pass.share, out.keeps_angles = true, out.log = &axis_log_;
    make_rows(world_->joints, joint.joint, joint_poses(joint), out);
    for (const std::uint32_t node : {joint.a, joint.b, joint.c}) nodes_[node].is_held = true;
    stack_.joints.push_back(k);
    for (std::size_t r = first; r < rows.rows.size(); ++r)
        rows.rows[r].guess = pass.warm * joint_previous_[joint.first_row + r - first];
}

// Rows of these edges, solved from a share of their last impulses, and their impulses added to what other
// solves of the substep gave. All sweeps are done, converged or not: then it makes no difference, to the last
// bit, what else is solved with them.
void IslandWork::solve_edges(std::span<const std::uint32_t> edges, double h, const Pass& pass) {
    problem_.contacts.clear(), row_point_.clear();
    problem_.rows.clear(), stack_.joints.clear();
    axis_log_.axes.clear(), axis_log_.row_axis.clear();
    for (const auto e : edges) {
        const auto item = stack_.items[e];
        if (e >= stack_.pair_edges) {
            add_joint_rows(item, h, pass);
            continue;
        }
        for (auto k = stack_.point_start[item]; k < stack_.point_start[item + 1]; ++k)
            add_velocity_row(k, h, pass);
    }
    if (problem_.contacts.size() == 0 && problem_.rows.rows.empty()) return;
    solver_->solve(problem_, {static_cast<int>(world_->method.iterations), 0});
    take_part(pass);
}

void IslandWork::take_part(const Pass& pass) {
    const auto& rows = problem_.contacts;
    for (std::size_t r = 0; r < rows.size(); ++r) {
        SubstepPoint& point = points_[row_point_[r]];
        const Vec3 tangential = rows.t1[r] * rows.impulse_1[r] + rows.t2[r] * rows.impulse_2[r];
        point.impulse_n += rows.impulse_n[r];
        point.impulse_t += tangential;
        const Vec3& turn = rows.torque_impulse[r];
        const Vec3 torque = rows.t1[r] * turn.x + rows.t2[r] * turn.y + rows.n[r] * turn.z;
        point.torque_impulse += torque;
        if (pass.is_last)
            point.previous_n = rows.impulse_n[r], point.previous_t = tangential,
            point.previous_torque = torque;
        point.sum += rows.n[r] * rows.impulse_n[r] + tangential;
        if (rows.impulse_n[r] > 0) nodes_[rows.a[r]].is_held = nodes_[rows.b[r]].is_held = true;
    }
    std::size_t first = 0, axes = 0;  // rows and axes of the joints before
    for (const std::uint32_t k : stack_.joints) {
        const JointWork& joint = joints_[k];
        const auto g = geometry_of(world_->joints, joint.joint, joint_poses(joint));
        const std::size_t count = world_->joints.impulses_of(joint.joint).size();
        for (std::size_t r = 0; r < count; ++r) {
            const Row& row = problem_.rows.rows[first + r];
            joint_carried_[joint.first_row + r] += row.impulse;
            if (pass.is_last) joint_previous_[joint.first_row + r] = row.impulse;
            add_reaction(problem_.rows, row, row.impulse, joint.b, g.rb, reactions_[k]);
            const auto axis = axis_log_.row_axis[first + r];
            if (axis != 0)
                axis_impulses_[joint.first_axis + std::abs(axis) - 1 - axes] +=
                    axis > 0 ? row.impulse : -row.impulse;
        }
        first += count, axes += world_->joints.axis_force.of(joint.joint).size();
    }
}

// Points that were pushed and met fast enough. A swept impact is over by the end of the drift.
void IslandWork::find_hits() {
    for (std::size_t k = 0; k < points_.size(); ++k) {
        SubstepPoint& point = points_[k];
        if (!point.is_present) continue;
        const PairWork& pair = pairs_[point_pair_[k]];
        point.is_hit = point.impulse_n > 0 && point.approach > 0 && point.lead == 0;
        point.remaining = dot(relative_velocity(pair, point.position), point.normal);
    }
}

// 1/2 v . M v2 over all dynamic nodes.
double IslandWork::kinetic_energy_of(std::span<const Vec3> v, std::span<const Vec3> w,
                                     std::span<const Vec3> v2, std::span<const Vec3> w2) const {
    double sum = 0;
    for (std::size_t k = 0; k < dynamic_count_; ++k) {
        const Quat& q = nodes_[k].pose.orientation;
        const auto body = nodes_[k].body;
        sum += world_->bodies.mass[body] * dot(v[k], v2[k]) +
               dot(rotate_inverse(q, w[k]), scale(world_->bodies.inertia[body], rotate_inverse(q, w2[k])));
    }
    return 0.5 * sum;
}

// Newton's law for many contacts at once, ten sweeps and bodies held fast may all make energy. Of the rebound
// only that share s is given with which the island has no more energy than it had before the substep and the
// forces gave it. v(s) = v(0) + s (v(1) - v(0)) is allowed for every s: both ends are.
void IslandWork::limit_rebound() {
    auto& n = problem_.nodes;
    double allowed = 0;
    for (std::size_t k = 0; k < nodes_.size(); ++k) {
        const Node& node = nodes_[k];
        if (!node.is_dynamic && (n.v[k] != Vec3{} || n.w[k] != Vec3{})) return;  // whose work is not known
        if (!node.is_dynamic) continue;
        const auto& bodies = world_->bodies;
        const Vec3 w_P = rotate_inverse(node.start_pose.orientation, node.start_w);
        allowed +=
            bodies.mass[node.body] * (0.5 * length_squared(node.start_v) +
                                      dot(node.acceleration, node.pose.position - node.start_pose.position)) +
            0.5 * dot(scale(bodies.inertia[node.body], w_P), w_P);
        if (bodies.torque[node.body] != Vec3{}) return;
    }
    auto &v0 = stack_.saved_v, &w0 = stack_.saved_w;
    for (std::size_t k = 0; k < dynamic_count_; ++k) n.v[k] -= v0[k], n.w[k] -= w0[k];
    const double a = kinetic_energy_of(n.v, n.w, n.v, n.w), b = 2 * kinetic_energy_of(v0, w0, n.v, n.w);
    const double c = kinetic_energy_of(v0, w0, v0, w0) - allowed;
    double s = 1;
    if (a + b + c > 0)
        s = c >= 0 || a <= 0 ? 0 : (-b + std::sqrt(std::max(0.0, b * b - 4 * a * c))) / (2 * a);
    s = std::clamp(s, 0.0, 1.0);
    for (std::size_t k = 0; k < dynamic_count_; ++k) n.v[k] = v0[k] + n.v[k] * s, n.w[k] = w0[k] + n.w[k] * s;
    if (s == 1) return;
    auto& rows = problem_.contacts;
    for (std::size_t r = 0; r < rows.size(); ++r) {
        const SubstepPoint& point = points_[row_point_[r]];
        const auto blend = [&](double& p, double carried) { p = carried + s * (p - carried); };
        blend(rows.impulse_n[r], point.impulse_n);
        blend(rows.impulse_1[r], dot(point.impulse_t, rows.t1[r]));
        blend(rows.impulse_2[r], dot(point.impulse_t, rows.t2[r]));
    }
    for (std::size_t r = 0; r < problem_.rows.rows.size(); ++r) {
        double& p = problem_.rows.rows[r].impulse;
        p = joint_carried_[r] + s * (p - joint_carried_[r]);
    }
}

// Restitution: the solve before has brought the pair to the touch, along the normal it now leaves with e
// times the speed it came with. Impulses go on from those of that solve, so that what is pressed on is
// neither pulled nor pushed twice. In an island without such a pair nothing happens.
void IslandWork::rebound(double h) {
    const bool is_any = std::any_of(points_.begin(), points_.end(),
                                    [](const SubstepPoint& p) { return p.is_hit && p.is_present; });
    if (is_any) {
        set_rebounds();
        is_late_.assign(points_.size(), 0);
        make_contact_rows(true);
        auto& rows = problem_.contacts;
        for (std::size_t r = 0; r < rows.size(); ++r) {
            const SubstepPoint& point = points_[row_point_[r]];
            rows.bias[r] = point.is_hit ? -point.rebound : 0;
            rows.guess_n[r] = rows.guess_1[r] = rows.guess_2[r] = 0;
            rows.torque_guess[r] = {};
        }
        Rows& rows_of_joints = problem_.rows;
        rows_of_joints.clear();
        axis_log_.axes.clear(), axis_log_.row_axis.clear();
        for (const JointWork& joint : joints_) {
            JointRows out = joint_rows(joint, rows_of_joints, h, Phase::Velocity);
            out.history.carried = joint_carried_, out.share = 0, out.log = &axis_log_;
            make_rows(world_->joints, joint.joint, joint_poses(joint), out);
        }
        for (std::size_t r = 0; r < rows_of_joints.rows.size(); ++r) {
            Row& row = rows_of_joints.rows[r];
            row.impulse = joint_carried_[r];
            // Forces have acted already: only equations and limits answer an impact.
            if (row.is_bounded() && row.lower == row.upper) row.lower = row.upper = row.impulse;
        }
        stack_.saved_v = problem_.nodes.v, stack_.saved_w = problem_.nodes.w;
        solver_->solve(problem_, {static_cast<int>(world_->method.iterations), 0});
        limit_rebound();
        take_joint_impulses();
        for (std::size_t r = 0; r < rows_of_joints.rows.size(); ++r)
            joint_carried_[r] = rows_of_joints.rows[r].impulse;
        take_contact_impulses();
    }
    for (auto& point : points_)
        if (point.is_hit) point.previous_n = 0, point.previous_t = point.previous_torque = {};
    check_finite("velocities");
}

}  // namespace impuls
