// The displacement phase of a substep (phases.h): impulses p such that x + h v is allowed. An open gap may
// close within h, a depth beyond the slop shrinks, joints are closed at the end of the substep.
#include <algorithm>

#include "steppers/impulse/freeze.h"
#include "steppers/impulse/impacts.h"
#include "steppers/impulse/joint_rows.h"
#include "steppers/impulse/pace.h"
#include "steppers/impulse/phases.h"
#include "steppers/impulse/torn.h"
#include "steppers/substep/contacts.h"
#include "steppers/substep/motion.h"
#include "steppers/substep/rows.h"

namespace impuls::impulse {
namespace {

void forget_impulses(Impulse& s) {
    for (SubstepPoint& point : s.contacts.points) {
        point.impulse_n = 0;
        point.impulse_t = point.torque_impulse = point.frozen = {};
        point.is_hit = false;
    }
}

// What row r asks for: its gap or depth, a spring, or the rebound of a swept touch. True: the latter by
// Poisson's law, which needs the impulse of compression first.
bool set_bias(Impulse& s, std::size_t r, double h) {
    ContactRows& rows = s.problem.contacts;
    SubstepPoint& point = s.contacts.points[s.contacts.row_point[r]];
    const IslandPair& pair = pair_of(s, s.contacts.row_point[r]);
    rows.bias[r] = point.lead > 0 ? 0 : displacement_bias(point.separation, pair.size, h);
    if (pair.law->compliance > 0) {
        const ContactSpring spring = contact_spring(point.separation, *pair.law, 0.5 * h);
        rows.bias[r] = spring.bias;
        rows.compliance[r] = spring.compliance;
    }
    // Across an open gap the levers are not yet those of the touch: friction waits for the velocity phase.
    if (point.separation > kSlop * pair.size) rows.friction[r] = rows.rolling[r] = rows.torsion[r] = 0;
    const NodeMotion &a = s.nodes[pair.a], &b = s.nodes[pair.b];
    const Vec3 u = b.start_v + cross(b.start_w, rows.rb[r]) - a.start_v - cross(a.start_w, rows.ra[r]);
    const Vec3 du = s.island.nodes[pair.b].acceleration - s.island.nodes[pair.a].acceleration;
    point.approach = impact_speed(point.separation, dot(u, rows.n[r]), dot(du, rows.n[r]));
    if (!(point.lead > 0 && point.approach > rest_speed(s, pair, h))) return false;
    if (pair.law->restitution_law == RestitutionLaw::Poisson) return pair.law->restitution > 0;
    rows.bias[r] = -pair.law->restitution * point.approach;
    return false;
}

// Which points were hit, and what normal velocity is left to them.
void note_hits(Impulse& s, double h) {
    const ContactRows& rows = s.problem.contacts;
    const Nodes& n = s.problem.nodes;
    for (std::size_t r = 0; r < rows.size(); ++r) {
        SubstepPoint& point = s.contacts.points[s.contacts.row_point[r]];
        const IslandPair& pair = pair_of(s, s.contacts.row_point[r]);
        point.is_hit = point.impulse_n > 0 && pair.law->restitution > 0 &&
                       point.approach > rest_speed(s, pair, h) && !s.nodes[pair.a].is_struck &&
                       !s.nodes[pair.b].is_struck;
        point.remaining =
            dot(n.v[pair.b] + cross(n.w[pair.b], rows.rb[r]) - n.v[pair.a] - cross(n.w[pair.a], rows.ra[r]),
                point.normal);
        // A swept impact is over by the end of the drift; the velocity phase must not take it back.
        if (point.lead > 0) {
            point.impulse_n = 0;
            point.impulse_t = point.torque_impulse = {};
            point.is_hit = false;
        }
    }
}

}  // namespace

void solve_displacements(Impulse& s, double h) {
    forget_impulses(s);
    make_contact_rows(s, Points::All);
    bool is_poisson = false;
    for (std::size_t r = 0; r < s.problem.contacts.size(); ++r) is_poisson |= set_bias(s, r, h);
    s.joint_state.is_yielding = false;
    make_joint_rows(s, h, Phase::Displacement);
    if (s.has_joints()) s.joint_state.unstrained.take(s.problem);
    if (s.view.method.closure == Closure::Preview && s.has_joints() && !s.joint_state.is_torn) {
        close_ahead(s, h);
        if (s.pace.is_stalled) return;
    } else {
        s.solve(solve_settings(s, h));
    }
    yield_where_flung(s, h, Phase::Displacement);
    freeze_stacks(s, h, Phase::Displacement);
    if (is_poisson) decompress_swept(s, h);
    take_joint_impulses(s);
    take_contact_impulses(s);
    note_hits(s, h);
    check_finite(s, "displacements");
}

}  // namespace impuls::impulse
