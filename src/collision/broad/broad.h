// Broad phases: boxes in, overlapping pairs out, in an order that depends on nothing but the boxes' numbers.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "geometry/aabb.h"
#include "impuls/executor.h"

namespace impuls {

using Pair = std::pair<std::uint32_t, std::uint32_t>;  // first < second

/// All overlapping pairs, by testing each with each: the oracle.
void find_pairs_brute_force(std::span<const Aabb> boxes, std::vector<Pair>& out);

/// The same pairs in the same order (sorted), by a hashed uniform grid; boxes much larger than the median
/// (grounds, planes) are tested one by one. Buffers are kept for reuse: no allocation once warm.
class GridBroadPhase {
  public:
    void find_pairs(std::span<const Aabb> boxes, Executor& executor, std::vector<Pair>& out);

  private:
    struct Entry {
        std::int64_t x, y, z;
        std::uint32_t box;
    };
    std::vector<double> extents_;
    std::vector<Entry> entries_;
    std::vector<std::uint32_t> bucket_start_;
    std::vector<std::uint32_t> large_;
    std::vector<std::vector<Pair>> chunks_;
};

}  // namespace impuls
