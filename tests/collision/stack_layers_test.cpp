// Stack layers against a reference search that relaxes heights until nothing changes.
#include "collision/graph/stack_layers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

namespace impuls {
namespace {

constexpr std::uint32_t kNo = StackLayers::kUnsupported;

std::vector<std::uint32_t> reference_heights(const std::vector<std::uint8_t>& support,
                                             const std::vector<Pair>& edges, std::size_t contacts) {
    std::vector<std::uint32_t> h(support.size(), kNo);
    for (std::size_t k = 0; k < h.size(); ++k)
        if (support[k]) h[k] = 0;
    for (bool is_changed = true; is_changed;) {
        is_changed = false;
        for (std::size_t e = 0; e < edges.size(); ++e) {
            const auto [a, b] = edges[e];
            const std::uint32_t rise = e < contacts || support[a] || support[b] ? 1 : 0;
            for (const auto& [x, y] : {Pair{a, b}, Pair{b, a}})
                if (h[x] != kNo && (h[y] == kNo || h[y] > h[x] + rise)) h[y] = h[x] + rise, is_changed = true;
        }
    }
    return h;
}

void check(const std::vector<std::uint8_t>& support, const std::vector<Pair>& edges, std::size_t contacts) {
    StackLayers layers;
    layers.build(support, edges, contacts);
    const auto h = reference_heights(support, edges, contacts);
    ASSERT_EQ(layers.height, h);
    std::vector<int> times_listed(edges.size(), 0), times_upper(support.size(), 0);
    for (std::size_t i = 0; i < layers.size(); ++i) {
        for (auto k = layers.edge_start[i]; k < layers.edge_start[i + 1]; ++k) {
            const auto e = layers.edges[k];
            ++times_listed[e];
            const auto [lo, hi] = std::minmax(h[edges[e].first], h[edges[e].second]);
            if (lo == kNo) continue;
            EXPECT_EQ(hi, i + 1);
            EXPECT_GE(lo, i);
        }
        for (auto k = layers.upper_start[i]; k < layers.upper_start[i + 1]; ++k) {
            ++times_upper[layers.upper[k]];
            if (h[layers.upper[k]] != kNo) {
                EXPECT_EQ(h[layers.upper[k]], i + 1);
            }
        }
        for (auto k = layers.lower_start[i]; k < layers.lower_start[i + 1]; ++k)
            EXPECT_EQ(h[layers.lower[k]], i);
    }
    for (const int times : times_listed) EXPECT_EQ(times, 1);
    for (std::size_t k = 0; k < support.size(); ++k)
        if (h[k] != kNo && h[k] > 0) {
            EXPECT_EQ(times_upper[k], 1) << k;
        }
}

TEST(SpecShock, T19_stack_layers_match_a_reference_search) {
    // A tower with a bridge between two bodies of one height, on a floor (0).
    check({1, 0, 0, 0, 0}, {{0, 1}, {0, 2}, {1, 2}, {1, 3}, {2, 3}, {3, 4}}, 6);
    std::mt19937 rng(19);
    for (int trial = 0; trial < 500; ++trial) {
        const std::uint32_t n = 2 + rng() % 60;
        std::vector<std::uint8_t> support(n, 0);
        for (auto& s : support) s = rng() % 8 == 0;
        std::set<Pair> edges;
        for (std::uint32_t k = 0; k < 2 * n; ++k) {
            const std::uint32_t a = rng() % n, b = rng() % n;
            if (a != b && !(support[a] && support[b])) edges.insert(std::minmax({a, b}));
        }
        std::vector<Pair> list{edges.begin(), edges.end()};
        check(support, list, list.size());
        // The same with joints among them: what they connect has one height.
        std::shuffle(list.begin(), list.end(), rng);
        check(support, list, list.size() - list.size() / 4);
    }
}

TEST(StackLayers, joints_do_not_part_bodies) {
    // A chain of three from a fixed body (0), a box (4) on its end: the chain is one layer, the box the next.
    StackLayers layers;
    layers.build(std::vector<std::uint8_t>{1, 0, 0, 0, 0}, std::vector<Pair>{{3, 4}, {0, 1}, {1, 2}, {2, 3}},
                 1);
    EXPECT_EQ(layers.height, (std::vector<std::uint32_t>{0, 1, 1, 1, 2}));
    ASSERT_EQ(layers.size(), 2u);
    EXPECT_EQ(layers.layer_of_edge, (std::vector<std::uint32_t>{1, 0, 0, 0}));
}

TEST(StackLayers, a_group_without_support_is_one_layer) {
    StackLayers layers;
    layers.build(std::vector<std::uint8_t>{0, 0, 0}, std::vector<Pair>{{0, 1}, {1, 2}}, 2);
    ASSERT_EQ(layers.size(), 1u);
    EXPECT_EQ(layers.edges.size(), 2u);
    EXPECT_EQ(layers.upper.size(), 3u);
    EXPECT_TRUE(layers.lower.empty());
}

}  // namespace
}  // namespace impuls
