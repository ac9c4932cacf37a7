// Colouring, filling lanes and sweeps of rows (rows.h).
#include "solvers/blocks/rows.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/assert.h"
#include "impuls/executor.h"

namespace impuls {
namespace {

using block::kLanes;
constexpr std::size_t kRowColours = 64;
constexpr std::uint64_t kLastColour = 1ull << (kRowColours - 1);  // what found no colour: one entry a batch

}  // namespace

void BlockRows::clear() {
    rows_.clear();
    singles_.entries.clear();
    equations_.entries.clear();
    factored_.clear();
}

BlockRows::Row& BlockRows::add_equations(std::size_t count, bool is_factored) {
    IMPULS_ASSERT(0 < count && count <= kEquations);
    const auto first = static_cast<std::uint32_t>(rows_.size()), rows = static_cast<std::uint32_t>(count);
    if (is_factored)
        factored_.add(first, rows);
    else
        equations_.entries.push_back({first, rows});
    rows_.resize(rows_.size() + count);
    return rows_[rows_.size() - count];
}

BlockRows::Row& BlockRows::add_single() {
    singles_.entries.push_back({static_cast<std::uint32_t>(rows_.size()), 1});
    return rows_.emplace_back();
}

// The first colour that neither body has yet; lanes of a colour in the order of entries.
template <int N>
void BlockRows::fill(Lot<N>& lot, std::span<const block::Body> bodies) {
    used_.assign(bodies.size(), 0);
    colour_of_.clear();
    lane_.clear();
    std::array<std::uint32_t, kRowColours> count{};
    for (const Entry& entry : lot.entries) {
        const Row& row = rows_[entry.first];
        IMPULS_ASSERT_INDEX(row.a, bodies.size());
        IMPULS_ASSERT_INDEX(row.b, bodies.size());
        const bool moves_a = bodies[row.a].inv_mass > 0, moves_b = bodies[row.b].inv_mass > 0;
        const std::uint64_t taken = (moves_a ? used_[row.a] : 0) | (moves_b ? used_[row.b] : 0);
        const int k = std::countr_zero(~taken | kLastColour);
        const bool is_last = 1ull << k == kLastColour;
        if (moves_a && !is_last) used_[row.a] |= 1ull << k;
        if (moves_b && !is_last) used_[row.b] |= 1ull << k;
        colour_of_.push_back(static_cast<std::uint8_t>(k));
        lane_.push_back(count[static_cast<std::size_t>(k)]);
        count[static_cast<std::size_t>(k)] += is_last ? kLanes : 1;
    }
    lot.start.assign(1, 0);
    for (const std::uint32_t n : count) lot.start.push_back(lot.start.back() + (n + kLanes - 1) / kLanes);
    lot.batches.resize(lot.start.back());
    for (auto& batch : lot.batches) {
        std::memset(&batch, 0, sizeof batch);
        std::fill_n(batch.row, kLanes, block::kNoManifold);
    }
    const auto narrow = [](double x) { return static_cast<float>(x); };
    for (std::size_t e = 0; e < lot.entries.size(); ++e) {
        block::RowBatch<N>& c = lot.batches[lot.start[colour_of_[e]] + lane_[e] / kLanes];
        const auto l = static_cast<int>(lane_[e] % kLanes);
        const auto set = [&](block::Lanes* to, const Vec3& x) {
            for (int k = 0; k < 3; ++k) to[k][l] = narrow(x[k]);
        };
        const Entry& entry = lot.entries[e];
        IMPULS_ASSERT(entry.count <= N && entry.first + entry.count <= rows_.size());
        IMPULS_ASSERT(c.row[l] == block::kNoManifold);  // a lane is given away once
        for (std::uint32_t k = 0; k < entry.count; ++k) {
            const Row& row = rows_[entry.first + k];
            IMPULS_ASSERT(row.a == rows_[entry.first].a && row.b == rows_[entry.first].b);
            c.a[l] = row.a;
            c.b[l] = row.b;
            set(c.la[k], row.linear_a);
            set(c.ja[k], row.angular_a);
            set(c.lb[k], row.linear_b);
            set(c.jb[k], row.angular_b);
            c.s0[k][l] = narrow(row.error);
            c.cap[k][l] = narrow(row.cap);
            c.p[k][l] = narrow(row.impulse);
            c.is_there[k][l] = 1;
        }
        c.row[l] = entry.first;
        const Row& row = rows_[entry.first];
        c.lower[l] = narrow(row.lower);
        c.upper[l] = narrow(row.upper);
        c.bias[l] = narrow(row.bias);
        c.stiffness[l] = narrow(row.stiffness);
        c.yields[l] = narrow(row.yields);
        c.is_limit[l] = row.is_limit;
        c.is_spring[l] = row.is_spring;
    }
}

template <int N, class F>
void BlockRows::for_batches(Lot<N>& lot, Executor& executor, F&& f) {
    constexpr std::size_t kGrain = 4;
    for (std::size_t k = 0; k < kRowColours; ++k) {
        const std::size_t first = lot.start[k], count = lot.start[k + 1] - first;
        if (count == 0) continue;
        auto part = [&](std::size_t begin, std::size_t end) {
            f(lot.batches.data() + first + begin, end - begin);
        };
        executor.parallel_for(count, k + 1 < kRowColours ? kGrain : count, part);
    }
}

void BlockRows::prepare(std::span<const block::Body> bodies, Executor& executor) {
    const block::RowKernel& kernel = block::kernel().rows;
    fill(singles_, bodies);
    fill(equations_, bodies);
    factored_.prepare(rows_, bodies);
    for_batches(singles_, executor, [&](auto* b, std::size_t n) { kernel.prepare_1(b, n, bodies.data()); });
    for_batches(equations_, executor, [&](auto* b, std::size_t n) { kernel.prepare_6(b, n, bodies.data()); });
}

void BlockRows::apply(block::Motion* motion, Executor& executor) {
    const block::RowKernel& kernel = block::kernel().rows;
    for_batches(singles_, executor, [&](auto* b, std::size_t n) { kernel.apply_1(b, n, motion); });
    for_batches(equations_, executor, [&](auto* b, std::size_t n) { kernel.apply_6(b, n, motion); });
    if (!factored_.empty()) factored_.apply(rows_, motion);
}

void BlockRows::solve(block::Motion* motion, const block::Motion* moved, const block::Softness& soft,
                      double phase, Executor& executor) {
    const block::RowKernel& kernel = block::kernel().rows;
    for_batches(singles_, executor,
                [&](auto* b, std::size_t n) { kernel.solve_1(b, n, motion, moved, soft); });
    for_batches(equations_, executor,
                [&](auto* b, std::size_t n) { kernel.solve_6(b, n, motion, moved, soft); });
    if (!factored_.empty()) factored_.solve(rows_, motion, phase);
}

void BlockRows::relax(block::Motion* motion, const block::Motion* moved, const block::Softness& soft,
                      double phase, Executor& executor) {
    const block::RowKernel& kernel = block::kernel().rows;
    for_batches(singles_, executor,
                [&](auto* b, std::size_t n) { kernel.relax_1(b, n, motion, moved, soft); });
    for_batches(equations_, executor,
                [&](auto* b, std::size_t n) { kernel.relax_6(b, n, motion, moved, soft); });
    if (factored_.empty()) return;
    factored_.solve(rows_, motion, phase);
    factored_.add_up(rows_);
}

void BlockRows::measure(const block::Motion* moved, Executor& executor) {
    const block::RowKernel& kernel = block::kernel().rows;
    for_batches(equations_, executor, [&](auto* b, std::size_t n) { kernel.measure_6(b, n, moved); });
    if (!factored_.empty()) factored_.measure(rows_, moved);
}

void BlockRows::set_errors() {
    for (block::RowBatch<6>& c : equations_.batches)
        for (int l = 0; l < kLanes; ++l)
            for (int k = 0; k < 6; ++k)
                if (c.is_there[k][l] > 0)
                    c.s0[k][l] = static_cast<float>(rows_[c.row[l] + static_cast<std::uint32_t>(k)].error);
}

void BlockRows::close(block::Motion* by, Executor& executor) {
    const block::RowKernel& kernel = block::kernel().rows;
    for_batches(equations_, executor, [&](auto* b, std::size_t n) { kernel.close_6(b, n, by); });
    if (!factored_.empty()) factored_.close(rows_, by);
}

void BlockRows::strike(block::Motion* motion, double phase, Executor& executor) {
    const block::RowKernel& kernel = block::kernel().rows;
    for_batches(equations_, executor, [&](auto* b, std::size_t n) { kernel.strike_6(b, n, motion); });
    if (!factored_.empty()) factored_.strike(rows_, motion, phase);
}

template <int N>
void BlockRows::take(const Lot<N>& lot) {
    for (const block::RowBatch<N>& c : lot.batches)
        for (int l = 0; l < kLanes; ++l) {
            if (c.row[l] == block::kNoManifold) continue;
            for (int k = 0; k < N; ++k) {
                if (!(c.is_there[k][l] > 0)) continue;
                Row& row = rows_[c.row[l] + static_cast<std::uint32_t>(k)];
                row.impulse = c.p[k][l];
                row.sum = c.sum[k][l];
            }
        }
}

void BlockRows::take() {
    take(singles_);
    take(equations_);
}

}  // namespace impuls
