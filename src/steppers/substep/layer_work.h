// An island's edges by layer (layers.h), and the nodes that are held while a layer is solved.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "collision/graph/stack_layers.h"
#include "impuls/vec.h"

namespace impuls::substep {

// A node as it was before it was held fast.
struct HeldNode {
    std::uint32_t node;
    double inv_mass;
    Mat3 inv_inertia;
};

struct LayerWork {
    std::vector<Pair> edges{};                 // nodes; pairs first, then joints
    std::vector<std::uint32_t> items{};        // of each edge: pair or joint of the island
    std::vector<std::uint32_t> all{};          // 0, 1, ...: every edge
    std::vector<std::uint32_t> point_start{};  // of each pair of the island, and one end
    std::size_t pair_edges = 0;
    std::vector<std::uint8_t> is_support{};  // by node
    StackLayers layers{};
    std::vector<HeldNode> held{};

    std::span<const std::uint32_t> edges_of(std::size_t layer) const {
        return {layers.edges.data() + layers.edge_start[layer],
                layers.edges.data() + layers.edge_start[layer + 1]};
    }
    std::span<const std::uint32_t> upper_of(std::size_t layer) const {
        return {layers.upper.data() + layers.upper_start[layer],
                layers.upper.data() + layers.upper_start[layer + 1]};
    }
    std::span<const std::uint32_t> lower_of(std::size_t layer) const {
        return {layers.lower.data() + layers.lower_start[layer],
                layers.lower.data() + layers.lower_start[layer + 1]};
    }
};

}  // namespace impuls::substep
