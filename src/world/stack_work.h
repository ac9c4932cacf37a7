// What of an island is solved together in the velocity stepper: its edges (pairs with contact points, and
// joints) by stack layer, and what the passes over them keep. Part of IslandWork (island.h).
#pragma once

#include <cstdint>
#include <vector>

#include "collision/graph/stack_layers.h"
#include "impuls/vec.h"

namespace impuls {

struct StackWork {
    std::vector<Pair> edges{};                 // nodes; pairs first, then joints
    std::vector<std::uint32_t> items{};        // of each edge: pair or joint of the island
    std::vector<std::uint32_t> all{};          // 0, 1, ...: every edge
    std::vector<std::uint32_t> point_start{};  // of each pair of the island, and one end
    std::size_t pair_edges = 0;

    std::vector<std::uint8_t> is_support{};
    StackLayers layers{};
    struct Held {
        std::uint32_t node;
        double inv_mass;
        Mat3 inv_inertia;
    };
    std::vector<Held> held{};  // as they were before they were held fast

    std::vector<std::uint32_t> bearing{};    // by node: points that bear it from below
    std::vector<Vec3> rest_v{}, rest_w{};    // by node: the part of the kick that the layers give
    std::vector<Vec3> saved_v{}, saved_w{};  // velocities while positions are corrected
    std::vector<std::uint32_t> joints{};     // in the problem, in the order of their rows
};

}  // namespace impuls
