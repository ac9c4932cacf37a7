// A Problem as one list of rows: those of its blocks, then for each contact point its normal and its two
// tangents, then for each that resists turning the torques about t1, t2, n. J and M^-1 J^T are kept part by
// part, and the diagonal of A = J M^-1 J^T; A itself never exists (Erleben 6.1.5, figure 6.10; corrected:
// M^-1 J^T stays unscaled, and no column is left out). Velocities of the nodes are the running vector, so
// that w = J v + bias + compliance * p needs no sums over other rows. For solvers that treat all rows alike,
// and for measuring how well a problem is solved.
#pragma once

#include <cstdint>
#include <vector>

#include "constraints/problem.h"

namespace impuls {

class RowSystem {
  public:
    void build(const Problem& problem);

    std::size_t size() const { return diagonal_.size(); }
    std::size_t joint_rows() const { return joint_rows_; }
    std::size_t contacts() const { return turning_.size(); }
    // The row of a contact's normal; its tangents follow.
    std::size_t normal(std::size_t contact) const { return joint_rows_ + 3 * contact; }
    // The row of its torque about t1; those about t2 and n follow. kNone: it turns freely.
    std::size_t turning(std::size_t contact) const { return turning_[contact]; }
    static constexpr std::size_t kNone = ~std::size_t{0};

    // (J M^-1 J^T)_ii, without compliance.
    double diagonal(std::size_t row) const { return diagonal_[row]; }
    // (J M^-1 J^T)_ij
    double coupling(std::size_t i, std::size_t j) const;
    // J_row v
    double velocity(const Nodes& nodes, std::size_t row) const;
    // v += M^-1 J_row^T p
    void push(Nodes& nodes, std::size_t row, double impulse) const;

    // Impulses in the order of the rows.
    static void load(const Problem& problem, std::vector<double>& x);
    static void store(const std::vector<double>& x, Problem& problem);
    // Adds the guesses to the impulses and applies them.
    void apply_guesses(Problem& problem) const;

  private:
    struct Part {
        std::uint32_t node;
        Vec3 linear, angular;  // J
        Vec3 push, turn;       // M^-1 J^T
    };
    void add(const Nodes& nodes, std::uint32_t node, const Vec3& linear, const Vec3& angular);
    void close_row();

    std::size_t joint_rows_ = 0;
    std::vector<std::size_t> turning_{};
    std::vector<Part> parts_{};
    std::vector<std::uint32_t> first_{0};  // by row, and one end
    std::vector<double> diagonal_{};
};

}  // namespace impuls
