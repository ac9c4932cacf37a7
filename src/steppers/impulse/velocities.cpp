// The velocity phase of a substep (phases.h): impulses r such that v is allowed at the new x.
//
// Where sweeps are few, what they leave undone acts like the forces of springs between the bodies (impulses
// are kept from substep to substep). Sweeps that visit contacts in one order leave an unsymmetric stiffness,
// which does work around a cycle: a wall of bricks flutters, more and more. So the velocity phase goes
// through them the other way around, and a substep's two phases together are symmetric.
#include <algorithm>

#include "steppers/impulse/freeze.h"
#include "steppers/impulse/joint_rows.h"
#include "steppers/impulse/patches.h"
#include "steppers/impulse/phases.h"
#include "steppers/impulse/strikes.h"
#include "steppers/impulse/torn.h"
#include "steppers/impulse/tuning.h"
#include "steppers/substep/contacts.h"
#include "steppers/substep/links.h"
#include "steppers/substep/motion.h"
#include "steppers/substep/rows.h"

namespace impuls::impulse {
namespace {

bool is_at_limit(const ContactRows& rows, std::size_t r) {
    return !rows.friction_set.contains(kAlmostLimit * rows.friction[r] * rows.impulse_n[r], rows.impulse_1[r],
                                       rows.impulse_2[r]);
}

// A point slides when its friction is at its limit and it slips: one that does not slip may be at its limit
// only because others of its body carry more. Where all of a pair are at their limits only sweeps that left
// something undone can be the reason, and much less of a slip will do: a block that begins to slide under a
// slowly growing load keeps its static friction for a time ~ (slip)^1/2.
void note_sliding(Impulse& s, double h) {
    const ContactRows& rows = s.problem.contacts;
    for (std::size_t first = 0, end = 0; first < rows.size(); first = end) {
        const std::uint32_t of_pair = s.contacts.point_pair[s.contacts.row_point[first]];
        bool are_all = true;
        for (; end < rows.size() && s.contacts.point_pair[s.contacts.row_point[end]] == of_pair; ++end)
            are_all = are_all && (rows.impulse_n[end] == 0 || is_at_limit(rows, end));
        const IslandPair& pair = s.island.pairs[of_pair];
        if (pair.law->static_friction == pair.law->friction) continue;
        const double slip = (are_all ? kSlipTogether : kSlip) * rest_speed(s, pair, h);
        for (std::size_t r = first; r < end; ++r) {
            SubstepPoint& point = s.contacts.points[s.contacts.row_point[r]];
            if (rows.impulse_n[r] != 0)
                point.is_sliding = is_at_limit(rows, r) && length(slip_of(s, pair, point)) > slip;
        }
    }
}

// What the next substep's solves begin with: impulses of a usual substep. Impacts do not come again.
void keep_impulses(Impulse& s) {
    for (std::size_t r = 0; r < s.island.memory.impulses.size(); ++r)
        s.island.memory.impulses[r] =
            s.joints.approach[r] > 0 ? 0 : s.problem.rows.rows[r].impulse / s.stretch;
    keep_links(s);
    for (SubstepPoint& point : s.contacts.points) {
        point.previous_n = point.impulse_n / s.stretch;
        point.previous_t = point.impulse_t / s.stretch;
        point.previous_torque = point.torque_impulse / s.stretch;
    }
    forget_frozen(s);
}

// The second half of the damping.
void damp(Impulse& s, double h) {
    for (std::size_t k = 0; k < s.island.dynamic_count; ++k) {
        if (!s.nodes[k].is_held) continue;
        const Damping damping = s.view.bodies.damping(s.island.nodes[k].body);
        s.problem.nodes.v[k] *= damping.left_of_v(0.5 * h);
        s.problem.nodes.w[k] *= damping.left_of_w(0.5 * h);
    }
}

}  // namespace

void solve_velocities(Impulse& s, double h) {
    find_late_impacts(s, h, Phase::Velocity);
    // The contact rows are still those of the displacement phase: their number says whether sweeps are few.
    const int sweeps = sweeps_for(s, s.problem.contacts.size() + s.island.joints.size());
    spread_friction(s, h);
    make_contact_rows(s, Points::Touching, sweeps <= s.view.method.rows().iterations);
    make_all_rows(s, h, Phase::Velocity);
    if (s.has_joints()) s.joint_state.unstrained.take(s.problem);
    s.solve(solve_settings(s, h));
    yield_where_flung(s, h, Phase::Velocity);
    freeze_stacks(s, h, Phase::Velocity);
    take_joint_impulses(s);
    take_contact_impulses(s);
    note_sliding(s, h);
    keep_impulses(s);
    damp(s, h);
    check_finite(s, "velocities");
}

}  // namespace impuls::impulse
