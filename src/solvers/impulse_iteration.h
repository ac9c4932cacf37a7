// Bender's iterative impulses (dissertation 2007, 4.3; Bender and Schmitt 2006): each joint in turn predicts
// where its two bodies will be, and gets the impulse K^-1 (-C / h) that would close it there; so round after
// round, until none is off by more than the tolerance. Changes travel one joint per round, so long chains
// need many rounds (as with any Gauss-Seidel), but nothing is factored beyond one joint and loops need no
// care. Contacts and bounded rows get a sweep of sequential impulses in each round. Without a preview it is
// the sequential solver.
#pragma once

#include "solvers/sequential.h"

namespace impuls {

class ImpulseIterationSolver final : public ProblemSolver {
  public:
    SolveResult solve(Problem& problem, const SolveSettings& settings) override;
    SolveResult close_ahead(Problem& problem, Preview& preview, double h, double tolerance,
                            const SolveSettings& settings) override;

  private:
    SequentialSolver sweeps_{};
    std::vector<std::uint8_t> closed_{};  // by row: closed by preview
};

}  // namespace impuls
