// Sweep and prune with memory: the ends of all boxes stay sorted along three axes, and the set of overlapping
// pairs changes only where ends pass each other (Schinner 4.1; Baraff 1992; Cohen et al., I-COLLIDE, 1995).
#pragma once

#include <array>

#include "collision/broad/broad.h"
#include "collision/broad/known_ids.h"

namespace impuls {

class SweepAndPrune final : public BroadPhase {
  public:
    void find_pairs(std::span<const Aabb> boxes, std::span<const std::uint64_t> ids, Executor& executor,
                    std::vector<Pair>& out) override;

    // Exchanges of neighbours along each axis in the last call; 0 when it sorted from scratch.
    const std::array<std::uint64_t, 3>& swaps() const { return swaps_; }

  private:
    struct End {
        double value = 0;
        std::uint32_t box = 0;
        bool is_end = false;  // the upper one
    };
    struct Axis {
        std::vector<End> ends;
        std::vector<Pair> added, removed;  // in this call
    };

    void take_over(std::span<const Aabb> boxes, std::span<const std::uint64_t> ids);
    void refresh(int axis);
    void sort_incrementally(int axis);
    void sort_from_scratch(Executor& executor);
    void sweep(const Axis& axis);
    void apply_changes();
    static bool comes_before(const End& a, const End& b);

    KnownIds known_;
    std::array<Axis, 3> axes_;
    std::vector<Aabb> boxes_, old_boxes_, box_buffer_;  // of this call and the last; empty ones are nowhere
    std::size_t new_boxes_ = 0;                         // in this call
    std::array<std::uint64_t, 3> swaps_{};
    std::vector<Pair> pairs_, merged_, added_, removed_;
    std::vector<std::uint32_t> active_, active_place_;
};

}  // namespace impuls
