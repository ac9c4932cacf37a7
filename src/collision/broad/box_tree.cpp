// Building and refitting the tree of boxes. Keys: size class (binary exponent of the longest edge against the
// median's, two a class, so that large boxes do not widen the nodes of small ones), then the Morton code of
// the centre with 16 bits an axis. The cells of the curve reach around the middle of a sample, so that a few
// boxes far out spoil nothing; beyond, cell numbers are clamped: correct, only slower.
#include "collision/broad/box_tree.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/assert.h"
#include "collision/broad/box_extent.h"

namespace impuls {
namespace {

constexpr std::size_t kGrain = 1024;     // boxes a chunk
constexpr std::size_t kSample = 255;     // boxes that decide origin and size of the cells
constexpr double kCellsAnAxis = 0x1p16;  // of the curve
constexpr double kCellsABox = 8;         // at most, along the median edge
constexpr double kFarthest = 0x1p14;     // median edges from the middle where cells end
constexpr std::uint64_t kLastClass = 7;  // of infinite and empty boxes
constexpr int kDigitBits = 11, kDigits = 5;

// Two zeros between all bits.
std::uint64_t spread(std::uint64_t x) {
    x = (x | x << 16) & 0x0000ff0000ffu;
    x = (x | x << 8) & 0x00f00f00f00fu;
    x = (x | x << 4) & 0x0c30c30c30c3u;
    x = (x | x << 2) & 0x249249249249u;
    return x;
}

std::uint64_t cell_number(double x) {
    return static_cast<std::uint64_t>(x > 0 ? (x < kCellsAnAxis - 1 ? x : kCellsAnAxis - 1) : 0);
}

double median(std::vector<double>& values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

}  // namespace

BoxTree::Frame BoxTree::choose_frame(std::span<const Aabb> boxes) {
    for (auto& values : sample_) values.clear();
    const std::size_t stride = boxes.size() / kSample + 1;
    for (std::size_t i = 0; i < boxes.size(); i += stride) {
        const Aabb& box = boxes[i];
        const double extent = extent_of(box);
        if (!is_regular(extent)) continue;
        for (int k = 0; k < 3; ++k)
            sample_[static_cast<std::size_t>(k)].push_back(0.5 * box.min[k] + 0.5 * box.max[k]);
        sample_[3].push_back(extent);
    }
    Frame frame;
    if (sample_[3].empty()) return frame;
    const double edge = median(sample_[3]);
    frame.median_exponent = static_cast<int>(exponent_of(edge));
    double range = 0;
    for (int k = 0; k < 3; ++k) {
        auto& values = sample_[static_cast<std::size_t>(k)];
        const double middle = median(values);
        const auto [low, high] = std::minmax_element(values.begin(), values.end());
        const double reach = edge > 0 ? kFarthest * edge : std::numeric_limits<double>::infinity();
        const double from = std::max(*low, middle - reach), to = std::min(*high, middle + reach);
        // The sample misses the outermost boxes.
        frame.origin[k] = from - 0.125 * (to - from);
        range = std::max(range, 1.25 * (to - from));
    }
    const double cell = std::max(range / kCellsAnAxis, edge / kCellsABox);
    frame.cells_per_length = cell > 0 ? 1 / cell : 0;
    return frame;
}

// Radix sort, lowest digit first, without the digits that are the same in all keys.
void BoxTree::sort_keys() {
    constexpr std::uint64_t mask = (1u << kDigitBits) - 1;
    digits_.assign(kDigits << kDigitBits, 0);
    for (const Keyed& k : keys_)
        for (int d = 0; d < kDigits; ++d)
            ++digits_[static_cast<std::size_t>(d) << kDigitBits | (k.key >> (d * kDigitBits) & mask)];
    sorted_.resize(keys_.size());
    for (int d = 0; d < kDigits; ++d) {
        std::uint32_t* start = digits_.data() + (static_cast<std::size_t>(d) << kDigitBits);
        if (start[keys_[0].key >> (d * kDigitBits) & mask] == keys_.size()) continue;
        std::uint32_t sum = 0;
        for (std::uint64_t v = 0; v <= mask; ++v) sum += std::exchange(start[v], sum);
        for (const Keyed& k : keys_) sorted_[start[k.key >> (d * kDigitBits) & mask]++] = k;
        std::swap(keys_, sorted_);
    }
}

void BoxTree::build(std::span<const Aabb> boxes, Executor& executor) {
    const std::size_t n = boxes.size();
    order_.resize(n), place_.resize(n), keys_.resize(n);
    level_start_.clear(), level_size_.clear();
    if (n == 0) return;
    const Frame frame = choose_frame(boxes);
    executor.parallel_for(n, kGrain, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const Aabb& box = boxes[i];
            const double extent = extent_of(box);
            std::uint64_t key = kLastClass << 48;
            if (is_regular(extent)) {
                const int above =
                    std::max(0, static_cast<int>(exponent_of(extent)) - frame.median_exponent) / 2;
                key = std::min<std::uint64_t>(static_cast<std::uint64_t>(above), kLastClass - 1) << 48;
                for (int k = 0; k < 3; ++k) {
                    const double centre = 0.5 * box.min[k] + 0.5 * box.max[k];
                    key |= spread(cell_number((centre - frame.origin[k]) * frame.cells_per_length)) << k;
                }
            }
            keys_[i] = {key, static_cast<std::uint32_t>(i)};
        }
    });
    sort_keys();
    for (std::uint32_t place = 0; place < n; ++place) {
        order_[place] = keys_[place].index;
        place_[keys_[place].index] = place;
    }
    std::uint32_t total = 0;
    for (auto size = static_cast<std::uint32_t>((n + 3) / 4);; size = (size + 3) / 4) {
        level_start_.push_back(total), level_size_.push_back(size);
        total += size;
        if (size == 1 && level_size_.size() > 1) break;
    }
    lanes_.resize(total);
    for (std::size_t level = 0; level < level_size_.size(); ++level)  // the last of a level has free lanes
        for (std::size_t child = level > 0 ? level_size_[level - 1] : n; child % 4 != 0; ++child)
            set_lane(lanes_[level_start_[level] + child / 4], static_cast<unsigned>(child % 4), nowhere());
    marks_.assign(total, 0xf);
    refit(boxes, executor);
    unmark_all();
}

