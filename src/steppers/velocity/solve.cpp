// The velocity stepper's solves (solve.h).
#include "steppers/velocity/solve.h"

#include <algorithm>
#include <cmath>

#include "math/free_rotation.h"
#include "steppers/substep/contacts.h"
#include "steppers/substep/motion.h"
#include "steppers/substep/rows.h"

namespace impuls::velocity {
namespace {

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
        rows.bias[r] = -pair.law->restitution * point.approach;
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
    out.share = pass.share;
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

// With -w x I w by the integrator of free rotation. Of it the layers of shock propagation give the share
// 1 - f; impacts of fast pairs are found with the whole, so theirs is not divided, nor is that of bodies with
// forces of their own, which need not be in any layer.
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
        v = v * decay(h * bodies.linear_damping[node.body]) + node.acceleration * h;
        w *= decay(h * bodies.angular_damping[node.body]);
        if (bodies.inv_inertia[node.body] != Vec3{})
            w = rotate_freely(method.integrator, {node.pose.orientation, w}, bodies.inertia[node.body],
                              node.torque, h)
                    .w;
        if (node.has_force) continue;
        s.shock.late_v[k] = (v - s.nodes[k].start_v) * late;
        s.shock.late_w[k] = (w - s.nodes[k].start_w) * late;
    }
    check_finite(s, "forces");
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
        const double approach = impact_speed(
            point.separation, dot(velocity(pair.b) - velocity(pair.a), point.normal), dot(du, point.normal));
        if (pair.law->restitution > 0 && approach > rest_speed(s, pair, h)) point.approach = approach;
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
