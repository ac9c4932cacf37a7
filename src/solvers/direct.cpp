// Pivoting (direct.h).
#include "solvers/direct.h"

#include <algorithm>
#include <cmath>

#include "base/assert.h"
#include "base/rng.h"
#include "math/polygon_directions.h"

namespace impuls {

// A and b of all rows; x0 are the impulses whose effect the velocities have already.
void DirectSolver::assemble(const Problem& problem) {
    const std::size_t n = system_.size();
    RowSystem::load(problem, x0_);
    IMPULS_ASSERT(x0_.size() == n);
    a_.assign(n * n, 0), b_.assign(n, 0);
    free_.clear(), bound_.clear();
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j <= i; ++j) a_[i * n + j] = a_[j * n + i] = system_.coupling(i, j);
        b_[i] = system_.velocity(problem.nodes, i);
        if (i < system_.joint_rows()) {
            const Row& row = problem.rows.rows[i];
            b_[i] += row.bias;
            (row.is_bounded() ? bound_ : free_).push_back(i);
        } else {
            bound_.push_back(i);
        }
    }
    const ContactRows& c = problem.contacts;
    for (std::size_t k = 0; k < c.size(); ++k) {
        const std::size_t i = system_.normal(k);
        b_[i] += c.bias[k], b_[i + 1] += c.bias_1[k], b_[i + 2] += c.bias_2[k];
    }
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) b_[i] -= a_[i * n + j] * x0_[j];
    for (std::size_t i = 0; i < system_.joint_rows(); ++i) a_[i * n + i] += problem.rows.rows[i].compliance;
    for (std::size_t k = 0; k < c.size(); ++k)
        a_[system_.normal(k) * n + system_.normal(k)] += c.compliance[k];
}

// A' and b' of the rows with bounds; column_ = A_BB^-1 b_B and response_ = A_BB^-1 A_BU are kept.
void DirectSolver::eliminate() {
    const std::size_t n = system_.size(), nf = free_.size(), nb = bound_.size();
    bb_.resize(nf * nf);
    for (std::size_t i = 0; i < nf; ++i)
        for (std::size_t j = 0; j < nf; ++j) bb_[i * nf + j] = a_[free_[i] * n + free_[j]];
    bilateral_.factor(bb_, nf, 1e-11);
    column_.resize(nf);
    for (std::size_t i = 0; i < nf; ++i) column_[i] = b_[free_[i]];
    bilateral_.solve(column_);
    response_.resize(nb * nf);
    reduced_.resize(nb * nb), base_w_.resize(nb);
    for (std::size_t u = 0; u < nb; ++u) {
        const std::span<double> response(response_.data() + u * nf, nf);
        for (std::size_t i = 0; i < nf; ++i) response[i] = a_[free_[i] * n + bound_[u]];
        bilateral_.solve(response);
        base_w_[u] = b_[bound_[u]];
        for (std::size_t i = 0; i < nf; ++i) base_w_[u] -= a_[bound_[u] * n + free_[i]] * column_[i];
        for (std::size_t v = 0; v < nb; ++v) {
            double sum = a_[bound_[v] * n + bound_[u]];
            for (std::size_t i = 0; i < nf; ++i) sum -= a_[bound_[v] * n + free_[i]] * response[i];
            reduced_[v * nb + u] = sum;
        }
    }
    // What the equations hold already is beyond the impulse of a bounded row.
    for (std::size_t u = 0; u < nb; ++u) {
        if (reduced_[u * nb + u] > 1e-11 * a_[bound_[u] * n + bound_[u]]) continue;
        base_w_[u] = 0;
        for (std::size_t v = 0; v < nb; ++v) reduced_[u * nb + v] = reduced_[v * nb + u] = 0;
    }
}

void DirectSolver::add_impulse(std::size_t row, double along, std::size_t row_2, double along_2) {
    variables_.push_back({row, row_2, along, along_2});
    q_.push_back(0);
}

// The slack adds itself to the variable's w, and loses `share` times the variable.
void DirectSolver::link(std::size_t variable, std::size_t slack, double share) {
    IMPULS_ASSERT(variable < variables_.size() && slack < variables_.size());
    extra_.push_back({variable, slack, 1});
    extra_.push_back({slack, variable, -share});
}

void DirectSolver::make_variables(const Problem& problem) {
    variables_.clear(), extra_.clear(), q_.clear();
    base_.assign(bound_.size(), 0);
    const std::size_t joint_rows = system_.joint_rows();
    std::size_t u = 0;
    for (; u < bound_.size() && bound_[u] < joint_rows; ++u) {
        const Row& row = problem.rows.rows[bound_[u]];
        const bool is_from_below = row.lower != -kUnbounded;
        base_[u] = is_from_below ? row.lower : row.upper;
        add_impulse(u, is_from_below ? 1 : -1);
        if (!is_from_below || row.upper == kUnbounded) continue;
        variables_.push_back({kNone, kNone, 0, 0});
        q_.push_back(row.upper - row.lower);
        link(variables_.size() - 2, variables_.size() - 1, 1);
    }
    const ContactRows& c = problem.contacts;
    for (std::size_t k = 0; k < c.size(); ++k, u += 3) {
        IMPULS_ASSERT(bound_[u] == system_.normal(k));
        normal_ = c.is_given[k] ? kNone : variables_.size();
        least_ = base_[u] = c.is_given[k] ? c.impulse_n[k] : c.least[k];
        if (!c.is_given[k]) add_impulse(u, 1);
        add_friction(u + 1, c.friction[k], true);
        if (const std::size_t row = system_.turning(k); row != RowSystem::kNone) {
            const std::size_t t = u + row - bound_[u];
            add_friction(t, c.rolling[k], true);
            add_friction(t + 2, c.torsion[k], false);
        }
    }
}

