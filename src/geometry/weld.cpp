// Sorts by place, then by number; equal neighbours are the same vertex.
// Called by mesh checks, triangle surfaces and distance fields.
#include "geometry/weld.h"

#include <algorithm>

namespace impuls {

std::vector<std::uint32_t> welded(std::span<const Vec3> vertices) {
    std::vector<std::uint32_t> order(vertices.size()), same(vertices.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = same[i] = i;
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        const Vec3 &p = vertices[a], &q = vertices[b];
        if (p.x != q.x) return p.x < q.x;
        if (p.y != q.y) return p.y < q.y;
        if (p.z != q.z) return p.z < q.z;
        return a < b;
    });
    for (std::size_t i = 1; i < order.size(); ++i)
        if (vertices[order[i]] == vertices[order[i - 1]]) same[order[i]] = same[order[i - 1]];
    return same;
}

}  // namespace impuls
