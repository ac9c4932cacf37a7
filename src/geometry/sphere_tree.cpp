// Octants in a fixed order, points in input order inside each: the tree depends on the points only.
// Called by distance field solids.
#include "geometry/sphere_tree.h"

#include <algorithm>
#include <array>

#include "geometry/smallest_ball.h"

namespace impuls {

namespace {

int octant(const Vec3& p, const Vec3& mean) {
    return (p.x > mean.x ? 1 : 0) + (p.y > mean.y ? 2 : 0) + (p.z > mean.z ? 4 : 0);
}

}  // namespace

void SphereTree::build(std::span<const Vec3> points) {
    nodes_.clear(), leaves_.clear();
    for (std::uint32_t i = 0; i < points.size(); ++i) leaves_.push_back({points[i], i});
    if (leaves_.empty()) return;
    nodes_.emplace_back();
    split(0, leaves_, 0, 0);
    scratch_ = {};
}

void SphereTree::split(std::uint32_t node, std::span<Leaf> set, std::uint32_t offset, int depth) {
    scratch_.clear();
    Vec3 mean;
    for (const Leaf& leaf : set) scratch_.push_back(leaf.point), mean += leaf.point;
    mean = mean / static_cast<double>(set.size());
    const Ball ball = smallest_ball(scratch_);
    nodes_[node] = {ball.center, ball.radius, offset, static_cast<std::uint32_t>(set.size()), false};
    if (set.size() <= kLeafSet) return;

    std::stable_sort(set.begin(), set.end(), [&](const Leaf& a, const Leaf& b) {
        return octant(a.point, mean) < octant(b.point, mean);
    });
    std::array<std::size_t, 9> begin{};  // of each octant in the set
    for (const Leaf& leaf : set) ++begin[static_cast<std::size_t>(octant(leaf.point, mean)) + 1];
    for (std::size_t k = 1; k < 9; ++k) begin[k] += begin[k - 1];
    const bool one_octant = std::adjacent_find(begin.begin(), begin.end(), [&](std::size_t a, std::size_t b) {
                                return b - a == set.size();
                            }) != begin.end();
    if (one_octant || depth >= kOctantDepth) {
        begin.fill(set.size());
        begin[0] = 0, begin[1] = set.size() / 2;
    }

    const auto first = static_cast<std::uint32_t>(nodes_.size());
    std::uint32_t count = 0;
    for (std::size_t k = 0; k < 8; ++k) count += begin[k + 1] > begin[k];
    nodes_.resize(nodes_.size() + count);
    nodes_[node].first = first, nodes_[node].count = count, nodes_[node].has_children = true;
    std::uint32_t child = first;
    for (std::size_t k = 0; k < 8; ++k) {
        const std::size_t n = begin[k + 1] - begin[k];
        if (n > 0)
            split(child++, set.subspan(begin[k], n), offset + static_cast<std::uint32_t>(begin[k]),
                  depth + 1);
    }
}

}  // namespace impuls
