// Eigenvalues and eigenvectors of small symmetric matrices by cyclic Jacobi rotations (Golub and Van Loan
// 8.5), and from them the pseudo-inverse that leaves out what is too small: for equations that are redundant
// or contradict each other. Only sqrt; results scale exactly with powers of two.
#pragma once

#include <vector>

namespace impuls {

class TruncatedInverse {
  public:
    // a: n x n by rows, symmetric; it is destroyed. Eigenvalues up to `cut` are taken as 0.
    void factor(std::vector<double>& a, int n, double cut);
    // x := a^+ x
    void solve(std::vector<double>& x);
    int rank() const { return rank_; }

  private:
    void rotate(std::vector<double>& a, int p, int q);

    int n_ = 0, rank_ = 0;
    std::vector<double> vectors_{};  // by columns: row k of this array is eigenvector k
    std::vector<double> inverse_{}, work_{};
};

}  // namespace impuls
