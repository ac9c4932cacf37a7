// Pivoting (direct.h).
#include "solvers/direct.h"

#include <algorithm>
#include <cmath>

#include "base/assert.h"

namespace impuls {

// A and b of all rows; x0 are the impulses whose effect the velocities have already.
void DirectSolver::assemble(const Problem& problem) {
    const std::size_t n = system_.size();
    RowSystem::load(problem, x0_);
    IMPULS_ASSERT(x0_.size() == n);
    a_.assign(n * n, 0);
    b_.assign(n, 0);
    elimination_.clear();
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j <= i; ++j) a_[i * n + j] = a_[j * n + i] = system_.coupling(i, j);
        b_[i] = system_.velocity(problem.nodes, i);
        const bool is_of_joint = i < system_.joint_rows();
        if (is_of_joint) b_[i] += problem.rows.rows[i].bias;
        elimination_.add(i, !is_of_joint || problem.rows.rows[i].is_bounded());
    }
    const ContactRows& c = problem.contacts;
    for (std::size_t k = 0; k < c.size(); ++k) {
        const std::size_t i = system_.normal(k);
        b_[i] += c.bias[k];
        b_[i + 1] += c.bias_1[k];
        b_[i + 2] += c.bias_2[k];
    }
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) b_[i] -= a_[i * n + j] * x0_[j];
    for (std::size_t i = 0; i < system_.joint_rows(); ++i) a_[i * n + i] += problem.rows.rows[i].compliance;
    for (std::size_t k = 0; k < c.size(); ++k)
        a_[system_.normal(k) * n + system_.normal(k)] += c.compliance[k];
}

// Of b, m/s.
double DirectSolver::largest_speed(const Problem& problem) const {
    double largest = 0;
    const auto note = [&](std::size_t r, double unit) {
        largest = std::max(largest, unit * std::abs(b_[r]));
    };
    for (std::size_t r = 0; r < system_.joint_rows(); ++r) note(r, problem.rows.rows[r].length);
    for (std::size_t k = 0; k < system_.contacts(); ++k)
        for (std::size_t i = 0; i < 3; ++i) {
            note(system_.normal(k) + i, 1);
            if (const std::size_t t = system_.turning(k); t != RowSystem::kNone)
                note(t + i, problem.contacts.lever(k));
        }
    return largest;
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
        elimination_.build(a_, b_);
        lcp_.build(problem, system_, elimination_);
        const double largest = largest_speed(problem);
        start_v_ = problem.nodes.v;
        start_w_ = problem.nodes.w;
        constexpr int kAttempts = 4;
        for (int attempt = 0; attempt < kAttempts; ++attempt) {
            check_stop(settings.stop);
            const bool is_solved = lcp_.solve(attempt);
            result.iterations += lcp_.pivots();
            result.work += static_cast<std::uint64_t>(lcp_.pivots()) * lcp_.size();
            if (!is_solved) continue;
            x_.assign(system_.size(), 0);
            lcp_.recover(elimination_, x_);
            elimination_.recover(x_);
            apply(problem);
            result.residual = complementarity_error(problem, system_, friction_set());
            if (result.residual <= 1e-9 * largest) return result;
            problem.nodes.v = start_v_;
            problem.nodes.w = start_w_;
            RowSystem::store(x0_, problem);
        }
    }
    const SolveResult swept = blocked_.solve(problem, settings);
    result.iterations += swept.iterations;
    result.work += swept.work;
    result.residual = swept.residual;
    result.fell_back = true;
    return result;
}

}  // namespace impuls
