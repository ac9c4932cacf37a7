// Projected Gauss-Seidel (pgs.h).
#include "solvers/pgs.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace impuls {

void PgsSolver::prepare(const Problem& problem) {
    system_.build(problem);
    mass_.resize(system_.size());
    for (std::size_t r = 0; r < system_.size(); ++r) {
        const double compliance = r < system_.joint_rows() ? problem.rows.rows[r].compliance : 0;
        const double stiffness = system_.diagonal(r) + compliance;
        mass_[r] = stiffness > 0 ? options_.relaxation / stiffness : 0;
    }
    const ContactRows& c = problem.contacts;
    for (std::size_t k = 0; k < c.size(); ++k) {
        const std::size_t n = system_.normal(k);
        const double stiffness = system_.diagonal(n) + c.compliance[k];
        mass_[n] = stiffness > 0 && !c.is_given[k] ? options_.relaxation / stiffness : 0;
    }
    const std::size_t units = system_.joint_rows() + system_.contacts();
    order_.resize(units);
    std::iota(order_.begin(), order_.end(), 0);
    last_change_.assign(units, 0);
    rng_ = Rng(units, 1);
}

void PgsSolver::reorder(int iteration) {
    if (options_.order == PgsOptions::Order::Given || iteration % options_.reorder_every != 0) return;
    if (options_.order == PgsOptions::Order::Random) {
        for (std::size_t k = order_.size(); k > 1; --k) std::swap(order_[k - 1], order_[rng_.next() % k]);
    } else if (iteration > 0) {
        std::sort(order_.begin(), order_.end(), [&](std::uint32_t i, std::uint32_t j) {
            return last_change_[i] != last_change_[j] ? last_change_[i] > last_change_[j] : i < j;
        });
    }
}

double PgsSolver::update(Problem& problem, std::size_t row, double bias, double compliance, double lower,
                         double upper) {
    if (mass_[row] == 0) return 0;
    const double w = system_.velocity(problem.nodes, row) + bias + compliance * x_[row];
    const double wanted = std::clamp(x_[row] - mass_[row] * w, lower, upper);
    const double change = wanted - x_[row];
    x_[row] = wanted;
    if (change != 0) system_.push(problem.nodes, row, change);
    return std::abs(change) / mass_[row];
}

double PgsSolver::update_unit(Problem& problem, std::size_t unit) {
    if (unit < system_.joint_rows()) {
        const Row& row = problem.rows.rows[unit];
        return row.length * update(problem, unit, row.bias, row.compliance, row.lower, row.upper);
    }
    const ContactRows& c = problem.contacts;
    const std::size_t k = unit - system_.joint_rows(), n = system_.normal(k);
    double change = update(problem, n, c.bias[k], c.compliance[k], c.least[k], kUnbounded);
    if (const std::size_t t = system_.turning(k); t != RowSystem::kNone) {
        const double lever = c.lever(k);
        const double rolling = c.rolling[k] * x_[n], torsion = c.torsion[k] * x_[n];
        change = std::max(change, lever * update(problem, t, 0, 0, -rolling, rolling));
        change = std::max(change, lever * update(problem, t + 1, 0, 0, -rolling, rolling));
        change = std::max(change, lever * update(problem, t + 2, 0, 0, -torsion, torsion));
    }
    const double limit = c.friction[k] * x_[n];
    if (limit == 0 && x_[n + 1] == 0 && x_[n + 2] == 0) return change;
    change = std::max(change, update(problem, n + 1, c.bias_1[k], 0, -limit, limit));
    return std::max(change, update(problem, n + 2, c.bias_2[k], 0, -limit, limit));
}

PgsSolver::Change PgsSolver::sweep(Problem& problem) {
    Change sum;
    for (const std::uint32_t unit : order_) {
        last_change_[unit] = update_unit(problem, unit);
        sum.largest = std::max(sum.largest, last_change_[unit]);
    }
    if (options_.relative_tolerance > 0)
        for (std::size_t r = 0; r < x_.size(); ++r)
            if (mass_[r] > 0) sum.scale = std::max(sum.scale, std::abs(x_[r]) / mass_[r]);
    return sum;
}

SolveResult PgsSolver::solve(Problem& problem, const SolveSettings& settings) {
    prepare(problem);
    system_.apply_guesses(problem);
    RowSystem::load(problem, x_);
    SolveResult result;
    while (result.iterations < settings.iterations) {
        check_stop(settings.stop);
        reorder(result.iterations);
        const Change change = sweep(problem);
        result.residual = change.largest;
        result.work += system_.size();
        ++result.iterations;
        if (result.iterations < options_.least_iterations) continue;
        if (change.largest <= settings.tolerance) break;
        if (change.largest <= options_.relative_tolerance * change.scale) break;
    }
    RowSystem::store(x_, problem);
    return result;
}

}  // namespace impuls
