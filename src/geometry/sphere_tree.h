// A tree of balls over points (Erleben 2004, 6.2.2): smallest enclosing balls, sets split into the octants
// about their mean, sets of at most eight points become leaves, one a point. Where all points fall into one
// octant (equal points) the set is halved by place in the list, so that building ends.
// Called by distance field solids; searched by the narrow phase.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "impuls/vec.h"

namespace impuls {

class SphereTree {
  public:
    struct Node {
        Vec3 center{};
        double radius = 0;
        std::uint32_t first = 0, count = 0;  // inner: children in nodes(); else its points
        bool has_children = false;
    };
    struct Leaf {
        Vec3 point{};
        std::uint32_t number = 0;  // among the input points
    };

    void build(std::span<const Vec3> points);

    std::span<const Node> nodes() const { return nodes_; }
    std::span<const Leaf> leaves() const { return leaves_; }
    std::size_t bytes() const { return nodes_.size() * sizeof(Node) + leaves_.size() * sizeof(Leaf); }

    // Calls leaf(point, number) for the points of all balls with keep(center, radius).
    template <class Keep, class OnLeaf>
    void visit(Keep&& keep, OnLeaf&& leaf) const;

  private:
    static constexpr std::uint32_t kLeafSet = 8;
    static constexpr int kOctantDepth = 64;  // deeper sets are halved by number: 32 levels more at most
    static constexpr int kDepth = 100;

    void split(std::uint32_t node, std::span<Leaf> set, std::uint32_t offset, int depth);

    std::vector<Node> nodes_;
    std::vector<Leaf> leaves_;
    std::vector<Vec3> scratch_;
};

template <class Keep, class OnLeaf>
void SphereTree::visit(Keep&& keep, OnLeaf&& leaf) const {
    if (nodes_.empty()) return;
    struct Range {
        std::uint32_t next, end;
    } stack[kDepth];
    int top = 0;
    stack[top++] = {0, 1};
    while (top > 0) {
        Range& range = stack[top - 1];
        if (range.next == range.end) {
            --top;
            continue;
        }
        const Node& node = nodes_[range.next++];
        if (!keep(node.center, node.radius)) continue;
        if (node.has_children) {
            stack[top++] = {node.first, node.first + node.count};
        } else {
            for (std::uint32_t i = node.first; i < node.first + node.count; ++i)
                leaf(leaves_[i].point, leaves_[i].number);
        }
    }
}

}  // namespace impuls
