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

// target -= a b^T, with blocks of i x u and j x u. Ball joints (3 rows) are most of all there is, and loops
// of known length are several times as fast.
template <std::uint32_t N>
void subtract_sized(double* target, const double* a, const double* b, std::uint32_t i, std::uint32_t j,
                    std::uint32_t u) {
    if constexpr (N > 0) i = j = u = N;
    double product[36];
    for (std::uint32_t r = 0; r < i; ++r)
        for (std::uint32_t s = 0; s < j; ++s) {
            double sum = 0;
            for (std::uint32_t k = 0; k < u; ++k) sum += a[r * u + k] * b[s * u + k];
            product[r * j + s] = sum;
        }
    for (std::uint32_t k = 0; k < i * j; ++k) target[k] -= product[k];
}

void subtract_product(double* target, const double* a, const double* b, std::uint32_t i, std::uint32_t j,
                      std::uint32_t u) {
    if (i == 3 && j == 3 && u == 3)
        subtract_sized<3>(target, a, b, i, j, u);
    else
        subtract_sized<0>(target, a, b, i, j, u);
}

}  // namespace

void SparseEquations::find_unknowns(const Problem& problem, std::span<std::uint8_t> taken) {
    unknowns_.clear(), nodes_.clear();
    for (const Block& block : problem.rows.blocks) {
        bool is_open = false;
        for (std::uint32_t r = block.first_row; r < block.first_row + block.row_count; ++r) {
            if (problem.rows.rows[r].is_bounded()) continue;
            if (!is_open || unknowns_.back().count == 6) {
                unknowns_.emplace_back();
                unknowns_.back().first_node = static_cast<std::uint32_t>(nodes_.size());
                is_open = true;
            }
            Unknown& unknown = unknowns_.back();
            IMPULS_ASSERT_INDEX(unknown.count, unknown.row.size());
            unknown.row[unknown.count++] = r;
            taken[r] = 1;
            for (const RowPart& part : problem.rows.parts_of(problem.rows.rows[r])) {
                const auto first = nodes_.begin() + unknown.first_node;
                if (is_movable(problem.nodes, part.node) &&
                    std::find(first, nodes_.end(), part.node) == nodes_.end())
                    nodes_.push_back(part.node);
            }
            unknown.end_node = static_cast<std::uint32_t>(nodes_.size());
        }
    }
    starts_.clear();
    for (const Unknown& unknown : unknowns_)
        starts_.push_back(unknown.first_node), starts_.push_back(unknown.count);
}

// Least degree: of the unknowns that are left the one with the fewest neighbours goes next (ties: the first),
// and its neighbours become neighbours of each other. They are the rows of its column.
void SparseEquations::find_order() {
    const auto n = static_cast<std::uint32_t>(unknowns_.size());
    const auto most = nodes_.empty() ? 0 : *std::max_element(nodes_.begin(), nodes_.end()) + 1;
    at_node_.resize(std::max<std::size_t>(at_node_.size(), most));
    neighbours_.resize(std::max<std::size_t>(neighbours_.size(), n));
    for (auto& list : at_node_) list.clear();
    for (auto& list : neighbours_) list.clear();
    for (std::uint32_t u = 0; u < n; ++u)
        for (auto k = unknowns_[u].first_node; k < unknowns_[u].end_node; ++k) {
            for (const std::uint32_t other : at_node_[nodes_[k]]) {
                if (other == u) continue;
                neighbours_[u].push_back(other), neighbours_[other].push_back(u);
            }
            at_node_[nodes_[k]].push_back(u);
        }
    for (auto& list : neighbours_) {
        std::sort(list.begin(), list.end());
        list.erase(std::unique(list.begin(), list.end()), list.end());
    }
    constexpr std::uint32_t kNotYet = 0xffffffff;
    order_.clear(), block_row_.clear();
    columns_.assign(n, {kNotYet, 0, 0});
    for (std::uint32_t step = 0; step < n; ++step) {
        std::uint32_t next = kNotYet;
        for (std::uint32_t u = 0; u < n; ++u)
            if (columns_[u].place == kNotYet &&
                (next == kNotYet || neighbours_[u].size() < neighbours_[next].size()))
                next = u;
        IMPULS_ASSERT_INDEX(next, n);
        Column& pivot = columns_[next];
        pivot.place = step;
        order_.push_back(next);
        pivot.first_block = static_cast<std::uint32_t>(block_row_.size());
        block_row_.insert(block_row_.end(), neighbours_[next].begin(), neighbours_[next].end());
        pivot.end_block = static_cast<std::uint32_t>(block_row_.size());
        for (const std::uint32_t u : neighbours_[next]) {
            merged_.clear();
            std::set_union(neighbours_[u].begin(), neighbours_[u].end(), neighbours_[next].begin(),
                           neighbours_[next].end(), std::back_inserter(merged_));
            std::erase_if(merged_, [&](std::uint32_t k) { return k == u || k == next; });
            neighbours_[u].assign(merged_.begin(), merged_.end());
        }
    }
    place_blocks();
}

