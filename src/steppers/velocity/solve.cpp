// The velocity stepper's solves (solve.h).
#include "steppers/velocity/solve.h"

#include <algorithm>
#include <cmath>

#include "math/free_rotation.h"
#include "math/rotation.h"
#include "steppers/substep/contacts.h"
#include "steppers/substep/motion.h"
#include "steppers/substep/rows.h"

namespace impuls::velocity {
namespace {

// A swept impact cuts the substep in two ways, lead (vn + an h) before and (h - lead) v after it, with all of
// the kick at its start. With the work of the relative acceleration an over these ways, the speed T of the
// touch and the velocity v afterwards are
//     T^2 = vn^2 + 2 an lead (vn + an h),      v^2 = (e T)^2 + 2 an (h - lead) v
// so that e = 1 keeps energy. With v = e T a ball would be given what gravity takes from it after the touch.
double swept_speed(const SubstepPoint& point, double vn, double an, double h) {
    return vn < 0 ? std::sqrt(std::max(0.0, vn * vn + 2 * an * point.lead * (vn + an * h))) : 0;
}
double swept_rebound(const SubstepPoint& point, double speed, double an, double h) {
    const double work = an * (h - point.lead);
    return work + std::sqrt(work * work + speed * speed);
}

// An open gap may close within h (linearised contact, Erleben 4.5); stabilisation asks a depth to shrink.
void add_velocity_row(Velocity& s, std::size_t k, double h, const Pass& pass) {
    const SubstepPoint& point = s.contacts.points[k];
    if (!point.is_present) return;
    const IslandPair& pair = pair_of(s, k);
    const Method& method = s.view.method;
    ContactRows& rows = s.problem.contacts;
    add_contact_row(s, k);
    const std::size_t r = rows.size() - 1;
    if (point.separation > kSlop * pair.size) rows.friction[r] = 0;
    if (pair.law->compliance > 0) {  // what other solves of the substep gave counts too
        const ContactSpring spring = contact_spring(point.separation, *pair.law, h);
        rows.bias[r] = spring.bias + spring.compliance * point.impulse_n;
        rows.compliance[r] = spring.compliance;
    } else if (point.lead > 0) {  // at the touch: it rebounds at once
        rows.bias[r] = -point.rebound;
    } else if (point.separation > 0) {
        rows.bias[r] = point.separation / h;
    } else if (method.velocity().correction == Correction::Stabilisation) {
        rows.bias[r] = method.velocity().erp * point.separation / h;
    }
    rows.guess_n[r] = pass.warm * point.previous_n;
    rows.guess_1[r] = pass.warm * dot(point.previous_t, rows.t1[r]);
    rows.guess_2[r] = pass.warm * dot(point.previous_t, rows.t2[r]);
    const Vec3& torque = point.previous_torque;
    rows.torque_guess[r] =
        pass.warm * Vec3{dot(torque, rows.t1[r]), dot(torque, rows.t2[r]), dot(torque, rows.n[r])};
}

void add_joint_rows(Velocity& s, std::uint32_t k, double h, const Pass& pass) {
    const IslandJoint& joint = s.island.joints[k];
    const Method& method = s.view.method;
    Rows& rows = s.problem.rows;
    const std::size_t first = rows.rows.size();
    JointRows out = rows_for(s, joint, rows, h, Phase::Displacement);
    out.recovery = method.velocity().correction == Correction::Stabilisation ? method.velocity().erp : 0;
    out.when.share = pass.share;
    out.keeps_angles = true;
    out.log = &s.joints.axis_log;
    make_rows(s.view.joints, joint.joint, s.island.joint_poses(joint), out);
    hold_nodes(s, joint);
    s.shock.joints.push_back(k);
    for (std::size_t r = first; r < rows.rows.size(); ++r)
        rows.rows[r].guess = pass.warm * s.island.memory.impulses[joint.first_row + r - first];
}

void take_contacts(Velocity& s, const Pass& pass) {
    const ContactRows& rows = s.problem.contacts;
    for (std::size_t r = 0; r < rows.size(); ++r) {
        SubstepPoint& point = s.contacts.points[s.contacts.row_point[r]];
        const Vec3 tangential = rows.t1[r] * rows.impulse_1[r] + rows.t2[r] * rows.impulse_2[r];
        point.impulse_n += rows.impulse_n[r];
        point.impulse_t += tangential;
        const Vec3& turn = rows.torque_impulse[r];
        const Vec3 torque = rows.t1[r] * turn.x + rows.t2[r] * turn.y + rows.n[r] * turn.z;
        point.torque_impulse += torque;
        if (pass.is_last) {
            point.previous_n = rows.impulse_n[r];
            point.previous_t = tangential;
            point.previous_torque = torque;
        }
        point.sum += rows.n[r] * rows.impulse_n[r] + tangential;
        if (rows.impulse_n[r] > 0) s.nodes[rows.a[r]].is_held = s.nodes[rows.b[r]].is_held = true;
    }
}

void take_joints(Velocity& s, const Pass& pass) {
    JointMemory& memory = s.island.memory;
    std::size_t first = 0, axes = 0;  // rows and axes of the joints before
    for (const std::uint32_t k : s.shock.joints) {
        const IslandJoint& joint = s.island.joints[k];
        const auto g = geometry_of(s.view.joints, joint.joint, s.island.joint_poses(joint));
        const std::size_t count = s.view.joints.impulses_of(joint.joint).size();
        for (std::size_t r = 0; r < count; ++r) {
            const Row& row = s.problem.rows.rows[first + r];
            s.joints.carried[joint.first_row + r] += row.impulse;
            if (pass.is_last) memory.impulses[joint.first_row + r] = row.impulse;
            add_reaction(s.problem.rows, row, row.impulse, joint.b, g.rb, memory.reactions[k]);
            const auto axis = s.joints.axis_log.row_axis[first + r];
            if (axis != 0)
                memory
                    .axis_impulses[joint.first_axis + static_cast<std::size_t>(std::abs(axis)) - 1 - axes] +=
                    axis > 0 ? row.impulse : -row.impulse;
        }
        first += count;
        axes += s.view.joints.axis_force.of(joint.joint).size();
    }
}

}  // namespace

// Forces alone: bodies turn by -w x I w in the drift (turn_freely). Of gravity the layers of shock
// propagation give the share 1 - f; impacts of fast pairs are found with the whole, so theirs is not divided,
// nor is that of bodies with forces of their own, which need not be in any layer.
void kick(Velocity& s, double h) {
    begin_substep(s);
    sum_forces(s.view, s.island, s.problem.nodes, s.elapsed, h, s.forces);
    const BodySet& bodies = s.view.bodies;
    const Method& method = s.view.method;
    const double late = method.velocity().shock == Switch::On ? 1 - method.velocity().weight : 0;
    s.shock.late_v.assign(s.nodes.size(), {});
    s.shock.late_w.assign(s.nodes.size(), {});
    for (std::size_t k = 0; k < s.island.dynamic_count; ++k) {
        const IslandNode& node = s.island.nodes[k];
        Vec3 &v = s.problem.nodes.v[k], &w = s.problem.nodes.w[k];
        const Damping damping = bodies.damping(node.body);
        v = v * damping.left_of_v(h) + node.acceleration * h;
        w *= damping.left_of_w(h);
        w += s.problem.nodes.inv_inertia[k] * node.torque * h;
        if (node.has_force) continue;
        s.shock.late_v[k] = (v - s.nodes[k].start_v) * late;
        s.shock.late_w[k] = (w - s.nodes[k].start_w) * late;
    }
    check_finite(s, "forces");
}

// Rows of joints and contacts have changed w at the orientation of the start, and cannot have added energy
// there. From there the body turns freely, which keeps its energy and angular momentum; with w as it is, the
// inertia of the new orientation would make another energy of it.
void turn_freely(Velocity& s, double h) {
    for (std::size_t k = 0; k < s.island.dynamic_count; ++k) {
        IslandNode& node = s.island.nodes[k];
        const NodeMotion& motion = s.nodes[k];
        const Vec3& inertia = s.view.bodies.inertia[node.body];
        if (!motion.is_held || motion.is_flown || motion.lead > 0 || motion.allowed < h) continue;
        if (s.view.bodies.inv_inertia[node.body] == Vec3{} || is_isotropic(inertia)) continue;
        const Spin spin = rotate_freely(
            s.view.method.integrator, {motion.start_pose.orientation, s.problem.nodes.w[k]}, inertia, {}, h);
        s.problem.nodes.w[k] = spin.w;
        if (s.view.bodies.spin_axis[node.body] != Vec3{}) continue;  // its turns are told apart
        node.pose.orientation = spin.q;
        s.problem.nodes.inv_inertia[k] = turned_diagonal(spin.q, s.view.bodies.inv_inertia[node.body]);
    }
}

void measure_approaches(Velocity& s, double h) {
    for (std::size_t k = 0; k < s.contacts.points.size(); ++k) {
        SubstepPoint& point = s.contacts.points[k];
        point.impulse_n = 0;
        point.impulse_t = point.torque_impulse = {};
        point.is_hit = false;
        point.approach = 0;
        if (!point.is_present) continue;
        const IslandPair& pair = pair_of(s, k);
        const auto velocity = [&](std::uint32_t n) {
            const NodeMotion& motion = s.nodes[n];
            return motion.start_v + cross(motion.start_w, point.position - s.island.nodes[n].pose.position -
                                                              motion.start_v * point.lead);
        };
        const Vec3 du = s.island.nodes[pair.b].acceleration - s.island.nodes[pair.a].acceleration;
        const double vn = dot(velocity(pair.b) - velocity(pair.a), point.normal), an = dot(du, point.normal);
        const double approach =
            point.lead > 0 ? swept_speed(point, vn, an, h) : impact_speed(point.separation, vn, an);
        point.rebound = 0;
        if (pair.law->restitution == 0 || approach <= rest_speed(s, pair, h)) continue;
        point.approach = approach;
        if (point.lead > 0) point.rebound = swept_rebound(point, pair.law->restitution * approach, an, h);
    }
}

// All sweeps are done, converged or not: then it makes no difference, to the last bit, what else is solved
// with these edges.
void solve_edges(Velocity& s, std::span<const std::uint32_t> edges, double h, const Pass& pass) {
    s.problem.contacts.clear();
    s.contacts.row_point.clear();
    s.problem.rows.clear();
    s.shock.joints.clear();
    s.joints.axis_log.axes.clear();
    s.joints.axis_log.row_axis.clear();
    for (const auto e : edges) {
        const auto item = s.layers.items[e];
        if (e >= s.layers.pair_edges) {
            add_joint_rows(s, item, h, pass);
            continue;
        }
        for (auto k = s.layers.point_start[item]; k < s.layers.point_start[item + 1]; ++k)
            add_velocity_row(s, k, h, pass);
    }
    if (pass.has_all) add_soft_rows(s.forces, h, s.problem.rows);
    if (s.problem.contacts.size() == 0 && s.problem.rows.rows.empty()) return;
    s.solve({.iterations = static_cast<int>(s.view.method.rows().iterations), .stop = s.view.stop});
    take_contacts(s, pass);
    take_joints(s, pass);
}

// A swept impact is over by the end of the drift.
void find_hits(Velocity& s) {
    for (std::size_t k = 0; k < s.contacts.points.size(); ++k) {
        SubstepPoint& point = s.contacts.points[k];
        if (!point.is_present) continue;
        point.is_hit = point.impulse_n > 0 && point.approach > 0 && point.lead == 0;
        point.remaining = dot(relative_velocity(s, pair_of(s, k), point.position), point.normal);
    }
}

}  // namespace impuls::velocity
