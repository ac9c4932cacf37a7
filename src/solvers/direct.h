// The complementarity problem of an island by pivoting (Lemke), to rounding: for small islands, and the
// oracle of the other solvers. Unknowns are the impulses x, with w = A x + b, A = J M^-1 J^T + compliance:
//   rows without bounds (B) are eliminated: A' = A_UU - A_UB A_BB^-1 A_BU, redundant ones left out;
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

#include "math/lemke.h"
#include "math/truncated_ldlt.h"
#include "solvers/blocked.h"
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
    // z adds along_1 times itself to the impulse of row_1, and so on; row_1 == kNone: y or lambda.
    struct Variable {
        std::size_t row_1, row_2;
        double along_1, along_2;
    };
    static constexpr std::size_t kNone = ~std::size_t{0};

    void assemble(const Problem& problem);
    void eliminate();
    void make_variables(const Problem& problem);
    void add_friction(std::size_t row, double mu, bool is_planar);
    void add_impulse(std::size_t row, double along, std::size_t row_2 = kNone, double along_2 = 0);
    void link(std::size_t variable, std::size_t slack, double share);
    void fill_matrix();
    void scale();
    bool pivot(int attempt);
    void apply(Problem& problem);

    int eta_ = 8;
    // Of the contact: the variable of its normal (kNone: the impulse is given) and what that adds to.
    std::size_t normal_ = kNone;
    double least_ = 0;
    std::size_t most_rows_ = kMostRows;
    RowSystem system_{};
    BlockedSolver blocked_{};
    Lemke lemke_{};
    TruncatedLdlt bilateral_{};
    std::vector<std::size_t> free_{}, bound_{};   // rows without bounds and with
    std::vector<double> a_{}, b_{}, x0_{}, x_{};  // of all rows
    std::vector<double> bb_{}, column_{}, response_{}, reduced_{}, base_{}, base_w_{};
    std::vector<Variable> variables_{};
    struct Entry {
        std::size_t row, column;
        double value;
    };
    std::vector<Entry> extra_{};  // of the matrix: what couples impulses with y and lambda
    std::vector<double> m_{}, q_{}, scale_{}, z_{}, cover_{};
    double q_unit_ = 1;
    std::vector<Vec3> start_v_{}, start_w_{};
};

}  // namespace impuls
