// Impacts: restitution by Newton and Poisson, without gain of energy, and impacts that come together.
//
// An impact is solved in two steps, with J the rows of its contact points and W = J M^-1 J^T:
//     compression      v_c = v + M^-1 J^T p     v_c,n >= 0 compl. p_n >= 0, friction in its set
//     decompression    v'  = v + M^-1 J^T P     Newton:  v'_n >= e |v_n| compl. P_n >= 0
//                                               Poisson: v'_n >= 0 compl. P_n >= (1 + e) p_n
// Its work is sum P . (u + u')/2 with the relative velocities u before and u' after. Newton's law may gain
// energy where friction reverses the slip (Kane) or where a point that parted is pushed together again,
// Poisson's where coefficients differ; then v' stops on the way from v_c, where the work is 0. v_c never
// gains, the work is quadratic along the way, and every state on it obeys the contact conditions, which are
// convex.
//
// Propagating impacts are rounds of such impacts at the points that approach, for as long as there are any
// (generalised reflections: Smith, Kaufman, Vouga, Tamstorf, Grinspun, Reflections on simultaneous impact,
// ACM Trans. Graph. 31, 2012). Points that only touch take no part until they approach; so one ball in moves
// one ball out, and symmetric impacts stay symmetric. For e = 1 each round keeps energy exactly.
#include <algorithm>
#include <cmath>

#include "world/island.h"
#include "world/state.h"

