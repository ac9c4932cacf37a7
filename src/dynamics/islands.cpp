// Islands by union-find, then lists by counting sort (islands.h).
#include "dynamics/islands.h"

#include <algorithm>
#include <numeric>

namespace impuls {

std::uint32_t Islands::root(std::uint32_t k) {
    while (parent_[k] != k) k = parent_[k] = parent_[parent_[k]];
    return k;
}

// The lower number becomes the root, so that a root is its island's lowest body.
void Islands::connect(const BodySet& set, std::uint32_t a, std::uint32_t b) {
    for (const std::uint32_t k : {a, b})
        if (k != kNoBody && set.is_dynamic(k)) degree_[k] = 1;
    if (a == kNoBody || b == kNoBody || !set.is_dynamic(a) || !set.is_dynamic(b)) return;
    a = root(a), b = root(b);
    parent_[std::max(a, b)] = std::min(a, b);
}

namespace {

// Lists items by island: items of island i end up in items[start[i] .. start[i + 1]), in ascending order.
template <class IslandOf>
void sort_by_island(std::uint32_t count, std::size_t islands, IslandOf island_of,
                    std::vector<std::uint32_t>& cursor, std::vector<std::uint32_t>& start,
                    std::vector<std::uint32_t>& items) {
    start.assign(islands + 1, 0);
    for (std::uint32_t k = 0; k < count; ++k)
        if (const auto i = island_of(k); i != kNoBody) ++start[i + 1];
    std::partial_sum(start.begin(), start.end(), start.begin());
    cursor.assign(start.begin(), start.end());
    items.resize(start.back());
    for (std::uint32_t k = 0; k < count; ++k)
        if (const auto i = island_of(k); i != kNoBody) items[cursor[i]++] = k;
}

}  // namespace

void Islands::build(const BodySet& set, std::span<const std::pair<std::uint32_t, std::uint32_t>> body_pairs,
                    const JointSet& joint_set) {
    const auto n = static_cast<std::uint32_t>(set.size());
    parent_.resize(n);
    std::iota(parent_.begin(), parent_.end(), 0u);
    degree_.assign(n, 0);
    for (const auto& [a, b] : body_pairs) connect(set, a, b);
    for (std::size_t j = 0; j < joint_set.size(); ++j) connect(set, joint_set.a[j], joint_set.b[j]);

    island_of_.assign(n, kNoBody);
    free_bodies.clear();
    std::uint32_t islands = 0;
    for (std::uint32_t k = 0; k < n; ++k) {
        if (set.kind[k] == BodyKind::Static) continue;
        if (degree_[k] == 0) {
            free_bodies.push_back(k);
            continue;
        }
        const auto r = root(k);
        if (r == k) island_of_[k] = islands++;
        island_of_[k] = island_of_[r];
    }
    const auto of_two = [&](std::uint32_t a, std::uint32_t b) {
        return a != kNoBody && island_of_[a] != kNoBody ? island_of_[a]
               : b != kNoBody                           ? island_of_[b]
                                                        : kNoBody;
    };
    sort_by_island(
        n, islands, [&](auto k) { return island_of_[k]; }, cursor_, body_start, bodies);
    sort_by_island(
        static_cast<std::uint32_t>(body_pairs.size()), islands,
        [&](auto p) { return of_two(body_pairs[p].first, body_pairs[p].second); }, cursor_, pair_start,
        pairs);
    sort_by_island(
        static_cast<std::uint32_t>(joint_set.size()), islands,
        [&](auto j) { return of_two(joint_set.a[j], joint_set.b[j]); }, cursor_, joint_start, joints);
}

}  // namespace impuls
