// Sequential impulses by larger blocks (blocked.h).
#include "solvers/blocked.h"

#include <algorithm>
#include <cmath>

#include "base/assert.h"
#include "solvers/tuning.h"

namespace impuls {

void BlockedSolver::prepare(const Problem& problem) {
    constexpr double kRidge = tuning::kBlockRidge;
    constexpr std::uint32_t kMost = 4;
    sweeps_.prepare(problem, {});
    const ContactRows& c = problem.contacts;
    manifolds_.clear();
    for (std::uint32_t k = 0; k < c.size(); ++k) {
        if (!manifolds_.empty()) {
            Manifold& last = manifolds_.back();
            const auto f = last.first;
            if (last.count < kMost && c.a[k] == c.a[f] && c.b[k] == c.b[f] && c.n[k] == c.n[f]) {
                ++last.count;
                continue;
            }
        }
        manifolds_.push_back({k, 1, {}});
    }
    for (Manifold& manifold : manifolds_) {
        SmallLdlt::Matrix a{};
        IMPULS_ASSERT(manifold.first + manifold.count <= c.size());
        for (std::uint32_t i = 0; i < manifold.count; ++i) {
            for (std::uint32_t j = 0; j <= i; ++j)
                a[i][j] = sweeps_.normal_coupling(problem, manifold.first + i, manifold.first + j);
            a[i][i] = a[i][i] * (1 + kRidge) + c.compliance[manifold.first + i];
        }
        manifold.mass.factor(a, static_cast<int>(manifold.count));
    }
}

double BlockedSolver::solve_together(Problem& problem, const Manifold& manifold) {
    std::array<double, SmallLdlt::kMax> x{};
    double largest = 0;
    bool is_closed = manifold.count > 1 && !problem.contacts.is_given[manifold.first];
    for (std::uint32_t i = 0; i < manifold.count; ++i)
        x[i] = -sweeps_.normal_velocity(problem, manifold.first + i);
    const auto lack = x;
    manifold.mass.solve(x);
    for (std::uint32_t i = 0; i < manifold.count; ++i)
        is_closed = is_closed && problem.contacts.impulse_n[manifold.first + i] + x[i] >=
                                     problem.contacts.least[manifold.first + i];
    for (std::uint32_t i = 0; i < manifold.count; ++i) {
        if (is_closed) {
            largest = std::max(largest, std::abs(lack[i]));
            sweeps_.push_normal(problem, manifold.first + i, x[i]);
        } else {
            largest = std::max(largest, sweeps_.solve_normal(problem, manifold.first + i));
        }
    }
    return largest;
}

double BlockedSolver::sweep_contacts(Problem& problem) {
    double largest = 0;
    for (const Manifold& manifold : manifolds_) {
        largest = std::max(largest, solve_together(problem, manifold));
        for (std::uint32_t i = 0; i < manifold.count; ++i)
            largest = std::max(largest, sweeps_.solve_friction(problem, manifold.first + i));
    }
    return largest;
}

SolveResult BlockedSolver::solve(Problem& problem, const SolveSettings& settings) {
    prepare(problem);
    sweeps_.apply_guesses(problem);
    SolveResult result;
    while (result.iterations < settings.iterations) {
        check_stop(settings.stop);
        const double rows = sweeps_.sweep_rows(problem, result.iterations % 2 == 1);
        result.residual = std::max(rows, sweep_contacts(problem));
        ++result.iterations;
        result.work += problem.rows.rows.size() + 3 * problem.contacts.size();
        if (result.residual <= settings.tolerance) break;
    }
    return result;
}

}  // namespace impuls
