// Cholesky factor of a symmetric positive definite band matrix, by columns: of cells in the order of their
// longest axis the band is as small as the factor of a nested dissection at the sizes here (1e3 to 1e4
// unknowns). Fixed order of operations; loops run along columns, so that they vectorise without changing a
// bit. Called by Solid (preconditioner of implicit steps, statics, frequencies).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace impuls::deformable {

class BandedCholesky {
  public:
    // n unknowns; entries (i, j) with i - j in [0, band].
    void reset(std::size_t n, std::size_t band) {
        n_ = n;
        stride_ = band + 1;
        a_.assign(n * stride_, 0.0);
    }
    // i >= j
    double& at(std::size_t i, std::size_t j) { return a_[j * stride_ + (i - j)]; }
    std::size_t size() const { return n_; }

    // False when the matrix is not positive definite.
    bool factor() {
        for (std::size_t j = 0; j < n_; ++j) {
            double* column = &a_[j * stride_];
            if (!(column[0] > 0)) return false;
            const std::size_t below = std::min(stride_, n_ - j);
            const double root = std::sqrt(column[0]), scale = 1 / root;
            column[0] = root;
            for (std::size_t i = 1; i < below; ++i) column[i] *= scale;
            for (std::size_t k = 1; k < below; ++k) {
                double* to = &a_[(j + k) * stride_];
                const double f = column[k];
                if (f == 0) continue;
                for (std::size_t i = k; i < below; ++i) to[i - k] -= f * column[i];
            }
        }
        return true;
    }

    void solve(double* x) const {
        for (std::size_t j = 0; j < n_; ++j) {
            const double* column = &a_[j * stride_];
            const std::size_t below = std::min(stride_, n_ - j);
            x[j] /= column[0];
            for (std::size_t i = 1; i < below; ++i) x[j + i] -= column[i] * x[j];
        }
        for (std::size_t j = n_; j-- > 0;) {
            const double* column = &a_[j * stride_];
            const std::size_t below = std::min(stride_, n_ - j);
            double sum[4] = {0, 0, 0, 0};
            std::size_t i = 1;
            for (; i + 4 <= below; i += 4)
                for (std::size_t lane = 0; lane < 4; ++lane) sum[lane] += column[i + lane] * x[j + i + lane];
            double all = (sum[0] + sum[1]) + (sum[2] + sum[3]);
            for (; i < below; ++i) all += column[i] * x[j + i];
            x[j] = (x[j] - all) / column[0];
        }
    }

  private:
    std::size_t n_ = 0, stride_ = 1;
    std::vector<double> a_;
};

}  // namespace impuls::deformable
