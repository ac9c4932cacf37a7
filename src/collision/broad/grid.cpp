// Hashed uniform grid. Every box sits in the cell of its min corner; cells are at least as long as the
// longest box in the grid, so overlapping boxes are in neighbouring cells, and each pair is met once by
// looking at half of the 26 neighbours (five rows of cells along x). A row's buckets are consecutive: bucket
// = hash(y, z) + x, so a row is one range of entries. Foreign cells that share a bucket cost a box test; a
// pair counts only when the true cells are the ones looked for. Boxes of 4 or more times the median extent
// (by binary exponent, so that scaling by powers of two changes nothing) stay outside and are tested against
// all. Called by the pair stage of a step.
#include "collision/broad/grid.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "collision/broad/box_extent.h"

namespace impuls {

namespace {

constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
constexpr std::size_t kCellGrain = 1024;  // boxes a chunk
constexpr int kLargeExponents = 2;        // binary exponents above the median's that make a box large
constexpr double kSlack = 1.0 / 1024;  // longer cells absorb the rounding of cell numbers up to kFarthestCell
constexpr double kFarthestCell = 0x1p40;  // numbers beyond are clamped: correct, only slower
constexpr std::uint64_t kHashY = 0x9E3779B97F4A7C15u, kHashZ = 0xC2B2AE3D27D4EB4Fu;

std::int64_t grid_cell(double x) {
    const double clamped = x > -kFarthestCell ? (x < kFarthestCell ? x : kFarthestCell) : -kFarthestCell;
    const auto truncated = static_cast<std::int64_t>(clamped);
    return truncated - (static_cast<double>(truncated) > clamped);
}

// A linear hash, so that the row (y + dy, z + dz) is row_of(y, z) + row_of(dy, dz).
std::uint64_t row_of(std::int64_t y, std::int64_t z) {
    return static_cast<std::uint64_t>(y) * kHashY + static_cast<std::uint64_t>(z) * kHashZ;
}

}  // namespace

GridBroadPhase::Cell GridBroadPhase::cell_of(const Aabb& box) const {
    return {grid_cell(box.min.x * cells_per_length_), grid_cell(box.min.y * cells_per_length_),
            grid_cell(box.min.z * cells_per_length_)};
}

std::uint32_t GridBroadPhase::bucket_of(std::uint64_t row, std::uint32_t x) const {
    return (static_cast<std::uint32_t>(row >> hash_shift_) + x) & bucket_mask_;
}

// Splits the boxes at the median exponent and measures the longest one that stays in the grid.
void GridBroadPhase::choose_cell_size(std::span<const Aabb> boxes) {
    exponents_.assign(0x800, 0);
    std::size_t regular = 0;
    for (const Aabb& box : boxes) {
        const double extent = extent_of(box);
        if (!is_regular(extent)) continue;
        ++exponents_[exponent_of(extent)];
        ++regular;
    }
    std::uint32_t median = 0;
    for (std::size_t below = exponents_[0]; 2 * below < regular; below += exponents_[median]) ++median;

    large_.clear();
    double longest = 0;
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        const double extent = extent_of(boxes[i]);
        const bool is_large =
            is_empty(boxes[i]) || !is_regular(extent) || exponent_of(extent) >= median + kLargeExponents;
        keys_[i].bucket = is_large ? kNone : 0;
        if (is_large) {
            if (!is_empty(boxes[i])) large_.push_back(static_cast<std::uint32_t>(i));
        } else {
            longest = std::max(longest, extent);
        }
    }
    cells_per_length_ = longest > 0 ? 1.0 / (longest * (1 + kSlack)) : 0;
}

// Counting sort of the boxes by bucket, at most a quarter of the buckets being in use.
void GridBroadPhase::fill_buckets(std::span<const Aabb> boxes, Executor& executor) {
    const std::size_t n = boxes.size();
    const auto count = std::bit_ceil(static_cast<std::uint32_t>(4 * std::max<std::size_t>(n, 4)));
    bucket_mask_ = count - 1;
    hash_shift_ = 64 - std::countr_zero(count);
    executor.parallel_for(n, kCellGrain, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            Key& key = keys_[i];
            if (key.bucket == kNone) continue;
            const Cell cell = cell_of(boxes[i]);
            key.row = row_of(cell.y, cell.z);
            key.x = static_cast<std::uint32_t>(cell.x);
            key.bucket = bucket_of(key.row, key.x);
        }
    });

    bucket_start_.assign(count + 1, 0);
    for (const Key& key : keys_) {
        if (key.bucket != kNone) ++bucket_start_[key.bucket];
    }
    std::uint32_t sum = 0;
    for (std::uint32_t& start : bucket_start_) sum = start += sum;
    entries_.resize(sum);
    for (std::size_t i = n; i-- > 0;) {
        const Key& key = keys_[i];
        if (key.bucket == kNone) continue;
        entries_[--bucket_start_[key.bucket]] = {boxes[i], key.row, key.x, static_cast<std::uint32_t>(i)};
    }
}

