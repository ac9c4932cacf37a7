// Groups by union-find (no recursion, whatever the depth), then lists by counting sort (groups.h).
#include "collision/graph/groups.h"

#include <algorithm>
#include <atomic>
#include <numeric>

#include "base/assert.h"
#include "impuls/executor.h"

namespace impuls {

// By any thread, while others connect: every parent that is read is an ancestor.
std::uint32_t Groups::root(std::uint32_t k) {
    const auto parent = [&](std::uint32_t of) { return std::atomic_ref(parent_[of]); };
    for (;;) {
        const std::uint32_t up = parent(k).load(std::memory_order_relaxed);
        if (up == k) return k;
        const std::uint32_t above = parent(up).load(std::memory_order_relaxed);
        if (above != up) parent(k).store(above, std::memory_order_relaxed);
        k = above;
    }
}

// The lower number becomes the root, so that a root is its group's lowest mover, in whatever order edges
// come, from all threads. Returns one of the movers.
std::uint32_t Groups::connect(std::span<const NodeRole> roles, const Pair& edge) {
    const auto role = [&](std::uint32_t k) { return k == kNoNode ? NodeRole::Fixed : roles[k]; };
    const auto [a, b] = edge;
    if (a == kNoNode && b == kNoNode) return kNoNode;
    IMPULS_ASSERT(a == kNoNode || a < roles.size());
    IMPULS_ASSERT(b == kNoNode || b < roles.size());
    if (role(a) == NodeRole::Absent || role(b) == NodeRole::Absent) return kNoNode;
    const bool moves_a = role(a) == NodeRole::Mover, moves_b = role(b) == NodeRole::Mover;
    const auto mark = [&](std::uint32_t k) {
        const std::atomic_ref has(has_edge_[k]);
        if (!has.load(std::memory_order_relaxed)) has.store(1, std::memory_order_relaxed);
    };
    if (moves_a) mark(a);
    if (moves_b) mark(b);
    const auto parent = [&](std::uint32_t k) {
        return std::atomic_ref(parent_[k]).load(std::memory_order_relaxed);
    };
    while (moves_a && moves_b && parent(a) != parent(b)) {
        const std::uint32_t ra = root(a), rb = root(b);
        std::uint32_t upper = std::max(ra, rb);
        if (ra == rb || std::atomic_ref(parent_[upper])
                            .compare_exchange_strong(upper, std::min(ra, rb), std::memory_order_relaxed))
            break;
    }
    return moves_a ? a : moves_b ? b : kNoNode;
}

namespace {

// Lists items by group: items of group i end up in items[start[i] .. start[i + 1]), in ascending order. Those
// of no group are sorted as if they had one more, which needs no unpredictable branch, and left out.
// name(k) is the group of item k or kNoNode; group_of is scratch space.
template <class Name>
void sort_by_group(std::size_t count, std::uint32_t groups, Name&& name, std::vector<std::uint32_t>& group_of,
                   std::vector<std::uint32_t>& cursor, std::vector<std::uint32_t>& start,
                   std::vector<std::uint32_t>& items) {
    group_of.resize(count);
    items.resize(count);
    start.resize(groups + 1);
    cursor.assign(groups + 1, 0);
    for (std::size_t k = 0; k < count; ++k) ++cursor[group_of[k] = std::min(name(k), groups)];
    std::exclusive_scan(cursor.begin(), cursor.end(), start.begin(), 0u);
    cursor.assign(start.begin(), start.end());
    for (std::uint32_t k = 0; k < count; ++k) items[cursor[group_of[k]]++] = k;
    IMPULS_ASSERT(start[0] == 0 && start.back() <= count);
    items.resize(start.back());
}

}  // namespace

void Groups::build(std::span<const NodeRole> roles, std::span<const std::uint32_t> members,
                   std::span<const Pair> contact_pairs, std::span<const Pair> joint_pairs,
                   Executor& executor) {
    IMPULS_ASSERT(std::is_sorted(members.begin(), members.end()));
    IMPULS_ASSERT(members.empty() || members.back() < roles.size());
    parent_.resize(roles.size());
    has_edge_.resize(roles.size());
    group_of_.resize(roles.size());
    for (const std::uint32_t k : members) {
        parent_[k] = k;
        has_edge_[k] = 0;
        group_of_[k] = kNoNode;
    }
    const auto connect_all = [&](std::span<const Pair> edges, std::vector<std::uint32_t>& ends) {
        ends.resize(edges.size());
        executor.parallel_for(edges.size(), 2048, [&](std::size_t begin, std::size_t end) {
            for (std::size_t e = begin; e < end; ++e) ends[e] = connect(roles, edges[e]);
        });
    };
    connect_all(contact_pairs, contact_group_);
    connect_all(joint_pairs, joint_group_);

    free_bodies.clear();
    std::uint32_t groups = 0;
    for (const std::uint32_t k : members) {
        if (roles[k] == NodeRole::Absent || roles[k] == NodeRole::Fixed) continue;
        if (has_edge_[k] == 0) {
            free_bodies.push_back(k);
            continue;
        }
        const auto r = root(k);
        if (r == k) group_of_[k] = groups++;
        IMPULS_ASSERT(r <= k && group_of_[r] < groups);  // roots come first, and are members
        group_of_[k] = group_of_[r];
    }
    const auto sort_edges = [&](std::vector<std::uint32_t>& ends, auto& start, auto& items) {
        const auto group = [&](std::size_t e) { return ends[e] == kNoNode ? kNoNode : group_of_[ends[e]]; };
        sort_by_group(ends.size(), groups, group, ends, cursor_, start, items);
    };
    sort_edges(contact_group_, pair_start, pairs);
    sort_edges(joint_group_, joint_start, joints);
    const auto group = [&](std::size_t i) { return group_of_[members[i]]; };
    sort_by_group(members.size(), groups, group, member_group_, cursor_, body_start, bodies);
    for (std::uint32_t& i : bodies) i = members[i];
}

}  // namespace impuls
