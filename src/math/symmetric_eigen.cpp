// Jacobi's method (symmetric_eigen.h).
#include "math/symmetric_eigen.h"

#include <algorithm>
#include <cmath>

namespace impuls {

// Turns rows and columns p, q such that a_pq = 0: t = tan of the angle is the smaller root of
// t^2 + 2 theta t - 1 = 0, theta = (a_qq - a_pp) / (2 a_pq).
void TruncatedInverse::rotate(std::vector<double>& a, int p, int q) {
    const auto at = [&](int i, int j) -> double& { return a[static_cast<std::size_t>(i * n_ + j)]; };
    const double theta = (at(q, q) - at(p, p)) / (2 * at(p, q));
    const double t = (theta >= 0 ? 1 : -1) / (std::abs(theta) + std::sqrt(theta * theta + 1));
    const double c = 1 / std::sqrt(t * t + 1), s = t * c;
    for (int k = 0; k < n_; ++k) {
        const double x = at(k, p), y = at(k, q);
        at(k, p) = c * x - s * y, at(k, q) = s * x + c * y;
    }
    for (int k = 0; k < n_; ++k) {
        const double x = at(p, k), y = at(q, k);
        at(p, k) = c * x - s * y, at(q, k) = s * x + c * y;
    }
    at(p, q) = at(q, p) = 0;
    for (int k = 0; k < n_; ++k) {
        double &x = vectors_[static_cast<std::size_t>(p * n_ + k)],
               &y = vectors_[static_cast<std::size_t>(q * n_ + k)];
        const double old = x;
        x = c * old - s * y, y = s * old + c * y;
    }
}

void TruncatedInverse::factor(std::vector<double>& a, int n, double cut) {
    constexpr int kMostSweeps = 30;
    n_ = n;
    const auto at = [&](int i, int j) -> double& { return a[static_cast<std::size_t>(i * n_ + j)]; };
    vectors_.assign(a.size(), 0);
    for (int k = 0; k < n; ++k) vectors_[static_cast<std::size_t>(k * n + k)] = 1;
    for (int sweep = 0; sweep < kMostSweeps; ++sweep) {
        double largest = 0, off = 0;
        for (int i = 0; i < n; ++i) {
            largest = std::max(largest, std::abs(at(i, i)));
            for (int j = 0; j < i; ++j) off = std::max(off, std::abs(at(i, j)));
        }
        if (off <= 0x1p-53 * largest) break;
        for (int p = 0; p < n; ++p)
            for (int q = p + 1; q < n; ++q)
                if (std::abs(at(p, q)) > 0x1p-56 * largest) rotate(a, p, q);
    }
    inverse_.resize(static_cast<std::size_t>(n));
    rank_ = 0;
    for (int k = 0; k < n; ++k) {
        const bool is_kept = at(k, k) > cut;
        inverse_[static_cast<std::size_t>(k)] = is_kept ? 1 / at(k, k) : 0;
        rank_ += is_kept ? 1 : 0;
    }
}

void TruncatedInverse::solve(std::vector<double>& x) {
    work_.assign(x.size(), 0);
    for (std::size_t k = 0; k < x.size(); ++k) {
        const double* vector = vectors_.data() + k * x.size();
        double sum = 0;
        for (std::size_t i = 0; i < x.size(); ++i) sum += vector[i] * x[i];
        sum *= inverse_[k];
        for (std::size_t i = 0; i < x.size(); ++i) work_[i] += vector[i] * sum;
    }
    x.swap(work_);
}

}  // namespace impuls
