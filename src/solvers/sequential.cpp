#include "solvers/sequential.h"

#include <algorithm>
#include <cmath>

namespace impuls {
namespace {

// Impulse p on b and -p on a at the contact point.
void push(Nodes& nodes, const ContactRows& c, std::size_t k, const Vec3& p) {
    const auto a = c.a[k], b = c.b[k];
    nodes.v[a] -= p * nodes.inv_mass[a];
    nodes.w[a] -= nodes.inv_inertia[a] * cross(c.ra[k], p);
    nodes.v[b] += p * nodes.inv_mass[b];
    nodes.w[b] += nodes.inv_inertia[b] * cross(c.rb[k], p);
}

Vec3 relative_velocity(const Nodes& nodes, const ContactRows& c, std::size_t k) {
    const auto a = c.a[k], b = c.b[k];
    return nodes.v[b] + cross(nodes.w[b], c.rb[k]) - nodes.v[a] - cross(nodes.w[a], c.ra[k]);
}

// d . K d' with K = J M^-1 J^T of the point.
double coupling(const Nodes& nodes, const ContactRows& c, std::size_t k, const Vec3& d, const Vec3& e) {
    const auto a = c.a[k], b = c.b[k];
    return (nodes.inv_mass[a] + nodes.inv_mass[b]) * dot(d, e) +
           dot(cross(c.ra[k], d), nodes.inv_inertia[a] * cross(c.ra[k], e)) +
           dot(cross(c.rb[k], d), nodes.inv_inertia[b] * cross(c.rb[k], e));
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
    for (auto* list : {&mass_n_, &mass_11_, &mass_12_, &mass_22_, &mass_slip_}) list->resize(c.size());
    for (std::size_t k = 0; k < c.size(); ++k) {
        mass_n_[k] = inverse_or_zero(coupling(problem.nodes, c, k, c.n[k], c.n[k]));
        const double k11 = coupling(problem.nodes, c, k, c.t1[k], c.t1[k]);
        const double k12 = coupling(problem.nodes, c, k, c.t1[k], c.t2[k]);
        const double k22 = coupling(problem.nodes, c, k, c.t2[k], c.t2[k]);
        const double s = inverse_or_zero(k11 * k22 - k12 * k12);
        mass_11_[k] = k22 * s, mass_12_[k] = -k12 * s, mass_22_[k] = k11 * s;
        const double spread = 0.5 * (k11 - k22);
        mass_slip_[k] = inverse_or_zero(0.5 * (k11 + k22) + std::sqrt(spread * spread + k12 * k12));
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
        push(problem.nodes, c, k, c.n[k] * c.guess_n[k] + c.t1[k] * c.guess_1[k] + c.t2[k] * c.guess_2[k]);
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
        const double vn = dot(relative_velocity(nodes, c, k), c.n[k]);
        const double wanted = std::max(0.0, c.impulse_n[k] - mass_n_[k] * (vn + c.bias[k]));
        const double change = wanted - c.impulse_n[k];
        c.impulse_n[k] = wanted;
        if (change != 0) push(nodes, c, k, c.n[k] * change);
        if (mass_n_[k] > 0) largest = std::max(largest, std::abs(change) / mass_n_[k]);

        const Vec3 u = relative_velocity(nodes, c, k);
        const double u1 = dot(u, c.t1[k]), u2 = dot(u, c.t2[k]);
        double p1 = c.impulse_1[k] - (mass_11_[k] * u1 + mass_12_[k] * u2);
        double p2 = c.impulse_2[k] - (mass_12_[k] * u1 + mass_22_[k] * u2);
        const double limit = c.friction[k] * c.impulse_n[k];
        if (p1 * p1 + p2 * p2 > limit * limit) {
            // Slipping: a step along -u with a scalar mass, so that at the fixed point friction opposes u
            // exactly (the 2x2 matrix would turn it), then back onto the disk.
            const double q1 = c.impulse_1[k] - mass_slip_[k] * u1;
            const double q2 = c.impulse_2[k] - mass_slip_[k] * u2;
            const double size = std::sqrt(q1 * q1 + q2 * q2);
            const double s = size > limit ? limit / size : 1;
            p1 = q1 * s, p2 = q2 * s;
        }
        const double d1 = p1 - c.impulse_1[k], d2 = p2 - c.impulse_2[k];
        c.impulse_1[k] = p1, c.impulse_2[k] = p2;
        if (d1 != 0 || d2 != 0) push(nodes, c, k, c.t1[k] * d1 + c.t2[k] * d2);
    }
    return largest;
}

}  // namespace impuls