namespace impuls {

// Twice the work of the contacts: quadratic in the share of the decompression that is done.
struct IslandWork::Work {
    double constant = 0, linear = 0, square = 0;
    double at(double share) const { return constant + share * (linear + share * square); }
    // The largest share in [0, 1] that gains nothing.
    double allowed_share() const {
        if (at(1) <= 0 || square <= 0) return 1;
        const double root = std::sqrt(std::max(0.0, linear * linear - 4 * square * constant));
        return std::clamp((root - linear) / (2 * square), 0.0, 1.0);
    }
};

void IslandWork::measure_motions(std::vector<PointMotion>& out) const {
    out.clear();
    for (std::size_t r = 0; r < problem_.contacts.size(); ++r) out.push_back(motion_of(problem_, r));
}

// Whether the impulses that the rows have now gained energy, from the motions noted before to the present
// ones.
bool IslandWork::gains_energy() const {
    constexpr double kRounding = 1e-12;
    const auto& c = problem_.contacts;
    double work = 0, scale = 0;
    for (std::size_t r = 0; r < c.size(); ++r) {
        if (c.is_given[r]) continue;  // a spring may give back
        const PointMotion &before = before_[r], after = motion_of(problem_, r);
        work += dot(Vec3{c.impulse_1[r], c.impulse_2[r], c.impulse_n[r]}, before.u + after.u) +
                dot(c.torque_impulse[r], before.w + after.w);
        scale += c.impulse_n[r] * std::abs(before.u.z);
    }
    return work > kRounding * scale;
}

// Compression and decompression of the rows. `before_` has the motions before the impact, `returns_` what
// each point wants back: a speed (Newton) or a share of its impulse (Poisson).
void IslandWork::solve_impact(const SolveSettings& settings) {
    auto& c = problem_.contacts;
    for (std::size_t r = 0; r < c.size(); ++r) c.bias[r] = c.least[r] = 0;
    solver_->solve(problem_, settings);
    compressed_.take(problem_);
    measure_motions(middle_);
    for (auto* guess : {&c.guess_n, &c.guess_1, &c.guess_2}) std::fill(guess->begin(), guess->end(), 0.0);
    std::fill(c.torque_guess.begin(), c.torque_guess.end(), Vec3{});
    for (Row& row : problem_.rows.rows) row.guess = 0;
    work_p_.clear();
    for (std::size_t r = 0; r < c.size(); ++r) {
        work_p_.push_back({c.impulse_1[r], c.impulse_2[r], c.impulse_n[r]});
        c.bias[r] = -returns_[r].speed;
        c.least[r] = returns_[r].share > 0 ? (1 + returns_[r].share) * c.impulse_n[r] : 0;
    }
    work_t_ = c.torque_impulse;
    solver_->solve(problem_, settings);
    Work work;
    for (std::size_t r = 0; r < c.size(); ++r) {
        if (c.is_given[r]) continue;
        const PointMotion after = motion_of(problem_, r);
        const Vec3 p{c.impulse_1[r], c.impulse_2[r], c.impulse_n[r]};
        const auto add = [&](const Vec3& start, const Vec3& end, const Vec3& u0, const Vec3& u1,
                             const Vec3& u2) {
            work.constant += dot(start, u0 + u1);
            work.linear += dot(end - start, u0 + u1) + dot(start, u2 - u1);
            work.square += dot(end - start, u2 - u1);
        };
        add(work_p_[r], p, before_[r].u, middle_[r].u, after.u);
        add(work_t_[r], c.torque_impulse[r], before_[r].w, middle_[r].w, after.w);
    }
    const double share = work.allowed_share();
    if (share < 1) compressed_.mix(problem_, share);
}

// Impacts are worth more sweeps than rest: what is not solved is energy lost.
SolveSettings IslandWork::impact_settings(double h) const {
    constexpr std::size_t kRowBudget = 100000, kMostSweeps = 200;
    const std::size_t rows = std::max<std::size_t>(1, 3 * (problem_.contacts.size() + joints_.size()));
    SolveSettings settings = solve_settings(h);
    settings.iterations =
        std::max(settings.iterations, static_cast<int>(std::min(kMostSweeps, kRowBudget / rows)));
    settings.tolerance *= 1e-4;
    return settings;
}

// The velocity phase of a substep with impacts: as usual, unless that gains energy or a law asks for more.
void IslandWork::solve_rebounds(double h) {
    const auto& c = problem_.contacts;
    measure_motions(before_);
    returns_.assign(c.size(), {});
    bool is_poisson = false;
    for (std::size_t r = 0; r < c.size(); ++r) {
        const SubstepPoint& point = points_[row_point_[r]];
        const PairWork& pair = pairs_[point_pair_[row_point_[r]]];
        // Before the impact: as if nothing had pushed in this substep.
        const auto free = [&](std::uint32_t k) { return nodes_[k].start_v + nodes_[k].acceleration * h; };
        const Vec3 u = free(pair.b) + cross(nodes_[pair.b].start_w, c.rb[r]) - free(pair.a) -
                       cross(nodes_[pair.a].start_w, c.ra[r]);
        const Vec3 w = nodes_[pair.b].start_w - nodes_[pair.a].start_w;
        double closing = -dot(u, c.n[r]);
        if (point.is_hit) closing = std::max({closing, point.approach, point.rebound});
        before_[r].u = {dot(u, c.t1[r]) + c.bias_1[r], dot(u, c.t2[r]) + c.bias_2[r], -closing};
        before_[r].w = {dot(w, c.t1[r]), dot(w, c.t2[r]), dot(w, c.n[r])};
        if (!point.is_hit) continue;
        if (pair.law.restitution_law == RestitutionLaw::Newton) {
            returns_[r].speed = point.rebound;
        } else {  // of the impulse that stops the point, the part that belongs to the impact: gravity has
                  // another
            is_poisson = true;
            returns_[r].share = pair.law.restitution * point.approach / closing;
        }
    }
    if (!is_poisson) {
        uncompressed_.take(problem_);
        solver_->solve(problem_, impact_settings(h));
        if (!gains_energy()) return;
        uncompressed_.restore(problem_);
    }
    solve_impact(impact_settings(h));
}

// ---- propagating impacts

// Pairs whose impact stays between the two: nothing else is near either of them.
void IslandWork::find_lonely_pairs(double reach) {
    constexpr std::uint32_t kNone = ~0u, kMany = ~0u - 1;
    only_pair_.assign(nodes_.size(), kNone);
    for (const JointWork& joint : joints_)
        if (nodes_[joint.a].is_dynamic && nodes_[joint.b].is_dynamic)
            only_pair_[joint.a] = only_pair_[joint.b] = kMany;
    for (std::size_t k = 0; k < points_.size(); ++k) {
        if (!points_[k].is_present || points_[k].separation > reach) continue;
        const auto p = point_pair_[k];
        for (const auto node : {pairs_[p].a, pairs_[p].b})
            if (nodes_[node].is_dynamic)
                only_pair_[node] = only_pair_[node] == kNone || only_pair_[node] == p ? p : kMany;
    }
    is_lonely_.assign(pairs_.size(), 0);
    for (std::uint32_t p = 0; p < pairs_.size(); ++p) {
        const auto is_only = [&](std::uint32_t node) {
            return !nodes_[node].is_dynamic || only_pair_[node] == p;
        };
        is_lonely_[p] = is_only(pairs_[p].a) && is_only(pairs_[p].b);
    }
}

// Points that came to touch by the drift alone and may pass their impact on: a matter of the next substep.
void IslandWork::find_late_impacts(double h) {
    is_late_.assign(points_.size(), 0);
    if (world_->method.impacts != ImpactOrder::Propagating) return;
    double fastest = 0;
    for (std::size_t k = 0; k < points_.size(); ++k) {
        const SubstepPoint& point = points_[k];
        const PairWork& pair = pairs_[point_pair_[k]];
        if (!point.is_present || point.impulse_n > 0 || pair.law.restitution == 0) continue;
        const double closing = -dot(relative_velocity(pair, point.position), point.normal);
        is_late_[k] = closing > threshold(pair, h);
        if (is_late_[k]) fastest = std::max(fastest, closing);
    }
    if (fastest == 0) return;
    find_lonely_pairs(2 * h * fastest);
    for (std::size_t k = 0; k < points_.size(); ++k) is_late_[k] &= !is_lonely_[point_pair_[k]];
}

// Rows for the points that approach faster than `rest` and close within the substep; returns the largest
// speed.
double IslandWork::make_impact_rows(double h, double rest) {
    problem_.contacts.clear();
    row_point_.clear();
    before_.clear(), returns_.clear();
    double fastest = 0;
    for (std::size_t k = 0; k < points_.size(); ++k) {
        const SubstepPoint& point = points_[k];
        const PairWork& pair = pairs_[point_pair_[k]];
        if (!point.is_present || point.lead > 0 || is_lonely_[point_pair_[k]] || pair.law.compliance > 0)
            continue;
        const double closing = -dot(relative_velocity(pair, point.position), point.normal);
        if (closing <= std::max(rest, threshold(pair, h)) || point.separation >= closing * h) continue;
        add_contact_row(k);
        before_.push_back(motion_of(problem_, before_.size()));
        const double e = pair.law.restitution;
        const bool is_newton = pair.law.restitution_law == RestitutionLaw::Newton;
        returns_.push_back({is_newton ? e * closing : 0, is_newton ? 0 : e});
        fastest = std::max(fastest, closing);
    }
    return fastest;
}

// Joints as they take part in an impact: what they hold keeps its velocity, limits give way in one direction
// only, and forces that are bounded otherwise have no time to do anything.
void IslandWork::hold_joints() {
    for (Row& row : problem_.rows.rows) {
        const double v = velocity_of(problem_, row);
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
void IslandWork::stop_together(double h, double reach) {
    constexpr std::size_t kWork = 200000, kMostSweeps = 5000;
    problem_.contacts.clear();
    row_point_.clear();
    for (std::size_t k = 0; k < points_.size(); ++k) {
        const SubstepPoint& point = points_[k];
        if (!point.is_present || point.lead > 0 || is_lonely_[point_pair_[k]] || point.separation > reach ||
            pairs_[point_pair_[k]].law.compliance > 0)
            continue;
        add_contact_row(k);
        problem_.contacts.bias.back() = std::max(0.0, point.separation) / h;
    }
    SolveSettings settings = impact_settings(h);
    settings.iterations = static_cast<int>(std::min(kMostSweeps, kWork / (1 + problem_.contacts.size())));
    solver_->solve(problem_, settings);
}

void IslandWork::propagate_impacts(double h) {
    if (world_->method.impacts != ImpactOrder::Propagating) return;
    constexpr double kRest = 1e-7;  // of the fastest impact: slower ones are rest
    const int most_rounds = 100 + 4 * static_cast<int>(dynamic_count_);
    is_lonely_.assign(pairs_.size(), 0);
    const double first = make_impact_rows(h, 0);
    if (std::none_of(returns_.begin(), returns_.end(), [](const Return& r) { return r.speed + r.share > 0; }))
        return;
    find_lonely_pairs(2 * h * first);
    problem_.rows.clear();
    joint_carried_.assign(joint_previous_.size(), 0);
    make_joint_rows(h, Phase::Velocity);
    impact_v_ = problem_.nodes.v, impact_w_ = problem_.nodes.w;
    for (int round = 0; round <= most_rounds; ++round) {
        if (make_impact_rows(h, kRest * first) == 0) break;
        hold_joints();
        if (round < most_rounds) {
            solve_impact(impact_settings(h));
        } else {
            stop_together(h, 2 * h * first);
        }
        for (const auto k : row_point_) points_[k].impulse_n = 0, points_[k].impulse_t = {};
        take_joint_impulses();
        take_contact_impulses();
    }
    // The substep goes on from the velocities after the impacts; what still approaches comes to rest.
    for (std::size_t k = 0; k < dynamic_count_; ++k) {
        const Vec3 dv = problem_.nodes.v[k] - impact_v_[k], dw = problem_.nodes.w[k] - impact_w_[k];
        if (dv == Vec3{} && dw == Vec3{}) continue;
        nodes_[k].is_struck = nodes_[k].is_held = true;
        nodes_[k].start_v += dv, nodes_[k].start_w += dw;
    }
    check_finite("impacts");
}

}  // namespace impuls
