// Spanning trees of a graph whose edges join two nodes, or a node and the ground: which edge leads from each
// node to its parent, and which edges close loops. Breadth first:
//   1. every edge to the ground, in the order of edges, makes its node a root unless it is one already;
//   2. the links are followed in the order in which they were found, each along its edges in their order;
//   3. the lowest node not found yet becomes a root without an edge and is followed at once; and so on.
// A parent comes before its children, and the order depends on the order of nodes and edges alone. Linear in
// both. Used for the trees of joints (articulated_tree.h).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace impuls {

class SpanningTree {
  public:
    static constexpr std::uint32_t kNone = 0xffffffff;

    struct Edge {
        std::uint32_t a = kNone, b = kNone;  // nodes; one is kNone: the ground; both: not part of the graph
    };
    // A node with what holds it.
    struct Link {
        std::uint32_t node = kNone;
        std::uint32_t parent = kNone;  // a link, of a lower number; kNone: the ground or nothing
        std::uint32_t edge = kNone;    // to the parent or the ground; kNone: a root that nothing holds
    };

    void find(std::size_t node_count, std::span<const Edge> edges);

    // All nodes, parents first.
    std::span<const Link> links() const { return links_; }
    std::uint32_t link_of(std::uint32_t node) const { return link_of_[node]; }
    // The edges that are no link's, in their order: those that close loops, and those without nodes.
    std::span<const std::uint32_t> others() const { return others_; }

  private:
    void list_edges_by_node(std::size_t node_count, std::span<const Edge> edges);
    void add(std::uint32_t node, std::uint32_t parent, std::uint32_t edge);
    void follow(std::span<const Edge> edges, std::size_t first_link);

    std::vector<std::uint32_t> edge_start_{}, edge_of_{};  // numbers of a node's edges
    std::vector<std::uint8_t> is_used_{};                  // by edge
    std::vector<std::uint32_t> link_of_{};                 // by node
    std::vector<Link> links_{};
    std::vector<std::uint32_t> others_{};
};

}  // namespace impuls
