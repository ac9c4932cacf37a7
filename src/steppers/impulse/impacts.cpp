// Impacts (impacts.h).
#include "steppers/impulse/impacts.h"

#include <algorithm>
#include <cmath>

#include "steppers/impulse/tuning.h"
#include "steppers/substep/contacts.h"
#include "steppers/substep/rows.h"

namespace impuls::impulse {
namespace {

// Twice the work of the contacts: quadratic in the share of the decompression that is done.
struct ContactWorkOfShare {
    double constant = 0, linear = 0, square = 0;
    double at(double share) const { return constant + share * (linear + share * square); }
    // The largest share in [0, 1] that gains nothing.
    double allowed_share() const {
        if (at(1) <= 0 || square <= 0) return 1;
        const double root = std::sqrt(std::max(0.0, linear * linear - 4 * square * constant));
        return std::clamp((root - linear) / (2 * square), 0.0, 1.0);
    }
};

Vec3 impulse_of(const ContactRows& c, std::size_t r) {
    return {c.impulse_1[r], c.impulse_2[r], c.impulse_n[r]};
}

void measure_motions(const Impulse& s, std::vector<PointMotion>& out) {
    out.clear();
    for (std::size_t r = 0; r < s.problem.contacts.size(); ++r) out.push_back(motion_of(s.problem, r));
}

// Whether the impulses that the rows have now gained energy, from the motions noted before to the present
// ones.
bool gains_energy(const Impulse& s) {
    constexpr double kRounding = 1e-12;
    const ContactRows& c = s.problem.contacts;
    double work = 0, scale = 0;
    for (std::size_t r = 0; r < c.size(); ++r) {
        if (c.is_given[r]) continue;  // a spring may give back
        const PointMotion &before = s.impacts.before[r], after = motion_of(s.problem, r);
        work += dot(impulse_of(c, r), before.u + after.u) + dot(c.torque_impulse[r], before.w + after.w);
        scale += c.impulse_n[r] * std::abs(before.u.z);
    }
    return work > kRounding * scale;
}

// The work of the decompression, by the share of it that is done.
ContactWorkOfShare work_of_decompression(const Impulse& s) {
    const ContactRows& c = s.problem.contacts;
    const ImpactWork& i = s.impacts;
    ContactWorkOfShare work;
    for (std::size_t r = 0; r < c.size(); ++r) {
        if (c.is_given[r]) continue;
        const PointMotion after = motion_of(s.problem, r);
        const auto add = [&](const Vec3& start, const Vec3& end, const Vec3& u0, const Vec3& u1,
                             const Vec3& u2) {
            work.constant += dot(start, u0 + u1);
            work.linear += dot(end - start, u0 + u1) + dot(start, u2 - u1);
            work.square += dot(end - start, u2 - u1);
        };
        add(i.compression[r], impulse_of(c, r), i.before[r].u, i.compressed_motion[r].u, after.u);
        add(i.compression_torque[r], c.torque_impulse[r], i.before[r].w, i.compressed_motion[r].w, after.w);
    }
    return work;
}

// The motion of a contact row before the impact, as if nothing had pushed in the substep of length h; the
// point closes at least as fast as it was found to.
PointMotion motion_before(const Impulse& s, std::size_t r, double h, const SubstepPoint& point) {
    const ContactRows& c = s.problem.contacts;
    const IslandPair& pair = pair_of(s, s.contacts.row_point[r]);
    const NodeMotion &a = s.nodes[pair.a], &b = s.nodes[pair.b];
    const auto free = [&](std::uint32_t k) {
        return s.nodes[k].start_v + s.island.nodes[k].acceleration * h;
    };
    const Vec3 u = free(pair.b) + cross(b.start_w, c.rb[r]) - free(pair.a) - cross(a.start_w, c.ra[r]);
    const Vec3 w = b.start_w - a.start_w;
    double closing = -dot(u, c.n[r]);
    if (point.is_hit) closing = std::max({closing, point.approach, point.rebound});
    return {{dot(u, c.t1[r]) + c.bias_1[r], dot(u, c.t2[r]) + c.bias_2[r], -closing},
            {dot(w, c.t1[r]), dot(w, c.t2[r]), dot(w, c.n[r])}};
}

}  // namespace

void solve_impact(Impulse& s, const SolveSettings& settings) {
    ContactRows& c = s.problem.contacts;
    ImpactWork& i = s.impacts;
    for (std::size_t r = 0; r < c.size(); ++r) c.bias[r] = c.least[r] = 0;
    s.solve(settings);
    i.compressed.take(s.problem);
    measure_motions(s, i.compressed_motion);
    clear_guesses(s.problem);
    i.compression.clear();
    for (std::size_t r = 0; r < c.size(); ++r) {
        i.compression.push_back(impulse_of(c, r));
        c.bias[r] = -i.returns[r].speed;
        c.least[r] = i.returns[r].share > 0 ? (1 + i.returns[r].share) * c.impulse_n[r] : 0;
    }
    i.compression_torque = c.torque_impulse;
    s.solve(settings);
    const double share = work_of_decompression(s).allowed_share();
    if (share < 1) i.compressed.mix(s.problem, share);
}

SolveSettings impact_settings(const Impulse& s, double h) {
    const std::size_t rows =
        std::max<std::size_t>(1, 3 * (s.problem.contacts.size() + s.island.joints.size()));
    SolveSettings settings = solve_settings(s, h);
    settings.iterations =
        std::max(settings.iterations, static_cast<int>(std::min(kMostImpactSweeps, kImpactRowBudget / rows)));
    settings.tolerance *= kImpactTolerance;
    return settings;
}

void solve_rebounds(Impulse& s, double h) {
    const ContactRows& c = s.problem.contacts;
    ImpactWork& i = s.impacts;
    i.before.clear();
    i.returns.assign(c.size(), {});
    bool is_poisson = false;
    for (std::size_t r = 0; r < c.size(); ++r) {
        const SubstepPoint& point = s.contacts.points[s.contacts.row_point[r]];
        const ContactLaw& law = *pair_of(s, s.contacts.row_point[r]).law;
        i.before.push_back(motion_before(s, r, h, point));
        if (!point.is_hit) continue;
        if (law.restitution_law == RestitutionLaw::Newton) {
            i.returns[r].speed = point.rebound;
        } else {
            // Of the impulse that stops the point, the part that belongs to the impact: gravity has another.
            is_poisson = true;
            i.returns[r].share = law.restitution * point.approach / -i.before[r].u.z;
        }
    }
    if (!is_poisson) {
        i.uncompressed.take(s.problem);
        s.solve(impact_settings(s, h));
        if (!gains_energy(s)) return;
        i.uncompressed.restore(s.problem);
    }
    solve_impact(s, impact_settings(s, h));
}

void decompress_swept(Impulse& s, double h) {
    ContactRows& c = s.problem.contacts;
    clear_guesses(s.problem);
    for (std::size_t r = 0; r < c.size(); ++r) {
        const SubstepPoint& point = s.contacts.points[s.contacts.row_point[r]];
        const IslandPair& pair = pair_of(s, s.contacts.row_point[r]);
        if (point.lead > 0 && point.approach > rest_speed(s, pair, h) &&
            pair.law->restitution_law == RestitutionLaw::Poisson)
            c.least[r] = (1 + pair.law->restitution) * c.impulse_n[r];
    }
    s.solve(impact_settings(s, h));
}

}  // namespace impuls::impulse
