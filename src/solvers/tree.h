// Equations of tree-structured joints at once, in time linear in their number: the block elimination of
//     [ M  -J^T ] [dv]   [f]
//     [ J    C  ] [p ] = [c]
// from the leaves to the roots. A node k with all its children eliminated has the articulated mass I_k; its
// joint to the parent, with rows J_c dv_k + J_p dv_p + C p = c, then is (X = I_k^-1 J_c^T, S = J_c X + C)
//     p = S^-1 (c - X^T f_k - J_p dv_p),   I_p += J_p^T S^-1 J_p,   f_p += J_p^T S^-1 (c - X^T f_k)
// (Baraff, SIGGRAPH 1996; the articulated-body algorithm, Featherstone 1983, for rows of any kind). Only
// positive semi-definite terms are added, so mass ratios do no harm. S loses rows that are redundant.
// Static nodes are roots. Joints beyond a spanning tree close loops: their rows' matrix, seen through the
// tree, is inverted without its small eigenvalues, so that redundant and contradicting loops stay harmless.
#pragma once

#include "math/small_ldlt.h"
#include "math/symmetric_eigen.h"
#include "solvers/alternating.h"
#include "solvers/node_basis.h"

namespace impuls {

class TreeEquations final : public EquationSolver {
  public:
    void prepare(const Problem& problem, std::span<std::uint8_t> taken) override;
    double solve(Problem& problem) override;
    std::uint64_t work() const override { return work_; }

  private:
    static constexpr std::uint32_t kNone = 0xffffffff;
    static constexpr std::size_t kMostLoopRows = 60;
    using Matrix6 = SmallLdlt::Matrix;

    // The rows without bounds of a block, between two nodes or from a node to the world (kNone).
    struct Edge {
        std::uint32_t block, a, b;
        bool is_used;
    };
    // A node in the order roots first, with the joint that leads to its parent.
    struct Link {
        std::uint32_t node = kNone;
        std::uint32_t parent = kNone;  // a link; kNone: the joint is to the world, or there is none
        int rows = 0;
        std::array<std::uint32_t, 6> row{};  // of the problem
        std::array<double, 6> compliance{};
        std::array<Vec6, 6> jc{}, jp{};  // J, by row
        std::array<Vec6, 6> x{}, y{};    // I^-1 Jc^T and S^-1 Jp, by row
        Matrix6 inertia{};               // I, lower part
        SmallLdlt i, s;
        // In a solve: c, then S^-1 (c - X^T f), then p; force; change of velocity.
        std::array<double, 6> p{};
        Vec6 f{}, dv{};
    };
    // A row that closes a loop: its parts by link.
    struct LoopPart {
        std::uint32_t link;
        Vec6 j;
    };
    struct LoopRow {
        std::uint32_t row, first_part, end_part;
    };

    void find_edges(const Problem& problem);
    void span(const Problem& problem);
    void visit(const Problem& problem, std::uint32_t from_link);
    void add_link(const Problem& problem, std::uint32_t node, std::uint32_t parent, const Edge* edge);
    void add_loops(const Problem& problem, std::uint32_t block, std::span<std::uint8_t> taken);
    void factor();
    void factor_loops(const Problem& problem);
    void pass_up();
    void pass_down();
    void push_loop(const LoopRow& row, double impulse);  // into the links' forces
    double loop_velocity(const LoopRow& row) const;      // of the links' dv
    void clear_right_sides();

    std::vector<NodeBasis> basis_{};                       // by node
    std::vector<Edge> edges_{};                            // by block; a == kNone: not one
    std::vector<std::uint32_t> edge_start_{}, edge_of_{};  // by node: numbers of its edges
    std::vector<std::uint32_t> link_of_{};                 // by node
    std::vector<Link> links_{};
    std::size_t link_count_ = 0;
    std::vector<LoopRow> loops_{};
    std::vector<LoopPart> loop_parts_{};
    std::vector<double> loop_scale_{}, loop_matrix_{}, loop_impulse_{};
    TruncatedInverse loop_inverse_{};
    std::uint64_t work_ = 0;
};

}  // namespace impuls
