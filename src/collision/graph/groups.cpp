// Groups by union-find (no recursion, whatever the depth), then lists by counting sort (groups.h).
#include "collision/graph/groups.h"

#include <algorithm>
#include <numeric>

namespace impuls {

bool Groups::is_edge(std::span<const NodeRole> roles, const Pair& edge) const {
    bool has_mover = false;
    for (const std::uint32_t k : {edge.first, edge.second}) {
        if (k == kNoNode) continue;
        if (roles[k] == NodeRole::Absent) return false;
        has_mover = has_mover || roles[k] == NodeRole::Mover;
    }
    return has_mover;
}

std::uint32_t Groups::root(std::uint32_t k) {
    while (parent_[k] != k) k = parent_[k] = parent_[parent_[k]];
    return k;
}

// The lower number becomes the root, so that a root is its group's lowest mover.
void Groups::connect(std::span<const NodeRole> roles, const Pair& edge) {
    if (!is_edge(roles, edge)) return;
    std::uint32_t ends[2], count = 0;
    for (const std::uint32_t k : {edge.first, edge.second})
        if (k != kNoNode && roles[k] == NodeRole::Mover) degree_[k] = 1, ends[count++] = root(k);
    if (count == 2) parent_[std::max(ends[0], ends[1])] = std::min(ends[0], ends[1]);
}

std::uint32_t Groups::group_of(std::span<const NodeRole> roles, const Pair& edge) const {
    if (!is_edge(roles, edge)) return kNoNode;
    const auto k = edge.first != kNoNode && roles[edge.first] == NodeRole::Mover ? edge.first : edge.second;
    return group_of_[k];
}

namespace {

// Lists items by group: items of group i end up in items[start[i] .. start[i + 1]), in ascending order.
template <class GroupOf>
void sort_by_group(std::size_t count, std::size_t groups, GroupOf group_of,
                   std::vector<std::uint32_t>& cursor, std::vector<std::uint32_t>& start,
                   std::vector<std::uint32_t>& items) {
    start.assign(groups + 1, 0);
    for (std::uint32_t k = 0; k < count; ++k)
        if (const auto i = group_of(k); i != kNoNode) ++start[i + 1];
    std::partial_sum(start.begin(), start.end(), start.begin());
    cursor.assign(start.begin(), start.end());
    items.resize(start.back());
    for (std::uint32_t k = 0; k < count; ++k)
        if (const auto i = group_of(k); i != kNoNode) items[cursor[i]++] = k;
}

}  // namespace

void Groups::build(std::span<const NodeRole> roles, std::span<const std::uint32_t> members,
                   std::span<const Pair> contact_pairs, std::span<const Pair> joint_pairs) {
    parent_.resize(roles.size()), degree_.resize(roles.size()), group_of_.resize(roles.size());
    for (const std::uint32_t k : members) parent_[k] = k, degree_[k] = 0, group_of_[k] = kNoNode;
    for (const Pair& edge : contact_pairs) connect(roles, edge);
    for (const Pair& edge : joint_pairs) connect(roles, edge);

    free_bodies.clear();
    std::uint32_t groups = 0;
    for (const std::uint32_t k : members) {
        if (roles[k] == NodeRole::Absent || roles[k] == NodeRole::Fixed) continue;
        if (degree_[k] == 0) {
            free_bodies.push_back(k);
            continue;
        }
        const auto r = root(k);
        if (r == k) group_of_[k] = groups++;
        group_of_[k] = group_of_[r];
    }
    sort_by_group(
        members.size(), groups, [&](auto i) { return group_of_[members[i]]; }, cursor_, body_start, bodies);
    for (std::uint32_t& i : bodies) i = members[i];
    sort_by_group(
        contact_pairs.size(), groups, [&](auto p) { return group_of(roles, contact_pairs[p]); }, cursor_,
        pair_start, pairs);
    sort_by_group(
        joint_pairs.size(), groups, [&](auto j) { return group_of(roles, joint_pairs[j]); }, cursor_,
        joint_start, joints);
}

}  // namespace impuls
