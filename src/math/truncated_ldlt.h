// L D L^T of a symmetric positive semi-definite matrix with the largest pivots first, each measured against
// its own diagonal element; what is left below `cut` of that is redundant and its unknowns become 0.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace impuls {

class TruncatedLdlt {
  public:
    // a: n x n by rows; it is not kept.
    void factor(std::span<const double> a, std::size_t n, double cut);
    // x := a^-1 x
    void solve(std::span<double> x);
    std::size_t rank() const { return rank_; }

  private:
    double& l(std::size_t i, std::size_t j) { return l_[i * n_ + j]; }

    std::size_t n_ = 0, rank_ = 0;
    std::vector<double> l_{}, inverse_d_{}, diagonal_{}, work_{};
    std::vector<std::size_t> order_{};
};

}  // namespace impuls
