// The contact graph on its own: permitted edges, filters, edges that come and go, events.
#include "collision/graph/contact_graph.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "graph_fixture.h"
#include "impuls/errors.h"
#include "support/full_size.h"

namespace impuls {
namespace {

constexpr std::uint32_t kAll = ~0u;

// Table 5.2, written out as names.
TEST(ContactGraph, permitted_pairs_are_those_of_the_table) {
    using K = NodeKind;
    const std::set<std::pair<K, K>> physical{
        {K::Rigid, K::Rigid}, {K::Rigid, K::Fixed},   {K::Rigid, K::Scripted}, {K::Rigid, K::Link},
        {K::Fixed, K::Link},  {K::Scripted, K::Link}, {K::Link, K::Link}};
    const std::set<std::pair<K, K>> structural{{K::Rigid, K::Composite}, {K::Link, K::Multibody}};
    const std::set<K> bodies{K::Rigid, K::Fixed, K::Scripted, K::Link};
    for (int i = 0; i < kNodeKinds; ++i)
        for (int j = 0; j < kNodeKinds; ++j) {
            const K a = static_cast<K>(i), b = static_cast<K>(j);
            const auto in = [&](const auto& set) { return set.count({a, b}) || set.count({b, a}); };
            const auto with = [&](K x) { return (a == x && bodies.count(b)) || (b == x && bodies.count(a)); };
            const EdgeKind expected = in(physical)       ? EdgeKind::Physical
                                      : in(structural)   ? EdgeKind::Structural
                                      : with(K::Trigger) ? EdgeKind::Geometrical
                                      : with(K::Rule)    ? EdgeKind::Logical
                                                         : EdgeKind::None;
            EXPECT_EQ(edge_kind(a, b), expected) << i << ' ' << j;
        }
}

TEST(ContactGraph, filters_by_layer_activity_and_rule) {
    ContactGraph graph = graph_of(4);
    graph.nodes.push_back({kFirstRuleUid, NodeKind::Rule, true, 0, 0});
    EXPECT_TRUE(graph.admits(0, 1));
    graph.nodes[1].layer = 5;
    graph.nodes[0].ignores = 1u << 5;
    EXPECT_FALSE(graph.admits(0, 1));
    EXPECT_FALSE(graph.admits(1, 0));
    EXPECT_TRUE(graph.admits(0, 2));
    graph.nodes[2].is_active = false;
    EXPECT_FALSE(graph.admits(0, 2));
    graph.add_static_edge(kFirstRuleUid, 1), graph.add_static_edge(4, kFirstRuleUid);
    EXPECT_FALSE(graph.admits(0, 3));
    EXPECT_TRUE(graph.admits(1, 3));
    EXPECT_THROW(graph.add_static_edge(1, 4), InputError);
}

TEST(ContactGraph, static_edges_stay) {
    ContactGraph graph = graph_of(2);
    graph.nodes.push_back({kFirstRuleUid, NodeKind::Rule, true, 0, 0});
    graph.add_static_edge(1, kFirstRuleUid);
    std::vector<std::uint32_t> edge_of;
    std::vector<GraphEvent> events;
    for (int k = 0; k < 4; ++k) {
        graph.update(k == 0 ? std::vector<Pair>{{1, 0}, {0, 1}} : std::vector<Pair>{}, edge_of);
        if (k == 0) {  // either order, one edge
            EXPECT_EQ(edge_of, (std::vector<std::uint32_t>{0, 0}));
        }
        graph.deliver(kAll, events);
    }
    ASSERT_EQ(graph.edges.size(), 1u);
    EXPECT_EQ(graph.edges[0].kind, EdgeKind::Logical);
    ASSERT_EQ(events.size(), 2u);
    EXPECT_EQ(events[0].kind, EventKind::ProximityBegin);
    EXPECT_EQ(events[1].kind, EventKind::ProximityEnd);
}

// Pairs in the order of the broad phase, and the same turned and shuffled, with repeats: edges, the edge of
// each pair and events must not differ. Dead edges go at once, so that there are no more than pairs of the
// last two queries.
TEST(ContactGraph, order_of_pairs_does_not_matter) {
    constexpr std::uint32_t n = 40;
    ContactGraph sorted = graph_of(n), mixed = graph_of(n);
    Rng rng(11, 3);
    std::size_t before = 0;
    for (int step = 0; step < 200; ++step) {
        std::vector<Pair> pairs, shuffled;
        for (std::uint32_t a = 0; a < n; ++a)
            for (std::uint32_t b = a + 1; b < n; ++b)
                if (rng.uniform(0, 1) < 0.1) pairs.emplace_back(a, b);
        for (const auto& [a, b] : pairs) {
            shuffled.emplace_back(a, b);
            if (rng.uniform(0, 1) < 0.3) shuffled.emplace_back(b, a);
        }
        for (std::size_t k = shuffled.size(); k > 1; --k)
            std::swap(shuffled[k - 1],
                      shuffled[static_cast<std::size_t>(rng.uniform(0, 1) * static_cast<double>(k))]);
        std::vector<std::uint32_t> edge_of, mixed_edge_of;
        sorted.update(pairs, edge_of), mixed.update(shuffled, mixed_edge_of);
        ASSERT_LE(sorted.edges.size(), pairs.size() + before);
        before = pairs.size();
        ASSERT_EQ(sorted.edges.size(), mixed.edges.size());
        for (std::size_t e = 0; e < sorted.edges.size(); ++e) {
            const GraphEdge &x = sorted.edges[e], &y = mixed.edges[e];
            ASSERT_EQ(std::tie(x.a, x.b, x.kind, x.is_near), std::tie(y.a, y.b, y.kind, y.is_near));
        }
        const auto check = [&](const std::vector<Pair>& of, const std::vector<std::uint32_t>& edges) {
            ASSERT_EQ(of.size(), edges.size());
            for (std::size_t k = 0; k < of.size(); ++k)
                ASSERT_EQ(edges[k], sorted.find_edge(of[k].first + 1, of[k].second + 1));
        };
        check(pairs, edge_of), check(shuffled, mixed_edge_of);
        for (const std::uint32_t e : edge_of)
            if (rng.uniform(0, 1) < 0.5) sorted.edges[e].state = mixed.edges[e].state = PairState::Touching;
        std::vector<GraphEvent> told, mixed_told;
        sorted.deliver(kAll, told), mixed.deliver(kAll, mixed_told);
        ASSERT_EQ(told.size(), mixed_told.size());
        for (std::size_t k = 0; k < told.size(); ++k)
            ASSERT_EQ(std::tie(told[k].kind, told[k].a, told[k].b),
                      std::tie(mixed_told[k].kind, mixed_told[k].a, mixed_told[k].b));
    }
}

// Side by side, from what the last query knew, against one pass by names: pairs that stay, come and go,
// static edges between them, now and then a query whose events are not told, or one that has pairs twice.
TEST(ContactGraph, places_of_the_last_query_give_the_same_edges) {
    constexpr std::uint32_t n = 300;
    ContactGraph by_names = graph_of(n), by_places = graph_of(n);
    for (ContactGraph* graph : {&by_names, &by_places}) {
        graph->nodes[7].kind = NodeKind::Trigger;
        graph->nodes.push_back({kFirstRuleUid, NodeKind::Rule, true, 0, 0});
        for (const std::uint64_t uid : {3, 200, 201}) graph->add_static_edge(uid, kFirstRuleUid);
    }
    Executor executor(2);
    Rng rng(21, 5);
    std::vector<Pair> last;
    std::vector<std::uint32_t> edge_of, expected;
    bool is_told = false;
    for (int step = 0; step < 120; ++step) {
        const double share = step % 20 == 19 ? 0 : 0.015 * (step % 5 + 1);
        std::vector<Pair> pairs;
        for (std::uint32_t a = 0; a < n; ++a)
            for (std::uint32_t b = a + 1; b < n; ++b) {
                const bool was = std::binary_search(last.begin(), last.end(), Pair{a, b});
                if (rng.uniform(0, 1) < (was ? 0.9 : share)) pairs.emplace_back(a, b);
                if (step % 7 == 6 && a == 5 && !pairs.empty()) pairs.push_back(pairs.back());
            }
        std::vector<LastPlace> places;
        for (const Pair& pair : pairs) {
            const auto at = std::lower_bound(last.begin(), last.end(), pair);
            places.emplace_back(static_cast<std::size_t>(at - last.begin()), at != last.end() && *at == pair);
        }
        by_names.update(pairs, expected);
        if (is_told)
            by_places.update(pairs, places, edge_of, executor);
        else
            by_places.update(pairs, edge_of);
        ASSERT_EQ(edge_of, expected);
        ASSERT_EQ(by_places.edges.size(), by_names.edges.size());
        const auto fields = [](const GraphEdge& e) {
            return std::tie(e.a, e.b, e.kind, e.state, e.old_state, e.is_near, e.was_near, e.has_passed);
        };
        for (std::size_t e = 0; e < edge_of.size(); ++e) {
            const GraphEdge &x = by_places.edges[edge_of[e]], &y = by_names.edges[edge_of[e]];
            ASSERT_EQ(std::tie(x.place_a, x.place_b), std::tie(y.place_a, y.place_b));
        }
        for (std::size_t e = 0; e < by_names.edges.size(); ++e)
            ASSERT_EQ(fields(by_places.edges[e]), fields(by_names.edges[e])) << step;
        for (const std::uint32_t e : edge_of)
            if (rng.uniform(0, 1) < 0.5)
                by_names.edges[e].state = by_places.edges[e].state = PairState::Touching;
        is_told = step % 11 != 10;
        std::vector<GraphEvent> told, expected_told;
        if (is_told) by_places.deliver(kAll, told), by_names.deliver(kAll, expected_told);
        ASSERT_EQ(told.size(), expected_told.size());
        last = pairs;
    }
}

TEST(ContactGraph, timers_tick_on_time) {
    EXPECT_EQ(ticks_until(0, 0, 1), 1);
    EXPECT_EQ(ticks_until(0.99, 0, 1), 1);
    EXPECT_EQ(ticks_until(1, 0, 1), 2);
    EXPECT_EQ(ticks_until(0.4, 0.5, 0.1), 0);
    for (int step = 0; step < 100000; step += 7)  // 0.01 is no binary fraction
        EXPECT_EQ(ticks_until(step * 0.01, 0, 0.07), step / 7 + 1) << step;
}

// 5000 boxes (default: 600) stirred; every query is compared with the pairs themselves.
TEST(SpecShock, T3_edges_stay_few_and_no_event_is_lost) {
    const std::size_t n = is_long() ? 5000 : 600;
    const int steps = is_long() ? 10000 : 500;
    ContactGraph graph = graph_of(n);
    Rng rng(7, 1);
    const double side = 1.25 * std::cbrt(static_cast<double>(n));  // cubes of edge 1, half the space filled
    std::vector<Vec3> at(n), v(n);
    for (std::size_t k = 0; k < n; ++k)
        for (int axis = 0; axis < 3; ++axis)
            at[k][axis] = rng.uniform(0, side), v[k][axis] = rng.uniform(-0.1, 0.1);
    std::vector<Aabb> boxes(n);
    std::vector<Pair> pairs;
    std::vector<std::uint32_t> edge_of;
    std::vector<GraphEvent> events;
    std::map<std::pair<std::uint64_t, std::uint64_t>, bool> is_near;  // as the events tell it
    Executor executor(1);
    const auto broad = make_broad_phase(BroadPhaseKind::Tree);
    for (int step = 0; step < steps; ++step) {
        for (std::size_t k = 0; k < n; ++k) {
            at[k] += v[k];
            for (int axis = 0; axis < 3; ++axis)
                if (at[k][axis] < 0 || at[k][axis] > side) v[k][axis] = -v[k][axis];
            boxes[k] = cube(at[k], 0.5);
        }
        near_pairs(graph, boxes, executor, *broad, pairs);
        const auto before = graph.edges;
        graph.update(pairs, edge_of);
        for (const GraphEdge& e : before)
            if (e.was_near) {
                ASSERT_LT(graph.find_edge(e.a, e.b), graph.edges.size()) << "removed before its end was told";
            }
        ASSERT_LE(graph.edges.size(), 20 * n);
        ASSERT_LE(graph.edges.size(), pairs.size() + before.size());
        events.clear();
        graph.deliver(kAll, events);
        std::size_t persistent = 0;
        for (const GraphEvent& e : events) {
            bool& known = is_near[{e.a, e.b}];
            ASSERT_EQ(known, e.kind != EventKind::ProximityBegin);
            known = e.kind != EventKind::ProximityEnd;
            persistent += e.kind == EventKind::ProximityPersist;
            if (!known) is_near.erase({e.a, e.b});
        }
        ASSERT_EQ(is_near.size(), pairs.size());
        for (const auto& [a, b] : pairs) ASSERT_TRUE(is_near.count({a + 1, b + 1}));
        if (step > 0) {
            ASSERT_LE(persistent, pairs.size());
        }
    }
}

}  // namespace
}  // namespace impuls
