// Variables, matrix, scaling and pivoting (pyramid_lcp.h).
#include "solvers/pyramid_lcp.h"

#include <algorithm>
#include <cmath>

#include "base/rng.h"
#include "math/polygon_directions.h"

namespace impuls {

void PyramidLcp::build(const Problem& problem, const RowSystem& system, const Elimination& rows) {
    make_variables(problem, system, rows);
    fill_matrix(rows);
    scale();
}

void PyramidLcp::add_impulse(std::size_t row, double along, std::size_t row_2, double along_2) {
    variables_.push_back({row, row_2, along, along_2});
    q_.push_back(0);
}

void PyramidLcp::add_slack(double q) {
    variables_.push_back({kNone, kNone, 0, 0});
    q_.push_back(q);
}

// The slack adds itself to the variable's w, and loses the variable.
void PyramidLcp::link(std::size_t variable, std::size_t slack) {
    extra_.push_back({variable, slack, 1});
    extra_.push_back({slack, variable, -1});
}

void PyramidLcp::make_variables(const Problem& problem, const RowSystem& system, const Elimination& rows) {
    variables_.clear();
    extra_.clear();
    q_.clear();
    const auto bound = rows.bound();
    base_.assign(bound.size(), 0);
    std::size_t u = 0;
    for (; u < bound.size() && bound[u] < system.joint_rows(); ++u) {
        const Row& row = problem.rows.rows[bound[u]];
        const bool is_from_below = row.lower != -kUnbounded;
        base_[u] = is_from_below ? row.lower : row.upper;
        add_impulse(u, is_from_below ? 1 : -1);
        if (!is_from_below || row.upper == kUnbounded) continue;
        add_slack(row.upper - row.lower);
        link(variables_.size() - 2, variables_.size() - 1);
    }
    const ContactRows& c = problem.contacts;
    for (std::size_t k = 0; k < c.size(); ++k, u += 3) {
        const Load load = c.is_given[k] ? Load{kNone, c.impulse_n[k]} : Load{variables_.size(), c.least[k]};
        base_[u] = load.least;
        if (!c.is_given[k]) add_impulse(u, 1);
        add_friction(u + 1, c.friction[k], true, load);
        if (const std::size_t row = system.turning(k); row != RowSystem::kNone) {
            const std::size_t t = u + row - bound[u];
            add_friction(t, c.rolling[k], true, load);
            add_friction(t + 2, c.torsion[k], false, load);
        }
    }
}

// Impulses in a polygon of two rows, or in an interval of one, of the size mu times the normal impulse.
void PyramidLcp::add_friction(std::size_t u, double mu, bool is_planar, const Load& load) {
    if (!(mu > 0)) return;
    const std::size_t first = variables_.size();
    if (is_planar) {
        for (const auto& [c, s] : polygon_directions(eta_)) add_impulse(u, c, u + 1, s);
    } else {
        for (const double side : {1.0, -1.0}) add_impulse(u, side);
    }
    const std::size_t slip = variables_.size();
    add_slack(mu * load.least);
    if (load.variable != kNone) extra_.push_back({slip, load.variable, mu});
    for (std::size_t h = first; h < slip; ++h) link(h, slip);
}

void PyramidLcp::fill_matrix(const Elimination& rows) {
    const std::size_t n = variables_.size(), nb = rows.bound().size();
    base_w_.assign(rows.vector().begin(), rows.vector().end());
    for (std::size_t u = 0; u < nb; ++u)
        for (std::size_t v = 0; v < nb; ++v) base_w_[u] += rows.matrix(u, v) * base_[v];
    m_.assign(n * n, 0);
    const auto a = [&](std::size_t r, std::size_t s) { return s == kNone ? 0 : rows.matrix(r, s); };
    for (std::size_t i = 0; i < n; ++i) {
        const Variable& x = variables_[i];
        if (x.row_1 == kNone) continue;
        q_[i] = x.along_1 * base_w_[x.row_1] + (x.row_2 == kNone ? 0 : x.along_2 * base_w_[x.row_2]);
        for (std::size_t j = 0; j < n; ++j) {
            const Variable& y = variables_[j];
            if (y.row_1 == kNone) continue;
            double sum = x.along_1 * (y.along_1 * a(x.row_1, y.row_1) + y.along_2 * a(x.row_1, y.row_2));
            if (x.row_2 != kNone)
                sum += x.along_2 * (y.along_1 * a(x.row_2, y.row_1) + y.along_2 * a(x.row_2, y.row_2));
            m_[i * n + j] = sum;
        }
    }
    for (const Entry& entry : extra_) m_[entry.row * n + entry.column] += entry.value;
}

// Entries around 1: z = s u z', w' = s w / (2^reference u), with powers of two, so that nothing is rounded
// and scenes scaled by powers of two stay equal. y and lambda are scaled by what they are linked with.
void PyramidLcp::scale() {
    const std::size_t n = variables_.size();
    scale_.assign(n, 0);
    int reference = 0;
    bool is_first = true;
    for (std::size_t i = 0; i < n; ++i) {
        const double diagonal = m_[i * n + i];
        if (variables_[i].row_1 == kNone || !(diagonal > 0)) continue;
        int exponent = 0;
        std::frexp(diagonal, &exponent);
        if (is_first) reference = exponent;
        is_first = false;
        scale_[i] = std::ldexp(1.0, -((exponent - reference) >> 1));
    }
    for (std::size_t i = 0; i < n; ++i)
        if (variables_[i].row_1 != kNone && scale_[i] == 0) scale_[i] = 1;
    for (const Entry& entry : extra_)
        if (variables_[entry.column].row_1 == kNone)
            scale_[entry.column] = std::ldexp(1.0, reference) / scale_[entry.row];
    const double unit = std::ldexp(1.0, -reference);
    double largest = 0;
    for (std::size_t i = 0; i < n; ++i) largest = std::max(largest, std::abs(q_[i] *= scale_[i] * unit));
    int size = 0;
    std::frexp(largest, &size);
    q_unit_ = std::ldexp(1.0, size);
    for (std::size_t i = 0; i < n; ++i) {
        q_[i] /= q_unit_;
        for (std::size_t j = 0; j < n; ++j) m_[i * n + j] *= scale_[i] * scale_[j] * unit;
    }
}

bool PyramidLcp::solve(int attempt) {
    cover_.assign(variables_.size(), 1);
    Rng rng(variables_.size(), static_cast<std::uint64_t>(attempt));
    if (attempt > 0)
        for (double& d : cover_) d = rng.uniform(1, 2);
    return lemke_.solve(m_, q_, cover_, z_) == Lemke::Outcome::Solved;
}

void PyramidLcp::recover(const Elimination& rows, std::span<double> x) const {
    const auto bound = rows.bound();
    for (std::size_t u = 0; u < bound.size(); ++u) x[bound[u]] = base_[u];
    for (std::size_t i = 0; i < variables_.size(); ++i) {
        const Variable& variable = variables_[i];
        if (variable.row_1 == kNone) continue;
        const double z = z_[i] * scale_[i] * q_unit_;
        x[bound[variable.row_1]] += variable.along_1 * z;
        if (variable.row_2 != kNone) x[bound[variable.row_2]] += variable.along_2 * z;
    }
}

}  // namespace impuls
