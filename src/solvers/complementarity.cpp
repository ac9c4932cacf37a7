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
                             double upper, double unit = 1) {
        const double stiffness = system.diagonal(r) + compliance;
        if (!(stiffness > 0)) return;
        const double w = system.velocity(problem.nodes, r) + bias + compliance * p;
        worst = std::max(worst, unit * std::abs(p - std::clamp(p - w / stiffness, lower, upper)) * stiffness);
    };
    // Two rows whose impulses are kept in the friction set.
    const auto planar = [&](std::size_t r, double limit, double p1, double p2, double bias_1, double bias_2,
                            double unit = 1) {
        const double stiffness = std::max(system.diagonal(r), system.diagonal(r + 1));
        if (!(stiffness > 0)) return;
        double q1 = p1 - (system.velocity(problem.nodes, r) + bias_1) / stiffness;
        double q2 = p2 - (system.velocity(problem.nodes, r + 1) + bias_2) / stiffness;
        friction.project(limit, q1, q2);
        worst = std::max(worst, unit * std::max(std::abs(q1 - p1), std::abs(q2 - p2)) * stiffness);
    };
    for (std::size_t r = 0; r < problem.rows.rows.size(); ++r) {
        const Row& row = problem.rows.rows[r];
        bounded(r, row.impulse, row.bias, row.compliance, row.lower, row.upper, row.length);
    }
    const ContactRows& c = problem.contacts;
    for (std::size_t k = 0; k < c.size(); ++k) {
        const std::size_t n = system.normal(k);
        const double load = std::max(0.0, c.impulse_n[k]);
        if (!c.is_given[k]) bounded(n, c.impulse_n[k], c.bias[k], c.compliance[k], c.least[k], kUnbounded);
        planar(n + 1, c.friction[k] * load, c.impulse_1[k], c.impulse_2[k], c.bias_1[k], c.bias_2[k]);
        if (const std::size_t t = system.turning(k); t != RowSystem::kNone) {
            const Vec3& p = c.torque_impulse[k];
            planar(t, c.rolling[k] * load, p.x, p.y, 0, 0, c.lever(k));
            bounded(t + 2, p.z, 0, 0, -c.torsion[k] * load, c.torsion[k] * load, c.lever(k));
        }
    }
    return worst;
}

}  // namespace impuls
