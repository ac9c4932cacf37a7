// Lemke's method (lemke.h).
#include "math/lemke.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/assert.h"

namespace impuls {
namespace {
constexpr double kTie = 1e-12;  // entries, which began around 1, that differ by less are equal
}

void Lemke::fill(std::span<const double> m, std::span<const double> q, std::span<const double> d) {
    n_ = q.size(), width_ = 2 * n_ + 2;
    IMPULS_ASSERT(m.size() == n_ * n_ && d.size() == n_);
    tableau_.assign(n_ * width_, 0);
    basis_.resize(n_);
    for (std::size_t i = 0; i < n_; ++i) {
        at(i, i) = 1;
        for (std::size_t j = 0; j < n_; ++j) at(i, n_ + j) = -m[i * n_ + j];
        at(i, 2 * n_) = -d[i];
        at(i, 2 * n_ + 1) = q[i];
        basis_[i] = i;
    }
}

void Lemke::pivot(std::size_t row, std::size_t column) {
    IMPULS_ASSERT_INDEX(row, n_);
    IMPULS_ASSERT_INDEX(column, width_ - 1);
    double* const p = &at(row, 0);
    const double inverse = 1 / p[column];
    for (std::size_t k = 0; k < width_; ++k) p[k] *= inverse;
    p[column] = 1;
    for (std::size_t i = 0; i < n_; ++i) {
        if (i == row) continue;
        double* const r = &at(i, 0);
        const double factor = r[column];
        if (factor == 0) continue;
        for (std::size_t k = 0; k < width_; ++k) r[k] -= factor * p[k];
        r[column] = 0;
    }
    basis_[row] = column;
    ++pivots_;
}

// Lexicographic order of the rows (right side, columns of B^-1) divided by their entries in the column.
bool Lemke::is_before(std::size_t i, std::size_t j, std::size_t column) {
    const double a = at(i, column), b = at(j, column);
    const auto order = [&](std::size_t k) {
        const double x = at(i, k) * b, y = at(j, k) * a, tie = kTie * (a + b);
        return x < y - tie ? -1 : x > y + tie ? 1 : 0;
    };
    const int first = order(2 * n_ + 1);
    if (first != 0) return first < 0;
    // z0 leaves as soon as it can.
    if (basis_[i] == 2 * n_) return true;
    if (basis_[j] == 2 * n_) return false;
    for (std::size_t k = 0; k < n_; ++k)
        if (const int next = order(k); next != 0) return next < 0;
    return i < j;
}

std::size_t Lemke::leaving_row(std::size_t column) {
    double largest = 0;
    for (std::size_t i = 0; i < n_; ++i) largest = std::max(largest, std::abs(at(i, column)));
    std::size_t best = n_;
    for (std::size_t i = 0; i < n_; ++i) {
        if (!(at(i, column) > 1e-10 * largest)) continue;
        if (best == n_ || is_before(i, best, column)) best = i;
    }
    return best;
}

Lemke::Outcome Lemke::solve(std::span<const double> m, std::span<const double> q, std::span<const double> d,
                            std::vector<double>& z) {
    fill(m, q, d);
    pivots_ = 0;
    z.assign(n_, 0);
    // z0 enters where q / d is least, the last of them: the lexicographic least.
    std::size_t row = n_;
    for (std::size_t i = 0; i < n_; ++i)
        if (q[i] < 0 && (row == n_ || q[i] * d[row] <= q[row] * d[i])) row = i;
    if (row == n_) return Outcome::Solved;
    std::size_t leaving = basis_[row];
    pivot(row, 2 * n_);
    const int most = static_cast<int>(20 * n_ + 100);
    while (leaving != 2 * n_) {
        if (pivots_ > most) return Outcome::Tired;
        const std::size_t entering = leaving < n_ ? leaving + n_ : leaving - n_;
        row = leaving_row(entering);
        if (row == n_) return Outcome::Ray;
        leaving = basis_[row];
        pivot(row, entering);
    }
    for (std::size_t i = 0; i < n_; ++i)
        if (basis_[i] >= n_ && basis_[i] < 2 * n_) z[basis_[i] - n_] = std::max(0.0, at(i, 2 * n_ + 1));
    return Outcome::Solved;
}

}  // namespace impuls
