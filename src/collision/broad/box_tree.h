// A tree of boxes, four children a node and no pointers: the leaves are sorted along a space-filling curve
// and every four neighbours share a parent, level by level (a packed R-tree; Kamel & Faloutsos, "On packing
// R-trees", CIKM 1993). Boxes can change in place: ancestors are recomputed, the order stays until the next
// build. Called by the tree broad phase and by queries.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "base/assert.h"
#include "collision/broad/lanes.h"
#include "geometry/aabb.h"
#include "impuls/executor.h"

namespace impuls {

class BoxTree {
  public:
    // Empty boxes take part but are never found.
    void build(std::span<const Aabb> boxes, Executor& executor);
    // New values for boxes: they are marked, and refit() takes over their values and recomputes what holds
    // them. The number of boxes is that of the last build. Marks stay until all are removed.
    void unmark_all();
    void mark(std::uint32_t index) {
        IMPULS_ASSERT_INDEX(index, place_.size());
        const std::uint32_t place = place_[index];
        marks_[place / 4] |= static_cast<std::uint8_t>(1u << place % 4);
    }
    void refit(std::span<const Aabb> boxes, Executor& executor);

    // Calls visit(index) for every box that overlaps `box`.
    template <class Visit>
    void visit_overlaps(const Aabb& box, Visit&& visit) const;

    // Calls visit(index, t) for boxes that the segment from + s way, 0 <= s <= t_max, enters at s = t; visit
    // returns the t_max to go on with (less to look for nearer hits only). Near nodes come first.
    template <class Visit>
    void visit_segment(const Vec3& from, const Vec3& way, double t_max, Visit&& visit) const;

    // Calls visit(index) for boxes that are not farther than `limit` from `box`; visit returns the limit to
    // go on with (less to look for nearer ones only). Near nodes come first.
    template <class Visit>
    void visit_near(const Aabb& box, double limit, Visit&& visit) const;

    // The nodes themselves: level 0 holds the boxes, level 1 the level 0 nodes and so on; there are at least
    // two levels. Lane k of node b is child 4 b + k.
    std::uint32_t nodes(std::uint32_t level) const { return order_.empty() ? 0 : level_size_[level]; }
    const Lanes& node(std::uint32_t level, std::uint32_t number) const {
        IMPULS_ASSERT_INDEX(level, level_size_.size());
        IMPULS_ASSERT_INDEX(number, level_size_[level]);
        return lanes_[level_start_[level] + number];
    }
    // Calls visit(number) for nodes of a level that overlap `box` (or whose siblings do), from `first` on.
    template <class Visit>
    void visit_nodes(std::uint32_t level, const Aabb& box, std::uint32_t first, Visit&& visit) const;
    // Index of the box at a place (node * 4 + lane).
    std::uint32_t index_at(std::uint32_t place) const {
        IMPULS_ASSERT_INDEX(place, order_.size());  // free lanes are nowhere, and never found
        return order_[place];
    }
    // Bit k: lane k of this node of level 0 is marked.
    unsigned marks(std::uint32_t number) const { return marks_[number]; }
    std::uint32_t size() const { return static_cast<std::uint32_t>(order_.size()); }

  private:
    struct Keyed {
        std::uint64_t key;
        std::uint32_t index;
    };
    struct Frame {  // of the curve
        Vec3 origin{};
        double cells_per_length = 0;
        int median_exponent = 0;
    };
    struct Node {
        std::uint32_t level, number;
    };

    Frame choose_frame(std::span<const Aabb> boxes);
    void sort_keys();
    std::uint32_t top() const { return static_cast<std::uint32_t>(level_size_.size()) - 1; }

