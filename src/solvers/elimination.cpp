// Rows without bounds expressed by the others (elimination.h).
#include "solvers/elimination.h"

namespace impuls {

void Elimination::clear() {
    free_.clear();
    bound_.clear();
}

void Elimination::build(std::span<const double> a, std::span<const double> b) {
    constexpr double kRedundant = 1e-11;  // of a pivot, relative
    const std::size_t n = b.size(), nf = free_.size(), nb = bound_.size();
    block_.resize(nf * nf);
    for (std::size_t i = 0; i < nf; ++i)
        for (std::size_t j = 0; j < nf; ++j) block_[i * nf + j] = a[free_[i] * n + free_[j]];
    factors_.factor(block_, nf, kRedundant);
    column_.resize(nf);
    for (std::size_t i = 0; i < nf; ++i) column_[i] = b[free_[i]];
    factors_.solve(column_);
    response_.resize(nb * nf);
    matrix_.resize(nb * nb);
    vector_.resize(nb);
    for (std::size_t u = 0; u < nb; ++u) {
        const std::span<double> response(response_.data() + u * nf, nf);
        for (std::size_t i = 0; i < nf; ++i) response[i] = a[free_[i] * n + bound_[u]];
        factors_.solve(response);
        vector_[u] = b[bound_[u]];
        for (std::size_t i = 0; i < nf; ++i) vector_[u] -= a[bound_[u] * n + free_[i]] * column_[i];
        for (std::size_t v = 0; v < nb; ++v) {
            double sum = a[bound_[v] * n + bound_[u]];
            for (std::size_t i = 0; i < nf; ++i) sum -= a[bound_[v] * n + free_[i]] * response[i];
            matrix_[v * nb + u] = sum;
        }
    }
    // What the equations hold already is beyond the impulse of a bounded row.
    for (std::size_t u = 0; u < nb; ++u) {
        if (matrix_[u * nb + u] > kRedundant * a[bound_[u] * n + bound_[u]]) continue;
        vector_[u] = 0;
        for (std::size_t v = 0; v < nb; ++v) matrix_[u * nb + v] = matrix_[v * nb + u] = 0;
    }
}

void Elimination::recover(std::span<double> x) const {
    const std::size_t nf = free_.size();
    for (std::size_t i = 0; i < nf; ++i) {
        double sum = column_[i];
        for (std::size_t u = 0; u < bound_.size(); ++u) sum += response_[u * nf + i] * x[bound_[u]];
        x[free_[i]] = -sum;
    }
}

}  // namespace impuls
