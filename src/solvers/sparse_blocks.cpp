// Order, factor and substitution (sparse_blocks.h).
#include "solvers/sparse_blocks.h"

#include <algorithm>
#include <functional>

namespace impuls {
namespace {

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
    else if (i == 5 && j == 5 && u == 5)
        subtract_sized<5>(target, a, b, i, j, u);
    else
        subtract_sized<0>(target, a, b, i, j, u);
}

// y -= m x, or with kTransposed y -= m^T x, of a block m of `rows` by `columns`.
template <std::uint32_t N, bool kTransposed>
void subtract_image(const double* m, std::uint32_t rows, std::uint32_t columns, const double* x, double* y) {
    if constexpr (N > 0) rows = columns = N;
    for (std::uint32_t r = 0; r < rows; ++r)
        for (std::uint32_t s = 0; s < columns; ++s)
            if constexpr (kTransposed)
                y[s] -= m[r * columns + s] * x[r];
            else
                y[r] -= m[r * columns + s] * x[s];
}

std::uint64_t queued(std::size_t degree, std::uint32_t unknown) {
    return static_cast<std::uint64_t>(degree) << 32 | unknown;
}

}  // namespace

void SparseBlocks::clear() {
    unknowns_.clear();
    keys_.clear();
    starts_.clear();
    work_ = 0;
}

void SparseBlocks::add(std::uint32_t count, std::span<const std::uint32_t> keys) {
    IMPULS_ASSERT(0 < count && count <= kMost);
    Unknown& u = unknowns_.emplace_back();
    u.count = count;
    u.first_key = static_cast<std::uint32_t>(keys_.size());
    keys_.insert(keys_.end(), keys.begin(), keys.end());
    u.end_key = static_cast<std::uint32_t>(keys_.size());
    starts_.push_back(u.first_key);
    starts_.push_back(count);
}

void SparseBlocks::arrange() {
    if (keys_ != known_keys_ || starts_ != known_starts_) {
        find_neighbours();
        find_order();
        place_blocks();
        find_targets();
        known_keys_ = keys_;
        known_starts_ = starts_;
    }
    std::fill(values_.begin(), values_.end(), 0.0);
}

void SparseBlocks::find_neighbours() {
    const auto n = static_cast<std::uint32_t>(unknowns_.size());
    const std::size_t most = keys_.empty() ? 0 : *std::max_element(keys_.begin(), keys_.end()) + 1;
    at_key_.resize(std::max(at_key_.size(), most));
    neighbours_.resize(std::max<std::size_t>(neighbours_.size(), n));
    for (auto& list : at_key_) list.clear();
    for (auto& list : neighbours_) list.clear();
    for (std::uint32_t u = 0; u < n; ++u)
        for (auto k = unknowns_[u].first_key; k < unknowns_[u].end_key; ++k) {
            for (const std::uint32_t other : at_key_[keys_[k]]) {
                if (other == u) continue;
                neighbours_[u].push_back(other);
                neighbours_[other].push_back(u);
            }
            at_key_[keys_[k]].push_back(u);
        }
    for (auto& list : neighbours_) {
        std::sort(list.begin(), list.end());
        list.erase(std::unique(list.begin(), list.end()), list.end());
    }
}

// Least degree: of the unknowns that are left the one with the fewest neighbours goes next (ties: the first),
// and its neighbours become neighbours of each other. They are the rows of its column.
void SparseBlocks::find_order() {
    constexpr std::uint32_t kNotYet = 0xffffffff;
    const auto n = static_cast<std::uint32_t>(unknowns_.size());
    order_.clear();
    block_row_.clear();
    columns_.assign(n, {kNotYet, 0, 0});
    queue_.clear();
    for (std::uint32_t u = 0; u < n; ++u) queue_.push_back(queued(neighbours_[u].size(), u));
    std::make_heap(queue_.begin(), queue_.end(), std::greater<>{});
    while (!queue_.empty()) {
        std::pop_heap(queue_.begin(), queue_.end(), std::greater<>{});
        const auto next = static_cast<std::uint32_t>(queue_.back());
        const std::size_t degree = queue_.back() >> 32;
        queue_.pop_back();
        Column& pivot = columns_[next];
        if (pivot.place != kNotYet || degree != neighbours_[next].size()) continue;
        pivot.place = static_cast<std::uint32_t>(order_.size());
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
            queue_.push_back(queued(merged_.size(), u));
            std::push_heap(queue_.begin(), queue_.end(), std::greater<>{});
        }
    }
    IMPULS_ASSERT(order_.size() == n);
}

