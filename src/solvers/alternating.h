// Joints solved exactly, everything else in sweeps: the equations of an island (rows without bounds) are
// solved by a direct method (EquationSolver), and alternating with that contacts and bounded rows get a sweep
// of sequential impulses. The joint solve comes last, so joints hold whatever the contacts still lack; with
// warm start four to ten rounds bring chains and ragdolls to rest. Where a tolerance is requested that they
// miss, small and strained problems are brought there by the equations of what carries and sticks
// (active_set.h); it counts only if the next sweep then finds less to change than the one before.
#pragma once

#include <memory>

#include "constraints/snapshot.h"
#include "solvers/active_set.h"
#include "solvers/equations.h"
#include "solvers/held_faces.h"
#include "solvers/sequential.h"
#include "solvers/solver.h"

namespace impuls {

class AlternatingSolver final : public ProblemSolver {
  public:
    // `equations` for the joints, `all` for joints and contacts together.
    AlternatingSolver(std::unique_ptr<EquationSolver> equations, std::unique_ptr<EquationSolver> all)
        : equations_(std::move(equations)), active_(std::move(all)) {}
    SolveResult solve(Problem& problem, const SolveSettings& settings) override;
    SolveResult close_ahead(Problem& problem, Preview& preview, double h, double tolerance,
                            const SolveSettings& settings) override;
    bool closes_joints() const override { return true; }

  private:
    SolveResult refine(Problem& problem, const SolveSettings& settings);
    void sweep(Problem& problem, SolveResult& result);
    void refine_active(Problem& problem, double speed, SolveResult& result);

    std::unique_ptr<EquationSolver> equations_;
    SequentialSolver sweeps_{};
    ActiveSet active_;
    HeldFaces held_{};
    Snapshot swept_{};
    std::vector<std::uint8_t> taken_{};
};

}  // namespace impuls
