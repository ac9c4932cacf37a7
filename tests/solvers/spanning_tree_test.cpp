// Spanning trees: their order, by hand and against a search without lists, and that they span.
#include "solvers/spanning_tree.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/rng.h"

namespace impuls {
namespace {

constexpr std::uint32_t kGround = SpanningTree::kNone;
using Edges = std::vector<SpanningTree::Edge>;

// {node, parent, edge} of all links.
std::vector<std::array<std::uint32_t, 3>> links_of(const SpanningTree& tree) {
    std::vector<std::array<std::uint32_t, 3>> list;
    for (const SpanningTree::Link& link : tree.links()) list.push_back({link.node, link.parent, link.edge});
    return list;
}
std::vector<std::uint32_t> others_of(const SpanningTree& tree) {
    return {tree.others().begin(), tree.others().end()};
}

TEST(SpanningTree, roots_on_the_ground_come_first_in_the_order_of_edges) {
    SpanningTree tree;
    const Edges edges{{0, 1}, {3, kGround}, {1, 2}, {kGround, 1}, {3, 2}, {1, kGround}};
    tree.find(4, edges);
    const std::vector<std::array<std::uint32_t, 3>> expected{
        {3, kGround, 1}, {1, kGround, 3}, {2, 0, 4}, {0, 1, 0}};
    EXPECT_EQ(links_of(tree), expected);
    EXPECT_EQ(others_of(tree), (std::vector<std::uint32_t>{2, 5}));
    EXPECT_EQ(tree.link_of(2), 2u);
}

TEST(SpanningTree, free_roots_are_the_lowest_and_are_followed_at_once) {
    SpanningTree tree;
    const Edges edges{{4, 3}, {1, 4}, {0, 2}, {}, {3, 1}};
    tree.find(6, edges);
    const std::vector<std::array<std::uint32_t, 3>> expected{
        {0, kGround, kGround}, {2, 0, 2}, {1, kGround, kGround}, {4, 2, 1}, {3, 2, 4}, {5, kGround, kGround}};
    EXPECT_EQ(links_of(tree), expected);
    EXPECT_EQ(others_of(tree), (std::vector<std::uint32_t>{0, 3}));  // a loop, and what is no edge
}

TEST(SpanningTree, edges_that_are_double_or_of_one_node_close_loops) {
    SpanningTree tree;
    const Edges edges{{0, 0}, {0, 1}, {1, 0}};
    tree.find(2, edges);
    EXPECT_EQ(others_of(tree), (std::vector<std::uint32_t>{0, 2}));
    tree.find(0, {});
    EXPECT_TRUE(tree.links().empty());
    EXPECT_TRUE(tree.others().empty());
}

// The same rules, looking at all edges for each link.
std::vector<std::array<std::uint32_t, 3>> searched(std::uint32_t n, const Edges& edges) {
    std::vector<std::array<std::uint32_t, 3>> links;
    const auto is_found = [&](std::uint32_t node) {
        return std::any_of(links.begin(), links.end(), [&](const auto& link) { return link[0] == node; });
    };
    std::size_t done = 0;
    const auto follow = [&] {
        for (; done < links.size(); ++done)
            for (std::uint32_t e = 0; e < edges.size(); ++e) {
                const auto node = links[done][0];
                if (edges[e].a != node && edges[e].b != node) continue;
                const auto other = edges[e].a == node ? edges[e].b : edges[e].a;
                if (other == kGround || is_found(other)) continue;
                links.push_back({other, static_cast<std::uint32_t>(done), e});
            }
    };
    for (std::uint32_t e = 0; e < edges.size(); ++e) {
        if ((edges[e].a == kGround) == (edges[e].b == kGround)) continue;
        const auto node = std::min(edges[e].a, edges[e].b);
        if (!is_found(node)) links.push_back({node, kGround, e});
    }
    follow();
    for (std::uint32_t node = 0; node < n; ++node) {
        if (!is_found(node)) links.push_back({node, kGround, kGround});
        follow();
    }
    return links;
}

TEST(SpanningTree, random_graphs_are_searched_in_the_same_order) {
    Rng rng(3, 0);
    SpanningTree tree;
    for (int repeat = 0; repeat < 200; ++repeat) {
        const auto n = 1 + static_cast<std::uint32_t>(rng.uniform(0, 12));
        const auto any = [&] {
            const auto node = static_cast<std::uint32_t>(rng.uniform(0, n + 1));
            return node == n ? kGround : node;
        };
        Edges edges(static_cast<std::size_t>(rng.uniform(0, 20)));
        for (auto& edge : edges) {
            edge.a = any();
            edge.b = any();
        }
        tree.find(n, edges);
        const auto links = links_of(tree);
        EXPECT_EQ(links, searched(n, edges)) << repeat;
        // Each edge is either a link's or one of the others.
        auto used = others_of(tree);
        for (const auto& link : links)
            if (link[2] != kGround) used.push_back(link[2]);
        std::sort(used.begin(), used.end());
        ASSERT_EQ(used.size(), edges.size());
        for (std::uint32_t e = 0; e < edges.size(); ++e) EXPECT_EQ(used[e], e);
    }
}

}  // namespace
}  // namespace impuls
