// Solvers of equations J v + bias + compliance * p = 0, the rows of a problem that have no bounds. The
// caller (AlternatingSolver, ActiveSet) handles all other rows.
#pragma once

#include <cstdint>
#include <span>

#include "constraints/problem.h"

namespace impuls {

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

}  // namespace impuls
