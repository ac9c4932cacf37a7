// Impacts from body to body (propagation.h).
#include "steppers/impulse/propagation.h"

#include <algorithm>

#include "steppers/impulse/impacts.h"
#include "steppers/impulse/joint_rows.h"
#include "steppers/impulse/tuning.h"
#include "steppers/substep/contacts.h"
#include "steppers/substep/motion.h"
#include "steppers/substep/rows.h"

namespace impuls::impulse {
namespace {

// Pairs whose impact stays between the two: nothing else is near either of them.
void find_lonely_pairs(Impulse& s, double reach) {
    constexpr std::uint32_t kNone = ~0u, kMany = ~0u - 1;
    auto& only = s.impacts.only_pair;
    const auto is_dynamic = [&](std::uint32_t k) { return s.island.nodes[k].is_dynamic; };
    only.assign(s.nodes.size(), kNone);
    for (const IslandJoint& joint : s.island.joints)
        if (is_dynamic(joint.a) && is_dynamic(joint.b)) only[joint.a] = only[joint.b] = kMany;
    for (std::size_t k = 0; k < s.contacts.points.size(); ++k) {
        if (!s.contacts.points[k].is_present || s.contacts.points[k].separation > reach) continue;
        const auto p = s.contacts.point_pair[k];
        for (const auto node : {s.island.pairs[p].a, s.island.pairs[p].b})
            if (is_dynamic(node)) only[node] = only[node] == kNone || only[node] == p ? p : kMany;
    }
    s.impacts.is_lonely.assign(s.island.pairs.size(), 0);
    for (std::uint32_t p = 0; p < s.island.pairs.size(); ++p) {
        const auto is_only = [&](std::uint32_t node) { return !is_dynamic(node) || only[node] == p; };
        s.impacts.is_lonely[p] = is_only(s.island.pairs[p].a) && is_only(s.island.pairs[p].b);
    }
}

void clear_rows(Impulse& s) {
    s.problem.contacts.clear();
    s.contacts.row_point.clear();
}

// Whether point k takes part in rounds of impacts at all.
bool can_propagate(const Impulse& s, std::size_t k) {
    const SubstepPoint& point = s.contacts.points[k];
    return point.is_present && !(point.lead > 0) && !s.impacts.is_lonely[s.contacts.point_pair[k]] &&
           !(pair_of(s, k).law->compliance > 0);
}

// Rows for the points that approach faster than `rest` and close within the substep; returns the largest
// speed.
double make_impact_rows(Impulse& s, double h, double rest) {
    clear_rows(s);
    s.impacts.before.clear();
    s.impacts.returns.clear();
    double fastest = 0;
    for (std::size_t k = 0; k < s.contacts.points.size(); ++k) {
        if (!can_propagate(s, k)) continue;
        const SubstepPoint& point = s.contacts.points[k];
        const IslandPair& pair = pair_of(s, k);
        const double closing = -dot(relative_velocity(s, pair, point.position), point.normal);
        if (closing <= std::max(rest, rest_speed(s, pair, h)) || point.separation >= closing * h) continue;
        add_contact_row(s, k);
        s.impacts.before.push_back(motion_of(s.problem, s.impacts.before.size()));
        const double e = pair.law->restitution;
        const bool is_newton = pair.law->restitution_law == RestitutionLaw::Newton;
        s.impacts.returns.push_back({is_newton ? e * closing : 0, is_newton ? 0 : e});
        fastest = std::max(fastest, closing);
    }
    return fastest;
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

// What is left after too many rounds: all that is near comes to rest relative to each other, as one impact
// without rebound.
void stop_together(Impulse& s, double h, double reach) {
    clear_rows(s);
    for (std::size_t k = 0; k < s.contacts.points.size(); ++k) {
        const SubstepPoint& point = s.contacts.points[k];
        if (!can_propagate(s, k) || point.separation > reach) continue;
        add_contact_row(s, k);
        s.problem.contacts.bias.back() = std::max(0.0, point.separation) / h;
    }
    SolveSettings settings = impact_settings(s, h);
    settings.iterations =
        static_cast<int>(std::min(kMostStopSweeps, kStopRowBudget / (1 + s.problem.contacts.size())));
    s.solve(settings);
    ++s.outcome.retries;
}

// The substep goes on from the velocities after the impacts; what still approaches comes to rest.
void go_on_from_impacts(Impulse& s) {
    for (std::size_t k = 0; k < s.island.dynamic_count; ++k) {
        const Vec3 dv = s.problem.nodes.v[k] - s.impacts.start_v[k],
                   dw = s.problem.nodes.w[k] - s.impacts.start_w[k];
        if (dv == Vec3{} && dw == Vec3{}) continue;
        s.nodes[k].is_struck = s.nodes[k].is_held = true;
        s.nodes[k].start_v += dv;
        s.nodes[k].start_w += dw;
    }
}

}  // namespace

void find_late_impacts(Impulse& s, double h) {
    auto& is_late = s.contacts.is_late;
    is_late.assign(s.contacts.points.size(), 0);
    if (s.view.method.impacts != ImpactOrder::Propagating) return;
    double fastest = 0;
    for (std::size_t k = 0; k < s.contacts.points.size(); ++k) {
        const SubstepPoint& point = s.contacts.points[k];
        const IslandPair& pair = pair_of(s, k);
        if (!point.is_present || point.impulse_n > 0 || pair.law->restitution == 0) continue;
        const double closing = -dot(relative_velocity(s, pair, point.position), point.normal);
        is_late[k] = closing > rest_speed(s, pair, h);
        if (is_late[k]) fastest = std::max(fastest, closing);
    }
    if (fastest == 0) return;
    find_lonely_pairs(s, 2 * h * fastest);
    for (std::size_t k = 0; k < s.contacts.points.size(); ++k)
        is_late[k] &= !s.impacts.is_lonely[s.contacts.point_pair[k]];
}

void propagate_impacts(Impulse& s, double h) {
    if (s.view.method.impacts != ImpactOrder::Propagating) return;
    const int most_rounds = kMostRounds + kRoundsPerBody * static_cast<int>(s.island.dynamic_count);
    s.impacts.is_lonely.assign(s.island.pairs.size(), 0);
    const double first = make_impact_rows(s, h, 0);
    if (std::none_of(s.impacts.returns.begin(), s.impacts.returns.end(),
                     [](const Return& r) { return r.speed + r.share > 0; }))
        return;
    find_lonely_pairs(s, 2 * h * first);
    s.problem.rows.clear();
    s.joints.carried.assign(s.island.memory.impulses.size(), 0);
    make_joint_rows(s, h, Phase::Velocity);
    s.impacts.start_v = s.problem.nodes.v;
    s.impacts.start_w = s.problem.nodes.w;
    for (int round = 0; round <= most_rounds; ++round) {
        if (make_impact_rows(s, h, kRestShare * first) == 0) break;
        hold_joints(s);
        if (round < most_rounds)
            solve_impact(s, impact_settings(s, h));
        else
            stop_together(s, h, 2 * h * first);
        for (const auto k : s.contacts.row_point) {
            s.contacts.points[k].impulse_n = 0;
            s.contacts.points[k].impulse_t = {};
        }
        take_joint_impulses(s);
        take_contact_impulses(s);
    }
    go_on_from_impacts(s);
    check_finite(s, "impacts");
}

}  // namespace impuls::impulse
