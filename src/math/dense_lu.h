// Factors of a square matrix, PA = LU, with the largest element of each column as pivot; by rows, in place,
// without allocating. Called by implicit integrators.
#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <utility>

namespace impuls {

// Factors the n x n matrix `a`; `order` gets the rows by pivot. False: singular, or not finite.
inline bool factor_lu(std::span<double> a, std::span<std::size_t> order) {
    const std::size_t n = order.size();
    for (std::size_t k = 0; k < n; ++k) order[k] = k;
    for (std::size_t k = 0; k < n; ++k) {
        std::size_t pivot = k;
        for (std::size_t i = k + 1; i < n; ++i)
            if (std::abs(a[i * n + k]) > std::abs(a[pivot * n + k])) pivot = i;
        if (pivot != k) {
            for (std::size_t j = 0; j < n; ++j) std::swap(a[k * n + j], a[pivot * n + j]);
            std::swap(order[k], order[pivot]);
        }
        const double diagonal = a[k * n + k];
        if (!(std::abs(diagonal) > 0) || !std::isfinite(diagonal)) return false;
        for (std::size_t i = k + 1; i < n; ++i) {
            const double factor = a[i * n + k] / diagonal;
            a[i * n + k] = factor;
            if (factor == 0) continue;
            for (std::size_t j = k + 1; j < n; ++j) a[i * n + j] -= factor * a[k * n + j];
        }
    }
    return true;
}

// x of A x = b from the factors of A; x and b are different places.
inline void solve_lu(std::span<const double> lu, std::span<const std::size_t> order,
                     std::span<const double> b, std::span<double> x) {
    const std::size_t n = order.size();
    for (std::size_t i = 0; i < n; ++i) {
        double sum = b[order[i]];
        for (std::size_t j = 0; j < i; ++j) sum -= lu[i * n + j] * x[j];
        x[i] = sum;
    }
    for (std::size_t i = n; i-- > 0;) {
        double sum = x[i];
        for (std::size_t j = i + 1; j < n; ++j) sum -= lu[i * n + j] * x[j];
        x[i] = sum / lu[i * n + i];
    }
}

}  // namespace impuls