void BoxTree::unmark_all() {
    std::fill(marks_.begin(), marks_.end(), 0);
}

// Level by level: a lane is recomputed when its child has a mark.
void BoxTree::refit(std::span<const Aabb> boxes, Executor& executor) {
    IMPULS_ASSERT(boxes.size() == order_.size());
    if (boxes.empty()) return;
    const auto n = static_cast<std::uint32_t>(boxes.size());
    executor.parallel_for(level_size_[0], kGrain / 4, [&](std::size_t begin, std::size_t end) {
        for (std::size_t g = begin; g < end; ++g)
            for (unsigned marks = marks_[g]; marks != 0; marks &= marks - 1) {
                const auto k = static_cast<unsigned>(std::countr_zero(marks));
                if (4 * g + k >= n) break;
                const Aabb& box = boxes[order_[4 * g + k]];
                set_lane(lanes_[g], k, is_empty(box) ? nowhere() : box);
            }
    });
    for (std::size_t level = 1; level < level_size_.size(); ++level) {
        const std::uint32_t below = level_start_[level - 1], start = level_start_[level];
        executor.parallel_for(level_size_[level], kGrain / 4, [&](std::size_t begin, std::size_t end) {
            for (std::size_t b = begin; b < end; ++b)
                for (unsigned k = 0; k < 4; ++k) {
                    const std::size_t child = 4 * b + k;
                    if (child >= level_size_[level - 1] || marks_[below + child] == 0) continue;
                    set_lane(lanes_[start + b], k, around(lanes_[below + child]));
                    marks_[start + b] |= static_cast<std::uint8_t>(1u << k);
                }
        });
    }
}

}  // namespace impuls