// Rows of a column in the order of their elimination, and where each block's numbers are.
void SparseEquations::place_blocks() {
    for (const Column& column : columns_)
        std::sort(block_row_.begin() + column.first_block, block_row_.begin() + column.end_block,
                  [&](std::uint32_t i, std::uint32_t j) { return columns_[i].place < columns_[j].place; });
    first_value_.resize(block_row_.size());
    std::uint32_t values = 0;
    for (const std::uint32_t u : order_)
        for (auto b = columns_[u].first_block; b < columns_[u].end_block; ++b) {
            first_value_[b] = values;
            values += unknowns_[block_row_[b]].count * unknowns_[u].count;
        }
    values_.resize(values);
    IMPULS_ASSERT(order_.size() == unknowns_.size());
}

bool SparseEquations::share_a_node(const Unknown& i, const Unknown& u) const {
    const auto first = nodes_.begin() + i.first_node, end = nodes_.begin() + i.end_node;
    return std::any_of(nodes_.begin() + u.first_node, nodes_.begin() + u.end_node,
                       [&](std::uint32_t node) { return std::find(first, end, node) != end; });
}

void SparseEquations::assemble(const Problem& problem) {
    IMPULS_ASSERT(columns_.size() == unknowns_.size() && first_value_.size() == block_row_.size());
    std::fill(values_.begin(), values_.end(), 0.0);
    const auto& rows = problem.rows.rows;
    const auto fill = [&](const Unknown& i, const Unknown& u, double* m) {
        for (std::uint32_t r = 0; r < i.count; ++r)
            for (std::uint32_t s = 0; s < u.count; ++s)
                m[r * u.count + s] = coupling(problem, rows[i.row[r]], rows[u.row[s]]);
    };
    for (std::size_t at = 0; at < unknowns_.size(); ++at) {
        Unknown& u = unknowns_[at];
        fill(u, u, u.diagonal.data());
        for (std::uint32_t r = 0; r < u.count; ++r) u.diagonal[r * u.count + r] += rows[u.row[r]].compliance;
        for (auto b = columns_[at].first_block; b < columns_[at].end_block; ++b)
            if (const Unknown& i = unknowns_[block_row_[b]]; share_a_node(i, u))
                fill(i, u, &values_[first_value_[b]]);
    }
}

// A_iu S^-1 for each row i of the column of u.
void SparseEquations::scale_column(const Unknown& u, const Column& column) {
    std::size_t size = 0;
    for (auto b = column.first_block; b < column.end_block; ++b)
        size += unknowns_[block_row_[b]].count * u.count;
    scaled_.resize(size);
    double* out = scaled_.data();
    for (auto b = column.first_block; b < column.end_block; ++b)
        for (std::uint32_t r = 0; r < unknowns_[block_row_[b]].count; ++r) {
            std::array<double, 6> x{};
            std::copy_n(&values_[first_value_[b] + r * u.count], u.count, x.begin());
            u.inverse.solve(x);
            out = std::copy_n(x.begin(), u.count, out);
        }
}

