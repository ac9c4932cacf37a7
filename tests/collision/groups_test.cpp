// Contact groups against connectivity found by plain flooding.
#include "collision/graph/groups.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <random>
#include <set>

#include "impuls/executor.h"

namespace impuls {
namespace {

std::vector<NodeRole> random_roles(std::mt19937& rng, int n) {
    std::vector<NodeRole> roles;
    for (int k = 0; k < n; ++k)
        roles.push_back(rng() % 6 < 4
                            ? NodeRole::Mover
                            : std::array{NodeRole::Fixed, NodeRole::Scripted, NodeRole::Absent}[rng() % 3]);
    return roles;
}

std::vector<std::uint32_t> all_of(std::size_t n) {
    std::vector<std::uint32_t> list(n);
    std::iota(list.begin(), list.end(), 0u);
    return list;
}

TEST(Groups, are_the_connected_movers) {
    std::mt19937 rng(3);
    Executor executor(1);
    for (int trial = 0; trial < 200; ++trial) {
        const int n = 2 + static_cast<int>(rng() % 40);
        const std::vector<NodeRole> roles = random_roles(rng, n);
        const auto moves = [&](std::uint32_t k) { return roles[k] == NodeRole::Mover; };
        const auto is_absent = [&](std::uint32_t k) { return roles[k] == NodeRole::Absent; };
        std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
        for (int k = 0; k < n; ++k) {
            std::uint32_t a = rng() % n, b = rng() % n;
            if (a > b) std::swap(a, b);
            if (a != b) pairs.push_back({a, b});
        }
        std::sort(pairs.begin(), pairs.end());
        Groups islands;  // every third edge is a joint
        std::vector<Pair> contacts, joints;
        for (std::size_t p = 0; p < pairs.size(); ++p) (p % 3 == 0 ? joints : contacts).push_back(pairs[p]);
        islands.build(roles, all_of(roles.size()), contacts, joints, executor);
        std::erase_if(pairs, [&](const Pair& p) {
            return is_absent(p.first) || is_absent(p.second) || (!moves(p.first) && !moves(p.second));
        });

        // Flood the lowest number of each group until nothing changes.
        std::vector<std::uint32_t> label(n);
        std::set<std::uint32_t> touched;
        for (int k = 0; k < n; ++k) label[k] = k;
        for (bool is_changed = true; is_changed;) {
            is_changed = false;
            for (const auto& [a, b] : pairs) {
                if (moves(a)) touched.insert(a);
                if (moves(b)) touched.insert(b);
                if (!moves(a) || !moves(b) || label[a] == label[b]) continue;
                label[a] = label[b] = std::min(label[a], label[b]);
                is_changed = true;
            }
        }
        std::set<std::uint32_t> groups, seen;
        for (const auto k : touched) groups.insert(label[k]);
        ASSERT_EQ(islands.size(), groups.size());
        std::uint32_t last = 0;
        for (std::size_t i = 0; i < islands.size(); ++i) {
            const auto first = islands.bodies[islands.body_start[i]];
            EXPECT_TRUE(i == 0 || first > last) << "islands come in the order of their lowest body";
            last = first;
            for (auto k = islands.body_start[i]; k < islands.body_start[i + 1]; ++k) {
                EXPECT_EQ(label[islands.bodies[k]], first);
                EXPECT_TRUE(seen.insert(islands.bodies[k]).second);
            }
            for (auto p = islands.pair_start[i]; p < islands.pair_start[i + 1]; ++p) {
                const auto [a, b] = contacts[islands.pairs[p]];
                EXPECT_EQ(label[moves(a) ? a : b], first);
            }
        }
        EXPECT_EQ(seen, touched);
        EXPECT_EQ(islands.pairs.size() + islands.joints.size(), pairs.size());
        for (const auto k : islands.free_bodies) {
            EXPECT_FALSE(touched.contains(k));
            EXPECT_TRUE(moves(k) || roles[k] == NodeRole::Scripted);
        }
    }
}

// A container's structural edges hold its parts together like joints; a long chain needs no stack.
TEST(Groups, long_chains_and_containers) {
    const std::uint32_t n = 200000;
    std::vector<Pair> chain;
    for (std::uint32_t k = 0; k + 1 < n; ++k) chain.push_back({k, k + 1});
    Groups groups;
    Executor executor(1);
    groups.build(std::vector<NodeRole>(n, NodeRole::Mover), all_of(n), {}, chain, executor);
    EXPECT_EQ(groups.size(), 1u);
    EXPECT_EQ(groups.bodies.size(), n);
}

// Threads that connect at the same time find the groups that one finds.
TEST(Groups, do_not_depend_on_threads) {
    std::mt19937 rng(5);
    Executor one(1), three(3);
    const std::uint32_t n = 30000;
    const std::vector<NodeRole> roles = random_roles(rng, n);
    for (const std::size_t edges : {5000u, 15000u, 40000u}) {
        std::vector<Pair> contacts, joints;
        for (std::size_t e = 0; e < edges; ++e) {
            const auto a = static_cast<std::uint32_t>(rng() % n), b = static_cast<std::uint32_t>(rng() % n);
            if (a != b) (e % 8 == 0 ? joints : contacts).push_back(std::minmax(a, b));
        }
        Groups x, y;
        x.build(roles, all_of(n), contacts, joints, one);
        for (int trial = 0; trial < 5; ++trial) {
            y.build(roles, all_of(n), contacts, joints, three);
            ASSERT_EQ(x.bodies, y.bodies);
            ASSERT_EQ(x.body_start, y.body_start);
            ASSERT_EQ(x.pairs, y.pairs);
            ASSERT_EQ(x.pair_start, y.pair_start);
            ASSERT_EQ(x.joints, y.joints);
            ASSERT_EQ(x.joint_start, y.joint_start);
            ASSERT_EQ(x.free_bodies, y.free_bodies);
        }
    }
}

}  // namespace
}  // namespace impuls
