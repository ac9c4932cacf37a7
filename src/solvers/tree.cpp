// Tree-structured joints: structure and elimination (tree.h). Loops are in tree_loops.cpp.
#include "solvers/tree.h"

#include <algorithm>
#include <cmath>

#include "base/assert.h"

namespace impuls {
namespace {

bool is_equation_row(const Row& row) {
    return !row.is_bounded();
}

}  // namespace

// Blocks whose rows without bounds are between one or two nodes that can move.
void TreeEquations::find_edges(const Problem& problem) {
    edges_.clear();
    for (std::uint32_t b = 0; b < problem.rows.blocks.size(); ++b) {
        Edge edge{b, kNone, kNone, false};
        int rows = 0;
        bool is_edge = true;
        for (const Row& row : problem.rows.rows_of(problem.rows.blocks[b])) {
            if (!is_equation_row(row)) continue;
            ++rows;
            for (const RowPart& part : problem.rows.parts_of(row)) {
                if (!basis_[part.node].is_movable() || part.node == edge.a || part.node == edge.b) continue;
                if (edge.a == kNone)
                    edge.a = part.node;
                else if (edge.b == kNone)
                    edge.b = part.node;
                else
                    is_edge = false;
            }
        }
        if (!is_edge || rows > 6) edge.a = edge.b = kNone;
        edges_.push_back(edge);
    }
    // Lists of edges by node, by counting.
    edge_start_.assign(problem.nodes.size() + 1, 0);
    for (const Edge& edge : edges_)
        for (const auto node : {edge.a, edge.b})
            if (node != kNone) ++edge_start_[node + 1];
    for (std::size_t k = 0; k < problem.nodes.size(); ++k) edge_start_[k + 1] += edge_start_[k];
    edge_of_.resize(edge_start_.back());
    for (std::uint32_t e = 0; e < edges_.size(); ++e)
        for (const auto node : {edges_[e].a, edges_[e].b})
            if (node != kNone) edge_of_[edge_start_[node]++] = e;
    for (std::size_t k = problem.nodes.size(); k > 0; --k) edge_start_[k] = edge_start_[k - 1];
    edge_start_[0] = 0;
}

void TreeEquations::add_link(const Problem& problem, std::uint32_t node, std::uint32_t parent,
                             const Edge* edge) {
    if (links_.size() == link_count_) links_.emplace_back();
    IMPULS_ASSERT(link_of_[node] == kNone);
    IMPULS_ASSERT(parent == kNone || parent < link_count_);  // roots first
    link_of_[node] = static_cast<std::uint32_t>(link_count_);
    Link& link = links_[link_count_++];
    link.node = node, link.parent = parent, link.rows = 0;
    if (!edge) return;
    const Block& block = problem.rows.blocks[edge->block];
    for (std::uint32_t r = block.first_row; r < block.first_row + block.row_count; ++r) {
        const Row& row = problem.rows.rows[r];
        if (!is_equation_row(row)) continue;
        const auto k = static_cast<std::size_t>(link.rows++);
        IMPULS_ASSERT_INDEX(k, link.row.size());
        link.row[k] = r, link.compliance[k] = row.compliance;
        link.jc[k] = link.jp[k] = {};
        for (const RowPart& part : problem.rows.parts_of(row)) {
            const Vec6 j = basis_[part.node].row(part.linear, part.angular);
            IMPULS_ASSERT(part.node == node || !basis_[part.node].is_movable() || parent != kNone);
            Vec6& sum = part.node == node ? link.jc[k] : link.jp[k];
            for (std::size_t i = 0; i < 6; ++i) sum[i] += j[i];
        }
    }
}

// Breadth first: the joints of one link lead to nodes that are not yet there, or close loops.
void TreeEquations::visit(const Problem& problem, std::uint32_t from_link) {
    for (std::size_t at = from_link; at < link_count_; ++at) {
        const std::uint32_t node = links_[at].node;
        for (auto e = edge_start_[node]; e < edge_start_[node + 1]; ++e) {
            Edge& edge = edges_[edge_of_[e]];
            const std::uint32_t other = edge.a == node ? edge.b : edge.a;
            if (edge.is_used || other == kNone || link_of_[other] != kNone) continue;
            edge.is_used = true;
            add_link(problem, other, static_cast<std::uint32_t>(at), &edge);
        }
    }
}

// Links in the order roots first: those with a joint to the world, then what hangs on them, then free trees.
void TreeEquations::span(const Problem& problem) {
    link_count_ = 0;
    link_of_.assign(problem.nodes.size(), kNone);
    for (Edge& edge : edges_) {
        if (edge.a == kNone || edge.b != kNone || link_of_[edge.a] != kNone) continue;
        edge.is_used = true;
        add_link(problem, edge.a, kNone, &edge);
    }
    visit(problem, 0);
    for (const Edge& edge : edges_) {
        if (edge.a == kNone || link_of_[edge.a] != kNone) continue;
        const auto root = static_cast<std::uint32_t>(link_count_);
        add_link(problem, edge.a, kNone, nullptr);
        visit(problem, root);
    }
}

void TreeEquations::prepare(const Problem& problem, std::span<std::uint8_t> taken) {
    work_ = 0;
    basis_.resize(problem.nodes.size());
    for (std::size_t k = 0; k < basis_.size(); ++k)
        basis_[k].set(problem.nodes.inv_mass[k], problem.nodes.inv_inertia[k]);
    find_edges(problem);
    span(problem);
    for (std::size_t k = 0; k < link_count_; ++k)
        for (int r = 0; r < links_[k].rows; ++r) taken[links_[k].row[static_cast<std::size_t>(r)]] = 1;
    loops_.clear(), loop_parts_.clear();
    for (const Edge& edge : edges_)
        if (!edge.is_used) add_loops(problem, edge.block, taken);
    factor();
    factor_loops(problem);
}

void TreeEquations::factor() {
    for (std::size_t k = 0; k < link_count_; ++k) {
        links_[k].inertia = {};
        const Vec6& mobility = basis_[links_[k].node].mobility();
        for (std::size_t i = 0; i < 6; ++i) links_[k].inertia[i][i] = mobility[i] > 0 ? 1 / mobility[i] : 1;
    }
    for (std::size_t k = link_count_; k-- > 0;) {
        Link& link = links_[k];
        link.i.factor(link.inertia, 6);
        const auto rows = static_cast<std::size_t>(link.rows);
        Matrix6 s{};
        for (std::size_t r = 0; r < rows; ++r) {
            link.x[r] = link.jc[r];
            link.i.solve(link.x[r]);
            for (std::size_t q = 0; q <= r; ++q)
                for (std::size_t i = 0; i < 6; ++i) s[r][q] += link.jc[q][i] * link.x[r][i];
            s[r][r] += link.compliance[r];
        }
        link.s.factor(s, link.rows);
        work_ += rows;
        if (link.parent == kNone) continue;
        for (std::size_t i = 0; i < 6; ++i) {
            std::array<double, 6> column{};
            for (std::size_t r = 0; r < rows; ++r) column[r] = link.jp[r][i];
            link.s.solve(column);
            for (std::size_t r = 0; r < rows; ++r) link.y[r][i] = column[r];
        }
        Matrix6& parent = links_[link.parent].inertia;
        for (std::size_t r = 0; r < rows; ++r)
            for (std::size_t i = 0; i < 6; ++i)
                for (std::size_t j = 0; j <= i; ++j) parent[i][j] += link.jp[r][i] * link.y[r][j];
    }
}

// Leaves to roots: p := S^-1 (c - X^T f).
void TreeEquations::pass_up() {
    for (std::size_t k = link_count_; k-- > 0;) {
        Link& link = links_[k];
        const auto rows = static_cast<std::size_t>(link.rows);
        for (std::size_t r = 0; r < rows; ++r)
            for (std::size_t i = 0; i < 6; ++i) link.p[r] -= link.x[r][i] * link.f[i];
        link.s.solve(link.p);
        work_ += rows;
        if (link.parent == kNone) continue;
        Vec6& f = links_[link.parent].f;
        for (std::size_t r = 0; r < rows; ++r)
            for (std::size_t i = 0; i < 6; ++i) f[i] += link.jp[r][i] * link.p[r];
    }
}

// Roots to leaves: p -= S^-1 J_p dv_p, dv = I^-1 f + X p.
void TreeEquations::pass_down() {
    for (std::size_t k = 0; k < link_count_; ++k) {
        Link& link = links_[k];
        const auto rows = static_cast<std::size_t>(link.rows);
        if (link.parent != kNone) {
            const Vec6& dv = links_[link.parent].dv;
            for (std::size_t r = 0; r < rows; ++r)
                for (std::size_t i = 0; i < 6; ++i) link.p[r] -= link.y[r][i] * dv[i];
        }
        link.dv = link.f;
        link.i.solve(link.dv);
        for (std::size_t r = 0; r < rows; ++r)
            for (std::size_t i = 0; i < 6; ++i) link.dv[i] += link.x[r][i] * link.p[r];
        work_ += rows;
    }
}

void TreeEquations::clear_right_sides() {
    for (std::size_t k = 0; k < link_count_; ++k) links_[k].p = {}, links_[k].f = {};
}

double TreeEquations::solve(Problem& problem) {
    double largest = 0;
    const auto lack = [&](std::uint32_t r) {
        const Row& row = problem.rows.rows[r];
        const double c = -(velocity_of(problem, row) + row.bias + row.compliance * row.impulse);
        largest = std::max(largest, std::abs(c));
        return c;
    };
    const auto set_right_sides = [&] {
        clear_right_sides();
        for (std::size_t k = 0; k < link_count_; ++k)
            for (std::size_t r = 0; r < static_cast<std::size_t>(links_[k].rows); ++r)
                links_[k].p[r] = lack(links_[k].row[r]);
    };
    set_right_sides();
    pass_up();
    pass_down();
    if (!loops_.empty()) {
        loop_impulse_.resize(loops_.size());
        for (std::size_t l = 0; l < loops_.size(); ++l)
            loop_impulse_[l] = (lack(loops_[l].row) - loop_velocity(loops_[l])) * loop_scale_[l];
        loop_inverse_.solve(loop_impulse_);
        set_right_sides();
        for (std::size_t l = 0; l < loops_.size(); ++l) {
            loop_impulse_[l] *= loop_scale_[l];
            push_loop(loops_[l], loop_impulse_[l]);
        }
        pass_up();
        pass_down();
    }
    // Impulses, rather than dv, are what moves the nodes: momentum is kept to rounding.
    const auto apply = [&](std::uint32_t r, double p) {
        Row& row = problem.rows.rows[r];
        row.impulse += p;
        for (const RowPart& part : problem.rows.parts_of(row)) {
            problem.nodes.v[part.node] += part.linear * (p * problem.nodes.inv_mass[part.node]);
            problem.nodes.w[part.node] += problem.nodes.inv_inertia[part.node] * (part.angular * p);
        }
    };
    for (std::size_t k = 0; k < link_count_; ++k)
        for (std::size_t r = 0; r < static_cast<std::size_t>(links_[k].rows); ++r)
            apply(links_[k].row[r], links_[k].p[r]);
    for (std::size_t l = 0; l < loops_.size(); ++l) apply(loops_[l].row, loop_impulse_[l]);
    return largest;
}

}  // namespace impuls
