// The loop that closes joints ahead of time (solver.h).
#include "solvers/solver.h"

#include <algorithm>
#include <cmath>

namespace impuls {

SolveResult ProblemSolver::close_ahead(Problem& problem, Preview& preview, double h, double tolerance,
                                       const SolveSettings& settings) {
    return solve_ahead(*this, problem, preview, h, tolerance, settings);
}

SolveResult solve_ahead(ProblemSolver& solver, Problem& problem, Preview& preview, double h, double tolerance,
                        const SolveSettings& settings) {
    constexpr int kMost = 20;
    SolveResult result = solver.solve(problem, settings);
    double before = kUnbounded;
    for (int k = 0; k < kMost; ++k) {
        preview.refresh(problem, 0, problem.rows.blocks.size());
        double off = 0;
        for (const Row& row : problem.rows.rows)
            if (row.is_equation()) off = std::max(off, row.length * std::abs(row.error));
        result.residual = off / h;
        if (off <= tolerance || off > 0.9 * before) break;
        before = off;
        // An error e ahead is removed by a change of velocity -e/h: J v_new = J v - e/h.
        for (Row& row : problem.rows.rows) {
            row.guess = 0;
            if (row.is_equation()) row.bias = row.error / h - velocity_of(problem, row);
        }
        auto& c = problem.contacts;
        for (auto* guess : {&c.guess_n, &c.guess_1, &c.guess_2}) std::fill(guess->begin(), guess->end(), 0.0);
        std::fill(c.torque_guess.begin(), c.torque_guess.end(), Vec3{});
        result.iterations += solver.solve(problem, settings).iterations;
    }
    return result;
}

}  // namespace impuls
