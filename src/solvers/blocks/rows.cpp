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
    singles_.clear();
    equations_.clear();
}

BlockRows::Row& BlockRows::add_equations(std::size_t count) {
    IMPULS_ASSERT(0 < count && count <= kEquations);
    equations_.add(static_cast<std::uint32_t>(rows_.size()), static_cast<std::uint32_t>(count));
    rows_.resize(rows_.size() + count);
    return rows_[rows_.size() - count];
}

BlockRows::Row& BlockRows::add_single() {
    singles_.push_back(static_cast<std::uint32_t>(rows_.size()));
    return rows_.emplace_back();
}

// The first colour that neither body has yet; lanes of a colour in the order of rows.
void BlockRows::fill(std::span<const block::Body> bodies) {
    used_.assign(bodies.size(), 0);
    colour_of_.clear();
    lane_.clear();
    std::array<std::uint32_t, kRowColours> count{};
    for (const std::uint32_t single : singles_) {
        const Row& row = rows_[single];
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
    start_.assign(1, 0);
    for (const std::uint32_t n : count) start_.push_back(start_.back() + (n + kLanes - 1) / kLanes);
    batches_.resize(start_.back());
    for (auto& batch : batches_) {
        std::memset(&batch, 0, sizeof batch);
        std::fill_n(batch.row, kLanes, block::kNoManifold);
    }
    const auto narrow = [](double x) { return static_cast<float>(x); };
    for (std::size_t e = 0; e < singles_.size(); ++e) {
        auto& c = batches_[start_[colour_of_[e]] + lane_[e] / kLanes];
        const auto l = static_cast<int>(lane_[e] % kLanes);
        const auto set = [&](block::Lanes* to, const Vec3& x) {
            for (int k = 0; k < 3; ++k) to[k][l] = narrow(x[k]);
        };
        IMPULS_ASSERT(c.row[l] == block::kNoManifold);  // a lane is given away once
        const Row& row = rows_[singles_[e]];
        c.row[l] = singles_[e];
        c.a[l] = row.a;
        c.b[l] = row.b;
        set(c.la[0], row.linear_a);
        set(c.ja[0], row.angular_a);
        set(c.lb[0], row.linear_b);
        set(c.jb[0], row.angular_b);
        c.s0[0][l] = narrow(row.error);
        c.cap[0][l] = narrow(row.cap);
        c.p[0][l] = narrow(row.impulse);
        c.is_there[0][l] = 1;
        c.lower[l] = narrow(row.lower);
        c.upper[l] = narrow(row.upper);
        c.bias[l] = narrow(row.bias);
        c.stiffness[l] = narrow(row.stiffness);
        c.yields[l] = narrow(row.yields);
        c.is_limit[l] = row.is_limit;
        c.is_spring[l] = row.is_spring;
    }
}

template <class F>
void BlockRows::for_batches(Executor& executor, F&& f) {
    constexpr std::size_t kGrain = 4;
    for (std::size_t k = 0; k < kRowColours; ++k) {
        const std::size_t first = start_[k], count = start_[k + 1] - first;
        if (count == 0) continue;
        auto part = [&](std::size_t begin, std::size_t end) {
            f(batches_.data() + first + begin, end - begin);
        };
        executor.parallel_for(count, k + 1 < kRowColours ? kGrain : count, part);
    }
}

void BlockRows::prepare(std::span<const block::Body> bodies, Executor& executor) {
    const block::RowKernel& kernel = block::kernel().rows;
    fill(bodies);
    for_batches(executor, [&](auto* b, std::size_t n) { kernel.prepare_1(b, n, bodies.data()); });
    equations_.prepare(rows_, bodies);
}

void BlockRows::apply(block::Motion* motion, Executor& executor) {
    const block::RowKernel& kernel = block::kernel().rows;
    for_batches(executor, [&](auto* b, std::size_t n) { kernel.apply_1(b, n, motion); });
    equations_.apply(rows_, motion);
}

void BlockRows::solve(block::Motion* motion, const block::Motion* moved, const block::Softness& soft,
                      double phase, Executor& executor) {
    const block::RowKernel& kernel = block::kernel().rows;
    for_batches(executor, [&](auto* b, std::size_t n) { kernel.solve_1(b, n, motion, moved, soft); });
    equations_.solve(rows_, motion, phase);
}

void BlockRows::relax(block::Motion* motion, const block::Motion* moved, const block::Softness& soft,
                      double phase, Executor& executor) {
    const block::RowKernel& kernel = block::kernel().rows;
    for_batches(executor, [&](auto* b, std::size_t n) { kernel.relax_1(b, n, motion, moved, soft); });
    equations_.solve(rows_, motion, phase);
    equations_.add_up(rows_);
}

void BlockRows::take() {
    for (const auto& c : batches_)
        for (int l = 0; l < kLanes; ++l) {
            if (c.row[l] == block::kNoManifold) continue;
            rows_[c.row[l]].impulse = c.p[0][l];
            rows_[c.row[l]].sum = c.sum[0][l];
        }
}

}  // namespace impuls
