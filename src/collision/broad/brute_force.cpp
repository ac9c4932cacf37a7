// All pairs, each with each: O(n^2), the oracle of the other broad phases.
#include "collision/broad/broad.h"

namespace impuls {

void find_pairs_brute_force(std::span<const Aabb> boxes, std::vector<Pair>& out) {
    out.clear();
    const auto n = static_cast<std::uint32_t>(boxes.size());
    for (std::uint32_t i = 0; i < n; ++i) {
        for (std::uint32_t j = i + 1; j < n; ++j) {
            if (overlaps(boxes[i], boxes[j])) out.emplace_back(i, j);
        }
    }
}

}  // namespace impuls
