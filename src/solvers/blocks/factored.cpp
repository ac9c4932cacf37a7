// Factor, substitution and what comes of it (factored.h).
#include "solvers/blocks/factored.h"

#include <algorithm>

namespace impuls {
namespace {

// Share of the drift that is wanted: at the time t of a pass of length T, 1 - t/(kAhead T).
double wanted_share(double phase) {
    return 1 - (1 + phase) / (2 * FactoredRows::kAhead);
}

Vec3 root_times(const block::Body& body, const Vec3& x) {
    const float* r = body.root;
    return {r[0] * x.x + r[1] * x.y + r[2] * x.z, r[1] * x.x + r[3] * x.y + r[4] * x.z,
            r[2] * x.x + r[4] * x.y + r[5] * x.z};
}

}  // namespace

std::uint32_t FactoredRows::own_number(std::uint32_t body, std::span<const block::Body> bodies) {
    if (number_[body] == kNone) {
        number_[body] = static_cast<std::uint32_t>(own_.size());
        own_.push_back({body, bodies[body].inv_mass, {}, {}});
    }
    return number_[body];
}

void FactoredRows::prepare(std::span<const BlockRow> rows, std::span<const block::Body> bodies) {
    number_.assign(bodies.size(), kNone);
    own_.clear();
    jacobians_.clear();
    blocks_.clear();
    for (Joint& joint : joints_) {
        const BlockRow& first = rows[joint.first];
        joint.a = own_number(first.a, bodies);
        joint.b = own_number(first.b, bodies);
        joint.jacobian = static_cast<std::uint32_t>(jacobians_.size());
        for (const BlockRow& row : rows.subspan(joint.first, joint.count))
            jacobians_.push_back({row.linear_a, root_times(bodies[row.a], row.angular_a), row.linear_b,
                                  root_times(bodies[row.b], row.angular_b)});
        std::array<std::uint32_t, 2> keys;
        std::size_t count = 0;
        for (const std::uint32_t own : {joint.a, joint.b})
            if (own_[own].inv_mass > 0) keys[count++] = own;
        blocks_.add(joint.count, std::span(keys).first(count));
    }
    // Sides of two joints that are on the same body.
    const auto couple = [](const Vec3& l, const Vec3& j, const Vec3& m, const Vec3& k, double inv_mass) {
        return inv_mass * dot(l, m) + dot(j, k);
    };
    blocks_.assemble([&](std::uint32_t i, std::uint32_t u, double* m) {
        const Joint &x = joints_[i], &y = joints_[u];
        for (std::uint32_t r = 0; r < x.count; ++r)
            for (std::uint32_t s = 0; s < y.count; ++s, ++m) {
                const Jacobian &p = jacobians_[x.jacobian + r], &q = jacobians_[y.jacobian + s];
                const double a = own_[x.a].inv_mass, b = own_[x.b].inv_mass;
                if (x.a == y.a) *m += couple(p.la, p.ja, q.la, q.ja, a);
                if (x.a == y.b) *m += couple(p.la, p.ja, q.lb, q.jb, a);
                if (x.b == y.a) *m += couple(p.lb, p.jb, q.la, q.ja, b);
                if (x.b == y.b) *m += couple(p.lb, p.jb, q.lb, q.jb, b);
            }
    });
    blocks_.factor();
}

void FactoredRows::gather(const block::Motion* motion) {
    for (Own& own : own_) {
        const block::Motion& m = motion[own.body];
        own.v = {m.v[0], m.v[1], m.v[2]};
        own.w = {m.w[0], m.w[1], m.w[2]};
    }
}

void FactoredRows::scatter(block::Motion* motion) const {
    for (const Own& own : own_) {
        block::Motion& m = motion[own.body];
        for (int k = 0; k < 3; ++k) {
            m.v[k] = static_cast<float>(own.v[k]);
            m.w[k] = static_cast<float>(own.w[k]);
        }
    }
}

double FactoredRows::rate(const Joint& joint, const Jacobian& j) const {
    const Own &a = own_[joint.a], &b = own_[joint.b];
    return (dot(j.la, a.v) + dot(j.ja, a.w)) + (dot(j.lb, b.v) + dot(j.jb, b.w));
}

void FactoredRows::push(const Joint& joint, const Jacobian& j, double impulse) {
    Own &a = own_[joint.a], &b = own_[joint.b];
    a.v += j.la * (impulse * a.inv_mass);
    a.w += j.ja * impulse;
    b.v += j.lb * (impulse * b.inv_mass);
    b.w += j.jb * impulse;
}

template <class Change, class Take>
void FactoredRows::substitute(Change&& change, Take&& take) {
    for (std::uint32_t k = 0; k < joints_.size(); ++k) {
        const Joint& joint = joints_[k];
        auto& x = blocks_.x(k);
        x = {};
        for (std::uint32_t r = 0; r < joint.count; ++r)
            x[r] = change(joint.first + r, rate(joint, jacobians_[joint.jacobian + r]));
    }
    blocks_.solve();
    for (std::uint32_t k = 0; k < joints_.size(); ++k) {
        const Joint& joint = joints_[k];
        for (std::uint32_t r = 0; r < joint.count; ++r) {
            const double x = blocks_.x(k)[r];
            push(joint, jacobians_[joint.jacobian + r], x);
            take(joint.first + r, x);
        }
    }
}

void FactoredRows::apply(std::span<const BlockRow> rows, block::Motion* motion) {
    gather(motion);
    for (const Joint& joint : joints_)
        for (std::uint32_t r = 0; r < joint.count; ++r)
            push(joint, jacobians_[joint.jacobian + r], rows[joint.first + r].impulse);
    scatter(motion);
}

void FactoredRows::solve(std::span<BlockRow> rows, block::Motion* motion, double phase) {
    gather(motion);
    substitute([&](std::uint32_t r, double rate) { return -(rate - wanted_share(phase) * rows[r].drift); },
               [&](std::uint32_t r, double impulse) { rows[r].impulse += impulse; });
    scatter(motion);
}

void FactoredRows::strike(std::span<BlockRow> rows, block::Motion* motion, double phase) {
    gather(motion);
    substitute([&](std::uint32_t r, double rate) { return -(rate - wanted_share(phase) * rows[r].drift); },
               [&](std::uint32_t r, double impulse) { rows[r].sum += impulse; });
    scatter(motion);
}

void FactoredRows::add_up(std::span<BlockRow> rows) const {
    for (const Joint& joint : joints_)
        for (BlockRow& row : rows.subspan(joint.first, joint.count)) row.sum += row.impulse;
}

void FactoredRows::close(std::span<const BlockRow> rows, block::Motion* by) {
    gather(by);
    const auto wanted = [&](std::uint32_t r) { return std::clamp(rows[r].error, -rows[r].cap, rows[r].cap); };
    substitute([&](std::uint32_t r, double rate) { return -(rate + wanted(r)); },
               [](std::uint32_t, double) {});
    scatter(by);
}

void FactoredRows::measure(std::span<BlockRow> rows, const block::Motion* moved) {
    gather(moved);
    for (const Joint& joint : joints_)
        for (std::uint32_t r = 0; r < joint.count; ++r)
            rows[joint.first + r].error += rate(joint, jacobians_[joint.jacobian + r]);
}

}  // namespace impuls
