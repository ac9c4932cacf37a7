// All pairs, each with each: O(n^2), the oracle of the other broad phases; and the list of phases.
#include "collision/broad/broad.h"
#include "collision/broad/grid.h"
#include "collision/broad/sweep_and_prune.h"
#include "collision/broad/tree_phase.h"

namespace impuls {

void find_pairs_brute_force(std::span<const Aabb> boxes, std::vector<Pair>& out) {
    out.clear();
    const auto n = static_cast<std::uint32_t>(boxes.size());
    for (std::uint32_t i = 0; i < n; ++i) {
        if (is_empty(boxes[i])) continue;
        for (std::uint32_t j = i + 1; j < n; ++j) {
            if (overlaps(boxes[i], boxes[j]) && !is_empty(boxes[j])) out.emplace_back(i, j);
        }
    }
}

namespace {

class BruteForceBroadPhase final : public BroadPhase {
  public:
    void find_pairs(std::span<const Aabb> boxes, std::span<const std::uint64_t>, Executor&,
                    std::vector<Pair>& out) override {
        find_pairs_brute_force(boxes, out);
    }
};

}  // namespace

std::unique_ptr<BroadPhase> make_broad_phase(BroadPhaseKind kind) {
    switch (kind) {
        case BroadPhaseKind::Tree:
            return std::make_unique<TreeBroadPhase>();
        case BroadPhaseKind::SweepAndPrune:
            return std::make_unique<SweepAndPrune>();
        case BroadPhaseKind::Grid:
            return std::make_unique<GridBroadPhase>();
        case BroadPhaseKind::BruteForce:
            break;
    }
    return std::make_unique<BruteForceBroadPhase>();
}

}  // namespace impuls
