// Basis functions of cubic B-splines (bspline.h).
#include "math/bspline.h"

#include <algorithm>

namespace impuls {

CubicBasis cubic_basis(std::span<const double> breaks, double t) {
    const auto it = std::upper_bound(breaks.begin() + 1, breaks.end() - 1, t);
    const auto span = static_cast<std::size_t>(it - breaks.begin()) - 1;
    // Knots around the span, those at the ends repeated: knot(0) <= t < knot(1).
    const auto knot = [&](int k) {
        const auto last = static_cast<int>(breaks.size()) - 1;
        return breaks[static_cast<std::size_t>(std::clamp(static_cast<int>(span) + k, 0, last))];
    };
    // Degree by degree; rows[p][j] is the basis function of degree p that begins at knot(j - p).
    std::array<std::array<double, 4>, 4> rows{};
    rows[0][0] = 1;
    for (int p = 1; p < 4; ++p)
        for (int j = 0; j <= p; ++j) {
            const int from = j - p;
            double sum = 0;
            const auto at = [&](int i) { return i >= 0 && i < p ? rows[p - 1][i] : 0.0; };
            if (j > 0) sum += (t - knot(from)) / (knot(from + p) - knot(from)) * at(j - 1);
            if (j < p) sum += (knot(from + p + 1) - t) / (knot(from + p + 1) - knot(from + 1)) * at(j);
            rows[p][j] = sum;
        }
    CubicBasis basis;
    basis.first = span;
    basis.value = rows[3];
    // N'_p = p (N_p-1 of its left / its width - N_p-1 of its right / its width); twice for the second.
    const auto differ = [&](int p, const std::array<double, 4>& lower) {
        std::array<double, 4> out{};
        for (int j = 0; j <= p; ++j) {
            const int from = j - p;
            if (j > 0) out[j] += p / (knot(from + p) - knot(from)) * lower[j - 1];
            if (j < p) out[j] -= p / (knot(from + p + 1) - knot(from + 1)) * lower[j];
        }
        return out;
    };
    basis.slope = differ(3, rows[2]);
    basis.bend = differ(3, differ(2, rows[1]));
    return basis;
}

std::vector<double> even_breaks(std::size_t controls) {
    std::vector<double> breaks;
    for (std::size_t k = 0; k + 3 <= controls; ++k) breaks.push_back(static_cast<double>(k));
    return breaks;
}

}  // namespace impuls
