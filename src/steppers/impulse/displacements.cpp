// The displacement phase of a substep (phases.h): impulses p such that x + h v is allowed. An open gap may
// close within h, a depth grows no further, joints are closed at the end of the substep.
#include <algorithm>

#include "math/rotation.h"
#include "steppers/impulse/freeze.h"
#include "steppers/impulse/impacts.h"
#include "steppers/impulse/joint_rows.h"
#include "steppers/impulse/pace.h"
#include "steppers/impulse/patches.h"
#include "steppers/impulse/phases.h"
#include "steppers/impulse/strikes.h"
#include "steppers/impulse/torn.h"
#include "steppers/impulse/tuning.h"
#include "steppers/substep/contacts.h"
#include "steppers/substep/faces.h"
#include "steppers/substep/links.h"
#include "steppers/substep/motion.h"
#include "steppers/substep/rows.h"

namespace impuls::impulse {
namespace {

void forget_impulses(Impulse& s) {
    for (SubstepPoint& point : s.contacts.points) {
        point.impulse_n = point.least_n = 0;
        point.impulse_t = point.torque_impulse = point.frozen = {};
    }
}

// The constraint holds for the drift as a whole, that is with the levers of its middle, while the impulse
// acts with those of its start; with both at the start the scheme is of first order, and biased: what rolls
// on a wandering point of a body rises, what rides on a turntable creeps. Half of the lever's change since
// the last substep leads to the middle. Levers are taken from the bodies' own centres: a ball's does not
// change. Where a kinematic body's point gets is known: it moves along the chord. What friction is away from
// the point (shift) turns with it.
void add_lever_change(const Impulse& s, std::size_t r, const IslandPair& pair, const SubstepPoint& point,
                      double h) {
    ContactRows& rows = s.problem.contacts;
    if (point.lead > 0 || point.separation > kSlop * pair.size) return;
    const auto change = [&](std::uint32_t k, const Vec3& now, const Vec3& before, const Vec3& shift) {
        const IslandNode& node = s.island.nodes[k];
        const Vec3& w = s.problem.nodes.w[k];
        if (node.body == kNoBody || w == Vec3{}) return Vec3{};
        const Vec3 at = now + shift;
        if (!node.is_dynamic) return (rotate(rotation_by(w * h), at) - at) / h - cross(w, at);
        if (!point.levers.is_known) return Vec3{};
        const Vec3 dr = now - before + cross(rows.n[r] * dot(rows.n[r], w), shift) * h;
        const double most = kLeverJump * s.view.bodies.radius[node.body];
        if (length_squared(dr) > most * most) return Vec3{};
        return cross(w, dr * 0.5);
    };
    const auto both = [&](const Vec3& shift) {
        return change(pair.b, rows.rb[r], point.levers.b, shift) -
               change(pair.a, rows.ra[r], point.levers.a, shift);
    };
    const Vec3 u = both(rows.shift[r]);
    rows.bias[r] += dot(both({}), rows.n[r]);
    rows.bias_1[r] += dot(u, rows.t1[r]);
    rows.bias_2[r] += dot(u, rows.t2[r]);
}

void note_levers(Impulse& s) {
    for (std::size_t k = 0; k < s.contacts.points.size(); ++k) {
        SubstepPoint& point = s.contacts.points[k];
        const IslandPair& pair = pair_of(s, k);
        point.levers = {point.position - s.island.nodes[pair.a].pose.position,
                        point.position - s.island.nodes[pair.b].pose.position, point.is_present};
    }
}

// What row r asks for: its gap, or a spring. True: a swept touch that is to rebound when it is compressed.
bool set_bias(Impulse& s, std::size_t r, double h) {
    ContactRows& rows = s.problem.contacts;
    SubstepPoint& point = s.contacts.points[s.contacts.row_point[r]];
    const IslandPair& pair = pair_of(s, s.contacts.row_point[r]);
    rows.bias[r] = point.lead > 0 ? 0 : std::max(0.0, point.separation) / h;
    if (pair.law->compliance > 0) {
        const ContactSpring spring = contact_spring(point.separation, *pair.law, 0.5 * h);
        rows.bias[r] = spring.bias;
        rows.compliance[r] = spring.compliance;
    }
    add_lever_change(s, r, pair, point, h);
    // Across an open gap the levers are not yet those of the touch: friction waits for the velocity phase.
    if (point.separation > kSlop * pair.size) rows.friction[r] = rows.rolling[r] = rows.torsion[r] = 0;
    const NodeMotion &a = s.nodes[pair.a], &b = s.nodes[pair.b];
    const Vec3 u = is_on_face(pair, point)
                       ? relative_velocity_of(s, pair, point,
                                              [&](std::uint32_t k, const Vec3& arm) {
                                                  return s.nodes[k].start_v + cross(s.nodes[k].start_w, arm);
                                              })
                       : b.start_v + cross(b.start_w, rows.rb[r]) - a.start_v - cross(a.start_w, rows.ra[r]);
    const Vec3 du = s.island.nodes[pair.b].acceleration - s.island.nodes[pair.a].acceleration;
    point.approach = impact_speed(point.separation, dot(u, rows.n[r]), dot(du, rows.n[r]));
    const bool rebounds =
        point.lead > 0 && point.approach > rest_speed(s, pair, h) && pair.law->restitution > 0;
    const bool is_newton = pair.law->restitution_law == RestitutionLaw::Newton;
    const double e = rebounds ? pair.law->restitution : 0;
    s.impacts.returns.push_back({is_newton ? e * point.approach : 0, is_newton ? 0 : e});
    return rebounds;
}

// A swept impact is over by the end of the drift; the velocity phase must not take it back.
void end_swept_impacts(Impulse& s) {
    for (SubstepPoint& point : s.contacts.points) {
        if (!(point.lead > 0)) continue;
        point.impulse_n = point.least_n = 0;
        point.impulse_t = point.torque_impulse = {};
    }
}

}  // namespace

void solve_displacements(Impulse& s, double h) {
    forget_impulses(s);
    find_late_impacts(s, h, Phase::Displacement);
    spread_friction(s, h);
    make_contact_rows(s, Points::All);
    s.impacts.returns.clear();
    bool rebounds = false;
    for (std::size_t r = 0; r < s.problem.contacts.size(); ++r) rebounds |= set_bias(s, r, h);
    if (rebounds) begin_swept_rebounds(s);
    note_levers(s);
    s.joint_state.is_yielding = false;
    make_all_rows(s, h, Phase::Displacement);
    if (s.has_joints()) s.joint_state.unstrained.take(s.problem);
    const bool may_look_ahead = s.has_joints() || has_links(s);
    if (s.view.method.rattle().closure == Closure::Preview && may_look_ahead && !s.joint_state.is_torn) {
        close_ahead(s, h);
        if (s.pace.is_stalled) return;
    } else {
        s.solve(solve_settings(s, h));
    }
    yield_where_flung(s, h, Phase::Displacement);
    freeze_stacks(s, h, Phase::Displacement);
    take_soft_impulses(s.forces, s.problem.rows);
    if (rebounds) rebound_swept(s, h);
    carry_links(s);
    take_joint_impulses(s);
    take_contact_impulses(s);
    end_swept_impacts(s);
    check_finite(s, "displacements");
}

}  // namespace impuls::impulse