// Rows of a column in the order of their elimination, and where each block's numbers are.
void SparseBlocks::place_blocks() {
    for (const Column& column : columns_)
        std::sort(block_row_.begin() + column.first_block, block_row_.begin() + column.end_block,
                  [&](std::uint32_t i, std::uint32_t j) { return columns_[i].place < columns_[j].place; });
    first_value_.resize(block_row_.size());
    is_own_.resize(block_row_.size());
    std::uint32_t values = 0;
    for (const std::uint32_t u : order_)
        for (auto b = columns_[u].first_block; b < columns_[u].end_block; ++b) {
            first_value_[b] = values;
            is_own_[b] = share_a_key(unknowns_[block_row_[b]], unknowns_[u]);
            values += unknowns_[block_row_[b]].count * unknowns_[u].count;
        }
    values_.resize(values);
}

// The rows of u's column after j are rows of j's column, too, in the same order.
void SparseBlocks::find_targets() {
    target_.clear();
    for (const std::uint32_t u : order_) {
        const Column& column = columns_[u];
        for (auto c = column.first_block; c < column.end_block; ++c) {
            auto target = columns_[block_row_[c]].first_block;
            for (auto b = c + 1; b < column.end_block; ++b) {
                while (block_row_[target] != block_row_[b]) ++target;
                IMPULS_ASSERT(target < columns_[block_row_[c]].end_block);
                target_.push_back(first_value_[target]);
            }
        }
    }
}

bool SparseBlocks::share_a_key(const Unknown& i, const Unknown& u) const {
    const auto first = keys_.begin() + i.first_key, end = keys_.begin() + i.end_key;
    return std::any_of(keys_.begin() + u.first_key, keys_.begin() + u.end_key,
                       [&](std::uint32_t key) { return std::find(first, end, key) != end; });
}

// A_iu S^-1 for each row i of the column of u.
void SparseBlocks::scale_column(const Unknown& u, const Column& column) {
    std::size_t size = 0;
    for (auto b = column.first_block; b < column.end_block; ++b)
        size += unknowns_[block_row_[b]].count * u.count;
    scaled_.resize(size);
    if (size == 0) return;
    double* out = scaled_.data();
    const double* in = values_.data() + first_value_[column.first_block];
    for (const double* end = in + size; in < end; in += u.count) {
        std::array<double, kMost> x{};
        std::copy_n(in, u.count, x.begin());
        u.inverse.solve(x);
        out = std::copy_n(x.begin(), u.count, out);
    }
}

void SparseBlocks::factor(double cut) {
    for (Unknown& u : unknowns_)  // what pivots are measured against
        for (std::uint32_t r = 0; r < u.count; ++r) u.x[r] = cut * u.diagonal[r * u.count + r];
    const std::uint32_t* target = target_.data();
    for (const std::uint32_t at : order_) {
        Unknown& u = unknowns_[at];
        const Column& column = columns_[at];
        Matrix pivot{};
        for (std::uint32_t r = 0; r < u.count; ++r)
            std::copy_n(&u.diagonal[r * u.count], u.count, pivot[r].begin());
        u.inverse.factor(pivot, static_cast<int>(u.count), u.x);
        work_ += u.count;
        scale_column(u, column);
        // A_ij -= A_iu S^-1 A_ju^T for each two rows of the column, j before i.
        const double* scaled = scaled_.data();
        for (auto c = column.first_block; c < column.end_block; ++c) {
            Unknown& j = unknowns_[block_row_[c]];
            subtract_product(j.diagonal.data(), &values_[first_value_[c]], scaled, j.count, j.count, u.count);
            work_ += j.count;
            for (auto b = c + 1; b < column.end_block; ++b) {
                const std::uint32_t count = unknowns_[block_row_[b]].count;
                subtract_product(&values_[*target++], &values_[first_value_[b]], scaled, count, j.count,
                                 u.count);
                work_ += count;
            }
            scaled += j.count * u.count;
        }
        if (column.first_block == column.end_block) continue;
        std::copy(scaled_.begin(), scaled_.end(), values_.begin() + first_value_[column.first_block]);
    }
}

void SparseBlocks::solve() {
    for (const std::uint32_t at : order_) {
        const Unknown& u = unknowns_[at];
        for (auto b = columns_[at].first_block; b < columns_[at].end_block; ++b) {
            Unknown& i = unknowns_[block_row_[b]];
            work_ += i.count;
            const double* m = &values_[first_value_[b]];
            if (i.count == 3 && u.count == 3)
                subtract_image<3, false>(m, 3, 3, u.x.data(), i.x.data());
            else
                subtract_image<0, false>(m, i.count, u.count, u.x.data(), i.x.data());
        }
    }
    for (auto step = order_.rbegin(); step != order_.rend(); ++step) {
        Unknown& u = unknowns_[*step];
        u.inverse.solve(u.x);
        work_ += u.count;
        for (auto b = columns_[*step].first_block; b < columns_[*step].end_block; ++b) {
            const Unknown& i = unknowns_[block_row_[b]];
            const double* m = &values_[first_value_[b]];
            if (i.count == 3 && u.count == 3)
                subtract_image<3, true>(m, 3, 3, i.x.data(), u.x.data());
            else
                subtract_image<0, true>(m, i.count, u.count, i.x.data(), u.x.data());
        }
    }
}

}  // namespace impuls