    std::vector<Lanes> lanes_;                             // nodes of all levels, lowest level first
    std::vector<std::uint32_t> level_start_, level_size_;  // in lanes_
    std::vector<std::uint8_t> marks_;                      // lanes to recompute, of the nodes in lanes_
    std::vector<std::uint32_t> order_, place_;
    std::vector<Keyed> keys_, sorted_;
    std::vector<std::uint32_t> digits_;  // how often each digit of the keys occurs
    std::array<std::vector<double>, 4> sample_;
};

template <class Visit>
void BoxTree::visit_nodes(std::uint32_t level, const Aabb& box, std::uint32_t first, Visit&& visit) const {
    if (order_.empty()) return;
    std::array<Node, 64> stack;  // three siblings wait on each of at most 16 levels
    std::size_t depth = 0;
    stack[depth++] = {top(), 0};
    while (depth > 0) {
        const Node parent = stack[--depth];
        if (parent.level == level) {
            visit(parent.number);
            continue;
        }
        const unsigned hits = overlap_mask(node(parent.level, parent.number), box);
        for (unsigned k = 4; k-- > 0;) {
            const Node child{parent.level - 1, 4 * parent.number + k};
            const std::uint64_t end = (std::uint64_t{child.number} + 1) << (2 * (child.level - level));
            IMPULS_ASSERT_INDEX(depth, stack.size());
            if ((hits >> k & 1) && end > first) stack[depth++] = child;
        }
    }
}

template <class Visit>
void BoxTree::visit_overlaps(const Aabb& box, Visit&& visit) const {
    visit_nodes(0, box, 0, [&](std::uint32_t number) {
        for (unsigned hits = overlap_mask(lanes_[number], box); hits != 0; hits &= hits - 1)
            visit(order_[4 * number + static_cast<unsigned>(std::countr_zero(hits))]);
    });
}

template <class Visit>
void BoxTree::visit_segment(const Vec3& from, const Vec3& way, double t_max, Visit&& visit) const {
    if (order_.empty()) return;
    struct Entry {
        Node node;
        double t;
    };
    std::array<Entry, 64> stack;
    std::size_t depth = 0;
    stack[depth++] = {{top(), 0}, 0};
    while (depth > 0) {
        const auto [parent, enter] = stack[--depth];
        if (enter > t_max) continue;
        std::array<double, 4> t;
        const unsigned hits = segment_mask(node(parent.level, parent.number), from, way, t_max, t);
        const std::size_t base = depth;
        for (unsigned lane = 0; lane < 4; ++lane) {
            if (!(hits >> lane & 1) || t[lane] > t_max) continue;
            if (parent.level == 0) {
                t_max = visit(order_[4 * parent.number + lane], t[lane]);
                continue;
            }
            // The nearest on top.
            IMPULS_ASSERT_INDEX(depth, stack.size());
            std::size_t k = depth++;
            for (; k > base && stack[k - 1].t < t[lane]; --k) stack[k] = stack[k - 1];
            stack[k] = {{parent.level - 1, 4 * parent.number + lane}, t[lane]};
        }
    }
}

template <class Visit>
void BoxTree::visit_near(const Aabb& box, double limit, Visit&& visit) const {
    if (order_.empty()) return;
    struct Entry {
        Node node;
        double gap;
    };
    std::array<Entry, 64> stack;
    std::size_t depth = 0;
    stack[depth++] = {{top(), 0}, 0};
    while (depth > 0) {
        const auto [parent, least] = stack[--depth];
        if (least > limit) continue;
        const Lanes& lanes = node(parent.level, parent.number);
        const std::size_t base = depth;
        for (unsigned k = 0; k < 4; ++k) {
            if (!(lanes.min[0][k] <= lanes.max[0][k])) continue;  // nowhere
            const double between = gap(impuls::lane(lanes, k), box);
            if (between > limit) continue;
            if (parent.level == 0) {
                limit = visit(order_[4 * parent.number + k]);
                continue;
            }
            IMPULS_ASSERT_INDEX(depth, stack.size());
            std::size_t place = depth++;  // the nearest on top
            for (; place > base && stack[place - 1].gap < between; --place) stack[place] = stack[place - 1];
            stack[place] = {{parent.level - 1, 4 * parent.number + k}, between};
        }
    }
}

}  // namespace impuls
