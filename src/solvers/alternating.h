// Joints at once, everything else in sweeps: the equations of an island (rows without bounds) are solved
// exactly by someone who knows how (EquationSolver), and in turns with that contacts and bounded rows get a
// sweep of sequential impulses. The joint solve comes last, so joints hold whatever the contacts still lack;
// with warm start four to ten rounds bring chains and ragdolls to rest.
#pragma once

#include <memory>

#include "solvers/sequential.h"
#include "solvers/solver.h"

namespace impuls {

// Solves equations J v + bias + compliance * p = 0 of a problem.
class EquationSolver {
  public:
    virtual ~EquationSolver() = default;
    // Factors what it can of the rows without bounds, and marks these rows in `taken`, which is 0 before.
    virtual void prepare(const Problem& problem, std::span<std::uint8_t> taken) = 0;
    // Corrects impulses and velocities such that the rows taken hold. Returns by how much they did not.
    virtual double solve(Problem& problem) = 0;
    // Rows eliminated and substituted since prepare() began.
    virtual std::uint64_t work() const = 0;
};

class AlternatingSolver final : public ProblemSolver {
  public:
    explicit AlternatingSolver(std::unique_ptr<EquationSolver> equations)
        : equations_(std::move(equations)) {}
    SolveResult solve(Problem& problem, const SolveSettings& settings) override;
    bool closes_joints() const override { return true; }

  private:
    SolveResult refine(Problem& problem, const SolveSettings& settings);

    std::unique_ptr<EquationSolver> equations_;
    SequentialSolver sweeps_{};
    std::vector<std::uint8_t> taken_{};
};

}  // namespace impuls
