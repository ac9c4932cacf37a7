// Objects and elements: a range of particles is one node of the graph and one member of a group, however many
// of its triangles touch, and each of these has a key of its own (pair_key.h).
#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "collision/graph/contact_graph.h"
#include "collision/graph/groups.h"
#include "collision/graph/pair_key.h"
#include "graph_fixture.h"
#include "impuls/executor.h"

namespace impuls {
namespace {

// A ball, a sheet of four triangles, another ball, and the ground: objects 0..3 with uids 1..4; elements
// with their objects, and their numbers in these.
constexpr std::array<std::uint32_t, 7> kObject{0, 1, 1, 1, 1, 2, 3};
constexpr std::array<std::uint32_t, 7> kNumber{0, 0, 1, 2, 3, 0, 0};

struct Found {
    std::vector<Pair> objects{};
    std::vector<PairKey> keys{};
};

// What pairs of elements say of objects.
Found pairs_of(const ContactGraph& graph, const std::vector<Pair>& elements) {
    Found found;
    for (const auto& [a, b] : elements) {
        found.objects.emplace_back(kObject[a], kObject[b]);
        found.keys.push_back(
            {graph.nodes[kObject[a]].uid, graph.nodes[kObject[b]].uid, kNumber[a], kNumber[b]});
    }
    return found;
}

TEST(Objects, a_range_of_particles_is_one_node_with_one_event_a_neighbour) {
    ContactGraph graph = graph_of(4);
    graph.nodes[3].kind = NodeKind::Fixed;
    // The first ball on two triangles, the second on one and on the ground.
    const Found found = pairs_of(graph, {{0, 2}, {0, 3}, {4, 5}, {5, 6}});
    std::vector<std::uint32_t> edge_of;
    graph.update(found.objects, edge_of);
    ASSERT_EQ(graph.edges.size(), 3u);
    EXPECT_EQ(edge_of[0], edge_of[1]);
    for (GraphEdge& edge : graph.edges) edge.state = PairState::Touching;
    std::vector<GraphEvent> told;
    graph.deliver(bit_of(EventKind::TouchBegin), told);
    ASSERT_EQ(told.size(), 3u);
    EXPECT_EQ(std::pair(told[0].a, told[0].b), std::pair(std::uint64_t{1}, std::uint64_t{2}));
    EXPECT_EQ(std::pair(told[1].a, told[1].b), std::pair(std::uint64_t{2}, std::uint64_t{3}));

    // From one triangle to the next nothing begins and nothing ends.
    told.clear();
    graph.update(pairs_of(graph, {{0, 1}, {4, 5}, {5, 6}}).objects, edge_of);
    for (GraphEdge& edge : graph.edges) edge.state = PairState::Touching;
    graph.deliver(bit_of(EventKind::TouchBegin) | bit_of(EventKind::TouchEnd), told);
    EXPECT_TRUE(told.empty());
}

TEST(Objects, a_range_of_particles_joins_what_touches_it_into_one_group) {
    const ContactGraph graph = graph_of(4);
    const std::vector<NodeRole> roles{NodeRole::Mover, NodeRole::Mover, NodeRole::Mover, NodeRole::Fixed};
    const std::vector<std::uint32_t> members{0, 1, 2, 3};
    Executor executor(1);
    Groups groups;
    groups.build(roles, members, pairs_of(graph, {{0, 2}, {0, 3}, {4, 5}, {5, 6}}).objects, {}, executor);
    ASSERT_EQ(groups.size(), 1u);
    EXPECT_EQ(groups.bodies, (std::vector<std::uint32_t>{0, 1, 2}));
    EXPECT_EQ(groups.pairs, (std::vector<std::uint32_t>{0, 1, 2, 3}));
}

TEST(Objects, keys_name_elements_in_the_order_of_uids) {
    const ContactGraph graph = graph_of(4);
    const Found found = pairs_of(graph, {{0, 1}, {0, 2}, {0, 3}, {1, 5}, {4, 5}, {5, 6}});
    for (std::size_t k = 1; k < found.keys.size(); ++k) EXPECT_LT(found.keys[k - 1], found.keys[k]) << k;
    EXPECT_EQ(found.keys[1].uid_b, found.keys[2].uid_b);
    EXPECT_NE(found.keys[1].element_b, found.keys[2].element_b);
}

}  // namespace
}  // namespace impuls
