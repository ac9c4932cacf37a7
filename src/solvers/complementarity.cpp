// The merit function of a problem (complementarity.h).
#include "solvers/complementarity.h"

#include <algorithm>
#include <cmath>

#include "math/polygon_directions.h"
#include "solvers/row_system.h"

namespace impuls {
namespace {

// The nearest point of a convex polygon around the origin: the point itself where it is inside, else the
// nearest of its sides.
void project_onto_polygon(int corners, double radius, double& p1, double& p2) {
    const auto directions = polygon_directions(corners);
    const std::size_t n = directions.size();
    bool is_inside = true;
    double nearest = kUnbounded, q1 = 0, q2 = 0;
    for (std::size_t k = 0; k < n; ++k) {
        const auto [ax, ay] = directions[k];
        const auto [bx, by] = directions[(k + 1) % n];
        const double sx = radius * (bx - ax), sy = radius * (by - ay);
        const double x = p1 - radius * ax, y = p2 - radius * ay;
        if (sx * y - sy * x < 0) is_inside = false;
        const double square = sx * sx + sy * sy;
        const double t = square > 0 ? std::clamp((x * sx + y * sy) / square, 0.0, 1.0) : 0;
        const double dx = x - t * sx, dy = y - t * sy, distance = dx * dx + dy * dy;
        if (distance >= nearest) continue;
        nearest = distance, q1 = p1 - dx, q2 = p2 - dy;
    }
    if (!is_inside) p1 = q1, p2 = q2;
}

}  // namespace

void project(const FrictionLaw& law, double radius, double& p1, double& p2) {
    if (!(radius > 0)) {
        p1 = p2 = 0;
        return;
    }
    switch (law.kind) {
        case FrictionLaw::Kind::Disk: {
            const double size = std::sqrt(p1 * p1 + p2 * p2);
            if (size > radius) p1 *= radius / size, p2 *= radius / size;
            break;
        }
        case FrictionLaw::Kind::Square:
            p1 = std::clamp(p1, -radius, radius), p2 = std::clamp(p2, -radius, radius);
            break;
        case FrictionLaw::Kind::Polygon:
            project_onto_polygon(law.corners, radius, p1, p2);
            break;
    }
}

double complementarity_error(const Problem& problem, const FrictionLaw& law) {
    RowSystem system;
    system.build(problem);
    return complementarity_error(problem, system, law);
}

double complementarity_error(const Problem& problem, const RowSystem& system, const FrictionLaw& law) {
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
        bounded(n, c.impulse_n[k], c.bias[k], 0, 0, kUnbounded);
        const double stiffness = std::max(system.diagonal(n + 1), system.diagonal(n + 2));
        if (!(stiffness > 0)) continue;
        double p1 = c.impulse_1[k] - system.velocity(problem.nodes, n + 1) / stiffness;
        double p2 = c.impulse_2[k] - system.velocity(problem.nodes, n + 2) / stiffness;
        project(law, c.friction[k] * std::max(0.0, c.impulse_n[k]), p1, p2);
        const double off = std::max(std::abs(p1 - c.impulse_1[k]), std::abs(p2 - c.impulse_2[k]));
        worst = std::max(worst, off * stiffness);
    }
    return worst;
}

}  // namespace impuls
