// The merit function of a problem (complementarity.h).
#include "solvers/complementarity.h"

#include <algorithm>
#include <cmath>

#include "solvers/row_system.h"

namespace impuls {

double complementarity_error(const Problem& problem, const FrictionSet& friction) {
    RowSystem system;
    system.build(problem);
    return complementarity_error(problem, system, friction);
}

double complementarity_error(const Problem& problem, const RowSystem& system, const FrictionSet& friction) {
    double worst = 0;
    const auto bounded = [&](std::size_t r, double p, double bias, double compliance, double lower,
                             double upper) {
        const double stiffness = system.diagonal(r) + compliance;
        if (!(stiffness > 0)) return;
        const double w = system.velocity(problem.nodes, r) + bias + compliance * p;
        worst = std::max(worst, std::abs(p - std::clamp(p - w / stiffness, lower, upper)) * stiffness);
    };
    for (std::size_t r = 0; r < problem.rows.rows.size(); ++r) {
        const Row& row = problem.rows.rows[r];
        bounded(r, row.impulse, row.bias, row.compliance, row.lower, row.upper);
    }
    const ContactRows& c = problem.contacts;
    for (std::size_t k = 0; k < c.size(); ++k) {
        const std::size_t n = system.normal(k);
        bounded(n, c.impulse_n[k], c.bias[k], 0, c.least[k], kUnbounded);
        const double stiffness = std::max(system.diagonal(n + 1), system.diagonal(n + 2));
        if (!(stiffness > 0)) continue;
        double p1 = c.impulse_1[k] - (system.velocity(problem.nodes, n + 1) + c.bias_1[k]) / stiffness;
        double p2 = c.impulse_2[k] - (system.velocity(problem.nodes, n + 2) + c.bias_2[k]) / stiffness;
        friction.project(c.friction[k] * std::max(0.0, c.impulse_n[k]), p1, p2);
        const double off = std::max(std::abs(p1 - c.impulse_1[k]), std::abs(p2 - c.impulse_2[k]));
        worst = std::max(worst, off * stiffness);
    }
    return worst;
}

}  // namespace impuls
