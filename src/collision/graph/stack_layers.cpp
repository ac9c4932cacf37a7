// Heights by breadth-first search, then layers by counting sort (stack_layers.h).
#include "collision/graph/stack_layers.h"

#include <algorithm>
#include <numeric>

#include "base/assert.h"

namespace impuls {

void StackLayers::list_ends(std::span<const std::uint8_t> is_support, std::span<const Pair> group_edges,
                            std::size_t contacts) {
    const auto n = static_cast<std::uint32_t>(is_support.size());
    start_.assign(n + 1, 0);
    for (const auto& [a, b] : group_edges) {
        IMPULS_ASSERT(a < n && b < n);
        ++start_[a + 1];
        ++start_[b + 1];
    }
    std::partial_sum(start_.begin(), start_.end(), start_.begin());
    cursor_.assign(start_.begin(), start_.end());
    ends_.resize(start_.back());
    for (std::size_t e = 0; e < group_edges.size(); ++e) {
        const auto [a, b] = group_edges[e];
        const bool is_rigid = e >= contacts && !is_support[a] && !is_support[b];
        ends_[cursor_[a]++] = {b, is_rigid};
        ends_[cursor_[b]++] = {a, is_rigid};
    }
}

// The nodes beside one, over joints at its own height or over all other edges one higher.
void StackLayers::reach(std::uint32_t from, bool is_rigid) {
    for (auto k = start_[from]; k < start_[from + 1]; ++k) {
        const End& end = ends_[k];
        if (end.is_rigid != is_rigid || height[end.node] != kUnsupported) continue;
        height[end.node] = height[from] + (is_rigid ? 0 : 1);
        queue_.push_back(end.node);
    }
}

// One height after the other: first all that joints add to it, then what is above.
void StackLayers::find_heights(std::span<const std::uint8_t> is_support) {
    height.assign(is_support.size(), kUnsupported);
    queue_.clear();
    for (std::uint32_t k = 0; k < is_support.size(); ++k) {
        if (!is_support[k]) continue;
        height[k] = 0;
        queue_.push_back(k);
    }
    for (std::size_t first = 0; first < queue_.size();) {
        for (std::size_t k = first; k < queue_.size(); ++k) reach(queue_[k], true);
        const std::size_t end = queue_.size();
        for (; first < end; ++first) reach(queue_[first], false);
    }
}

namespace {

template <class LayerOf>
void sort_by_layer(std::size_t count, std::size_t layers, LayerOf layer_of,
                   std::vector<std::uint32_t>& cursor, std::vector<std::uint32_t>& start,
                   std::vector<std::uint32_t>& items) {
    start.assign(layers + 1, 0);
    for (std::uint32_t k = 0; k < count; ++k)
        if (const auto i = layer_of(k); i < layers) ++start[i + 1];
    std::partial_sum(start.begin(), start.end(), start.begin());
    cursor.assign(start.begin(), start.end());
    items.resize(start.back());
    for (std::uint32_t k = 0; k < count; ++k)
        if (const auto i = layer_of(k); i < layers) items[cursor[i]++] = k;
}

}  // namespace

void StackLayers::build(std::span<const std::uint8_t> is_support, std::span<const Pair> group_edges,
                        std::size_t contacts) {
    list_ends(is_support, group_edges, contacts);
    find_heights(is_support);
    layer_of_edge.resize(group_edges.size());
    has_higher_.assign(is_support.size(), 0);
    std::uint32_t layers = group_edges.empty() ? 0 : 1;
    for (std::size_t e = 0; e < group_edges.size(); ++e) {
        const auto [a, b] = group_edges[e];
        const std::uint32_t ha = height[a], hb = height[b];
        // Both are supported, or none is; and heights differ by one edge at most.
        IMPULS_ASSERT((ha == kUnsupported) == (hb == kUnsupported) &&
                      std::max(ha, hb) - std::min(ha, hb) <= 1);
        layer_of_edge[e] = ha == kUnsupported ? 0 : ha == hb && ha > 0 ? ha - 1 : std::min(ha, hb);
        layers = std::max(layers, layer_of_edge[e] + 1);
        if (ha < hb) has_higher_[a] = 1;
        if (hb < ha) has_higher_[b] = 1;
    }
    sort_by_layer(
        group_edges.size(), layers, [&](auto e) { return layer_of_edge[e]; }, cursor_, edge_start, edges);
    sort_by_layer(
        is_support.size(), layers, [&](auto k) { return has_higher_[k] ? height[k] : kUnsupported; }, cursor_,
        lower_start, lower);
    sort_by_layer(
        is_support.size(), layers,
        [&](auto k) { return height[k] == kUnsupported ? 0
                             : height[k] == 0          ? kUnsupported
                                                       : height[k] - 1; },
        cursor_, upper_start, upper);
}

}  // namespace impuls
