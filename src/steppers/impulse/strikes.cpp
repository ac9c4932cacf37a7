// The impacts of a substep (strikes.h).
#include "steppers/impulse/strikes.h"

#include <algorithm>
#include <cmath>

#include "steppers/impulse/impacts.h"
#include "steppers/impulse/joint_rows.h"
#include "steppers/impulse/push_out.h"
#include "steppers/impulse/touch.h"
#include "steppers/impulse/tuning.h"
#include "steppers/substep/contacts.h"
#include "steppers/substep/faces.h"
#include "steppers/substep/motion.h"
#include "steppers/substep/rows.h"

namespace impuls::impulse {
namespace {

void clear_rows(Impulse& s) {
    s.problem.contacts.clear();
    s.contacts.row_point.clear();
    s.impacts.before.clear();
    s.impacts.returns.clear();
}

bool is_flown(const Impulse& s, const IslandPair& pair) {
    return s.nodes[pair.a].is_flown || s.nodes[pair.b].is_flown;
}

// Whether point k may be struck at all: others yield, or are done with the substep.
bool can_strike(const Impulse& s, std::size_t k) {
    const IslandPair& pair = pair_of(s, k);
    return s.contacts.points[k].is_present && !(pair.law->compliance > 0) && !is_flown(s, pair);
}

// How a point approaches: speed now, and along its normal what forces add to it.
struct Approach {
    double speed, acceleration;  // of closing, m/s, m/s^2
    double meets2;               // u_t^2
    bool is_ahead;               // the touch is still to come
};

Approach approach_of(const Impulse& s, std::size_t k, const Vec3& relative) {
    const SubstepPoint& point = s.contacts.points[k];
    const IslandPair& pair = pair_of(s, k);
    const double u = -dot(relative, point.normal);
    const double a =
        dot(s.island.nodes[pair.a].acceleration - s.island.nodes[pair.b].acceleration, point.normal);
    return {u, a, std::max(0.0, u * u + 2 * a * way_to_touch(point.separation, pair.size)),
            point.separation > 0};
}

// Velocity of b relative to a at a point of both, before the first kick.
Vec3 start_velocity(const Impulse& s, const IslandPair& pair, const SubstepPoint& point) {
    return relative_velocity_of(s, pair, point, [&](std::uint32_t k, const Vec3& arm) {
        return s.nodes[k].start_v + cross(s.nodes[k].start_w, arm);
    });
}

bool is_fast(const Impulse& s, std::size_t k, const Approach& approach, double h, double rest) {
    const double least = std::max(rest, rest_speed(s, pair_of(s, k), h));
    return approach.speed > 0 && approach.meets2 > least * least;
}

// The speed that a struck point parts with. One that came too deep is lifted to the touch by displacements
// (push_out.h): what that is worth is not to be had as speed, too.
double parting_speed(const Approach& approach, double e) {
    if (!approach.is_ahead) return e * std::sqrt(approach.meets2);
    return std::sqrt(std::max(0.0, approach.speed * approach.speed - (1 - e * e) * approach.meets2));
}

void add_struck_row(Impulse& s, std::size_t k, const Approach& approach) {
    add_contact_row(s, k);
    s.impacts.before.push_back(motion_of(s.problem, s.impacts.before.size()));
    const ContactLaw& law = *pair_of(s, k).law;
    const double speed = law.restitution > 0 ? parting_speed(approach, law.restitution) : 0;
    const bool is_newton = law.restitution_law == RestitutionLaw::Newton;
    s.impacts.returns.push_back({is_newton ? speed : 0, is_newton ? 0 : speed / approach.speed});
}

void add_touching_row(Impulse& s, std::size_t k) {
    add_contact_row(s, k);
    s.impacts.before.push_back(motion_of(s.problem, s.impacts.before.size()));
    s.impacts.returns.push_back({});
}

// Rows for the points that are struck, faster than `rest`, and where all that touches takes part those that
// touch. Returns the speed of the fastest that is struck: 0 when none is.
double make_impact_rows(Impulse& s, double h, double rest) {
    clear_rows(s);
    const bool with_touching = s.view.method.rattle().impacts == ImpactOrder::Simultaneous;
    double fastest = 0;
    for (std::size_t k = 0; k < s.contacts.points.size(); ++k) {
        if (!can_strike(s, k)) continue;
        const SubstepPoint& point = s.contacts.points[k];
        const Approach approach = approach_of(s, k, relative_velocity(s, pair_of(s, k), point));
        if (is_fast(s, k, approach, h, rest) &&
            point.separation < h * (approach.speed + 0.5 * h * approach.acceleration)) {
            add_struck_row(s, k, approach);
            fastest = std::max(fastest, approach.speed);
        } else if (with_touching && point.separation <= kTouching * pair_of(s, k).size) {
            add_touching_row(s, k);
        }
    }
    return fastest;
}

bool does_any_part(const Impulse& s) {
    return std::any_of(s.impacts.returns.begin(), s.impacts.returns.end(),
                       [](const Return& r) { return r.speed + r.share > 0; });
}

// Joints as they take part in an impact: what they hold keeps its velocity, limits give way in one direction
// only, and forces that are bounded otherwise have no time to do anything.
void hold_joints(Impulse& s) {
    for (Row& row : s.problem.rows.rows) {
        const double v = velocity_of(s.problem, row);
        row.impulse = row.guess = 0;
        if (row.is_equation()) {
            row.bias = -v;
        } else if (row.compliance == 0 && row.lower == 0 && row.upper == kUnbounded) {
            row.bias = -std::min(0.0, v);
        } else if (row.compliance == 0 && row.upper == 0 && row.lower == -kUnbounded) {
            row.bias = -std::max(0.0, v);
        } else {
            row.lower = row.upper = 0;
        }
    }
}

// Impulses of a round go to the points' sums and the joints' reactions.
void take_round(Impulse& s) {
    for (const auto k : s.contacts.row_point) {
        s.contacts.points[k].impulse_n = 0;
        s.contacts.points[k].impulse_t = {};
    }
    take_joint_impulses(s);
    take_contact_impulses(s);
}

}  // namespace

void find_late_impacts(Impulse& s, double h, Phase phase) {
    auto& is_late = s.contacts.is_late;
    is_late.assign(s.contacts.points.size(), 0);
    for (std::size_t k = 0; k < s.contacts.points.size(); ++k) {
        const SubstepPoint& point = s.contacts.points[k];
        if (phase == Phase::Displacement && is_flown(s, pair_of(s, k))) is_late[k] = 1;
        if (!point.is_present || pair_of(s, k).law->compliance > 0 || is_late[k]) continue;
        if (phase == Phase::Displacement && s.impacts.is_spent) continue;
        if (pair_of(s, k).law->restitution == 0) continue;
        if (point.lead > 0 || point.impulse_n > 0) continue;
        const Vec3 relative = phase == Phase::Displacement ? start_velocity(s, pair_of(s, k), point)
                                                           : relative_velocity(s, pair_of(s, k), point);
        is_late[k] = is_fast(s, k, approach_of(s, k, relative), h, 0);
    }
}

bool resolve_impacts(Impulse& s, double h) {
    for (NodeMotion& node : s.nodes) node.is_flown = false;
    s.impacts.work = 0;
    s.impacts.is_spent = false;
    const double first = make_impact_rows(s, h, 0);
    if (!does_any_part(s)) return false;
    // Where there are joints, impacts may ask for a shorter substep (pace.h).
    if (!s.has_joints() && s.island.forces.empty()) strike_at_touch(s, h, first);
    s.problem.rows.clear();
    s.joints.carried.assign(s.island.memory.impulses.size(), 0);
    make_joint_rows(s, h, Phase::Velocity);
    while (make_impact_rows(s, h, kRestShare * first) > 0) {
        s.impacts.is_spent = s.impacts.work > kImpactWork;
        if (s.impacts.is_spent) {
            ++s.outcome.retries;
            break;
        }
        hold_joints(s);
        s.impacts.is_spent = !solve_impact(s, impact_settings(s, h));
        if (s.impacts.is_spent) break;
        take_round(s);
    }
    check_finite(s, "impacts");
    return true;
}

}  // namespace impuls::impulse
