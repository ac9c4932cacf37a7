// Lemke's method for the linear complementarity problem
//     w = M z + q,   w >= 0,   z >= 0,   w . z = 0
// (Lemke, Management Science 11, 1965; Cottle, Pang, Stone: The Linear Complementarity Problem, 4.4). An
// artificial variable z0 makes w = M z + d z0 + q feasible; then the complement of whatever left the basis
// enters it, until z0 leaves. Ties are broken by the lexicographic rule (4.9 there), so it cannot cycle. For
// copositive-plus M, such as those of contacts with a friction pyramid, it ends at a solution where there is
// one. Dense, with a full tableau: for small problems and as an oracle.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace impuls {

class Lemke {
  public:
    enum class Outcome { Solved, Ray, Tired };
    // M by rows, with entries around 1. `d` > 0, by row. Gives z.
    Outcome solve(std::span<const double> m, std::span<const double> q, std::span<const double> d,
                  std::vector<double>& z);
    int pivots() const { return pivots_; }

  private:
    double& at(std::size_t row, std::size_t column) { return tableau_[row * width_ + column]; }
    // Columns: w, z, z0, right side.
    void fill(std::span<const double> m, std::span<const double> q, std::span<const double> d);
    void pivot(std::size_t row, std::size_t column);
    bool is_before(std::size_t i, std::size_t j, std::size_t column);
    std::size_t leaving_row(std::size_t column);  // n: none

    std::size_t n_ = 0, width_ = 0;
    std::vector<double> tableau_{};
    std::vector<std::size_t> basis_{};  // by row: the column of its variable
    int pivots_ = 0;
};

}  // namespace impuls
