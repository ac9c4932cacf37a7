// Projected Gauss-Seidel, row by row and without a matrix (Erleben 6.1.5, figure 6.10, corrected in
// row_system.h). In each sweep, for each row, normals before their friction,
//     p_i := clamp(p_i - omega m_i (J_i v + bias_i + c_i p_i), lower_i, upper_i),   v += M^-1 J_i^T dp_i
// with 24 multiplications per row of two nodes. Friction rows are bounded by mu times the normal impulse of
// the moment: the square around Coulomb's disk, up to sqrt(2) mu along its diagonals. omega in (0, 2) is the
// factor of over-relaxation; rolling is bounded by a square likewise; the linear method converges for A = J
// M^-1 J^T + c positive definite. Nothing is solved in blocks: this is the plain method that the laws of
// convergence are about.
#pragma once

#include "base/rng.h"
#include "solvers/complementarity.h"
#include "solvers/row_system.h"
#include "solvers/solver.h"

namespace impuls {

struct PgsOptions {
    // In which order rows are visited; a contact's three stay together.
    enum class Order { Given, Random, LargestChangeFirst };

    double relaxation = 1;  // omega
    Order order = Order::Given;
    int reorder_every = 7;          // sweeps
    int least_iterations = 1;       // before any early end
    double relative_tolerance = 0;  // done when no row changes by more than this part of the largest impulse
};

class PgsSolver final : public ProblemSolver {
  public:
    PgsSolver() = default;
    explicit PgsSolver(const PgsOptions& options) : options_(options) {}
    SolveResult solve(Problem& problem, const SolveSettings& settings) override;
    FrictionSet friction_set() const override { return {FrictionModel::Box, 4}; }

  private:
    struct Change {
        double largest = 0, scale = 0;  // of a sweep: change and size of impulses, as velocities
    };
    void prepare(const Problem& problem);
    void reorder(int iteration);
    // Moves one row; returns its change as a velocity.
    double update(Problem& problem, std::size_t row, double bias, double compliance, double lower,
                  double upper);
    double update_unit(Problem& problem, std::size_t unit);
    Change sweep(Problem& problem);

    PgsOptions options_{};
    RowSystem system_{};
    std::vector<double> x_{}, mass_{};    // by row: impulse, and omega / (A_ii + compliance)
    std::vector<std::uint32_t> order_{};  // units: rows of blocks, then contacts
    std::vector<double> last_change_{};   // by unit
    Rng rng_{0, 0};
};

}  // namespace impuls
