// Joints at once, everything else in sweeps (alternating.h).
#include "solvers/alternating.h"

#include <algorithm>

namespace impuls {

// Equations alone: once is exact but for rounding; the next solve of the same factors takes that away too.
SolveResult AlternatingSolver::refine(Problem& problem, const SolveSettings& settings) {
    SolveResult result;
    double before = kUnbounded;
    const int most = std::min(3, settings.iterations);
    for (; result.iterations < most; ++result.iterations) {
        result.residual = equations_->solve(problem);
        if (result.residual <= settings.tolerance || result.residual > 0.1 * before) break;
        before = result.residual;
    }
    return result;
}

SolveResult AlternatingSolver::solve(Problem& problem, const SolveSettings& settings) {
    taken_.assign(problem.rows.rows.size(), 0);
    equations_->prepare(problem, taken_);
    sweeps_.prepare(problem, taken_);
    sweeps_.apply_guesses(problem);
    const auto left = static_cast<std::uint64_t>(std::count(taken_.begin(), taken_.end(), 0));
    SolveResult result = refine(problem, settings);
    if (left == 0 && problem.contacts.size() == 0) {
        result.work = equations_->work();
        return result;
    }
    result.iterations = 0;
    while (result.iterations < settings.iterations) {
        const double rows = sweeps_.sweep_rows(problem, result.iterations % 2 == 1);
        const double contacts = sweeps_.sweep_contacts(problem);
        const double joints = equations_->solve(problem);
        result.residual = std::max({rows, contacts, joints});
        ++result.iterations;
        result.work += left + 3 * problem.contacts.size();
        if (result.residual <= settings.tolerance) break;
    }
    result.work += equations_->work();
    return result;
}

}  // namespace impuls
