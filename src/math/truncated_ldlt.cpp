// Pivoted, truncated L D L^T (truncated_ldlt.h).
#include "math/truncated_ldlt.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/assert.h"

namespace impuls {

void TruncatedLdlt::factor(std::span<const double> a, std::size_t n, double cut) {
    IMPULS_ASSERT(a.size() == n * n);
    n_ = n, rank_ = 0;
    l_.assign(a.begin(), a.end());
    order_.resize(n), inverse_d_.assign(n, 0), diagonal_.resize(n), work_.resize(n);
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    for (std::size_t k = 0; k < n; ++k) diagonal_[k] = l(k, k);
    for (std::size_t k = 0; k < n; ++k) {
        std::size_t best = k;
        for (std::size_t i = k + 1; i < n; ++i)
            if (l(i, i) * diagonal_[best] > l(best, best) * diagonal_[i]) best = i;
        if (!(l(best, best) > cut * diagonal_[best])) break;
        std::swap(order_[k], order_[best]), std::swap(diagonal_[k], diagonal_[best]);
        for (std::size_t j = 0; j < n; ++j) std::swap(l(k, j), l(best, j));
        for (std::size_t i = 0; i < n; ++i) std::swap(l(i, k), l(i, best));
        inverse_d_[k] = 1 / l(k, k);
        for (std::size_t i = k + 1; i < n; ++i) {
            const double factor = l(i, k) * inverse_d_[k];
            for (std::size_t j = k + 1; j <= i; ++j) l(i, j) -= factor * l(j, k);
            for (std::size_t j = k + 1; j < i; ++j) l(j, i) = l(i, j);
        }
        for (std::size_t i = k + 1; i < n; ++i) l(i, k) *= inverse_d_[k];
        ++rank_;
    }
}

void TruncatedLdlt::solve(std::span<double> x) {
    IMPULS_ASSERT(x.size() == n_ && rank_ <= n_);
    for (std::size_t k = 0; k < n_; ++k) work_[k] = x[order_[k]];
    for (std::size_t i = 0; i < rank_; ++i)
        for (std::size_t k = 0; k < i; ++k) work_[i] -= l(i, k) * work_[k];
    for (std::size_t i = 0; i < rank_; ++i) work_[i] *= inverse_d_[i];
    for (std::size_t i = rank_; i-- > 0;)
        for (std::size_t k = i + 1; k < rank_; ++k) work_[i] -= l(k, i) * work_[k];
    for (std::size_t k = 0; k < n_; ++k) x[order_[k]] = k < rank_ ? work_[k] : 0;
}

}  // namespace impuls
