// A problem as one list of rows (row_system.h).
#include "solvers/row_system.h"

#include "base/assert.h"
#include "constraints/contact_side.h"

namespace impuls {

void RowSystem::add(const Nodes& nodes, std::uint32_t node, const Vec3& linear, const Vec3& angular) {
    IMPULS_ASSERT_INDEX(node, nodes.size());
    const RowPart part{node, linear, nodes.is_body(node) ? angular : Vec3{}};
    parts_.push_back({node, part.linear, part.angular, linear * nodes.inv_mass[node], turn_of(nodes, part)});
}

void RowSystem::close_row() {
    first_.push_back(static_cast<std::uint32_t>(parts_.size()));
    const std::size_t row = diagonal_.size();
    diagonal_.push_back(0);
    diagonal_[row] = coupling(row, row);
}

void RowSystem::build(const Problem& problem) {
    parts_.clear();
    diagonal_.clear();
    first_.assign(1, 0);
    for (const Row& row : problem.rows.rows) {
        for (const RowPart& part : problem.rows.parts_of(row))
            add(problem.nodes, part.node, part.linear, part.angular);
        close_row();
    }
    joint_rows_ = diagonal_.size();
    const ContactRows& c = problem.contacts;
    for (std::size_t k = 0; k < c.size(); ++k)
        for (const int row : {0, 1, 2}) {
            const Vec3& d = row == 0 ? c.n[k] : row == 1 ? c.t1[k] : c.t2[k];
            const Vec3 shift = row == 0 ? Vec3{} : c.shift[k];
            for_each_part(c, k, [&](std::uint32_t node, double weight, const Vec3& arm) {
                add(problem.nodes, node, d * weight, cross(arm + shift, d) * weight);
            });
            close_row();
        }
    turning_.assign(c.size(), kNone);
    for (std::size_t k = 0; k < c.size(); ++k) {
        if (!c.resists_turning(k)) continue;
        turning_[k] = diagonal_.size();
        for (const Vec3& d : {c.t1[k], c.t2[k], c.n[k]}) {
            add(problem.nodes, c.a[k], {}, -d);
            add(problem.nodes, c.b[k], {}, d);
            close_row();
        }
    }
}

double RowSystem::coupling(std::size_t i, std::size_t j) const {
    IMPULS_ASSERT(i < size() && j < size() && first_.size() == size() + 1);
    double sum = 0;
    for (auto p = first_[i]; p < first_[i + 1]; ++p)
        for (auto q = first_[j]; q < first_[j + 1]; ++q) {
            const Part &x = parts_[p], &y = parts_[q];
            if (x.node == y.node) sum += dot(x.linear, y.push) + dot(x.angular, y.turn);
        }
    return sum;
}

double RowSystem::velocity(const Nodes& nodes, std::size_t row) const {
    double sum = 0;
    for (auto p = first_[row]; p < first_[row + 1]; ++p)
        sum += velocity_of(nodes, RowPart{parts_[p].node, parts_[p].linear, parts_[p].angular});
    return sum;
}

void RowSystem::push(Nodes& nodes, std::size_t row, double impulse) const {
    for (auto p = first_[row]; p < first_[row + 1]; ++p) {
        nodes.v[parts_[p].node] += parts_[p].push * impulse;
        if (nodes.is_body(parts_[p].node)) nodes.w[parts_[p].node] += parts_[p].turn * impulse;
    }
}

void RowSystem::load(const Problem& problem, std::vector<double>& x) {
    x.clear();
    for (const Row& row : problem.rows.rows) x.push_back(row.impulse);
    const ContactRows& c = problem.contacts;
    for (std::size_t k = 0; k < c.size(); ++k)
        for (const double p : {c.impulse_n[k], c.impulse_1[k], c.impulse_2[k]}) x.push_back(p);
    for (std::size_t k = 0; k < c.size(); ++k)
        if (c.resists_turning(k))
            for (int i = 0; i < 3; ++i) x.push_back(c.torque_impulse[k][i]);
}

void RowSystem::store(const std::vector<double>& x, Problem& problem) {
    std::size_t r = 0;
    for (Row& row : problem.rows.rows) row.impulse = x[r++];
    ContactRows& c = problem.contacts;
    for (std::size_t k = 0; k < c.size(); ++k, r += 3) {
        c.impulse_n[k] = x[r];
        c.impulse_1[k] = x[r + 1];
        c.impulse_2[k] = x[r + 2];
    }
    for (std::size_t k = 0; k < c.size(); ++k)
        if (c.resists_turning(k))
            for (int i = 0; i < 3; ++i) c.torque_impulse[k][i] = x[r++];
    IMPULS_ASSERT(r == x.size());
}

void RowSystem::apply_guesses(Problem& problem) const {
    std::size_t r = 0;
    for (Row& row : problem.rows.rows) {
        row.impulse += row.guess;
        push(problem.nodes, r++, row.guess);
    }
    ContactRows& c = problem.contacts;
    for (std::size_t k = 0; k < c.size(); ++k, r += 3) {
        c.impulse_n[k] += c.guess_n[k];
        c.impulse_1[k] += c.guess_1[k];
        c.impulse_2[k] += c.guess_2[k];
        push(problem.nodes, r, c.guess_n[k]);
        push(problem.nodes, r + 1, c.guess_1[k]);
        push(problem.nodes, r + 2, c.guess_2[k]);
    }
    for (std::size_t k = 0; k < c.size(); ++k) {
        if (turning_[k] == kNone) continue;
        c.torque_impulse[k] += c.torque_guess[k];
        for (int i = 0; i < 3; ++i)
            push(problem.nodes, turning_[k] + static_cast<std::size_t>(i), c.torque_guess[k][i]);
    }
}

}  // namespace impuls
