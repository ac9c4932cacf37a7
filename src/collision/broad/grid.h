// Broad phase by a hashed uniform grid, made anew in every call: the fastest one when most boxes go far
// (a tenth of their size or more) and are alike in size. Boxes much larger than the median (grounds, planes)
// are tested one by one.
#pragma once

#include "collision/broad/broad.h"

namespace impuls {

class GridBroadPhase final : public BroadPhase {
  public:
    void find_pairs(std::span<const Aabb> boxes, std::span<const std::uint64_t> ids, Executor& executor,
                    std::vector<Pair>& out) override;

  private:
    struct Cell {
        std::int64_t x = 0, y = 0, z = 0;
    };
    struct Key {
        std::uint64_t row = 0;  // hash of the cell's y and z
        std::uint32_t x = 0, bucket = 0;
    };
    struct Entry {  // one cache line
        Aabb box;
        std::uint64_t row = 0;
        std::uint32_t x = 0, index = 0;
    };
    struct Row {  // of cells, seen from a box's own
        int dx_low, dx_high, dy, dz;
    };

    void choose_cell_size(std::span<const Aabb> boxes);
    void fill_buckets(std::span<const Aabb> boxes, Executor& executor);
    void test(const Entry& entry, std::uint32_t begin, std::uint32_t end, const Row& row,
              std::vector<Pair>& found) const;
    void search_row(const Entry& entry, int dy, int dz, std::vector<Pair>& found) const;
    void search(std::uint32_t e, std::vector<Pair>& found) const;
    void search_large(std::span<const Aabb> boxes, std::uint32_t i, std::vector<Pair>& found) const;
    void merge(std::size_t boxes, std::vector<Pair>& out);

    Cell cell_of(const Aabb& box) const;
    std::uint32_t bucket_of(std::uint64_t row, std::uint32_t x) const;

    double cells_per_length_ = 0;
    int hash_shift_ = 0;
    std::uint32_t bucket_mask_ = 0;
    std::vector<std::uint32_t> exponents_;     // how many boxes have an extent with this binary exponent
    std::vector<std::uint32_t> large_;         // numbers of the boxes outside the grid
    std::vector<Key> keys_;                    // of each box; no bucket when it is large
    std::vector<std::uint32_t> bucket_start_;  // first entry of each bucket
    std::vector<Entry> entries_;               // boxes in the grid, by bucket
    std::vector<std::vector<Pair>> chunks_;    // pairs found by each chunk of boxes
    std::vector<std::uint32_t> pair_start_;    // where the pairs of each first box begin in the output
};

}  // namespace impuls
