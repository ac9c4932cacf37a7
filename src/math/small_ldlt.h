// L D L^T of small symmetric positive semi-definite matrices (up to 6 x 6) without pivoting. A pivot that
// vanishes against its diagonal belongs to a redundant row; it is left out (its unknown becomes 0).
#pragma once

#include <array>

#include "base/assert.h"

namespace impuls {

struct SmallLdlt {
    static constexpr int kMax = 6;
    using Matrix = std::array<std::array<double, kMax>, kMax>;  // only the lower part is read
    int n = 0;
    std::array<std::array<double, kMax>, kMax> l{};  // strictly lower part
    std::array<double, kMax> inverse_d{};

    void factor(const Matrix& m, int size) {
        IMPULS_ASSERT(0 <= size && size <= kMax);
        std::array<double, kMax> least{};
        for (int j = 0; j < size; ++j) least[j] = 1e-12 * m[j][j];
        factor(m, size, least);
    }

    // Pivots up to `least` are left out.
    void factor(const Matrix& m, int size, const std::array<double, kMax>& least) {
        IMPULS_ASSERT(0 <= size && size <= kMax);
        n = size;
        std::array<double, kMax> d{};
        for (int j = 0; j < n; ++j) {
            double pivot = m[j][j];
            for (int k = 0; k < j; ++k) pivot -= l[j][k] * l[j][k] * d[k];
            const bool is_redundant = !(pivot > least[j]);
            d[j] = is_redundant ? 0 : pivot;
            inverse_d[j] = is_redundant ? 0 : 1 / pivot;
            for (int i = j + 1; i < n; ++i) {
                double value = m[i][j];
                for (int k = 0; k < j; ++k) value -= l[i][k] * l[j][k] * d[k];
                l[i][j] = value * inverse_d[j];
            }
        }
    }

    // x := m^-1 x. Always inline: it is the innermost loop of solvers/sparse.cpp.
    [[gnu::always_inline]] inline void solve(std::array<double, kMax>& x) const {
        if (n == 3)  // most of all: loops of known length are faster
            solve_sized(3, x);
        else
            solve_sized(n, x);
    }
    // The same for n = kMax.
    void solve_largest(std::array<double, kMax>& x) const { solve_sized(kMax, x); }

    // The same for all columns of x at once; its rows from n on stay.
    void solve(Matrix& x) const {
        const auto subtract = [&](int i, double factor, int k) {
            for (int j = 0; j < kMax; ++j) x[i][j] -= factor * x[k][j];
        };
        for (int i = 0; i < n; ++i)
            for (int k = 0; k < i; ++k) subtract(i, l[i][k], k);
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < kMax; ++j) x[i][j] *= inverse_d[i];
        for (int i = n - 1; i >= 0; --i)
            for (int k = i + 1; k < n; ++k) subtract(i, l[k][i], k);
    }

  private:
    [[gnu::always_inline]] inline void solve_sized(int size, std::array<double, kMax>& x) const {
        for (int i = 0; i < size; ++i)
            for (int k = 0; k < i; ++k) x[i] -= l[i][k] * x[k];
        for (int i = 0; i < size; ++i) x[i] *= inverse_d[i];
        for (int i = size - 1; i >= 0; --i)
            for (int k = i + 1; k < size; ++k) x[i] -= l[k][i] * x[k];
    }
};

}  // namespace impuls