void SparseEquations::factor() {
    for (Unknown& u : unknowns_)  // what pivots are measured against
        for (std::uint32_t r = 0; r < u.count; ++r) u.x[r] = kCut * u.diagonal[r * u.count + r];
    for (const std::uint32_t at : order_) {
        Unknown& u = unknowns_[at];
        const Column& column = columns_[at];
        Matrix pivot{};
        for (std::uint32_t r = 0; r < u.count; ++r)
            std::copy_n(&u.diagonal[r * u.count], u.count, pivot[r].begin());
        u.inverse.factor(pivot, static_cast<int>(u.count), u.x);
        work_ += u.count;
        scale_column(u, column);
        // A_ij -= A_iu S^-1 A_ju^T for each two rows of the column, j before i. The rows after j are rows of
        // j's column, too, in the same order.
        const double* scaled = scaled_.data();
        for (auto c = column.first_block; c < column.end_block; ++c) {
            Unknown& j = unknowns_[block_row_[c]];
            subtract_product(j.diagonal.data(), &values_[first_value_[c]], scaled, j.count, j.count, u.count);
            work_ += j.count;
            auto target = columns_[block_row_[c]].first_block;
            for (auto b = c + 1; b < column.end_block; ++b) {
                while (block_row_[target] != block_row_[b]) ++target;
                IMPULS_ASSERT(target < columns_[block_row_[c]].end_block);
                const std::uint32_t count = unknowns_[block_row_[b]].count;
                subtract_product(&values_[first_value_[target]], &values_[first_value_[b]], scaled, count,
                                 j.count, u.count);
                work_ += count;
            }
            scaled += j.count * u.count;
        }
        if (column.first_block == column.end_block) continue;
        IMPULS_ASSERT(first_value_[column.first_block] + scaled_.size() <= values_.size());
        std::copy(scaled_.begin(), scaled_.end(), values_.begin() + first_value_[column.first_block]);
    }
}

void SparseEquations::prepare(const Problem& problem, std::span<std::uint8_t> taken) {
    IMPULS_ASSERT(taken.size() == problem.rows.rows.size());
    work_ = 0;
    find_unknowns(problem, taken);
    if (nodes_ != known_nodes_ || starts_ != known_starts_) {
        find_order();
        known_nodes_ = nodes_, known_starts_ = starts_;
    }
    assemble(problem);
    factor();
}

double SparseEquations::solve(Problem& problem) {
    double largest = 0;
    for (Unknown& u : unknowns_) {
        u.x = {};
        for (std::uint32_t r = 0; r < u.count; ++r) {
            const Row& row = problem.rows.rows[u.row[r]];
            u.x[r] = -(velocity_of(problem, row) + row.bias + row.compliance * row.impulse);
            largest = std::max(largest, row.length * std::abs(u.x[r]));
        }
    }
    for (const std::uint32_t at : order_) {
        const Unknown& u = unknowns_[at];
        for (auto b = columns_[at].first_block; b < columns_[at].end_block; ++b) {
            Unknown& i = unknowns_[block_row_[b]];
            work_ += i.count;
            const double* value = &values_[first_value_[b]];
            for (std::uint32_t r = 0; r < i.count; ++r)
                for (std::uint32_t s = 0; s < u.count; ++s) i.x[r] -= *value++ * u.x[s];
        }
    }
    for (auto step = order_.rbegin(); step != order_.rend(); ++step) {
        Unknown& u = unknowns_[*step];
        u.inverse.solve(u.x);
        work_ += u.count;
        for (auto b = columns_[*step].first_block; b < columns_[*step].end_block; ++b) {
            const Unknown& i = unknowns_[block_row_[b]];
            const double* value = &values_[first_value_[b]];
            for (std::uint32_t r = 0; r < i.count; ++r)
                for (std::uint32_t s = 0; s < u.count; ++s) u.x[s] -= *value++ * i.x[r];
        }
    }
    for (const Unknown& u : unknowns_)
        for (std::uint32_t r = 0; r < u.count; ++r) {
            Row& row = problem.rows.rows[u.row[r]];
            row.impulse += u.x[r];
            for (const RowPart& part : problem.rows.parts_of(row)) push(problem.nodes, part, u.x[r]);
        }
    return largest;
}

}  // namespace impuls
