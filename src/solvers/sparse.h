// Equations of any structure at once: block L D L^T of A = J M^-1 J^T + compliance, with the rows without
// bounds of a block (up to six) as one unknown. Two unknowns are coupled where they share a node that can
// move; the order of elimination is that of least degree, which leaves chains and trees of bodies without
// fill and keeps it low in grids. The order is found anew only when the structure changed. A pivot below
// kCut of its row's own diagonal element belongs to a row that others imply or contradict; it is left out,
// so that redundant mechanisms stay harmless (a term added to the diagonal instead would let contradictions
// grow impulses without bound). For mechanisms with many loops: frames, nets, grids.
#pragma once

#include "math/small_ldlt.h"
#include "solvers/alternating.h"

namespace impuls {

class SparseEquations final : public EquationSolver {
  public:
    void prepare(const Problem& problem, std::span<std::uint8_t> taken) override;
    double solve(Problem& problem) override;
    std::uint64_t work() const override { return work_; }
    std::size_t coupling_blocks() const { return block_row_.size(); }  // off the diagonal, fill included

  private:
    static constexpr double kCut = 1e-7;
    using Matrix = SmallLdlt::Matrix;

    struct Unknown {
        std::uint32_t count = 0;
        std::array<std::uint32_t, 6> row{};  // of the problem
        std::uint32_t first_node = 0, end_node = 0;
        std::array<double, 36> diagonal{};  // count x count
        SmallLdlt inverse{};
        std::array<double, 6> x{};
    };

    // Of an unknown in the factor: when it is eliminated, and the blocks of its column below the diagonal.
    struct Column {
        std::uint32_t place, first_block, end_block;
    };

    void find_unknowns(const Problem& problem, std::span<std::uint8_t> taken);
    void find_order();
    void place_blocks();
    bool share_a_node(const Unknown& i, const Unknown& u) const;
    void scale_column(const Unknown& u, const Column& column);
    void assemble(const Problem& problem);
    void factor();

    std::vector<Unknown> unknowns_{};
    std::vector<Column> columns_{};  // by unknown
    std::vector<std::uint32_t> nodes_{},
        known_nodes_{};  // that can move, by unknown; and for which order_ is
    std::vector<std::uint32_t> starts_{}, known_starts_{};  // first node and count of each unknown
    std::vector<std::uint32_t> order_{};                    // unknowns
    std::vector<std::vector<std::uint32_t>> neighbours_{}, at_node_{};
    std::vector<std::uint32_t> block_row_{};    // unknown of each block's rows
    std::vector<std::uint32_t> first_value_{};  // of each block
    std::vector<double> values_{};              // A_iu row by row, then A_iu S_u^-1
    std::vector<double> scaled_{};              // A_iu S_u^-1 of one column
    std::vector<std::uint32_t> merged_{};
    std::uint64_t work_ = 0;
};

}  // namespace impuls
