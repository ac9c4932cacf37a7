// Depths beyond the slop (push_out.h).
#include "steppers/impulse/push_out.h"

#include <algorithm>

#include "dynamics/first_order.h"
#include "steppers/impulse/tuning.h"
#include "steppers/substep/contacts.h"
#include "steppers/substep/faces.h"
#include "steppers/substep/links.h"
#include "steppers/substep/motion.h"
#include "steppers/substep/rows.h"

namespace impuls::impulse {
namespace {

// Contacts that yield are deep by their law.
bool is_hard(const Impulse& s, std::size_t k) {
    return s.contacts.points[k].is_present && !(pair_of(s, k).law->compliance > 0);
}

// The greatest depth beyond the slop, m.
double excess_depth(const Impulse& s) {
    double excess = 0;
    for (std::size_t k = 0; k < s.contacts.points.size(); ++k) {
        if (!is_hard(s, k)) continue;
        const double size = pair_of(s, k).size;
        const double depth = -s.contacts.points[k].separation - kSlop * size;
        excess = std::max(excess, depth);
    }
    return excess;
}

// Gaps may close, and a share of the depths is to go.
void make_gap_rows(Impulse& s) {
    ContactRows& rows = s.problem.contacts;
    rows.clear();
    s.contacts.row_point.clear();
    for (std::size_t k = 0; k < s.contacts.points.size(); ++k) {
        if (!is_hard(s, k)) continue;
        const SubstepPoint& point = s.contacts.points[k];
        const IslandPair& pair = pair_of(s, k);
        const auto r = add_row(s, pair, point, point.position - s.island.nodes[pair.a].pose.position,
                               point.position - s.island.nodes[pair.b].pose.position);
        rows.bias[r] = point.separation > 0
                           ? point.separation
                           : kRecovery * std::min(0.0, point.separation + kPushTo * kSlop * pair.size);
        s.contacts.row_point.push_back(static_cast<std::uint32_t>(k));
    }
}

// Joints stay closed.
void make_closed_rows(Impulse& s) {
    s.problem.rows.clear();
    for (const IslandJoint& joint : s.island.joints) {
        JointRows out = rows_for(s, joint, s.problem.rows, 1, Phase::Displacement);
        make_rows(s.view.joints, joint.joint, s.island.joint_poses(joint), out);
    }
    add_closed_links(s);
    keep_geometry(s.problem.rows);
}

// Points move with the mean of their bodies' displacements.
void move_points(Impulse& s) {
    const ContactRows& rows = s.problem.contacts;
    const Nodes& n = s.problem.nodes;
    for (std::size_t r = 0; r < rows.size(); ++r) {
        SubstepPoint& point = s.contacts.points[s.contacts.row_point[r]];
        if (std::max(rows.a[r], rows.b[r]) >= kMixedSide) {
            const Vec3 way = impuls::relative_velocity(n, rows, r);
            point.separation += dot(way, point.normal);
            continue;  // faces are looked at again in the next substep
        }
        const Vec3 a = n.v[rows.a[r]] + cross(n.w[rows.a[r]], rows.ra[r]),
                   b = n.v[rows.b[r]] + cross(n.w[rows.b[r]], rows.rb[r]);
        point.separation += dot(b - a, point.normal);
        const bool moves_a = s.island.nodes[rows.a[r]].is_dynamic,
                   moves_b = s.island.nodes[rows.b[r]].is_dynamic;
        point.position += moves_a && moves_b ? (a + b) * 0.5 : moves_a ? a : b;
    }
}

}  // namespace

void push_out(Impulse& s) {
    const double excess = excess_depth(s);
    if (excess == 0) return;
    Nodes& n = s.problem.nodes;
    std::swap(n.v, s.saved_v);
    std::swap(n.w, s.saved_w);
    n.v.assign(s.nodes.size(), {});
    n.w.assign(s.nodes.size(), {});
    update_inertia(s);
    make_gap_rows(s);
    make_closed_rows(s);
    s.solve({sweeps_for(s, s.problem.contacts.size() + s.island.joints.size()), kPushTolerance * excess});
    move_points(s);
    for (std::size_t k = 0; k < s.island.dynamic_count; ++k) displace(s, k);
    std::swap(n.v, s.saved_v);
    std::swap(n.w, s.saved_w);
    update_inertia(s);
}

}  // namespace impuls::impulse
