// Sparse block factorisation of joints (sparse.h).
#include "solvers/sparse.h"

#include <algorithm>
#include <cmath>

#include "base/assert.h"

namespace impuls {
namespace {

bool is_movable(const Nodes& nodes, std::uint32_t k) {
    if (nodes.inv_mass[k] > 0 || !nodes.is_body(k)) return nodes.inv_mass[k] > 0;
    const Mat3& i = nodes.inv_inertia[k];
    return i.c0.x > 0 || i.c1.y > 0 || i.c2.z > 0;
}

// J_r M^-1 J_s^T
double coupling(const Problem& problem, const Row& r, const Row& s) {
    double sum = 0;
    for (const RowPart& x : problem.rows.parts_of(r))
        for (const RowPart& y : problem.rows.parts_of(s))
            if (x.node == y.node) sum += coupling_of(problem.nodes, x, y);
    return sum;
}

}  // namespace

void SparseEquations::close_unknown() {
    if (unknowns_.size() > blocks_.size()) blocks_.add(unknowns_.back().count, nodes_);
}

void SparseEquations::find_unknowns(const Problem& problem, std::span<std::uint8_t> taken) {
    unknowns_.clear();
    blocks_.clear();
    for (const Block& block : problem.rows.blocks) {
        close_unknown();
        bool is_open = false;
        for (std::uint32_t r = block.first_row; r < block.first_row + block.row_count; ++r) {
            if (problem.rows.rows[r].is_bounded()) continue;
            if (!is_open || unknowns_.back().count == SparseBlocks::kMost) {
                close_unknown();
                unknowns_.emplace_back();
                nodes_.clear();
                is_open = true;
            }
            Unknown& unknown = unknowns_.back();
            IMPULS_ASSERT_INDEX(unknown.count, unknown.row.size());
            unknown.row[unknown.count++] = r;
            taken[r] = 1;
            for (const RowPart& part : problem.rows.parts_of(problem.rows.rows[r]))
                if (is_movable(problem.nodes, part.node) &&
                    std::find(nodes_.begin(), nodes_.end(), part.node) == nodes_.end())
                    nodes_.push_back(part.node);
        }
    }
    close_unknown();
}

void SparseEquations::prepare(const Problem& problem, std::span<std::uint8_t> taken) {
    IMPULS_ASSERT(taken.size() == problem.rows.rows.size());
    find_unknowns(problem, taken);
    const auto& rows = problem.rows.rows;
    blocks_.assemble([&](std::uint32_t at, std::uint32_t other, double* m) {
        const Unknown &i = unknowns_[at], &u = unknowns_[other];
        for (std::uint32_t r = 0; r < i.count; ++r)
            for (std::uint32_t s = 0; s < u.count; ++s) {
                *m = coupling(problem, rows[i.row[r]], rows[u.row[s]]);
                if (at == other && r == s) *m += rows[i.row[r]].compliance;
                ++m;
            }
    });
    blocks_.factor();
}

double SparseEquations::solve(Problem& problem) {
    double largest = 0;
    for (std::uint32_t k = 0; k < unknowns_.size(); ++k) {
        auto& x = blocks_.x(k);
        x = {};
        for (std::uint32_t r = 0; r < unknowns_[k].count; ++r) {
            const Row& row = problem.rows.rows[unknowns_[k].row[r]];
            x[r] = -(velocity_of(problem, row) + row.bias + row.compliance * row.impulse);
            largest = std::max(largest, row.length * std::abs(x[r]));
        }
    }
    blocks_.solve();
    for (std::uint32_t k = 0; k < unknowns_.size(); ++k)
        for (std::uint32_t r = 0; r < unknowns_[k].count; ++r) {
            const double x = blocks_.x(k)[r];
            Row& row = problem.rows.rows[unknowns_[k].row[r]];
            row.impulse += x;
            for (const RowPart& part : problem.rows.parts_of(row)) push(problem.nodes, part, x);
        }
    return largest;
}

}  // namespace impuls
