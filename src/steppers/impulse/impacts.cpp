// Impacts (impacts.h).
#include "steppers/impulse/impacts.h"

#include <algorithm>
#include <cmath>

#include "steppers/impulse/tuning.h"
#include "steppers/substep/contacts.h"
#include "steppers/substep/rows.h"

namespace impuls::impulse {
namespace {

// Twice the work of contacts and joints: quadratic in the share of the decompression that is done.
struct WorkOfShare {
    double constant = 0, linear = 0, square = 0;
    double scale = 0;  // of what they dissipate

    // Joints that are nearly singular, or sweeps that did not converge, may gain before any decompression.
    bool gains_at_once() const { return !(constant <= kWorkRounding * scale); }
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

void measure_rows(const Impulse& s, std::vector<RowMotion>& out) {
    out.clear();
    for (const Row& row : s.problem.rows.rows) out.push_back({velocity_of(s.problem, row), row.impulse});
}

// What the rows have given so far is the compression.
void note_compression(Impulse& s) {
    ImpactWork& i = s.impacts;
    i.compressed.take(s.problem);
    measure_motions(s, i.compressed_motion);
    i.compression.clear();
    for (std::size_t r = 0; r < s.problem.contacts.size(); ++r)
        i.compression.push_back(impulse_of(s.problem.contacts, r));
    i.compression_torque = s.problem.contacts.torque_impulse;
}

void add_contact_work(const Impulse& s, std::size_t r, WorkOfShare& work) {
    const ContactRows& c = s.problem.contacts;
    const ImpactWork& i = s.impacts;
    const PointMotion after = motion_of(s.problem, r);
    const auto add = [&](const Vec3& start, const Vec3& end, const Vec3& u0, const Vec3& u1, const Vec3& u2) {
        work.constant += dot(start, u0 + u1);
        work.linear += dot(end - start, u0 + u1) + dot(start, u2 - u1);
        work.square += dot(end - start, u2 - u1);
    };
    add(i.compression[r], impulse_of(c, r), i.before[r].u, i.compressed_motion[r].u, after.u);
    add(i.compression_torque[r], c.torque_impulse[r], i.before[r].w, i.compressed_motion[r].w, after.w);
    work.scale += std::abs(i.compression[r].z * i.before[r].u.z);
}

// The work of the decompression, by the share of it that is done.
WorkOfShare work_of_decompression(const Impulse& s) {
    const ImpactWork& i = s.impacts;
    WorkOfShare work;
    for (std::size_t r = 0; r < s.problem.contacts.size(); ++r)
        if (!s.problem.contacts.is_given[r]) add_contact_work(s, r, work);
    for (std::size_t r = 0; r < i.rows_before.size(); ++r) {
        const RowMotion &before = i.rows_before[r], &compressed = i.rows_compressed[r];
        const Row& row = s.problem.rows.rows[r];
        const double v = velocity_of(s.problem, row);
        const double start = compressed.impulse - before.impulse, end = row.impulse - before.impulse;
        work.constant += start * (before.velocity + compressed.velocity);
        work.linear +=
            (end - start) * (before.velocity + compressed.velocity) + start * (v - compressed.velocity);
        work.square += (end - start) * (v - compressed.velocity);
    }
    return work;
}

}  // namespace

bool solve_impact(Impulse& s, const SolveSettings& settings) {
    ContactRows& c = s.problem.contacts;
    ImpactWork& i = s.impacts;
    for (std::size_t r = 0; r < c.size(); ++r) c.bias[r] = c.least[r] = 0;
    i.uncompressed.take(s.problem);
    measure_rows(s, i.rows_before);
    i.work += s.solve(settings).work;
    note_compression(s);
    measure_rows(s, i.rows_compressed);
    clear_guesses(s.problem);
    for (std::size_t r = 0; r < c.size(); ++r) {
        c.bias[r] = -i.returns[r].speed;
        c.least[r] = i.returns[r].share > 0 ? (1 + i.returns[r].share) * c.impulse_n[r] : 0;
    }
    i.work += s.solve(settings).work;
    const WorkOfShare work = work_of_decompression(s);
    if (work.gains_at_once()) {
        i.uncompressed.restore(s.problem);
        return false;
    }
    const double share = work.allowed_share();
    if (share < 1) i.compressed.mix(s.problem, share);
    return true;
}

SolveSettings impact_settings(const Impulse& s, double h) {
    const std::size_t rows =
        std::max<std::size_t>(1, 3 * (s.problem.contacts.size() + s.island.joints.size()));
    double speed = 0;
    for (std::size_t k = 0; k < s.island.dynamic_count; ++k)
        speed = std::max(speed, length(s.problem.nodes.v[k]) + h * s.island.nodes[k].pull);
    SolveSettings settings = solve_settings(s, h);
    settings.iterations =
        std::max(settings.iterations, static_cast<int>(std::min(kMostImpactSweeps, kImpactRowBudget / rows)));
    settings.speed = speed;
    settings.tolerance = kImpactTolerance * speed;
    return settings;
}

void begin_swept_rebounds(Impulse& s) {
    measure_motions(s, s.impacts.before);
}

void rebound_swept(Impulse& s, double h) {
    ContactRows& c = s.problem.contacts;
    ImpactWork& i = s.impacts;
    note_compression(s);
    clear_guesses(s.problem);
    const auto parts = [&](std::size_t r) { return i.returns[r].speed + i.returns[r].share > 0; };
    for (std::size_t r = 0; r < c.size(); ++r) {
        if (!parts(r)) continue;
        c.bias[r] = -i.returns[r].speed;
        if (i.returns[r].share > 0) c.least[r] = (1 + i.returns[r].share) * c.impulse_n[r];
    }
    s.solve(impact_settings(s, h));
    WorkOfShare work;
    for (std::size_t r = 0; r < c.size(); ++r)
        if (parts(r)) add_contact_work(s, r, work);
    const double share = work.allowed_share();
    if (share < 1) i.compressed.mix(s.problem, share);
}

}  // namespace impuls::impulse
