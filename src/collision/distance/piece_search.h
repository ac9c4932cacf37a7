// The cheapest of all pairs of convex pieces of two colliders, by branch and bound over their trees of boxes
// (Ericson, Real-Time Collision Detection, 2005, 6.3). Two boxes apart by the vector g leave a slab of width
// |g| across it free, and so do all pieces in them: a cost that grows with the slab's width bounds theirs
// from below. Everything is in a's frame.
//
//   cost(gap, n)   what a pair costs that a slab of this width across the unit vector n keeps apart
//   cost.reach(c)  no pair farther apart than this costs less than c
//   cost.enough(c) parts that cost at least this are not searched when c is known: c, or less where the
//                  cheapest pair is wanted only to that accuracy
//
// Called for distances of surfaces and for times of impact with them.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "collision/convex/closest_points.h"
#include "collision/distance/pieces.h"

namespace impuls {

template <class Cost>
class PieceSearch {
  public:
    // Pairs that cost more than `limit` do not count; then the result is `beyond`.
    PieceSearch(const Pieces& a, const Pieces& b, const Pose& X_AB, const Cost& cost, double limit)
        : a_(a), b_(b), X_AB_(X_AB), cost_(cost), least_(limit) {
        found_.beyond = true, found_.distance = limit;
        const Placed all_a{a.whole(), a.whole().box}, all_b = placed_b(b.whole());
        if (!is_empty(all_a.part.box) && !is_empty(all_b.part.box)) search(all_a, all_b);
    }

    const Closest& found() const { return found_; }
    double cost() const { return least_; }

  private:
    struct Placed {
        Pieces::Part part;
        Aabb box;
    };
    Placed placed_b(const Pieces::Part& part) const {
        return {part, is_empty(part.box) ? part.box : turned_box(part.box, X_AB_)};
    }

    double bound(const Aabb& a, const Aabb& b) const {
        Vec3 g;
        for (int i = 0; i < 3; ++i)
            g[i] = std::max(b.min[i] - a.max[i], 0.0) - std::max(a.min[i] - b.max[i], 0.0);
        const double gap = length(g);
        return gap > 0 ? cost_(gap, g / gap) : -std::numeric_limits<double>::infinity();
    }
    bool is_hopeless(double cost) const {
        return found_.beyond ? cost > least_ : cost >= cost_.enough(least_);
    }

    void search(const Placed& a, const Placed& b) {
        if (a.part.is_leaf && b.part.is_leaf) return measure(a, b);
        if (!a.part.is_leaf && (b.part.is_leaf || width(a) >= width(b))) {
            const auto halves = a_.halves(a.part);
            const Placed first{halves[0], halves[0].box}, second{halves[1], halves[1].box};
            return nearer_first(bound(first.box, b.box), bound(second.box, b.box),
                                [&](bool is_first) { search(is_first ? first : second, b); });
        }
        const auto halves = b_.halves(b.part);
        const Placed first = placed_b(halves[0]), second = placed_b(halves[1]);
        nearer_first(bound(a.box, first.box), bound(a.box, second.box),
                     [&](bool is_first) { search(a, is_first ? first : second); });
    }
    static double width(const Placed& p) { return length_squared(p.part.box.max - p.part.box.min); }

    template <class Go>
    void nearer_first(double first, double second, Go&& go) {
        const bool is_first = first <= second;
        if (!is_hopeless(std::min(first, second))) go(is_first);
        if (!is_hopeless(std::max(first, second))) go(!is_first);
    }

    void measure(const Placed& a, const Placed& b) {
        a_.for_each(a.part, {}, [&](const ConvexCore& core_a, const Pose&, const Aabb& box_a) {
            if (is_hopeless(bound(box_a, b.box))) return;
            b_.for_each(b.part, X_AB_, [&](const ConvexCore& core_b, const Pose& X, const Aabb& box_b) {
                if (is_hopeless(bound(box_a, box_b))) return;
                const Closest c = closest_points(core_a, core_b, X, nullptr, cost_.reach(least_));
                if (c.beyond) return;
                const double cost = cost_(c.distance, c.normal);
                if (found_.beyond ? cost <= least_ : cost < least_) found_ = c, least_ = cost;
            });
        });
    }

    const Pieces &a_, &b_;
    Pose X_AB_;
    const Cost& cost_;
    double least_;
    Closest found_{};
};

}  // namespace impuls
