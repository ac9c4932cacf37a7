// Breadth-first search of spanning trees (spanning_tree.h).
#include "solvers/spanning_tree.h"

namespace impuls {

// By counting.
void SpanningTree::list_edges_by_node(std::size_t node_count, std::span<const Edge> edges) {
    edge_start_.assign(node_count + 1, 0);
    for (const Edge& edge : edges)
        for (const auto node : {edge.a, edge.b})
            if (node != kNone) ++edge_start_[node + 1];
    for (std::size_t k = 0; k < node_count; ++k) edge_start_[k + 1] += edge_start_[k];
    edge_of_.resize(edge_start_.back());
    for (std::uint32_t e = 0; e < edges.size(); ++e)
        for (const auto node : {edges[e].a, edges[e].b})
            if (node != kNone) edge_of_[edge_start_[node]++] = e;
    for (std::size_t k = node_count; k > 0; --k) edge_start_[k] = edge_start_[k - 1];
    edge_start_[0] = 0;
}

void SpanningTree::add(std::uint32_t node, std::uint32_t parent, std::uint32_t edge) {
    if (edge != kNone) is_used_[edge] = 1;
    link_of_[node] = static_cast<std::uint32_t>(links_.size());
    links_.push_back({node, parent, edge});
}

void SpanningTree::follow(std::span<const Edge> edges, std::size_t first_link) {
    for (std::size_t at = first_link; at < links_.size(); ++at) {
        const std::uint32_t node = links_[at].node;
        for (auto n = edge_start_[node]; n < edge_start_[node + 1]; ++n) {
            const std::uint32_t e = edge_of_[n];
            const std::uint32_t other = edges[e].a == node ? edges[e].b : edges[e].a;
            if (other != kNone && link_of_[other] == kNone) add(other, static_cast<std::uint32_t>(at), e);
        }
    }
}

void SpanningTree::find(std::size_t node_count, std::span<const Edge> edges) {
    list_edges_by_node(node_count, edges);
    is_used_.assign(edges.size(), 0);
    link_of_.assign(node_count, kNone);
    links_.clear();
    others_.clear();
    for (std::uint32_t e = 0; e < edges.size(); ++e) {
        if ((edges[e].a == kNone) == (edges[e].b == kNone)) continue;
        const std::uint32_t node = edges[e].a == kNone ? edges[e].b : edges[e].a;
        if (link_of_[node] == kNone) add(node, kNone, e);
    }
    follow(edges, 0);
    for (std::uint32_t node = 0; node < node_count; ++node) {
        if (link_of_[node] != kNone) continue;
        add(node, kNone, kNone);
        follow(edges, links_.size() - 1);
    }
    for (std::uint32_t e = 0; e < edges.size(); ++e)
        if (!is_used_[e]) others_.push_back(e);
}

}  // namespace impuls
