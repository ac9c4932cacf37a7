// Dipoles bottom-up over the tree, then a descent that stops where a dipole is good enough.
// Called by distance fields of meshes that cross themselves or are no manifold.
#include "geometry/winding_number.h"

#include <algorithm>
#include <cmath>

#include "base/assert.h"

namespace impuls {

namespace {
constexpr double kFourPi = 12.566370614359172;
constexpr double kFar = 3;  // radii: the opening criterion of Barill et al.

double farthest_corner(const Aabb& box, const Vec3& p) {
    const Vec3 d{std::max(p.x - box.min.x, box.max.x - p.x), std::max(p.y - box.min.y, box.max.y - p.y),
                 std::max(p.z - box.min.z, box.max.z - p.z)};
    return length(d);
}
}  // namespace

double solid_angle(const Vec3& p, const TriangleTree::Corners& t) {
    const Vec3 a = t.a - p, b = t.b - p, c = t.c - p;
    const double la = length(a), lb = length(b), lc = length(c);
    const double above = dot(a, cross(b, c));
    const double below = la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb;
    return 2 * std::atan2(above, below);
}

WindingNumber::WindingNumber(const TriangleTree& tree) : tree_(&tree), dipoles_(tree.nodes().size()) {
    const auto nodes = tree.nodes();
    const auto corners = tree.corners_in_order();
    // Children come after their parent.
    for (std::size_t n = nodes.size(); n-- > 0;) {
        Dipole& d = dipoles_[n];
        const auto add = [&](const Vec3& moment, const Vec3& center, double area) {
            d.moment += moment, d.center += center * area, d.area += area;
        };
        for (std::uint32_t i = nodes[n].first; i < nodes[n].first + nodes[n].count; ++i) {
            const auto& [a, b, c] = corners[i];
            const Vec3 moment = 0.5 * cross(b - a, c - a);
            add(moment, (a + b + c) / 3, length(moment));
        }
        if (nodes[n].count == 0)
            for (const std::size_t child : {n + 1, static_cast<std::size_t>(nodes[n].right)})
                add(dipoles_[child].moment, dipoles_[child].center, dipoles_[child].area);
        d.center = d.area > 0 ? d.center / d.area : 0.5 * (nodes[n].box.min + nodes[n].box.max);
        d.radius = farthest_corner(nodes[n].box, d.center);
    }
}

double WindingNumber::at(const Vec3& p) const {
    const auto nodes = tree_->nodes();
    const auto corners = tree_->corners_in_order();
    double sum = 0;
    std::uint32_t stack[64];
    int top = 0;
    if (!nodes.empty()) stack[top++] = 0;
    while (top > 0) {
        const std::uint32_t n = stack[--top];
        const Dipole& d = dipoles_[n];
        const Vec3 r = d.center - p;
        const double distance = length(r);
        if (distance > kFar * d.radius) {
            sum += dot(r, d.moment) / (distance * distance * distance);
            continue;
        }
        for (std::uint32_t i = nodes[n].first; i < nodes[n].first + nodes[n].count; ++i)
            sum += solid_angle(p, corners[i]);
        if (nodes[n].count > 0) continue;
        IMPULS_ASSERT_INDEX(top + 1, 64);
        stack[top++] = nodes[n].right;
        stack[top++] = n + 1;
    }
    return sum / kFourPi;
}

}  // namespace impuls
