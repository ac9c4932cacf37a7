// Joints at once, everything else in sweeps (alternating.h).
#include "solvers/alternating.h"

#include <algorithm>
#include <cmath>

#include "solvers/tuning.h"

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

void AlternatingSolver::sweep(Problem& problem, SolveResult& result) {
    const double rows = sweeps_.sweep_rows(problem, result.iterations % 2 == 1);
    const double contacts = sweeps_.sweep_contacts(problem);
    const double joints = equations_->solve(problem);
    result.residual = std::max({rows, contacts, joints});
    ++result.iterations;
}

void AlternatingSolver::refine_active(Problem& problem, double speed, SolveResult& result) {
    const SolveResult before = result;
    swept_.take(problem);
    const bool is_useful = active_.refine(problem, speed);
    if (is_useful) sweep(problem, result);
    if (!is_useful || result.residual >= before.residual) {
        swept_.restore(problem);
        result = before;
    }
    result.work += active_.work();
}

SolveResult AlternatingSolver::solve(Problem& problem, const SolveSettings& settings) {
    if (HeldFaces::suits(problem, settings.speed)) held_.improve_guess(problem, settings.speed);
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
    int next_try = tuning::kFirstTry;
    while (result.iterations < settings.iterations) {
        check_stop(settings.stop);
        sweep(problem, result);
        if (result.residual <= settings.tolerance) break;
        if (result.iterations < next_try || result.iterations == settings.iterations) continue;
        if (ActiveSet::suits(problem, settings.speed)) refine_active(problem, settings.speed, result);
        if (result.residual <= settings.tolerance) break;
        next_try = 2 * result.iterations;
    }
    result.work += equations_->work() + result.iterations * (left + 3 * problem.contacts.size());
    return result;
}

// The factors are those of the start throughout, and so are contacts and bounded rows after the solve: what
// the joints still ask for is of second order in the way of a substep. Where equations nearly depend on each
// other that may be a large part of what they answer; a correction that misses by far is taken back.
SolveResult AlternatingSolver::close_ahead(Problem& problem, Preview& preview, double h, double tolerance,
                                           const SolveSettings& settings) {
    constexpr int kMost = 20;
    using tuning::kLost;
    SolveResult result = solve(problem, settings);
    const std::uint64_t known = equations_->work();
    double before = kUnbounded;
    for (int k = 0; k < kMost; ++k) {
        preview.refresh(problem, 0, problem.rows.blocks.size());
        double off = 0;
        for (Row& row : problem.rows.rows) {
            if (!row.is_equation()) continue;
            off = std::max(off, row.length * std::abs(row.error));
            row.bias = row.error / h - velocity_of(problem, row);  // J v_new = J v - e/h
        }
        if (off > kLost * before) {
            swept_.restore(problem);
            preview.refresh(problem, 0, problem.rows.blocks.size());
            break;
        }
        if (off <= tolerance || off > 0.9 * before) break;
        before = off;
        swept_.take(problem);
        equations_->solve(problem);
    }
    result.work += equations_->work() - known;
    return result;
}

}  // namespace impuls
