// Elimination of the rows without bounds (B, bilateral) from w = A x + b: with w_B = 0 those with bounds (U)
// have w_U = A' x_U + b', where
//     A' = A_UU - A_UB A_BB^-1 A_BU,   b' = b_U - A_UB A_BB^-1 b_B;   redundant rows of B are left out.
// Called by direct.cpp.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "math/truncated_ldlt.h"

namespace impuls {

class Elimination {
  public:
    void clear();
    // Appends a row to those with bounds or to the others, in the order of rows.
    void add(std::size_t row, bool is_bounded) { (is_bounded ? bound_ : free_).push_back(row); }
    // A, row by row, and b of all rows.
    void build(std::span<const double> a, std::span<const double> b);

    // Rows with bounds; u and v below are numbers in this list.
    std::span<const std::size_t> bound() const { return bound_; }
    double matrix(std::size_t u, std::size_t v) const { return matrix_[u * bound_.size() + v]; }  // A'
    std::span<const double> vector() const { return vector_; }                                    // b'
    // Sets the impulses of the rows without bounds, from those of the others.
    void recover(std::span<double> x) const;

  private:
    std::vector<std::size_t> free_{}, bound_{};
    std::vector<double> block_{};                // A_BB
    TruncatedLdlt factors_{};                    // of A_BB
    std::vector<double> column_{}, response_{};  // A_BB^-1 b_B, A_BB^-1 A_BU by columns
    std::vector<double> matrix_{}, vector_{};
};

}  // namespace impuls