// Keeps those of the entries that overlap this one and truly lie dx[0] .. dx[1] cells beside it, in the row
// dy, dz.
void GridBroadPhase::test(const Entry& entry, std::uint32_t begin, std::uint32_t end, const Row& row,
                          std::vector<Pair>& found) const {
    for (std::uint32_t e = begin; e < end; ++e) {
        const Entry& other = entries_[e];
        if (!overlaps(entry.box, other.box)) continue;
        const Cell from = cell_of(entry.box), to = cell_of(other.box);
        if (to.y - from.y != row.dy || to.z - from.z != row.dz) continue;
        if (to.x - from.x < row.dx_low || to.x - from.x > row.dx_high) continue;
        found.emplace_back(std::min(entry.index, other.index), std::max(entry.index, other.index));
    }
}

// Cells x - 1 .. x + 1 of a neighbouring row.
void GridBroadPhase::search_row(const Entry& entry, int dy, int dz, std::vector<Pair>& found) const {
    const Row row{-1, 1, dy, dz};
    const std::uint32_t first = bucket_of(entry.row + row_of(dy, dz), entry.x - 1);
    if (first + 3 <= bucket_mask_ + 1)
        return test(entry, bucket_start_[first], bucket_start_[first + 3], row, found);
    for (std::uint32_t k = 0; k < 3; ++k) {
        const std::uint32_t bucket = (first + k) & bucket_mask_;
        test(entry, bucket_start_[bucket], bucket_start_[bucket + 1], row, found);
    }
}

// The entries after this one in its cell, the next cell of its row, and the four rows above and behind.
void GridBroadPhase::search(std::uint32_t e, std::vector<Pair>& found) const {
    const Entry& entry = entries_[e];
    const std::uint32_t bucket = bucket_of(entry.row, entry.x), next = (bucket + 1) & bucket_mask_;
    test(entry, e + 1, bucket_start_[bucket + 1], {0, 0, 0, 0}, found);
    test(entry, bucket_start_[next], bucket_start_[next + 1], {1, 1, 0, 0}, found);
    search_row(entry, 1, 0, found);
    search_row(entry, -1, 1, found);
    search_row(entry, 0, 1, found);
    search_row(entry, 1, 1, found);
}

// A box against all large ones; of two large ones the first does it.
void GridBroadPhase::search_large(std::span<const Aabb> boxes, std::uint32_t i,
                                  std::vector<Pair>& found) const {
    const bool is_large = keys_[i].bucket == kNone;
    if (is_large && is_empty(boxes[i])) return;
    for (const std::uint32_t j : large_) {
        if (j == i || (is_large && j < i) || !overlaps(boxes[i], boxes[j])) continue;
        found.emplace_back(std::min(i, j), std::max(i, j));
    }
}

// Counting sort by the first box, then each group by the second.
void GridBroadPhase::merge(std::size_t boxes, std::vector<Pair>& out) {
    pair_start_.assign(boxes + 1, 0);
    for (const auto& found : chunks_) {
        for (const Pair& pair : found) ++pair_start_[pair.first];
    }
    std::uint32_t sum = 0;
    for (std::uint32_t& start : pair_start_) sum = start += sum;
    out.resize(sum);
    if (sum == 0) return;
    for (const auto& found : chunks_) {
        for (const Pair& pair : found) out[--pair_start_[pair.first]] = pair;
    }
    for (std::size_t i = 0; i < boxes; ++i) {
        std::sort(out.begin() + pair_start_[i], out.begin() + pair_start_[i + 1]);
    }
}

void GridBroadPhase::find_pairs(std::span<const Aabb> boxes, std::span<const std::uint64_t>,
                                Executor& executor, std::vector<Pair>& out) {
    const std::size_t n = boxes.size();
    keys_.resize(n);
    choose_cell_size(boxes);
    fill_buckets(boxes, executor);
    chunks_.resize(std::max(chunks_.size(), (n + kCellGrain - 1) / kCellGrain));
    for (auto& found : chunks_) found.clear();
    executor.parallel_for(n, kCellGrain, [&](std::size_t begin, std::size_t end) {
        auto& found = chunks_[begin / kCellGrain];
        const std::size_t last_entry = std::min(end, entries_.size());
        for (std::size_t e = begin; e < last_entry; ++e) search(static_cast<std::uint32_t>(e), found);
        if (large_.empty()) return;
        for (std::size_t i = begin; i < end; ++i) search_large(boxes, static_cast<std::uint32_t>(i), found);
    });
    merge(n, out);
}

}  // namespace impuls
