// Restitution in the velocity stepper (rebound.h).
#include "steppers/velocity/rebound.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "steppers/substep/contacts.h"
#include "steppers/substep/motion.h"
#include "steppers/substep/rows.h"
#include "steppers/velocity/tuning.h"

namespace impuls::velocity {
namespace {

// The speed that each hit point is to leave with. Restitution asks for the speed e * approach along the
// normal of the impact. The displacement phase has stopped the pair along the old normal, leaving r; along
// the present normal that is c. The rest of the relative motion's energy was not touched, so the wanted speed
// T along the present normal has T^2 = (e approach)^2 + c^2 - r^2: elastic impacts keep energy although the
// normal rotated meanwhile. c^2 - r^2 is small unless features changed.
void set_rebounds(Velocity& s) {
    for (std::size_t k = 0; k < s.contacts.points.size(); ++k) {
        SubstepPoint& point = s.contacts.points[k];
        if (!point.is_hit || !point.is_present) continue;
        const IslandPair& pair = pair_of(s, k);
        const double c = dot(relative_velocity(s, pair, point.position), point.normal), r = point.remaining;
        const double limit = kReboundChange * point.approach * point.approach;
        const double e = pair.law->restitution * point.approach;
        point.rebound = std::sqrt(std::max(0.0, e * e + std::clamp(c * c - r * r, -limit, limit)));
    }
}

// 1/2 v . M v2 over all dynamic nodes.
double kinetic_product(const Velocity& s, std::span<const Vec3> v, std::span<const Vec3> w,
                       std::span<const Vec3> v2, std::span<const Vec3> w2) {
    double sum = 0;
    for (std::size_t k = 0; k < s.island.dynamic_count; ++k) {
        const Quat& q = s.island.nodes[k].pose.orientation;
        const std::uint32_t body = s.island.nodes[k].body;
        sum += s.view.bodies.mass[body] * dot(v[k], v2[k]) +
               dot(rotate_inverse(q, w[k]), scale(s.view.bodies.inertia[body], rotate_inverse(q, w2[k])));
    }
    return 0.5 * sum;
}

// The kinetic energy that the island had before the substep, with the work of constant forces since; nothing
// where other forces did work that is not known.
std::optional<double> allowed_energy(const Velocity& s) {
    const BodySet& bodies = s.view.bodies;
    double allowed = 0;
    for (std::size_t k = 0; k < s.nodes.size(); ++k) {
        const IslandNode& node = s.island.nodes[k];
        const NodeMotion& motion = s.nodes[k];
        if (!node.is_dynamic) {
            if (s.problem.nodes.v[k] != Vec3{} || s.problem.nodes.w[k] != Vec3{}) return std::nullopt;
            continue;
        }
        if (bodies.torque[node.body] != Vec3{}) return std::nullopt;
        const Vec3 w_P = rotate_inverse(motion.start_pose.orientation, motion.start_w);
        allowed += bodies.mass[node.body] *
                       (0.5 * length_squared(motion.start_v) +
                        dot(node.acceleration, node.pose.position - motion.start_pose.position)) +
                   0.5 * dot(scale(bodies.inertia[node.body], w_P), w_P);
    }
    return allowed;
}

// Impulses of all rows at the share of the way from what they carried to what they have.
void blend_impulses(Velocity& s, double share) {
    ContactRows& rows = s.problem.contacts;
    const auto blend = [&](double& p, double carried) { p = carried + share * (p - carried); };
    for (std::size_t r = 0; r < rows.size(); ++r) {
        const SubstepPoint& point = s.contacts.points[s.contacts.row_point[r]];
        blend(rows.impulse_n[r], point.impulse_n);
        blend(rows.impulse_1[r], dot(point.impulse_t, rows.t1[r]));
        blend(rows.impulse_2[r], dot(point.impulse_t, rows.t2[r]));
    }
    for (std::size_t r = 0; r < s.problem.rows.rows.size(); ++r)
        blend(s.problem.rows.rows[r].impulse, s.joints.carried[r]);
}

// Newton's law for many contacts at once, ten sweeps and bodies held fast may all make energy. Of the rebound
// only that share s is given with which the island has no more energy than it had before the substep and the
// forces gave it. v(s) = v(0) + s (v(1) - v(0)) is allowed for every s: both ends are.
void limit_rebound(Velocity& s) {
    const std::optional<double> allowed = allowed_energy(s);
    if (!allowed) return;
    Nodes& n = s.problem.nodes;
    const auto &v0 = s.saved_v, &w0 = s.saved_w;
    for (std::size_t k = 0; k < s.island.dynamic_count; ++k) {
        n.v[k] -= v0[k];
        n.w[k] -= w0[k];
    }
    const double a = kinetic_product(s, n.v, n.w, n.v, n.w), b = 2 * kinetic_product(s, v0, w0, n.v, n.w);
    const double c = kinetic_product(s, v0, w0, v0, w0) - *allowed;
    double share = 1;
    if (a + b + c > 0)
        share = c >= 0 || a <= 0 ? 0 : (-b + std::sqrt(std::max(0.0, b * b - 4 * a * c))) / (2 * a);
    share = std::clamp(share, 0.0, 1.0);
    for (std::size_t k = 0; k < s.island.dynamic_count; ++k) {
        n.v[k] = v0[k] + n.v[k] * share;
        n.w[k] = w0[k] + n.w[k] * share;
    }
    if (share == 1) return;
    s.outcome.energy_removed += (1 - share) * (b + (1 + share) * a);
    blend_impulses(s, share);
}

void make_rebound_rows(Velocity& s, double h) {
    s.contacts.is_late.assign(s.contacts.points.size(), 0);
    make_contact_rows(s, Points::Touching);
    clear_guesses(s.problem);
    ContactRows& rows = s.problem.contacts;
    for (std::size_t r = 0; r < rows.size(); ++r) {
        const SubstepPoint& point = s.contacts.points[s.contacts.row_point[r]];
        rows.bias[r] = point.is_hit ? -point.rebound : 0;
    }
    Rows& joint_rows = s.problem.rows;
    joint_rows.clear();
    s.joints.axis_log.axes.clear();
    s.joints.axis_log.row_axis.clear();
    for (const IslandJoint& joint : s.island.joints) {
        JointRows out = rows_for(s, joint, joint_rows, h, Phase::Velocity);
        out.history.carried = s.joints.carried;
        out.when.share = 0;
        out.log = &s.joints.axis_log;
        make_rows(s.view.joints, joint.joint, s.island.joint_poses(joint), out);
    }
    for (std::size_t r = 0; r < joint_rows.rows.size(); ++r) {
        Row& row = joint_rows.rows[r];
        row.impulse = s.joints.carried[r];
        // Forces have acted already: only equations and limits answer an impact.
        if (row.is_bounded() && row.lower == row.upper) row.lower = row.upper = row.impulse;
    }
}

}  // namespace

void rebound(Velocity& s, double h) {
    const bool is_any = std::any_of(s.contacts.points.begin(), s.contacts.points.end(),
                                    [](const SubstepPoint& p) { return p.is_hit && p.is_present; });
    if (is_any) {
        set_rebounds(s);
        make_rebound_rows(s, h);
        s.saved_v = s.problem.nodes.v;
        s.saved_w = s.problem.nodes.w;
        s.solve({.iterations = static_cast<int>(s.view.method.rows().iterations), .stop = s.view.stop});
        limit_rebound(s);
        take_joint_impulses(s);
        for (std::size_t r = 0; r < s.problem.rows.rows.size(); ++r)
            s.joints.carried[r] = s.problem.rows.rows[r].impulse;
        take_contact_impulses(s);
    }
    for (SubstepPoint& point : s.contacts.points) {
        if (!point.is_hit) continue;
        point.previous_n = 0;
        point.previous_t = point.previous_torque = {};
    }
    check_finite(s, "velocities");
}

}  // namespace impuls::velocity
