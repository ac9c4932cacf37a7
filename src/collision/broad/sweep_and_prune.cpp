// Sweep and prune (sweep_and_prune.h). Intervals overlap when b_i <= e_j and b_j <= e_i; the printed (4.1)
// misses that one may contain the other. Ends are ordered by value, begins before ends, so that touching
// counts. Per axis, insertion sort with the new values: where a begin passes an end the boxes may have met,
// where an end passes a begin they are apart now; passes of two begins or two ends change nothing (the text
// says otherwise). A constant-time test of both boxes, new and old, decides whether the pair set changes, so
// the result does not depend on the axis that saw it first.
// Swaps a step: not O(n) but n^(5/3) v dt/d in a cube of n grains of size d, n^2 in a long channel.
#include "collision/broad/sweep_and_prune.h"

#include <algorithm>

#include "collision/broad/insertion_sort.h"
#include "collision/broad/lanes.h"

namespace impuls {
namespace {

constexpr std::size_t kMany = 16;  // one new box in so many: sorting from scratch is faster

void make_set(std::vector<Pair>& pairs) {
    std::sort(pairs.begin(), pairs.end());
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
}

}  // namespace

bool SweepAndPrune::comes_before(const End& a, const End& b) {
    return a.value < b.value || (a.value == b.value && !a.is_end && b.is_end);
}

// Old boxes, pairs and ends get the numbers of this call; ends of new boxes go to the back of the lists.
void SweepAndPrune::take_over(std::span<const Aabb> boxes, std::span<const std::uint64_t> ids) {
    std::swap(boxes_, old_boxes_);
    boxes_.resize(boxes.size());
    std::transform(boxes.begin(), boxes.end(), boxes_.begin(),
                   [](const Aabb& box) { return is_empty(box) ? nowhere() : box; });
    new_boxes_ = 0;
    if (!known_.update(ids)) return;
    known_.carry_over(old_boxes_, box_buffer_, nowhere());
    known_.carry_over(pairs_);
    for (Axis& axis : axes_) {
        std::erase_if(axis.ends, [&](const End& e) { return known_.now()[e.box] == kNoBox; });
        for (End& e : axis.ends) e.box = known_.now()[e.box];
    }
    for (std::uint32_t i = 0; i < ids.size(); ++i) {
        if (known_.before()[i] != kNoBox) continue;
        ++new_boxes_;
        for (Axis& axis : axes_) axis.ends.push_back({0, i, false}), axis.ends.push_back({0, i, true});
    }
}

// New values in the old order. The ends of an empty box wait at infinity.
void SweepAndPrune::refresh(int axis) {
    for (End& e : axes_[static_cast<std::size_t>(axis)].ends) {
        const Aabb& box = boxes_[e.box];
        const double value = e.is_end ? box.max[axis] : box.min[axis];
        e.value = value == value ? value : std::numeric_limits<double>::infinity();
    }
}

void SweepAndPrune::sort_incrementally(int axis) {
    Axis& a = axes_[static_cast<std::size_t>(axis)];
    a.added.clear(), a.removed.clear();
    swaps_[static_cast<std::size_t>(axis)] =
        insertion_sort(std::span<End>(a.ends), comes_before, [&](const End& k, const End& m) {
            if (k.is_end == m.is_end) return;
            const Aabb &box_k = boxes_[k.box], &box_m = boxes_[m.box];
            const Aabb &old_k = old_boxes_[k.box], &old_m = old_boxes_[m.box];
            if (m.is_end) {
                if (overlaps(box_k, box_m) && !overlaps(old_k, old_m))
                    a.added.push_back(std::minmax(k.box, m.box));
            } else if (overlaps(old_k, old_m)) {
                a.removed.push_back(std::minmax(k.box, m.box));
            }
        });
}

// Sorts three lists, then sweeps along the axis with the fewest overlapping intervals.
void SweepAndPrune::sort_from_scratch(Executor& executor) {
    std::array<std::uint64_t, 3> tests{};
    executor.parallel_for(3, 1, [&](std::size_t axis, std::size_t) {
        refresh(static_cast<int>(axis));
        auto& ends = axes_[axis].ends;
        std::sort(ends.begin(), ends.end(), comes_before);
        std::uint64_t open = 0;
        for (const End& e : ends) tests[axis] += e.is_end ? (--open, 0) : open++;
    });
    swaps_ = {};
    sweep(axes_[static_cast<std::size_t>(std::min_element(tests.begin(), tests.end()) - tests.begin())]);
}

// Each begin meets all intervals that are open.
void SweepAndPrune::sweep(const Axis& axis) {
    pairs_.clear(), active_.clear();
    active_place_.resize(boxes_.size());
    for (const End& e : axis.ends) {
        if (e.is_end) {
            const std::uint32_t place = active_place_[e.box];
            active_[place] = active_.back();
            active_place_[active_[place]] = place;
            active_.pop_back();
            continue;
        }
        for (const std::uint32_t other : active_)
            if (overlaps(boxes_[e.box], boxes_[other])) pairs_.push_back(std::minmax(e.box, other));
        active_place_[e.box] = static_cast<std::uint32_t>(active_.size());
        active_.push_back(e.box);
    }
    std::sort(pairs_.begin(), pairs_.end());
}

// Several axes may have seen the same change.
void SweepAndPrune::apply_changes() {
    added_.clear(), removed_.clear();
    for (const Axis& axis : axes_) {
        added_.insert(added_.end(), axis.added.begin(), axis.added.end());
        removed_.insert(removed_.end(), axis.removed.begin(), axis.removed.end());
    }
    if (added_.empty() && removed_.empty()) return;
    make_set(added_), make_set(removed_);
    merged_.resize(pairs_.size() + added_.size());
    auto end = std::merge(pairs_.begin(), pairs_.end(), added_.begin(), added_.end(), merged_.begin());
    merged_.erase(end, merged_.end());
    pairs_.resize(merged_.size());
    end =
        std::set_difference(merged_.begin(), merged_.end(), removed_.begin(), removed_.end(), pairs_.begin());
    pairs_.erase(end, pairs_.end());
}

void SweepAndPrune::find_pairs(std::span<const Aabb> boxes, std::span<const std::uint64_t> ids,
                               Executor& executor, std::vector<Pair>& out) {
    take_over(boxes, ids);
    if (new_boxes_ * kMany > boxes.size()) {
        sort_from_scratch(executor);
    } else {
        executor.parallel_for(3, 1, [&](std::size_t axis, std::size_t) {
            refresh(static_cast<int>(axis));
            sort_incrementally(static_cast<int>(axis));
        });
        apply_changes();
    }
    out.assign(pairs_.begin(), pairs_.end());
}

}  // namespace impuls
