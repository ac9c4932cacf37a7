// Stack analysis of one group (Erleben 2005, section 6.4.2): the height of a node is the number of edges on
// the shortest path to a fixed or scripted one, layer i holds the edges between heights i and i + 1 and those
// among height i + 1. Bodies that joints connect have one height, the least of them: a joint carries loads
// in both directions, and solved with one of its bodies held fast it would pull at the other alone (the text
// has no joints in its stacks). No direction "up" is implied. As printed, figure 6.52 enters the wrong body
// and the search would leak through fixed nodes into other groups; here only the edges handed over are
// walked. For solvers that go through a stack layer by layer.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "collision/broad/broad.h"

namespace impuls {

struct StackLayers {
    static constexpr std::uint32_t kUnsupported = std::numeric_limits<std::uint32_t>::max();

    std::vector<std::uint32_t> height{};         // of each node; kUnsupported without a path to a fixed node
    std::vector<std::uint32_t> layer_of_edge{};  // edges without support are in layer 0
    // Layer i holds edges[edge_start[i] .. edge_start[i + 1]), and likewise its lower and upper nodes.
    std::vector<std::uint32_t> edges{}, edge_start{};
    std::vector<std::uint32_t> lower{}, lower_start{};
    std::vector<std::uint32_t> upper{}, upper_start{};

    std::size_t size() const { return edge_start.empty() ? 0 : edge_start.size() - 1; }

    // Edges are contacts and joints of one group, as pairs of nodes: contacts first, `contacts` of them. A
    // group without support is one layer in which all nodes are upper.
    void build(std::span<const std::uint8_t> is_support, std::span<const Pair> group_edges,
               std::size_t contacts);

  private:
    // An edge as seen from one of its nodes.
    struct End {
        std::uint32_t node;
        bool is_rigid;  // a joint of two nodes that do not support: both have one height
    };

    void list_ends(std::span<const std::uint8_t> is_support, std::span<const Pair> group_edges,
                   std::size_t contacts);
    void find_heights(std::span<const std::uint8_t> is_support);
    void reach(std::uint32_t from, bool is_rigid);

    std::vector<std::uint32_t> start_{}, queue_{}, cursor_{};
    std::vector<End> ends_{};
    std::vector<std::uint8_t> has_higher_{};
};

}  // namespace impuls
