// A graph over plain boxes: positions move, brute force says who is near.
#pragma once

#include <vector>

#include "base/rng.h"
#include "collision/graph/contact_graph.h"

namespace impuls {

inline ContactGraph graph_of(std::size_t n, NodeKind kind = NodeKind::Rigid) {
    ContactGraph graph;
    for (std::uint64_t k = 1; k <= n; ++k) graph.nodes.push_back({k, kind, true, 0, 0});
    return graph;
}

inline Aabb cube(const Vec3& center, double half) {
    return {center - Vec3{half, half, half}, center + Vec3{half, half, half}};
}

// All admitted overlapping pairs.
inline void near_pairs(const ContactGraph& graph, const std::vector<Aabb>& boxes, Executor& executor,
                       BroadPhase& broad, std::vector<Pair>& out) {
    std::vector<std::uint64_t> ids;
    for (const GraphNode& node : graph.nodes) ids.push_back(node.uid);
    broad.find_pairs(boxes, ids, executor, out);
    std::erase_if(out, [&](const Pair& p) { return !graph.admits(p.first, p.second); });
}

}  // namespace impuls