// Impulses in a polygon of two rows, or in an interval of one, of the size mu times the normal impulse.
void DirectSolver::add_friction(std::size_t u, double mu, bool is_planar) {
    if (!(mu > 0)) return;
    const std::size_t first = variables_.size();
    if (is_planar) {
        for (const auto& [c, s] : polygon_directions(eta_)) add_impulse(u, c, u + 1, s);
    } else {
        for (const double side : {1.0, -1.0}) add_impulse(u, side);
    }
    const std::size_t slip = variables_.size();
    variables_.push_back({kNone, kNone, 0, 0});
    q_.push_back(mu * least_);
    if (normal_ != kNone) extra_.push_back({slip, normal_, mu});
    for (std::size_t h = first; h < slip; ++h) link(h, slip, 1);
}

void DirectSolver::fill_matrix() {
    const std::size_t n = variables_.size(), nb = bound_.size();
    for (std::size_t u = 0; u < nb; ++u)
        for (std::size_t v = 0; v < nb; ++v) base_w_[u] += reduced_[u * nb + v] * base_[v];
    IMPULS_ASSERT(q_.size() == n);
    m_.assign(n * n, 0);
    const auto a = [&](std::size_t r, std::size_t s) { return s == kNone ? 0 : reduced_[r * nb + s]; };
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
void DirectSolver::scale() {
    const std::size_t n = variables_.size();
    scale_.assign(n, 0);
    int reference = 0;
    bool is_first = true;
    for (std::size_t i = 0; i < n; ++i) {
        const double diagonal = m_[i * n + i];
        if (variables_[i].row_1 == kNone || !(diagonal > 0)) continue;
        int exponent = 0;
        std::frexp(diagonal, &exponent);
        if (is_first) reference = exponent, is_first = false;
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

bool DirectSolver::pivot(int attempt) {
    const std::size_t n = variables_.size(), nf = free_.size();
    cover_.assign(n, 1);
    Rng rng(n, static_cast<std::uint64_t>(attempt));
    if (attempt > 0)
        for (double& d : cover_) d = rng.uniform(1, 2);
    if (lemke_.solve(m_, q_, cover_, z_) != Lemke::Outcome::Solved) return false;
    x_.assign(system_.size(), 0);
    for (std::size_t u = 0; u < bound_.size(); ++u) x_[bound_[u]] = base_[u];
    for (std::size_t i = 0; i < n; ++i) {
        const Variable& variable = variables_[i];
        if (variable.row_1 == kNone) continue;
        const double z = z_[i] * scale_[i] * q_unit_;
        x_[bound_[variable.row_1]] += variable.along_1 * z;
        if (variable.row_2 != kNone) x_[bound_[variable.row_2]] += variable.along_2 * z;
    }
    for (std::size_t i = 0; i < nf; ++i) {
        double sum = column_[i];
        for (std::size_t u = 0; u < bound_.size(); ++u) sum += response_[u * nf + i] * x_[bound_[u]];
        x_[free_[i]] = -sum;
    }
    return true;
}

void DirectSolver::apply(Problem& problem) {
    for (std::size_t i = 0; i < x_.size(); ++i) system_.push(problem.nodes, i, x_[i] - x0_[i]);
    RowSystem::store(x_, problem);
}

SolveResult DirectSolver::solve(Problem& problem, const SolveSettings& settings) {
    system_.build(problem);
    ContactRows& contacts = problem.contacts;
    for (std::size_t k = 0; k < contacts.size(); ++k) {
        if (!contacts.is_given[k]) continue;
        contacts.impulse_n[k] += contacts.guess_n[k];
        system_.push(problem.nodes, system_.normal(k), contacts.guess_n[k]);
        contacts.guess_n[k] = 0;
    }
    SolveResult result;
    if (system_.size() <= most_rows_) {
        assemble(problem);
        eliminate();
        make_variables(problem);
        fill_matrix();
        scale();
        double largest = 0;
        for (const double b : b_) largest = std::max(largest, std::abs(b));
        start_v_ = problem.nodes.v, start_w_ = problem.nodes.w;
        constexpr int kAttempts = 4;
        for (int attempt = 0; attempt < kAttempts; ++attempt) {
            const bool is_solved = pivot(attempt);
            result.iterations += lemke_.pivots();
            result.work += static_cast<std::uint64_t>(lemke_.pivots()) * variables_.size();
            if (!is_solved) continue;
            apply(problem);
            result.residual = complementarity_error(problem, system_, friction_set());
            if (result.residual <= 1e-9 * largest) return result;
            problem.nodes.v = start_v_, problem.nodes.w = start_w_;
            RowSystem::store(x0_, problem);
        }
    }
    const SolveResult swept = blocked_.solve(problem, settings);
    result.iterations += swept.iterations, result.work += swept.work, result.residual = swept.residual;
    result.fell_back = true;
    return result;
}

}  // namespace impuls
