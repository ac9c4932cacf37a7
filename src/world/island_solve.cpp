// The two phases of a substep in which impulses are found: rows from contacts and joints, the solver, and
// back.
#include <algorithm>
#include <cmath>

#include "world/island.h"
#include "world/state.h"

namespace impuls {

// A point without past slides when it slips faster than forces explain.
void IslandWork::choose_friction(std::size_t first, double h) {
    for (std::size_t k = first; k < points_.size(); ++k) {
        SubstepPoint& point = points_[k];
        const PairWork& pair = pairs_[point_pair_[k]];
        if (!point.is_fresh) continue;
        point.is_fresh = false;
        if (pair.law.static_friction == pair.law.friction) continue;
        point.is_sliding = length(slip_of(pair, point)) > threshold(pair, h);
    }
}

// Velocity of b's surface relative to a's, along both.
Vec3 IslandWork::slip_of(const PairWork& pair, const SubstepPoint& point) const {
    const Node &a = nodes_[pair.a], &b = nodes_[pair.b];
    const Vec3 u = relative_velocity(pair, point.position) + rotate(b.pose.orientation, b.surface) -
                   rotate(a.pose.orientation, a.surface);
    return u - point.normal * dot(u, point.normal);
}

// The row of point k.
void IslandWork::add_contact_row(std::size_t k) {
    const SubstepPoint& point = points_[k];
    const PairWork& pair = pairs_[point_pair_[k]];
    auto& rows = problem_.contacts;
    const auto lever = [&](std::uint32_t node) {  // where the touch is to be, as seen from the body then
        return point.position - nodes_[node].pose.position - problem_.nodes.v[node] * point.lead;
    };
    const auto r = rows.add(pair.a, pair.b, point.normal, lever(pair.a), lever(pair.b));
    rows.friction[r] = point.is_sliding ? pair.law.friction : pair.law.static_friction;
    const Node &a = nodes_[pair.a], &b = nodes_[pair.b];
    if (a.surface != Vec3{} || b.surface != Vec3{}) {
        const Vec3 s = rotate(b.pose.orientation, b.surface) - rotate(a.pose.orientation, a.surface);
        rows.bias_1[r] = dot(s, rows.t1[r]), rows.bias_2[r] = dot(s, rows.t2[r]);
    }
    rows.rolling[r] = pair.law.rolling;
    // Several points resist spinning by their friction; a single one stands for a small patch.
    const bool is_single =
        (k == 0 || point_pair_[k - 1] != point_pair_[k]) &&
        (k + 1 == points_.size() || point_pair_[k + 1] != point_pair_[k] || !points_[k + 1].is_present);
    if (is_single) rows.torsion[r] = pair.law.torsion;
    row_point_.push_back(static_cast<std::uint32_t>(k));
}

// A row for each present point; with `only_touching` for those that touch or pushed in the displacement
// phase.
void IslandWork::make_contact_rows(bool only_touching, bool is_backward) {
    auto& rows = problem_.contacts;
    rows.clear();
    row_point_.clear();
    const double warm = 0.5 * stretch_ * world_->method.warm_start;  // each of the two phases gives half
    for (std::size_t i = 0; i < points_.size(); ++i) {
        const std::size_t k = is_backward ? points_.size() - 1 - i : i;
        const SubstepPoint& point = points_[k];
        const ContactLaw& law = pairs_[point_pair_[k]].law;
        if (!point.is_present ||
            (only_touching && point.impulse_n == 0 &&
             (law.compliance > 0 || point.separation > kTouching * law.size || is_late_[k])))
            continue;
        add_contact_row(k);
        const std::size_t r = rows.size() - 1;
        rows.is_given[r] = only_touching && law.compliance > 0;
        const auto along = [&](const Vec3& v) {
            return Vec3{dot(v, rows.t1[r]), dot(v, rows.t2[r]), dot(v, rows.n[r])};
        };
        rows.impulse_n[r] = point.impulse_n;
        rows.impulse_1[r] = dot(point.impulse_t, rows.t1[r]);
        rows.impulse_2[r] = dot(point.impulse_t, rows.t2[r]);
        rows.guess_n[r] = warm * point.previous_n;
        rows.guess_1[r] = warm * dot(point.previous_t, rows.t1[r]);
        rows.guess_2[r] = warm * dot(point.previous_t, rows.t2[r]);
        if (rows.is_given[r]) rows.guess_n[r] = point.impulse_n;  // as much again
        if (!rows.resists_turning(r)) continue;
        rows.torque_impulse[r] = along(point.torque_impulse);
        rows.torque_guess[r] = along(point.previous_torque) * warm;
    }
}

void IslandWork::take_contact_impulses() {
    const auto& rows = problem_.contacts;
    for (std::size_t r = 0; r < rows.size(); ++r) {
        SubstepPoint& point = points_[row_point_[r]];
        const double carried_1 = dot(point.impulse_t, rows.t1[r]),
                     carried_2 = dot(point.impulse_t, rows.t2[r]);
        point.sum += rows.n[r] * (rows.impulse_n[r] - point.impulse_n) +
                     rows.t1[r] * (rows.impulse_1[r] - carried_1) +
                     rows.t2[r] * (rows.impulse_2[r] - carried_2);
        point.impulse_n = rows.impulse_n[r];
        point.impulse_t = rows.t1[r] * rows.impulse_1[r] + rows.t2[r] * rows.impulse_2[r];
        const Vec3& torque = rows.torque_impulse[r];
        point.torque_impulse = rows.t1[r] * torque.x + rows.t2[r] * torque.y + rows.n[r] * torque.z;
        if (point.impulse_n > 0) nodes_[rows.a[r]].is_held = nodes_[rows.b[r]].is_held = true;
    }
}

// Velocities before the first kick, and what external forces do.
void IslandWork::note_node_starts() {
    node_starts_.clear();
    for (std::size_t k = 0; k < nodes_.size(); ++k) {
        const Node& node = nodes_[k];
        const Vec3 torque = node.is_dynamic ? world_->bodies.torque[node.body] : Vec3{};
        node_starts_.push_back(
            {node.start_v, node.start_w, node.acceleration, problem_.nodes.inv_inertia[k] * torque});
    }
}

JointPoses IslandWork::joint_poses(const JointWork& joint) const {
    return {nodes_[joint.a].pose, nodes_[joint.b].pose, nodes_[joint.c].pose};
}

JointRows IslandWork::joint_rows(const JointWork& joint, Rows& rows, double h, Phase phase) {
    JointRows out{rows, joint.a, joint.b, joint.c, phase, h};
    const std::size_t angles = world_->joints.angle.of(joint.joint).size();
    out.angles = std::span(joint_angles_).subspan(joint.first_angle, angles);
    out.nodes = &problem_.nodes;
    return out;
}

void IslandWork::make_joint_rows(double h, Phase phase) {
    Rows& rows = problem_.rows;
    if (phase == Phase::Displacement) {
        joint_carried_.assign(joint_previous_.size(), 0);
        joint_approach_.assign(joint_previous_.size(), 0);
        if (!joints_.empty()) note_node_starts();
    } else {
        for (std::size_t r = 0; r < rows.rows.size(); ++r) joint_carried_[r] = rows.rows[r].impulse;
    }
    rows.clear();
    axis_log_.axes.clear(), axis_log_.row_axis.clear();
    const double recovery = joint_recovery();
    if (phase == Phase::Displacement) is_torn_ = false;
    for (JointWork& joint : joints_) {
        JointRows out = joint_rows(joint, rows, h, phase);
        out.recovery = recovery, out.history.carried = joint_carried_, out.history.approach = joint_approach_;
        out.history.previous = joint_previous_, out.history.previous_share = 0.5 * stretch_;
        out.start = node_starts_, out.keeps_angles = true, out.log = &axis_log_;
        joint.first_block = static_cast<std::uint32_t>(rows.blocks.size());
        const std::size_t first = rows.rows.size();
        make_rows(world_->joints, joint.joint, joint_poses(joint), out);
        for (const std::uint32_t node : {joint.a, joint.b, joint.c}) nodes_[node].is_held = true;
        if (phase != Phase::Displacement || !is_torn(joint, first)) continue;
        is_torn_ = true;  // its gap is left to pull_together
        for (std::size_t r = first; r < rows.rows.size(); ++r)
            if (rows.rows[r].is_equation() && axis_log_.row_axis[r] == 0) rows.rows[r].bias = 0;
    }
    if (is_yielding_) add_yielding();
    const double warm = 0.5 * stretch_ * world_->method.warm_start;
    for (std::size_t r = 0; r < rows.rows.size(); ++r) {
        rows.rows[r].impulse = joint_carried_[r];
        rows.rows[r].guess = warm * joint_previous_[r];
    }
}

void IslandWork::take_joint_impulses() {
    const Rows& rows = problem_.rows;
    for (std::size_t k = 0; k < joints_.size(); ++k) {
        const JointWork& joint = joints_[k];
        const auto g = geometry_of(world_->joints, joint.joint, joint_poses(joint));
        const std::size_t end = k + 1 < joints_.size() ? joints_[k + 1].first_row : rows.rows.size();
        for (std::size_t r = joint.first_row; r < end; ++r) {
            const double impulse = rows.rows[r].impulse - joint_carried_[r];
            add_reaction(rows, rows.rows[r], impulse, joint.b, g.rb, reactions_[k]);
            // Axes are numbered through the whole island.
            const auto axis = axis_log_.row_axis[r];
            if (axis != 0) axis_impulses_[std::abs(axis) - 1] += axis > 0 ? impulse : -impulse;
        }
    }
}

// Errors where the bodies will be after the substep.
void IslandWork::refresh(Problem& problem, std::size_t first, std::size_t last) {
    const auto pose = [&](std::uint32_t k) {
        return nodes_[k].body != kNoBody ? drifted(k, preview_h_) : nodes_[k].pose;
    };
    for (const JointWork& joint : joints_) {
        if (joint.first_block < first || joint.first_block >= last) continue;
        preview_rows_.clear();
        JointRows out = joint_rows(joint, preview_rows_, preview_h_, Phase::Velocity);
        make_rows(world_->joints, joint.joint, {pose(joint.a), pose(joint.b), pose(joint.c)}, out);
        for (std::size_t r = 0; r < preview_rows_.rows.size(); ++r)
            problem.rows.rows[joint.first_row + r].error = preview_rows_.rows[r].error;
    }
}

// Small islands can afford to converge: sweeps are added as long as the work stays below kRowBudget rows.
int IslandWork::sweeps(std::size_t items) const {
    constexpr std::size_t kRowBudget = 6000;
    const std::size_t affordable =
        std::min<std::size_t>(50, kRowBudget / std::max<std::size_t>(1, 3 * items));
    return std::max(static_cast<int>(affordable), static_cast<int>(world_->method.iterations));
}

// Share of a joint's error that one substep removes. All of it (RATTLE) where sweeps reach from one end of
// the island's joints to the other; unconverged corrections would pump energy into long chains, so those get
// less, unless the solver closes them whatever their number.
double IslandWork::joint_recovery() const {
    if (solver_->closes_joints()) return 1;
    const double reach = 0.5 * static_cast<double>(sweeps()) / static_cast<double>(joints_.size());
    return std::min(1.0, reach * reach);
}

SolveSettings IslandWork::solve_settings(double h) const {
    double scale = 0;
    for (std::size_t k = 0; k < dynamic_count_; ++k)
        scale = std::max(scale, length(nodes_[k].start_v) + h * length(nodes_[k].acceleration));
    return {sweeps(), 1e-9 * scale, scale};
}

// Impacts slower than what external forces add within a substep are rest, not bounce.
double IslandWork::threshold(const PairWork& pair, double h) const {
    return h * std::max(length(nodes_[pair.a].acceleration), length(nodes_[pair.b].acceleration));
}

void IslandWork::solve_displacements(double h) {
    for (auto& point : points_)
        point.impulse_n = 0, point.impulse_t = point.torque_impulse = point.frozen = {}, point.is_hit = false;
    make_contact_rows(false);
    auto& rows = problem_.contacts;
    bool is_poisson = false;
    for (std::size_t r = 0; r < rows.size(); ++r) {
        SubstepPoint& point = points_[row_point_[r]];
        const PairWork& pair = pairs_[point_pair_[row_point_[r]]];
        rows.bias[r] = point.lead > 0 ? 0 : displacement_bias(point.separation, pair.law.size, h);
        if (pair.law.compliance > 0) {
            const ContactSpring spring = contact_spring(point.separation, pair.law, 0.5 * h);
            rows.bias[r] = spring.bias, rows.compliance[r] = spring.compliance;
        }
        // Across an open gap the levers are not yet those of the touch: friction waits for the velocity
        // phase.
        if (point.separation > kSlop * pair.law.size)
            rows.friction[r] = rows.rolling[r] = rows.torsion[r] = 0;
        const Node &a = nodes_[pair.a], &b = nodes_[pair.b];
        const Vec3 u = b.start_v + cross(b.start_w, rows.rb[r]) - a.start_v - cross(a.start_w, rows.ra[r]);
        point.approach = impact_speed(point.separation, dot(u, rows.n[r]),
                                      dot(b.acceleration - a.acceleration, rows.n[r]));
        if (point.lead > 0 && point.approach > threshold(pair, h)) {  // at the touch: it rebounds at once
            if (pair.law.restitution_law == RestitutionLaw::Newton)
                rows.bias[r] = -pair.law.restitution * point.approach;
            else
                is_poisson |= pair.law.restitution > 0;
        }
    }
    is_yielding_ = false;
    make_joint_rows(h, Phase::Displacement);
    if (!joints_.empty()) unstrained_.take(problem_);
    if (world_->method.closure == Closure::Preview && !joints_.empty() && !is_torn_) {
        close_ahead(h);
        if (is_stalled_) return;
    } else {
        solver_->solve(problem_, solve_settings(h));
    }
    if (overturns(h)) yield_joints(h, Phase::Displacement);
    freeze_stacks(h, Phase::Displacement);
    if (is_poisson) decompress_swept(h);
    take_joint_impulses();
    take_contact_impulses();
    for (std::size_t r = 0; r < rows.size(); ++r) {
        SubstepPoint& point = points_[row_point_[r]];
        const PairWork& pair = pairs_[point_pair_[row_point_[r]]];
        point.is_hit = point.impulse_n > 0 && pair.law.restitution > 0 &&
                       point.approach > threshold(pair, h) && !nodes_[pair.a].is_struck &&
                       !nodes_[pair.b].is_struck;
        point.remaining = dot(problem_.nodes.v[pair.b] + cross(problem_.nodes.w[pair.b], rows.rb[r]) -
                                  problem_.nodes.v[pair.a] - cross(problem_.nodes.w[pair.a], rows.ra[r]),
                              point.normal);
        // A swept impact is over by the end of the drift; the velocity phase must not take it back.
        if (point.lead > 0)
            point.impulse_n = 0, point.impulse_t = point.torque_impulse = {}, point.is_hit = false;
    }
    check_finite("displacements");
}

// Swept impacts by Poisson's law: what was solved is their compression; now each gives at least 1 + e times
// its impulse.
void IslandWork::decompress_swept(double h) {
    auto& c = problem_.contacts;
    for (auto* guess : {&c.guess_n, &c.guess_1, &c.guess_2}) std::fill(guess->begin(), guess->end(), 0.0);
    std::fill(c.torque_guess.begin(), c.torque_guess.end(), Vec3{});
    for (Row& row : problem_.rows.rows) row.guess = 0;
    for (std::size_t r = 0; r < c.size(); ++r) {
        const SubstepPoint& point = points_[row_point_[r]];
        const PairWork& pair = pairs_[point_pair_[row_point_[r]]];
        if (point.lead > 0 && point.approach > threshold(pair, h) &&
            pair.law.restitution_law == RestitutionLaw::Poisson)
            c.least[r] = (1 + pair.law.restitution) * c.impulse_n[r];
    }
    solver_->solve(problem_, impact_settings(h));
}

// Restitution asks for the speed e * approach along the normal of the impact. The displacement phase has
// stopped the pair along the old normal, leaving r; along the present normal that is c. Of the relative
// motion's energy the rest was not touched, so the wanted speed T along the present normal has T^2 = (e
// approach)^2 + c^2 - r^2: elastic impacts keep energy although the normal turned meanwhile. c^2 - r^2 is
// small unless features changed.
void IslandWork::set_rebounds() {
    for (std::size_t k = 0; k < points_.size(); ++k) {
        SubstepPoint& point = points_[k];
        if (!point.is_hit || !point.is_present) continue;
        const PairWork& pair = pairs_[point_pair_[k]];
        const double c = dot(relative_velocity(pair, point.position), point.normal), r = point.remaining;
        const double limit = 0.2 * point.approach * point.approach;
        const double e = pair.law.restitution * point.approach;
        point.rebound = std::sqrt(std::max(0.0, e * e + std::clamp(c * c - r * r, -limit, limit)));
    }
}

Vec3 IslandWork::relative_velocity(const PairWork& pair, const Vec3& position) const {
    const auto& n = problem_.nodes;
    return n.v[pair.b] + cross(n.w[pair.b], position - nodes_[pair.b].pose.position) - n.v[pair.a] -
           cross(n.w[pair.a], position - nodes_[pair.a].pose.position);
}

// A point slides when its friction is at its limit and it slips: one that does not slip may be at its limit
// only because others of its body carry more.
void IslandWork::note_sliding(double h) {
    constexpr double kAlmost = 1 - 1e-6, kSlip = 0.1;  // of a substep of gravity: more than sweeps leave
    const auto& rows = problem_.contacts;
    for (std::size_t r = 0; r < rows.size(); ++r) {
        SubstepPoint& point = points_[row_point_[r]];
        const PairWork& pair = pairs_[point_pair_[row_point_[r]]];
        if (pair.law.static_friction == pair.law.friction || rows.impulse_n[r] == 0) continue;
        point.is_sliding = length(slip_of(pair, point)) > kSlip * threshold(pair, h) &&
                           !rows.friction_set.contains(kAlmost * rows.friction[r] * rows.impulse_n[r],
                                                       rows.impulse_1[r], rows.impulse_2[r]);
    }
}

// Where sweeps are few, what they leave undone acts like the forces of springs between the bodies (impulses
// are kept from substep to substep). Sweeps that visit contacts in one order leave an unsymmetric stiffness,
// which does work around a cycle: a wall of bricks flutters, more and more. So the velocity phase goes
// through them the other way around, and a substep's two phases together are symmetric.
void IslandWork::solve_velocities(double h) {
    find_late_impacts(h);
    make_contact_rows(true, sweeps() <= world_->method.iterations);
    auto& rows = problem_.contacts;
    bool is_hit = false;
    for (std::size_t r = 0; r < rows.size(); ++r) {
        SubstepPoint& point = points_[row_point_[r]];
        const PairWork& pair = pairs_[point_pair_[row_point_[r]]];
        if (point.impulse_n == 0) {  // came to touch by the drift alone
            point.approach = std::max(0.0, -dot(relative_velocity(pair, point.position), point.normal));
            point.is_hit = pair.law.restitution > 0 && point.approach > threshold(pair, h);
            point.rebound = pair.law.restitution * point.approach;
        }
        rows.bias[r] = point.is_hit ? -point.rebound : 0;
        is_hit |= point.is_hit;
    }
    make_joint_rows(h, Phase::Velocity);
    if (!joints_.empty()) unstrained_.take(problem_);
    if (is_hit) {
        solve_rebounds(h);
    } else {
        solver_->solve(problem_, solve_settings(h));
        if (overturns(h)) yield_joints(h, Phase::Velocity);
        freeze_stacks(h, Phase::Velocity);
    }
    take_joint_impulses();
    for (std::size_t r = 0; r < problem_.rows.rows.size(); ++r)
        joint_previous_[r] = joint_approach_[r] > 0 ? 0 : problem_.rows.rows[r].impulse / stretch_;
    take_contact_impulses();
    note_sliding(h);
    for (auto& point : points_) {
        point.previous_n = point.is_hit ? 0 : point.impulse_n / stretch_;
        point.previous_t = point.is_hit ? Vec3{} : point.impulse_t / stretch_;
        point.previous_torque = point.is_hit ? Vec3{} : point.torque_impulse / stretch_;
    }
    forget_frozen();
    for (std::size_t k = 0; k < dynamic_count_; ++k) {
        if (!nodes_[k].is_held) continue;
        problem_.nodes.v[k] *= decay(0.5 * h * world_->bodies.linear_damping[nodes_[k].body]);
        problem_.nodes.w[k] *= decay(0.5 * h * world_->bodies.angular_damping[nodes_[k].body]);
    }
    check_finite("velocities");
}

}  // namespace impuls
