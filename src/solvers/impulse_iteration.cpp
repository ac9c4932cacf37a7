// Iterative impulses (impulse_iteration.h).
#include "solvers/impulse_iteration.h"

#include <algorithm>

namespace impuls {

SolveResult ImpulseIterationSolver::solve(Problem& problem, const SolveSettings& settings) {
    return sweeps_.solve(problem, settings);
}

SolveResult ImpulseIterationSolver::close_ahead(Problem& problem, Preview& preview, double h,
                                                double tolerance, const SolveSettings& settings) {
    constexpr int kRoundsPerSweep = 20;  // as many as twenty solves of the other loop
    const Rows& rows = problem.rows;
    closed_.assign(rows.rows.size(), 0);
    for (std::size_t r = 0; r < rows.rows.size(); ++r) closed_[r] = rows.rows[r].is_equation() ? 1 : 0;
    sweeps_.prepare(problem, closed_);
    sweeps_.apply_guesses(problem);
    SolveResult result;
    while (result.iterations < kRoundsPerSweep * settings.iterations) {
        check_stop(settings.stop);
        const bool is_backward = result.iterations % 2 == 1;
        double off = 0;
        for (std::size_t k = 0; k < rows.blocks.size(); ++k) {
            const std::size_t b = is_backward ? rows.blocks.size() - 1 - k : k;
            preview.refresh(problem, b, b + 1);
            off = std::max(off, sweeps_.correct_block(problem, b, h));
        }
        const double swept = sweeps_.sweep_rows(problem, is_backward);
        const double contacts = sweeps_.sweep_contacts(problem);
        result.residual = std::max({off / h, swept, contacts});
        ++result.iterations;
        result.work += rows.rows.size() + 3 * problem.contacts.size();
        if (off <= tolerance && std::max(swept, contacts) <= settings.tolerance) break;
    }
    return result;
}

}  // namespace impuls
