// Sums over regions of a surface mesh by prefix sums along paths: every vertex lies on exactly one path, and
// a region is a list of intervals of paths, so that n regions of ring size w cost O(n + w n) instead of O(w^2
// n) (Diziol, Bender and Bayer 2011; Bender 2014, 4.4.2.2). Called by ShapeMatching and tests.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "deformable/columns.h"

namespace impuls::deformable {

struct Regions {
    // Members of region i, ascending: members[begin[i]] to members[begin[i + 1]].
    std::vector<std::uint32_t> members{}, begin{0};
    // Vertices path by path; a region's intervals [first, last) in this order.
    std::vector<std::uint32_t> order{};
    struct Interval {
        std::uint32_t first, last;
    };
    std::vector<Interval> intervals{};
    std::vector<std::uint32_t> interval_begin{0};
    std::size_t paths = 0;

    std::size_t size() const { return begin.size() - 1; }
    std::span<const std::uint32_t> of(std::size_t i) const {
        return std::span(members).subspan(begin[i], begin[i + 1] - begin[i]);
    }
    std::span<const Interval> intervals_of(std::size_t i) const {
        return std::span(intervals).subspan(interval_begin[i], interval_begin[i + 1] - interval_begin[i]);
    }
};

// The vertices within `rings` edges of each vertex, and paths that cover all.
Regions make_regions(std::span<const Vec3> vertices, std::span<const Triangle> triangles, int rings);

// sum[i] = sum of value over the members of region i; `prefix` is scratch space.
template <std::size_t N>
void sum_regions(const Regions& regions, std::span<const std::array<double, N>> value,
                 std::vector<std::array<double, N>>& prefix, std::vector<std::array<double, N>>& sum) {
    prefix.resize(regions.order.size() + 1);
    sum.resize(regions.size());
    prefix[0] = {};
    for (std::size_t k = 0; k < regions.order.size(); ++k)
        for (std::size_t c = 0; c < N; ++c) prefix[k + 1][c] = prefix[k][c] + value[regions.order[k]][c];
    for (std::size_t i = 0; i < regions.size(); ++i) {
        std::array<double, N> all{};
        for (const auto& [first, last] : regions.intervals_of(i))
            for (std::size_t c = 0; c < N; ++c) all[c] += prefix[last][c] - prefix[first][c];
        sum[i] = all;
    }
}

}  // namespace impuls::deformable
