// Sequential impulses (sequential.h).
#include "solvers/sequential.h"

#include <algorithm>
#include <cmath>

#include "base/assert.h"
#include "constraints/contact_side.h"

namespace impuls {
namespace {

double inverse_or_zero(double x) {
    return x > 0 ? 1 / x : 0;
}

}  // namespace

// Velocity of b relative to a along a direction.
template <bool kAllRigid>
inline double SequentialSolver::velocity_along(const Problem& problem, std::size_t k,
                                               const Direction& r) const {
    const Nodes& nodes = problem.nodes;
    if (!kAllRigid && !is_rigid(nodes, problem.contacts, k))
        return dot(r.d, relative_velocity(nodes, problem.contacts, k));
    const auto a = problem.contacts.a[k], b = problem.contacts.b[k];
    return dot(r.d, nodes.v[b] - nodes.v[a]) + dot(r.arm_b, nodes.w[b]) - dot(r.arm_a, nodes.w[a]);
}

// Impulse p on b and -p on a along a direction.
template <bool kAllRigid>
inline void SequentialSolver::apply(Problem& problem, std::size_t k, const Direction& r, double p) const {
    Nodes& nodes = problem.nodes;
    if (!kAllRigid && !is_rigid(nodes, problem.contacts, k)) {
        apply_impulse(nodes, problem.contacts, k, r.d * p);
        return;
    }
    const auto a = problem.contacts.a[k], b = problem.contacts.b[k];
    nodes.v[a] -= r.d * (p * nodes.inv_mass[a]);
    nodes.w[a] -= r.turn_a * p;
    nodes.v[b] += r.d * (p * nodes.inv_mass[b]);
    nodes.w[b] += r.turn_b * p;
}

void SequentialSolver::prepare_points(const Problem& problem) {
    const auto& c = problem.contacts;
    const auto& nodes = problem.nodes;
    assert_whole(problem);
    points_.resize(c.size());
    are_rigid_ = true;
    for (std::size_t k = 0; k < c.size(); ++k) {
        const auto a = c.a[k], b = c.b[k];
        const bool is_plain = is_rigid(nodes, c, k);
        are_rigid_ = are_rigid_ && is_plain;
        const auto direction = [&](const Vec3& d, const Vec3& shift) {
            if (!is_plain) return Direction{d, {}, {}, {}, {}};
            Direction r{d, cross(c.ra[k] + shift, d), cross(c.rb[k] + shift, d), {}, {}};
            r.turn_a = nodes.inv_inertia[a] * r.arm_a;
            r.turn_b = nodes.inv_inertia[b] * r.arm_b;
            return r;
        };
        // i . K j with K = J M^-1 J^T of the point
        const auto coupling = [&](const Direction& i, const Direction& j) {
            if (!is_plain) return coupling_of(nodes, c, k, i.d, k, j.d);
            return (nodes.inv_mass[a] + nodes.inv_mass[b]) * dot(i.d, j.d) + dot(i.arm_a, j.turn_a) +
                   dot(i.arm_b, j.turn_b);
        };
        Point& point = points_[k];
        point.n = direction(c.n[k], {});
        point.t1 = direction(c.t1[k], c.shift[k]);
        point.t2 = direction(c.t2[k], c.shift[k]);
        point.mass_n = c.is_given[k] ? 0 : inverse_or_zero(coupling(point.n, point.n) + c.compliance[k]);
        const double k11 = coupling(point.t1, point.t1), k12 = coupling(point.t1, point.t2);
        const double k22 = coupling(point.t2, point.t2), spread = 0.5 * (k11 - k22);
        const double s = inverse_or_zero(k11 * k22 - k12 * k12);
        point.mass_11 = k22 * s;
        point.mass_12 = -k12 * s;
        point.mass_22 = k11 * s;
        point.mass_slip = inverse_or_zero(0.5 * (k11 + k22) + std::sqrt(spread * spread + k12 * k12));
    }
    turning_.clear();
    for (std::size_t k = 0; k < c.size(); ++k) {
        if (!c.resists_turning(k)) continue;
        turning_.resize(c.size());
        const Mat3 &a = nodes.inv_inertia[c.a[k]], &b = nodes.inv_inertia[c.b[k]];
        const Mat3 sum{a.c0 + b.c0, a.c1 + b.c1, a.c2 + b.c2};
        const double k11 = dot(c.t1[k], sum * c.t1[k]), k12 = dot(c.t1[k], sum * c.t2[k]);
        const double k22 = dot(c.t2[k], sum * c.t2[k]), spread = 0.5 * (k11 - k22);
        turning_[k] = {inverse_or_zero(0.5 * (k11 + k22) + std::sqrt(spread * spread + k12 * k12)),
                       inverse_or_zero(dot(c.n[k], sum * c.n[k]))};
    }
}

namespace {
bool is_solved_at_once(const Rows& rows, const Block& block) {
    if (block.row_count > SmallLdlt::kMax) return false;
    for (const Row& row : rows.rows_of(block))
        if (row.is_bounded()) return false;
    return true;
}
}  // namespace

void SequentialSolver::prepare_rows(const Problem& problem) {
    const Rows& rows = problem.rows;
    const Nodes& nodes = problem.nodes;
    turn_.resize(rows.parts.size());
    for (std::size_t p = 0; p < rows.parts.size(); ++p) turn_[p] = turn_of(nodes, rows.parts[p]);
    // J_i M^-1 J_j^T
    const auto coupling = [&](const Row& i, const Row& j) {
        double sum = 0;
        for (auto p = i.first_part; p < i.first_part + i.part_count; ++p)
            for (auto q = j.first_part; q < j.first_part + j.part_count; ++q) {
                const RowPart &x = rows.parts[p], &y = rows.parts[q];
                if (x.node == y.node)
                    sum += nodes.inv_mass[x.node] * dot(x.linear, y.linear) + dot(x.angular, turn_[q]);
            }
        return sum;
    };
    mass_.resize(rows.rows.size());
    masses_.resize(rows.blocks.size());
    for (std::size_t b = 0; b < rows.blocks.size(); ++b) {
        const auto block = rows.rows_of(rows.blocks[b]);
        const auto first = rows.blocks[b].first_row;
        masses_[b].n = 0;
        if (!is_solved_at_once(rows, rows.blocks[b])) {
            for (std::size_t r = 0; r < block.size(); ++r)
                mass_[first + r] = inverse_or_zero(coupling(block[r], block[r]) + block[r].compliance);
            continue;
        }
        SmallLdlt::Matrix m{};
        for (std::size_t r = 0; r < block.size(); ++r) {
            for (std::size_t s = 0; s <= r; ++s) m[r][s] = coupling(block[r], block[s]);
            m[r][r] += block[r].compliance;
        }
        masses_[b].factor(m, static_cast<int>(block.size()));
    }
}

void SequentialSolver::push(Problem& problem, const Row& row, double impulse) const {
    Nodes& nodes = problem.nodes;
    for (auto p = row.first_part; p < row.first_part + row.part_count; ++p) {
        const RowPart& part = problem.rows.parts[p];
        nodes.v[part.node] += part.linear * (impulse * nodes.inv_mass[part.node]);
        if (nodes.is_body(part.node)) nodes.w[part.node] += turn_[p] * impulse;
    }
}

void SequentialSolver::prepare(const Problem& problem, std::span<const std::uint8_t> left_out) {
    left_out_ = left_out;
    prepare_points(problem);
    prepare_rows(problem);
}

void SequentialSolver::apply_guesses(Problem& problem) const {
    auto& c = problem.contacts;
    for (std::size_t k = 0; k < c.size(); ++k) {
        if (c.guess_n[k] == 0) continue;  // friction alone, of a point that others unloaded, guesses nothing
        c.impulse_n[k] += c.guess_n[k];
        c.impulse_1[k] += c.guess_1[k];
        c.impulse_2[k] += c.guess_2[k];
        apply<false>(problem, k, points_[k].n, c.guess_n[k]);
        apply<false>(problem, k, points_[k].t1, c.guess_1[k]);
        apply<false>(problem, k, points_[k].t2, c.guess_2[k]);
        if (!c.resists_turning(k)) continue;
        c.torque_impulse[k] += c.torque_guess[k];
        turn(problem, k, c.torque_guess[k]);
    }
    for (Row& row : problem.rows.rows) {
        row.impulse += row.guess;
        push(problem, row, row.guess);
    }
}

SolveResult SequentialSolver::solve(Problem& problem, const SolveSettings& settings) {
    prepare(problem, {});
    apply_guesses(problem);
    SolveResult result;
    while (result.iterations < settings.iterations) {
        check_stop(settings.stop);
        const double row_change = sweep_rows(problem, result.iterations % 2 == 1);
        result.residual = std::max(row_change, sweep_contacts(problem));
        ++result.iterations;
        result.work += problem.rows.rows.size() + 3 * problem.contacts.size();
        if (result.residual <= settings.tolerance) break;
    }
    return result;
}

double SequentialSolver::sweep_rows(Problem& problem, bool is_backward) {
    Rows& rows = problem.rows;
    double largest = 0;
    const std::size_t n = rows.blocks.size();
    for (std::size_t k = 0; k < n; ++k) {
        const std::size_t b = is_backward ? n - 1 - k : k;
        const auto block = rows.rows_of(rows.blocks[b]);
        const auto is_left_out = [&](std::size_t r) {
            return !left_out_.empty() && left_out_[rows.blocks[b].first_row + r] != 0;
        };
        const auto lack = [&](const Row& row) {
            return -(velocity_of(problem, row) + row.bias + row.compliance * row.impulse);
        };
        if (masses_[b].n == 0) {
            for (std::size_t r = 0; r < block.size(); ++r) {
                if (is_left_out(r)) continue;
                Row& row = block[r];
                const double mass = mass_[rows.blocks[b].first_row + r];
                const double wanted = std::clamp(row.impulse + mass * lack(row), row.lower, row.upper);
                const double change = wanted - row.impulse;
                row.impulse = wanted;
                if (change == 0) continue;
                push(problem, row, change);
                if (mass > 0) largest = std::max(largest, row.length * (std::abs(change) / mass));
            }
            continue;
        }
        if (block.empty() || is_left_out(0)) continue;  // all of them
        std::array<double, SmallLdlt::kMax> x{};
        for (std::size_t r = 0; r < block.size(); ++r) {
            x[r] = lack(block[r]);
            largest = std::max(largest, block[r].length * std::abs(x[r]));
        }
        masses_[b].solve(x);
        for (std::size_t r = 0; r < block.size(); ++r) {
            block[r].impulse += x[r];
            push(problem, block[r], x[r]);
        }
    }
    return largest;
}

double SequentialSolver::correct_block(Problem& problem, std::size_t b, double h) const {
    const Block& place = problem.rows.blocks[b];
    const auto block = problem.rows.rows_of(place);
    std::array<double, SmallLdlt::kMax> x{};
    double largest = 0;
    const bool is_at_once = masses_[b].n > 0;
    for (std::size_t r = 0; r < block.size(); ++r) {
        if (!block[r].is_equation()) continue;
        largest = std::max(largest, block[r].length * std::abs(block[r].error));
        const double change = -block[r].error / h;
        if (is_at_once)
            x[r] = change;
        else {
            block[r].impulse += mass_[place.first_row + r] * change;
            push(problem, block[r], mass_[place.first_row + r] * change);
        }
    }
    if (!is_at_once) return largest;
    masses_[b].solve(x);
    for (std::size_t r = 0; r < block.size(); ++r) {
        block[r].impulse += x[r];
        push(problem, block[r], x[r]);
    }
    return largest;
}

template <bool kAllRigid>
inline double SequentialSolver::normal_velocity_of(const Problem& problem, std::size_t k) const {
    const auto& c = problem.contacts;
    return velocity_along<kAllRigid>(problem, k, points_[k].n) + c.bias[k] + c.compliance[k] * c.impulse_n[k];
}

double SequentialSolver::normal_velocity(const Problem& problem, std::size_t k) const {
    return are_rigid_ ? normal_velocity_of<true>(problem, k) : normal_velocity_of<false>(problem, k);
}

double SequentialSolver::normal_coupling(const Problem& problem, std::size_t k, std::size_t l) const {
    const auto& c = problem.contacts;
    const Direction &i = points_[k].n, &j = points_[l].n;
    if (!are_rigid_ && !is_rigid(problem.nodes, c, k)) return coupling_of(problem.nodes, c, k, i.d, l, j.d);
    return (problem.nodes.inv_mass[c.a[k]] + problem.nodes.inv_mass[c.b[k]]) * dot(i.d, j.d) +
           dot(i.arm_a, j.turn_a) + dot(i.arm_b, j.turn_b);
}

void SequentialSolver::push_normal(Problem& problem, std::size_t k, double impulse) const {
    auto& c = problem.contacts;
    c.impulse_n[k] += impulse;
    apply<false>(problem, k, points_[k].n, impulse);
}

template <bool kAllRigid>
inline double SequentialSolver::solve_normal_of(Problem& problem, std::size_t k) const {
    auto& c = problem.contacts;
    const Point& point = points_[k];
    const double wanted =
        std::max(c.least[k], c.impulse_n[k] - point.mass_n * normal_velocity_of<kAllRigid>(problem, k));
    const double change = wanted - c.impulse_n[k];
    c.impulse_n[k] = wanted;
    if (change != 0) apply<kAllRigid>(problem, k, point.n, change);
    return point.mass_n > 0 ? std::abs(change) / point.mass_n : 0;
}

template <bool kAllRigid>
inline double SequentialSolver::solve_friction_of(Problem& problem, std::size_t k) const {
    auto& c = problem.contacts;
    const Point& point = points_[k];
    double largest = !turning_.empty() && c.resists_turning(k) ? resist_turning(problem, k) : 0;
    const double limit = c.friction[k] * c.impulse_n[k];
    if (limit == 0 && c.impulse_1[k] == 0 && c.impulse_2[k] == 0) return largest;
    const double u1 = velocity_along<kAllRigid>(problem, k, point.t1) + c.bias_1[k];
    const double u2 = velocity_along<kAllRigid>(problem, k, point.t2) + c.bias_2[k];
    double p1 = c.impulse_1[k] - (point.mass_11 * u1 + point.mass_12 * u2);
    double p2 = c.impulse_2[k] - (point.mass_12 * u1 + point.mass_22 * u2);
    if (!c.friction_set.contains(limit, p1, p2)) {
        // Slipping: a step along -u with a scalar mass, so that at the fixed point friction opposes u as the
        // set has it (the 2x2 matrix would turn it), then back onto the set.
        p1 = c.impulse_1[k] - point.mass_slip * u1;
        p2 = c.impulse_2[k] - point.mass_slip * u2;
        c.friction_set.project(limit, p1, p2);
    }
    const double slide = std::max(std::abs(p1 - c.impulse_1[k]), std::abs(p2 - c.impulse_2[k]));
    if (point.mass_slip > 0) largest = std::max(largest, slide / point.mass_slip);
    apply<kAllRigid>(problem, k, point.t1, p1 - c.impulse_1[k]);
    apply<kAllRigid>(problem, k, point.t2, p2 - c.impulse_2[k]);
    c.impulse_1[k] = p1;
    c.impulse_2[k] = p2;
    return largest;
}

double SequentialSolver::solve_normal(Problem& problem, std::size_t k) const {
    return are_rigid_ ? solve_normal_of<true>(problem, k) : solve_normal_of<false>(problem, k);
}

double SequentialSolver::solve_friction(Problem& problem, std::size_t k) const {
    return are_rigid_ ? solve_friction_of<true>(problem, k) : solve_friction_of<false>(problem, k);
}

template <bool kAllRigid>
double SequentialSolver::sweep_contacts_of(Problem& problem) const {
    double largest = 0;
    for (std::size_t k = 0; k < problem.contacts.size(); ++k) {
        largest = std::max(largest, solve_normal_of<kAllRigid>(problem, k));
        largest = std::max(largest, solve_friction_of<kAllRigid>(problem, k));
    }
    return largest;
}

double SequentialSolver::sweep_contacts(Problem& problem) {
    return are_rigid_ ? sweep_contacts_of<true>(problem) : sweep_contacts_of<false>(problem);
}

// Torque impulse (along t1, t2, n) on b, and its opposite on a.
void SequentialSolver::turn(Problem& problem, std::size_t k, const Vec3& impulse) const {
    const auto& c = problem.contacts;
    Nodes& nodes = problem.nodes;
    const Vec3 l = c.t1[k] * impulse.x + c.t2[k] * impulse.y + c.n[k] * impulse.z;
    nodes.w[c.a[k]] -= nodes.inv_inertia[c.a[k]] * l;
    nodes.w[c.b[k]] += nodes.inv_inertia[c.b[k]] * l;
}

// Rolling: a disk of radius rolling * impulse_n in the tangent plane; spinning: an interval along the normal.
double SequentialSolver::resist_turning(Problem& problem, std::size_t k) const {
    auto& c = problem.contacts;
    const Turning& turning = turning_[k];
    const Vec3 w = problem.nodes.w[c.b[k]] - problem.nodes.w[c.a[k]];
    Vec3 wanted = c.torque_impulse[k];
    wanted.x -= turning.mass_t * dot(w, c.t1[k]);
    wanted.y -= turning.mass_t * dot(w, c.t2[k]);
    static constexpr FrictionSet kDisk;
    kDisk.project(c.rolling[k] * c.impulse_n[k], wanted.x, wanted.y);
    const double most = c.torsion[k] * c.impulse_n[k];
    wanted.z = std::clamp(wanted.z - turning.mass_n * dot(w, c.n[k]), -most, most);
    const Vec3 change = wanted - c.torque_impulse[k];
    c.torque_impulse[k] = wanted;
    if (change == Vec3{}) return 0;
    turn(problem, k, change);
    const double slow =
        turning.mass_t > 0 ? std::max(std::abs(change.x), std::abs(change.y)) / turning.mass_t : 0;
    return c.lever(k) * std::max(slow, turning.mass_n > 0 ? std::abs(change.z) / turning.mass_n : 0);
}

}  // namespace impuls
