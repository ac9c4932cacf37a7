// Copies of velocities and impulses (snapshot.h).
#include "constraints/snapshot.h"

#include "base/assert.h"

namespace impuls {

void Snapshot::take(const Problem& problem) {
    v_ = problem.nodes.v, w_ = problem.nodes.w;
    const auto& c = problem.contacts;
    n_ = c.impulse_n, p1_ = c.impulse_1, p2_ = c.impulse_2, torque_ = c.torque_impulse;
    rows_.clear();
    for (const Row& row : problem.rows.rows) rows_.push_back(row.impulse);
}

void Snapshot::restore(Problem& problem) const {
    IMPULS_ASSERT(v_.size() == problem.nodes.size() && n_.size() == problem.contacts.size() &&
                  rows_.size() == problem.rows.rows.size());
    problem.nodes.v = v_, problem.nodes.w = w_;
    auto& c = problem.contacts;
    c.impulse_n = n_, c.impulse_1 = p1_, c.impulse_2 = p2_, c.torque_impulse = torque_;
    for (std::size_t r = 0; r < rows_.size(); ++r) problem.rows.rows[r].impulse = rows_[r];
}

void Snapshot::mix(Problem& problem, double part) const {
    IMPULS_ASSERT(v_.size() == problem.nodes.size() && n_.size() == problem.contacts.size() &&
                  rows_.size() == problem.rows.rows.size());
    const auto mix_all = [&](const auto& from, auto& to) {
        for (std::size_t k = 0; k < from.size(); ++k) to[k] = from[k] + (to[k] - from[k]) * part;
    };
    mix_all(v_, problem.nodes.v), mix_all(w_, problem.nodes.w);
    auto& c = problem.contacts;
    mix_all(n_, c.impulse_n), mix_all(p1_, c.impulse_1), mix_all(p2_, c.impulse_2);
    mix_all(torque_, c.torque_impulse);
    for (std::size_t r = 0; r < rows_.size(); ++r) {
        double& impulse = problem.rows.rows[r].impulse;
        impulse = rows_[r] + (impulse - rows_[r]) * part;
    }
}

PointMotion motion_of(const Problem& problem, std::size_t k) {
    const auto& c = problem.contacts;
    const auto& n = problem.nodes;
    IMPULS_ASSERT_INDEX(k, c.size());
    const auto along = [&](const Vec3& x) { return Vec3{dot(x, c.t1[k]), dot(x, c.t2[k]), dot(x, c.n[k])}; };
    PointMotion m{along(relative_velocity(n, c, k)), {}};
    if (is_rigid(n, c, k)) {
        const auto a = c.a[k], b = c.b[k];
        m.w = along(n.w[b] - n.w[a]);
        const Vec3 across = along(cross(n.w[b], c.shift[k]) - cross(n.w[a], c.shift[k]));
        m.u.x += across.x, m.u.y += across.y;
    }
    m.u.x += c.bias_1[k], m.u.y += c.bias_2[k];
    return m;
}

}  // namespace impuls
