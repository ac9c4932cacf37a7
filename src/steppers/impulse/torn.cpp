// Joints that are torn open (torn.h).
#include "steppers/impulse/torn.h"

#include <algorithm>

#include "dynamics/first_order.h"
#include "steppers/impulse/joint_rows.h"
#include "steppers/impulse/tuning.h"
#include "steppers/substep/motion.h"
#include "steppers/substep/rows.h"

namespace impuls::impulse {
namespace {

bool are_flung(const Impulse& s, double h) {
    if (!s.has_joints() || s.joint_state.is_yielding) return false;
    double before = 0, now = 0;
    for (std::size_t k = 0; k < s.island.dynamic_count; ++k) {
        before = std::max(before, length_squared(s.nodes[k].start_w));
        now = std::max(now, length_squared(s.problem.nodes.w[k]));
    }
    return now * (h * h) > kOverturn * kOverturn && now > kMuchFaster2 * before;
}

// At their new places the bodies have other momenta with the velocities they have: back to the old ones.
void keep_momenta(Impulse& s, const CommonMotion& before) {
    Nodes& n = s.problem.nodes;
    const CommonMotion after = common_motion(s);
    CommonMotion kept = after;
    kept.take_momenta(before);
    for (std::size_t k = 0; k < s.island.dynamic_count; ++k) {
        const Vec3& x = s.island.nodes[k].pose.position;
        n.v[k] += kept.velocity_at(x) - after.velocity_at(x);
        n.w[k] += kept.angular_velocity() - after.angular_velocity();
    }
}

// Rows of displacements that close the joints; drives do nothing.
void make_closing_rows(Impulse& s) {
    Rows& rows = s.problem.rows;
    s.problem.contacts.clear();
    rows.clear();
    for (const IslandJoint& joint : s.island.joints) {
        JointRows out = rows_for(s, joint, rows, 1, Phase::Displacement);
        out.angles = {};
        make_rows(s.view.joints, joint.joint, s.island.joint_poses(joint), out);
        for (std::size_t b = out.first_block + 1; b < rows.blocks.size(); ++b)
            for (Row& row : rows.rows_of(rows.blocks[b]))
                if (row.is_equation()) row.lower = row.upper = 0;
    }
    keep_geometry(rows);
    add_yielding(s);
}

}  // namespace

void yield_where_flung(Impulse& s, double h, Phase phase) {
    if (!are_flung(s, h)) return;
    s.joint_state.is_yielding = true;
    s.joint_state.unstrained.restore(s.problem);
    make_all_rows(s, h, phase);
    s.solve(solve_settings(s, h));
    ++s.outcome.retries;
}

void pull_together(Impulse& s) {
    if (!s.joint_state.is_torn) return;
    Nodes& n = s.problem.nodes;
    const CommonMotion before = common_motion(s);
    std::swap(n.v, s.saved_v);
    std::swap(n.w, s.saved_w);
    n.v.assign(s.nodes.size(), {});
    n.w.assign(s.nodes.size(), {});
    make_closing_rows(s);
    s.solve({.iterations = sweeps_for(s, s.island.joints.size()), .stop = s.view.stop});
    limit_displacements(s);
    for (std::size_t k = 0; k < s.island.dynamic_count; ++k) displace(s, k);
    std::swap(n.v, s.saved_v);
    std::swap(n.w, s.saved_w);
    update_inertia(s);
    if (is_free(s)) keep_momenta(s, before);
    check_finite(s, "drawing torn joints together");
}

}  // namespace impuls::impulse
