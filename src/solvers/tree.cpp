// A problem's joints as links, rows and loops of the linear-time tree, and the impulses back (tree.h).
#include "solvers/tree.h"

#include <algorithm>
#include <cmath>

#include "base/assert.h"

namespace impuls {
namespace {

Vec3 linear_of(const Vec6& j) {
    return {j[0], j[1], j[2]};
}
Vec3 angular_of(const Vec6& j) {
    return {j[3], j[4], j[5]};
}

}  // namespace

// Nodes are numbered when a row first names them.
std::uint32_t TreeEquations::number_of(const Nodes& nodes, std::uint32_t node) {
    if (number_[node] != kNone) return number_[node];
    NodeBasis basis;
    basis.set(nodes.inv_mass[node], nodes.is_body(node) ? nodes.inv_inertia[node] : Mat3{{}, {}, {}});
    if (!basis.is_movable()) return kNone;
    basis_.push_back(basis);
    return number_[node] = static_cast<std::uint32_t>(basis_.size() - 1);
}

void TreeEquations::find_edges(const Problem& problem) {
    number_.assign(problem.nodes.size(), kNone);
    basis_.clear();
    edges_.clear();
    for (const Block& block : problem.rows.blocks) {
        SpanningTree::Edge edge;
        int rows = 0;
        bool is_edge = true;
        for (const Row& row : problem.rows.rows_of(block)) {
            if (row.is_bounded()) continue;
            ++rows;
            for (const RowPart& part : problem.rows.parts_of(row)) {
                const auto k = number_of(problem.nodes, part.node);
                if (k == kNone || k == edge.a || k == edge.b) continue;
                is_edge = is_edge && edge.b == kNone;
                (edge.a == kNone ? edge.a : edge.b) = k;
            }
        }
        edges_.push_back(is_edge && rows <= 6 ? edge : SpanningTree::Edge{});
    }
}

// J in the coordinates of the node's basis.
ArticulatedTree::Part TreeEquations::part_of(const RowPart& part) const {
    const auto k = number_[part.node];
    if (k == kNone) return {};
    const Vec6 j = basis_[k].row(part.linear, part.angular);
    return {spanning_.link_of(k), linear_of(j), angular_of(j)};
}

void TreeEquations::add_rows(const Problem& problem, std::uint32_t block, std::uint32_t link) {
    ArticulatedTree::JointRows& joint = tree_.rows_of(link);
    const std::uint32_t parent = tree_.links()[link].parent;
    const Block& rows = problem.rows.blocks[block];
    for (std::uint32_t r = rows.first_row; r < rows.first_row + rows.row_count; ++r) {
        const Row& row = problem.rows.rows[r];
        if (row.is_bounded()) continue;
        const auto k = static_cast<std::size_t>(joint.count++);
        joint.child[k] = {link, {}, {}};
        joint.parent[k] = {parent, {}, {}};
        joint.compliance[k] = row.compliance;
        for (const RowPart& from : problem.rows.parts_of(row)) {
            const ArticulatedTree::Part part = part_of(from);
            ArticulatedTree::Part& sum = part.link == link ? joint.child[k] : joint.parent[k];
            sum.linear += part.linear;
            sum.angular += part.angular;
        }
        rows_.push_back(r);
    }
}

void TreeEquations::add_links(const Problem& problem) {
    const auto mass_along = [](double mobility) { return mobility > 0 ? 1 / mobility : 1; };
    for (const SpanningTree::Link& from : spanning_.links()) {
        const bool is_held = from.edge != kNone;
        const auto k =
            tree_.add(is_held ? ArticulatedTree::Kind::Rows : ArticulatedTree::Kind::Free, from.parent);
        const Vec6& mobility = basis_[from.node].mobility();
        ArticulatedTree::Link& link = tree_.links()[k];
        link.mass = mass_along(mobility[0]);
        link.inertia = diagonal({mass_along(mobility[3]), mass_along(mobility[4]), mass_along(mobility[5])});
        if (is_held) add_rows(problem, from.edge, k);
    }
    link_row_count_ = rows_.size();
}

void TreeEquations::add_loops(const Problem& problem, std::uint32_t block) {
    const Block& rows = problem.rows.blocks[block];
    if (tree_.loops().size() + rows.row_count > ArticulatedTree::kMostLoopRows) return;  // swept
    for (std::uint32_t r = rows.first_row; r < rows.first_row + rows.row_count; ++r) {
        const Row& row = problem.rows.rows[r];
        const auto parts = problem.rows.parts_of(row);
        const auto can_move = [&](const RowPart& part) { return number_[part.node] != kNone; };
        if (row.is_bounded() || std::none_of(parts.begin(), parts.end(), can_move)) continue;
        tree_.add_loop_row();
        tree_.loops().back().compliance = row.compliance;
        for (const RowPart& part : parts)
            if (can_move(part)) tree_.add_loop_part(part_of(part));
        rows_.push_back(r);
    }
}

void TreeEquations::prepare(const Problem& problem, std::span<std::uint8_t> taken) {
    find_edges(problem);
    spanning_.find(basis_.size(), edges_);
    tree_.clear();
    rows_.clear();
    add_links(problem);
    for (const auto block : spanning_.others()) add_loops(problem, block);
    for (const auto r : rows_) taken[r] = 1;
    tree_.factor();
    work_ = link_row_count_ * (1 + 2 * tree_.loops().size());  // two passes for each row of a loop
}

template <class Visit>
void TreeEquations::for_each_row(Visit&& visit) {
    std::size_t n = 0;
    for (std::uint32_t k = 0; n < link_row_count_; ++k) {
        ArticulatedTree::JointRows& joint = tree_.rows_of(k);
        for (std::size_t r = 0; r < static_cast<std::size_t>(joint.count); ++r)
            visit(rows_[n++], joint.c[r], joint.impulse[r]);
    }
    for (ArticulatedTree::LoopRow& loop : tree_.loops()) visit(rows_[n++], loop.c, loop.impulse);
}

double TreeEquations::solve(Problem& problem) {
    double largest = 0;
    for_each_row([&](std::uint32_t r, double& c, double) {
        const Row& row = problem.rows.rows[r];
        c = -(velocity_of(problem, row) + row.bias + row.compliance * row.impulse);
        largest = std::max(largest, row.length * std::abs(c));
    });
    tree_.solve();
    work_ += link_row_count_ * (tree_.loops().empty() ? 2 : 4);
    for_each_row([&](std::uint32_t r, double, double p) {
        Row& row = problem.rows.rows[r];
        row.impulse += p;
        for (const RowPart& part : problem.rows.parts_of(row)) push(problem.nodes, part, p);
    });
    return largest;
}

}  // namespace impuls
