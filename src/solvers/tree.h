// A problem's joints for the linear-time tree (articulated_tree.h): the rows without bounds of up to six a
// block, between one or two nodes that can move, are edges; those of a spanning tree (spanning_tree.h) hold
// the tree's links, all others close loops. Solves
//     M dv = J^T p,   J dv + C p = c,   c = -(J v + bias + C impulse)
// and adds p to the impulses. Velocities are in coordinates in which M is diagonal (node_basis.h: w = L u,
// u with the inverse inertia D). Directions in which a node cannot move (D = 0: particles, planar bodies) get
// J = 0 and mass 1, so they never do. The nodes are moved by p, not by dv: momentum is kept to rounding.
// Rows beyond the most that loops may have are left to sweeps.
#pragma once

#include "solvers/articulated_tree.h"
#include "solvers/equations.h"
#include "solvers/node_basis.h"
#include "solvers/spanning_tree.h"

namespace impuls {

class TreeEquations final : public EquationSolver {
  public:
    void prepare(const Problem& problem, std::span<std::uint8_t> taken) override;
    double solve(Problem& problem) override;
    std::uint64_t work() const override { return work_; }

  private:
    static constexpr std::uint32_t kNone = ArticulatedTree::kNone;
    // Larger than that of islands of joints alone, which measure gaps after each correction and end when
    // these no longer shrink. Here rows that contradict each other come again every substep and would add up
    // impulses: axes that should agree and are off by a milliradian, eigenvalue 1e-6, must count as equal.
    static constexpr double kLoopCut = 3e-6;

    std::uint32_t number_of(const Nodes& nodes, std::uint32_t node);
    void find_edges(const Problem& problem);
    void add_links(const Problem& problem);
    void add_rows(const Problem& problem, std::uint32_t block, std::uint32_t link);
    void add_loops(const Problem& problem, std::uint32_t block);
    ArticulatedTree::Part part_of(const RowPart& part) const;
    // Calls visit(row of the problem, c, impulse) for all rows of the tree, then for those of loops.
    template <class Visit>
    void for_each_row(Visit&& visit);

    std::vector<std::uint32_t> number_{};      // by node: its place below; kNone: not in the tree
    std::vector<NodeBasis> basis_{};           // by number
    std::vector<SpanningTree::Edge> edges_{};  // by block, between numbers
    SpanningTree spanning_{};
    ArticulatedTree tree_{kLoopCut};
    std::vector<std::uint32_t> rows_{};  // of the problem, in the tree's order: of links, then of loops
    std::size_t link_row_count_ = 0;
    std::uint64_t work_ = 0;
};

}  // namespace impuls
