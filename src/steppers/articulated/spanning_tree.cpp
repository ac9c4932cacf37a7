// Breadth-first spanning trees (spanning_tree.h).
#include "steppers/articulated/spanning_tree.h"

namespace impuls::articulated {

// By counting: how many each node has, where they start, and then the edges themselves.
void SpanningTree::list_edges_by_node(std::size_t node_count, std::span<const Edge> edges) {
    const auto for_each_end = [&](auto&& visit) {
        for (std::uint32_t e = 0; e < edges.size(); ++e)
            for (const std::uint32_t node : {edges[e].a, edges[e].b})
                if (node != kNone) visit(e, node);
    };
    edge_start_.assign(node_count + 1, 0);
    for_each_end([&](std::uint32_t, std::uint32_t node) { ++edge_start_[node + 1]; });
    for (std::size_t k = 0; k < node_count; ++k) edge_start_[k + 1] += edge_start_[k];
    edge_of_.resize(edge_start_.back());
    for_each_end([&](std::uint32_t e, std::uint32_t node) { edge_of_[edge_start_[node]++] = e; });
    for (std::size_t k = node_count; k > 0; --k) edge_start_[k] = edge_start_[k - 1];
    edge_start_[0] = 0;
}

void SpanningTree::add(std::uint32_t node, std::uint32_t parent, std::uint32_t edge) {
    link_of_[node] = static_cast<std::uint32_t>(links_.size());
    links_.push_back({node, parent, edge});
    if (edge != kNone) is_used_[edge] = 1;
}

void SpanningTree::add_grounded(std::span<const Edge> edges) {
    for (std::uint32_t e = 0; e < edges.size(); ++e) {
        const auto [a, b] = edges[e];
        if ((a == kNone) == (b == kNone)) continue;
        const std::uint32_t node = a == kNone ? b : a;
        if (link_of_[node] == kNone) add(node, kNone, e);
    }
}

void SpanningTree::follow(std::span<const Edge> edges) {
    for (; followed_ < links_.size(); ++followed_) {
        const std::uint32_t node = links_[followed_].node;
        for (std::uint32_t n = edge_start_[node]; n < edge_start_[node + 1]; ++n) {
            const std::uint32_t e = edge_of_[n];
            const std::uint32_t other = edges[e].a == node ? edges[e].b : edges[e].a;
            if (!is_used_[e] && other != kNone && link_of_[other] == kNone)
                add(other, static_cast<std::uint32_t>(followed_), e);
        }
    }
}

void SpanningTree::find(std::size_t node_count, std::span<const Edge> edges) {
    list_edges_by_node(node_count, edges);
    is_used_.assign(edges.size(), 0);
    link_of_.assign(node_count, kNone);
    links_.clear();
    others_.clear();
    followed_ = 0;
    add_grounded(edges);
    follow(edges);
    for (std::uint32_t node = 0; node < node_count; ++node) {
        if (link_of_[node] != kNone) continue;
        add(node, kNone, kNone);
        follow(edges);
    }
    for (std::uint32_t e = 0; e < edges.size(); ++e)
        if (!is_used_[e]) others_.push_back(e);
}

}  // namespace impuls::articulated
