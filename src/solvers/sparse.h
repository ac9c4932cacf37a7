// Equations of any structure at once: block L D L^T (sparse_blocks.h) of A = J M^-1 J^T + compliance, with
// the rows without bounds of a block (up to six) as one unknown. Two unknowns are coupled where they share a
// node that can move. For mechanisms with many loops: frames, nets, grids.
#pragma once

#include "solvers/alternating.h"
#include "solvers/sparse_blocks.h"

namespace impuls {

class SparseEquations final : public EquationSolver {
  public:
    void prepare(const Problem& problem, std::span<std::uint8_t> taken) override;
    double solve(Problem& problem) override;
    std::uint64_t work() const override { return blocks_.work(); }
    std::size_t coupling_blocks() const { return blocks_.blocks(); }  // off the diagonal, fill included

  private:
    struct Unknown {
        std::uint32_t count = 0;
        std::array<std::uint32_t, SparseBlocks::kMost> row{};  // of the problem
    };

    void find_unknowns(const Problem& problem, std::span<std::uint8_t> taken);
    void close_unknown();

    std::vector<Unknown> unknowns_{};
    std::vector<std::uint32_t> nodes_{};  // of the last unknown, that can move
    SparseBlocks blocks_{};
};

}  // namespace impuls
