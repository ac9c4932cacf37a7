// Sequential impulses by larger blocks: the normals of a manifold (consecutive points of the same two nodes
// with the same normal, up to four) are solved together, then their friction; joints as in the sequential
// solver. One point after the other puts a spurious tilt into every change of load; four together do not.
//     lambda' = lambda - (A + r diag A)^-1 (v_n + bias),   A = J M^-1 J^T of the four normals
// is taken where it is nowhere negative, otherwise each point takes its own clamped step. Four points of a
// plane make A singular; r only slows the step a little, the solution is that of A alone.
#pragma once

#include "solvers/sequential.h"

namespace impuls {

class BlockedSolver final : public ProblemSolver {
  public:
    SolveResult solve(Problem& problem, const SolveSettings& settings) override;

  private:
    struct Manifold {
        std::uint32_t first, count;
        SmallLdlt mass;
    };
    void prepare(const Problem& problem);
    double sweep_contacts(Problem& problem);
    double solve_together(Problem& problem, const Manifold& manifold);

    SequentialSolver sweeps_{};
    std::vector<Manifold> manifolds_{};
};

}  // namespace impuls
