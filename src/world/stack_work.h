// What of an island is solved together where layers are: its edges (pairs with contact points, and joints) by
// stack layer, what the velocity stepper's passes over them keep, and the layer that is being solved while
// stacks are frozen. Part of IslandWork (island.h).
#pragma once

#include <cstdint>
#include <vector>

#include "collision/graph/stack_layers.h"
#include "constraints/problem.h"
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

    Problem part{};                                             // rows of one layer, while it is solved
    std::vector<std::uint32_t> part_contacts{}, part_blocks{};  // which of the problem's they are
    std::vector<std::uint32_t> row_of_point{};
    std::vector<double> frozen_rows{};  // by row of joints: what frozen bodies gave in this substep
};

}  // namespace impuls
