// A tree of boxes over the triangles of a mesh: which triangles are near a box, which point of them is
// nearest to a point, which is hit first by a ray. Split at the median of the longest side (Ericson,
// Real-Time Collision Detection, 2005, ch. 6); the layout depends on the input order only, so every query
// visits triangles in the same order on every machine. The tree owns copies of the corners. Called by signed
// distance fields, triangle surfaces and queries.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "base/assert.h"
#include "geometry/aabb.h"
#include "impuls/vec.h"

namespace impuls {

using TriangleCorners = std::array<std::uint32_t, 3>;
inline constexpr std::uint32_t kNoTriangle = 0xffffffffu;

// Which part of a triangle: its inside, the edge from corner i to corner i + 1, or corner i.
enum class TriangleFeature : std::uint8_t { Face, Edge0, Edge1, Edge2, Corner0, Corner1, Corner2 };

struct TrianglePoint {
    Vec3 point{};
    TriangleFeature feature = TriangleFeature::Face;
};
// The point of a triangle nearest to p (Ericson 2005, 5.1.5); triangles without area count as their edges.
TrianglePoint closest_on_triangle(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c);

struct ClosestOnMesh {
    std::uint32_t triangle = kNoTriangle;  // none within the limit
    TriangleFeature feature = TriangleFeature::Face;
    Vec3 point{};
    double distance_squared = std::numeric_limits<double>::infinity();
};

struct RayOnMesh {
    std::uint32_t triangle = kNoTriangle;  // none hit
    double t = std::numeric_limits<double>::infinity();
};

class TriangleTree {
  public:
    struct Node {
        Aabb box{};
        std::uint32_t first = 0, count = 0;  // leaf: its triangles in `order`; inner: count = 0
        std::uint32_t right = 0;             // inner: second child; the first one follows the node
    };
    struct Corners {
        Vec3 a, b, c;
    };

    void build(std::span<const Vec3> vertices, std::span<const TriangleCorners> triangles);

    bool empty() const { return nodes_.empty(); }
    Aabb bounds() const { return empty() ? Aabb{} : nodes_[0].box; }
    std::span<const Node> nodes() const { return nodes_; }
    std::span<const std::uint32_t> order() const { return order_; }         // triangle numbers by leaf
    std::span<const Corners> corners_in_order() const { return corners_; }  // theirs

    // Calls f(triangle number) for every triangle whose box meets `box`.
    template <class F>
    void visit(const Aabb& box, F&& f) const;

    // The nearest point of all triangles nearer than sqrt(limit_squared).
    ClosestOnMesh closest(const Vec3& p,
                          double limit_squared = std::numeric_limits<double>::infinity()) const;

    // The first triangle along origin + t direction, 0 <= t <= t_max, from either side.
    RayOnMesh ray(const Vec3& origin, const Vec3& direction,
                  double t_max = std::numeric_limits<double>::infinity()) const;

  private:
    static constexpr std::uint32_t kLeaf = 4;
    static constexpr int kStack = 64;  // medians halve: 2^32 triangles are 30 levels

    struct Item;
    std::uint32_t split(std::span<Item> items, std::uint32_t first);

    std::vector<Node> nodes_;
    std::vector<std::uint32_t> order_;
    std::vector<Corners> corners_;
    std::vector<Aabb> boxes_;  // of each triangle in `order`
};

template <class F>
void TriangleTree::visit(const Aabb& box, F&& f) const {
    if (empty()) return;
    std::uint32_t stack[kStack];
    int top = 0;
    stack[top++] = 0;
    while (top > 0) {
        const std::uint32_t n = stack[--top];
        const Node& node = nodes_[n];
        if (!overlaps(node.box, box)) continue;
        for (std::uint32_t i = node.first; i < node.first + node.count; ++i)
            if (overlaps(boxes_[i], box)) f(order_[i]);
        if (node.count > 0) continue;
        IMPULS_ASSERT_INDEX(top + 1, kStack);
        IMPULS_ASSERT(n + 1 < node.right && node.right < nodes_.size());
        stack[top++] = node.right;
        stack[top++] = n + 1;
    }
}

}  // namespace impuls
