// Banded LDL^T of all distance rows (global_rows.h). Two rows couple where they share a node: with signs s of
// the node in each, A_ij = s_i s_j k d_i . d_j. The band holds every such pair, because rows are sorted by
// node. Called by Sheet with SheetSolver::Global.
#include "deformable/global_rows.h"

#include <algorithm>
#include <cmath>

namespace impuls::deformable {

GlobalRows::GlobalRows(const Chains& chains, std::size_t nodes) : at_(nodes) {
    for (std::size_t path = 0; path < chains.size(); ++path)
        for (std::size_t e = chains.begin[path]; e + 1 < chains.begin[path + 1]; ++e)
            ends_.push_back({chains.nodes[e], chains.nodes[e + 1], chains.squared[e], chains.compliance[e]});
    std::stable_sort(ends_.begin(), ends_.end(),
                     [](const Row& i, const Row& j) { return std::min(i.a, i.b) < std::min(j.a, j.b); });
    for (std::uint32_t i = 0; i < ends_.size(); ++i) {
        at_[ends_[i].a].push_back(i);
        at_[ends_[i].b].push_back(i);
    }
    for (const auto& rows : at_)
        if (!rows.empty()) band_ = std::max<std::size_t>(band_, rows.back() - rows.front());
    matrix_.resize(ends_.size() * (band_ + 1));
    right_.resize(ends_.size());
    d_.resize(ends_.size());
}

double GlobalRows::solve(const std::vector<double>& k, double h, Columns& p) {
    const std::size_t n = ends_.size();
    const auto entry = [&](std::size_t i, std::size_t j) -> double& {
        return matrix_[i * (band_ + 1) + (j + band_ - i)];
    };
    std::fill(matrix_.begin(), matrix_.end(), 0.0);
    double worst = 0;
    for (std::size_t i = 0; i < n; ++i) {
        d_[i] = p.at(ends_[i].b) - p.at(ends_[i].a);
        right_[i] = 0.5 * (ends_[i].squared - dot(d_[i], d_[i]));
        worst = std::max(worst, std::fabs(right_[i]) / ends_[i].squared);
        entry(i, i) = ends_[i].compliance / (h * h);
    }
    for (std::size_t node = 0; node < at_.size(); ++node)
        for (const std::uint32_t i : at_[node])
            for (const std::uint32_t j : at_[node]) {
                if (j > i) continue;
                const double sign = (ends_[i].b == node) == (ends_[j].b == node) ? 1 : -1;
                entry(i, j) += sign * k[node] * dot(d_[i], d_[j]);
            }
    for (std::size_t i = 0; i < n; ++i) {  // A = L D L^T, by rows
        const std::size_t first = i > band_ ? i - band_ : 0;
        for (std::size_t j = first; j < i; ++j) {
            const std::size_t from = std::max(first, j > band_ ? j - band_ : 0);
            double sum = entry(i, j);
            for (std::size_t m = from; m < j; ++m) sum -= entry(i, m) * entry(j, m);
            entry(i, j) = sum;  // L_ij D_j; of rows before, L_jm
        }
        for (std::size_t j = first; j < i; ++j) {
            const double l = entry(i, j) / entry(j, j);
            entry(i, i) -= l * entry(i, j);
            right_[i] -= l * right_[j];
            entry(i, j) = l;
        }
    }
    for (std::size_t i = 0; i < n; ++i) right_[i] /= entry(i, i);
    for (std::size_t i = n; i-- > 0;)
        for (std::size_t j = i > band_ ? i - band_ : 0; j < i; ++j) right_[j] -= entry(i, j) * right_[i];
    for (std::size_t i = 0; i < n; ++i) {
        p.add(ends_[i].a, d_[i] * (-k[ends_[i].a] * right_[i]));
        p.add(ends_[i].b, d_[i] * (k[ends_[i].b] * right_[i]));
    }
    return worst;
}

}  // namespace impuls::deformable
