// The complementarity problem of an island by pivoting (Lemke), to rounding: for small islands, and the
// oracle of the other solvers. Unknowns are the impulses x, with w = A x + b, A = J M^-1 J^T + compliance:
//   rows without bounds are eliminated (elimination.h);
//   a row with one bound is one variable z >= 0, from that bound; with two bounds a second one, y >= 0, for
//     w + y >= 0 and upper - lower - z >= 0;
//   a contact has its normal impulse f, eta impulses beta >= 0 along directions d_h of the tangent plane, and
//     the slip speed lambda (Stewart and Trinkle 1996; Erleben 4.6, (eta + 2) K unknowns):
//       d_h . v + lambda >= 0 | beta_h,   mu f - sum beta >= 0 | lambda,   n . v + bias >= 0 | f;
//     torques against rolling (the same polygon) and spinning (two directions) likewise.
// The friction polygon is inside Coulomb's disk: at worst mu cos(pi/eta). Solvable for every configuration of
// contacts (Anitescu and Potra 1997); rounding is answered by scaling, by another covering vector, and
// by measuring the result. What is too large or still not solved goes to the blocked sweeps, and is reported.
#pragma once

#include "solvers/blocked.h"
#include "solvers/elimination.h"
#include "solvers/pyramid_lcp.h"
#include "solvers/row_system.h"
#include "solvers/solver.h"

namespace impuls {

class DirectSolver final : public ProblemSolver {
  public:
    static constexpr std::size_t kMostRows = 100;  // beyond, the blocked sweeps are used

    DirectSolver() = default;
    // eta: 4, 6 or 8 edges of the friction pyramid.
    explicit DirectSolver(int eta, std::size_t most_rows = kMostRows) : eta_(eta), most_rows_(most_rows) {}
    SolveResult solve(Problem& problem, const SolveSettings& settings) override;
    FrictionSet friction_set() const override { return {FrictionModel::Pyramid, eta_}; }
    bool closes_joints() const override { return true; }

  private:
    void assemble(const Problem& problem);
    double largest_speed(const Problem& problem) const;
    void apply(Problem& problem);

    int eta_ = 8;
    std::size_t most_rows_ = kMostRows;
    RowSystem system_{};
    std::vector<double> a_{}, b_{};   // of all rows
    std::vector<double> x0_{}, x_{};  // impulses before, and those found
    Elimination elimination_{};
    PyramidLcp lcp_{eta_};
    std::vector<Vec3> start_v_{}, start_w_{};
    BlockedSolver blocked_{};
};

}  // namespace impuls
