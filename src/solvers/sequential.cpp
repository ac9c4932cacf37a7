// Sequential impulses (sequential.h).
#include "solvers/sequential.h"

#include <algorithm>
#include <cmath>

namespace impuls {
namespace {

// Velocity of b relative to a along a direction, and impulse p on b and -p on a along it.
template <class Direction>
double velocity_along(const Nodes& nodes, std::uint32_t a, std::uint32_t b, const Direction& r) {
    return dot(r.d, nodes.v[b] - nodes.v[a]) + dot(r.arm_b, nodes.w[b]) - dot(r.arm_a, nodes.w[a]);
}
template <class Direction>
void push(Nodes& nodes, std::uint32_t a, std::uint32_t b, const Direction& r, double p) {
    nodes.v[a] -= r.d * (p * nodes.inv_mass[a]);
    nodes.w[a] -= r.turn_a * p;
    nodes.v[b] += r.d * (p * nodes.inv_mass[b]);
    nodes.w[b] += r.turn_b * p;
}

void push(Nodes& nodes, const JointBlock& joint, const JointRow& row, double impulse) {
    nodes.v[joint.a] += row.linear_a * (impulse * nodes.inv_mass[joint.a]);
    nodes.w[joint.a] += nodes.inv_inertia[joint.a] * (row.angular_a * impulse);
    nodes.v[joint.b] += row.linear_b * (impulse * nodes.inv_mass[joint.b]);
    nodes.w[joint.b] += nodes.inv_inertia[joint.b] * (row.angular_b * impulse);
}

double coupling(const Nodes& nodes, const JointBlock& joint, const JointRow& i, const JointRow& j) {
    return nodes.inv_mass[joint.a] * dot(i.linear_a, j.linear_a) +
           nodes.inv_mass[joint.b] * dot(i.linear_b, j.linear_b) +
           dot(i.angular_a, nodes.inv_inertia[joint.a] * j.angular_a) +
           dot(i.angular_b, nodes.inv_inertia[joint.b] * j.angular_b);
}

double inverse_or_zero(double x) {
    return x > 0 ? 1 / x : 0;
}

}  // namespace

void SequentialSolver::prepare(const Problem& problem) {
    const auto& c = problem.contacts;
    const auto& nodes = problem.nodes;
    points_.resize(c.size());
    for (std::size_t k = 0; k < c.size(); ++k) {
        const auto a = c.a[k], b = c.b[k];
        const auto direction = [&](const Vec3& d) {
            Direction r{d, cross(c.ra[k], d), cross(c.rb[k], d), {}, {}};
            r.turn_a = nodes.inv_inertia[a] * r.arm_a;
            r.turn_b = nodes.inv_inertia[b] * r.arm_b;
            return r;
        };
        // i . K j with K = J M^-1 J^T of the point
        const auto coupling_of = [&](const Direction& i, const Direction& j) {
            return (nodes.inv_mass[a] + nodes.inv_mass[b]) * dot(i.d, j.d) + dot(i.arm_a, j.turn_a) +
                   dot(i.arm_b, j.turn_b);
        };
        Point& point = points_[k];
        point.n = direction(c.n[k]), point.t1 = direction(c.t1[k]), point.t2 = direction(c.t2[k]);
        point.mass_n = inverse_or_zero(coupling_of(point.n, point.n));
        const double k11 = coupling_of(point.t1, point.t1), k12 = coupling_of(point.t1, point.t2);
        const double k22 = coupling_of(point.t2, point.t2), spread = 0.5 * (k11 - k22);
        const double s = inverse_or_zero(k11 * k22 - k12 * k12);
        point.mass_11 = k22 * s, point.mass_12 = -k12 * s, point.mass_22 = k11 * s;
        point.mass_slip = inverse_or_zero(0.5 * (k11 + k22) + std::sqrt(spread * spread + k12 * k12));
    }
    joint_mass_.resize(problem.joints.size());
    for (std::size_t j = 0; j < problem.joints.size(); ++j) {
        const auto& joint = problem.joints[j];
        std::array<std::array<double, kMaxRows>, kMaxRows> m{};
        for (int r = 0; r < joint.count; ++r)
            for (int s = 0; s <= r; ++s)
                m[r][s] = coupling(problem.nodes, joint, joint.rows[r], joint.rows[s]);
        joint_mass_[j].factor(m, joint.count);
    }
}

SolveResult SequentialSolver::solve(Problem& problem, int iterations, double tolerance) {
    prepare(problem);
    auto& c = problem.contacts;
    for (std::size_t k = 0; k < c.size(); ++k) {
        c.impulse_n[k] += c.guess_n[k], c.impulse_1[k] += c.guess_1[k], c.impulse_2[k] += c.guess_2[k];
        if (c.guess_n[k] == 0) continue;
        push(problem.nodes, c.a[k], c.b[k], points_[k].n, c.guess_n[k]);
        push(problem.nodes, c.a[k], c.b[k], points_[k].t1, c.guess_1[k]);
        push(problem.nodes, c.a[k], c.b[k], points_[k].t2, c.guess_2[k]);
    }
    for (auto& joint : problem.joints)
        for (int r = 0; r < joint.count; ++r) {
            joint.rows[r].impulse += joint.rows[r].guess;
            push(problem.nodes, joint, joint.rows[r], joint.rows[r].guess);
        }
    SolveResult result;
    while (result.iterations < iterations) {
        const double joint_change = sweep_joints(problem, result.iterations % 2 == 1);
        result.residual = std::max(joint_change, sweep_contacts(problem));
        ++result.iterations;
        if (result.residual <= tolerance) break;
    }
    return result;
}

double SequentialSolver::sweep_joints(Problem& problem, bool is_backward) {
    auto& nodes = problem.nodes;
    double largest = 0;
    const std::size_t n = problem.joints.size();
    for (std::size_t k = 0; k < n; ++k) {
        const std::size_t j = is_backward ? n - 1 - k : k;
        auto& joint = problem.joints[j];
        std::array<double, kMaxRows> x{};
        for (int r = 0; r < joint.count; ++r) {
            const auto& row = joint.rows[r];
            x[r] = -(dot(row.linear_a, nodes.v[joint.a]) + dot(row.angular_a, nodes.w[joint.a]) +
                     dot(row.linear_b, nodes.v[joint.b]) + dot(row.angular_b, nodes.w[joint.b]) + row.bias);
            largest = std::max(largest, std::abs(x[r]));
        }
        joint_mass_[j].solve(x);
        for (int r = 0; r < joint.count; ++r) {
            joint.rows[r].impulse += x[r];
            push(nodes, joint, joint.rows[r], x[r]);
        }
    }
    return largest;
}

double SequentialSolver::sweep_contacts(Problem& problem) {
    auto& nodes = problem.nodes;
    auto& c = problem.contacts;
    double largest = 0;
    for (std::size_t k = 0; k < c.size(); ++k) {
        const auto a = c.a[k], b = c.b[k];
        const Point& point = points_[k];
        const double vn = velocity_along(nodes, a, b, point.n);
        const double wanted = std::max(0.0, c.impulse_n[k] - point.mass_n * (vn + c.bias[k]));
        const double change = wanted - c.impulse_n[k];
        c.impulse_n[k] = wanted;
        if (change != 0) push(nodes, a, b, point.n, change);
        if (point.mass_n > 0) largest = std::max(largest, std::abs(change) / point.mass_n);

        const double limit = c.friction[k] * wanted;
        if (limit == 0 && c.impulse_1[k] == 0 && c.impulse_2[k] == 0) continue;
        const double u1 = velocity_along(nodes, a, b, point.t1), u2 = velocity_along(nodes, a, b, point.t2);
        double p1 = c.impulse_1[k] - (point.mass_11 * u1 + point.mass_12 * u2);
        double p2 = c.impulse_2[k] - (point.mass_12 * u1 + point.mass_22 * u2);
        if (p1 * p1 + p2 * p2 > limit * limit) {
            // Slipping: a step along -u with a scalar mass, so that at the fixed point friction opposes u
            // exactly (the 2x2 matrix would turn it), then back onto the disk.
            const double q1 = c.impulse_1[k] - point.mass_slip * u1;
            const double q2 = c.impulse_2[k] - point.mass_slip * u2;
            const double size = std::sqrt(q1 * q1 + q2 * q2);
            const double s = size > limit ? limit / size : 1;
            p1 = q1 * s, p2 = q2 * s;
        }
        const double slide = std::max(std::abs(p1 - c.impulse_1[k]), std::abs(p2 - c.impulse_2[k]));
        if (point.mass_slip > 0) largest = std::max(largest, slide / point.mass_slip);
        push(nodes, a, b, point.t1, p1 - c.impulse_1[k]);
        push(nodes, a, b, point.t2, p2 - c.impulse_2[k]);
        c.impulse_1[k] = p1, c.impulse_2[k] = p2;
    }
    return largest;
}

}  // namespace impuls
