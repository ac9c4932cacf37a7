// Loops of joints (tree.h). With Phi the tree's response to forces, J the rows that close loops and C their
// compliance, their impulses are
//     (J Phi J^T + C)^+ (c - J dv_tree).
// One column of J Phi J^T is one solve of the tree. Rows of lengths and of angles meet here, so the matrix is
// scaled to a diagonal near 1 (of J M^-1 J^T, by powers of two, so that scaled scenes stay equal bit by bit)
// before its small eigenvalues are dropped.
#include <cmath>

#include "solvers/tree.h"

namespace impuls {

void TreeEquations::add_loops(const Problem& problem, std::uint32_t block, std::span<std::uint8_t> taken) {
    const Block& rows = problem.rows.blocks[block];
    if (loops_.size() + rows.row_count > kMostLoopRows) return;  // swept
    for (std::uint32_t r = rows.first_row; r < rows.first_row + rows.row_count; ++r) {
        const Row& row = problem.rows.rows[r];
        if (row.is_bounded()) continue;
        LoopRow loop{r, static_cast<std::uint32_t>(loop_parts_.size()), 0};
        for (const RowPart& part : problem.rows.parts_of(row)) {
            if (!basis_[part.node].is_movable()) continue;
            if (link_of_[part.node] == kNone) add_link(problem, part.node, kNone, nullptr);
            loop_parts_.push_back({link_of_[part.node], basis_[part.node].row(part.linear, part.angular)});
        }
        loop.end_part = static_cast<std::uint32_t>(loop_parts_.size());
        if (loop.first_part == loop.end_part) continue;  // nothing to move
        loops_.push_back(loop);
        taken[r] = 1;
    }
}

void TreeEquations::push_loop(const LoopRow& row, double impulse) {
    for (auto p = row.first_part; p < row.end_part; ++p)
        for (std::size_t i = 0; i < 6; ++i) links_[loop_parts_[p].link].f[i] += loop_parts_[p].j[i] * impulse;
}

double TreeEquations::loop_velocity(const LoopRow& row) const {
    double sum = 0;
    for (auto p = row.first_part; p < row.end_part; ++p)
        for (std::size_t i = 0; i < 6; ++i) sum += loop_parts_[p].j[i] * links_[loop_parts_[p].link].dv[i];
    return sum;
}

void TreeEquations::factor_loops(const Problem& problem) {
    const std::size_t n = loops_.size();
    if (n == 0) return;
    // Of the mean diagonal of J M^-1 J^T: axes that should agree and are off by up to a milliradian count as
    // equal.
    constexpr double kCut = 3e-6;
    loop_scale_.assign(n, 1);
    double mean = 0;
    int reference = 0;
    for (std::size_t l = 0; l < n; ++l) {
        double diagonal = problem.rows.rows[loops_[l].row].compliance;
        for (auto p = loops_[l].first_part; p < loops_[l].end_part; ++p) {
            const Vec6& mobility = basis_[links_[loop_parts_[p].link].node].mobility();
            for (std::size_t i = 0; i < 6; ++i)
                diagonal += loop_parts_[p].j[i] * loop_parts_[p].j[i] * mobility[i];
        }
        int exponent = 0;
        std::frexp(diagonal, &exponent);
        if (l == 0) reference = exponent;
        loop_scale_[l] = std::ldexp(1.0, -((exponent - reference) >> 1));
        mean += diagonal * loop_scale_[l] * loop_scale_[l] / static_cast<double>(n);
    }
    loop_matrix_.assign(n * n, 0);
    for (std::size_t l = 0; l < n; ++l) {
        clear_right_sides();
        push_loop(loops_[l], loop_scale_[l]);
        pass_up();
        pass_down();
        for (std::size_t m = 0; m <= l; ++m)
            loop_matrix_[l * n + m] = loop_matrix_[m * n + l] = loop_velocity(loops_[m]) * loop_scale_[m];
        loop_matrix_[l * n + l] +=
            problem.rows.rows[loops_[l].row].compliance * loop_scale_[l] * loop_scale_[l];
    }
    loop_inverse_.factor(loop_matrix_, static_cast<int>(n), kCut * mean);
}

}  // namespace impuls
