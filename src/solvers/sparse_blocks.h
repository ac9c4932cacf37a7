// Symmetric positive semi-definite systems of small blocks (up to 6 x 6) with any structure: block L D L^T.
// Two unknowns are coupled where they share a key (a node that can move); the order of elimination is that of
// least degree, which leaves chains and trees of bodies without fill and keeps it low in grids. The order is
// recomputed only when the structure changed. A pivot that vanishes against its row's own diagonal element
// belongs to a row that others imply or contradict; it is left out, so that redundant mechanisms stay
// harmless (a term added to the diagonal instead would let contradictions grow impulses without bound).
// Called by SparseEquations (sparse.h) and by the joints of blocks (blocks/factored.h).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "base/assert.h"
#include "math/small_ldlt.h"

namespace impuls {

class SparseBlocks {
  public:
    static constexpr std::size_t kMost = 6;
    static constexpr double kCut = 1e-7;

    void clear();
    // The next unknown, of `count` numbers.
    void add(std::uint32_t count, std::span<const std::uint32_t> keys);
    std::size_t size() const { return unknowns_.size(); }
    std::size_t blocks() const { return block_row_.size(); }  // off the diagonal, fill included

    // Finds the order if the structure is new; then calls coupling(i, u, block) for every block to be given,
    // of i's numbers by u's, row by row, zero so far.
    template <class F>
    void assemble(F&& coupling) {
        arrange();
        for (std::uint32_t at = 0; at < unknowns_.size(); ++at) {
            coupling(at, at, unknowns_[at].diagonal.data());
            for (auto b = columns_[at].first_block; b < columns_[at].end_block; ++b)
                if (is_own_[b]) coupling(block_row_[b], at, values_.data() + first_value_[b]);
        }
    }
    // Pivots below `cut` of their rows' own diagonal elements are left out.
    void factor(double cut = kCut);

    // Right side and, after solve(), solution.
    std::array<double, kMost>& x(std::uint32_t unknown) {
        IMPULS_ASSERT_INDEX(unknown, unknowns_.size());
        return unknowns_[unknown].x;
    }
    void solve();
    std::uint64_t work() const { return work_; }  // rows eliminated or substituted since clear()

  private:
    using Matrix = SmallLdlt::Matrix;

    struct Unknown {
        std::uint32_t count = 0, first_key = 0, end_key = 0;
        std::array<double, kMost * kMost> diagonal{};  // count x count
        SmallLdlt inverse{};
        std::array<double, kMost> x{};
    };
    // Of an unknown in the factor: when it is eliminated, and the blocks of its column below the diagonal.
    struct Column {
        std::uint32_t place, first_block, end_block;
    };

    void arrange();
    void find_neighbours();
    void find_order();
    void place_blocks();
    void find_targets();
    bool share_a_key(const Unknown& i, const Unknown& u) const;
    void scale_column(const Unknown& u, const Column& column);

    std::vector<Unknown> unknowns_{};
    std::vector<std::uint32_t> keys_{}, known_keys_{};      // by unknown; and for which order_ is
    std::vector<std::uint32_t> starts_{}, known_starts_{};  // first key and count of each unknown
    std::vector<std::uint32_t> order_{};                    // unknowns
    std::vector<Column> columns_{};                         // by unknown
    std::vector<std::uint32_t> block_row_{};                // unknown of each block's rows
    std::vector<std::uint8_t> is_own_{};                    // block by block: no mere fill
    std::vector<std::uint32_t> first_value_{};              // of each block
    std::vector<std::uint32_t> target_{};  // value that each product of two blocks of a column goes to
    std::vector<double> values_{};         // A_iu row by row, then A_iu S_u^-1
    std::vector<double> scaled_{};         // A_iu S_u^-1 of one column
    std::vector<std::vector<std::uint32_t>> neighbours_{}, at_key_{};
    std::vector<std::uint64_t> queue_{};  // degree and number, a heap; outdated entries are skipped
    std::vector<std::uint32_t> merged_{};
    std::uint64_t work_ = 0;
};

}  // namespace impuls
