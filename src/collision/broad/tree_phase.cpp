// The tree broad phase (tree_phase.h). A room is the box, a margin relative to its size and the way it will
// go in the next calls at its recent speed. With margins the share of boxes that look for partners falls to
// a few per cent, while the pairs of rooms outnumber the pairs of boxes only a little; what is kept is
// neutral, since the result is filtered by the boxes themselves.
#include "collision/broad/tree_phase.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/assert.h"

namespace impuls {
namespace {

constexpr std::size_t kRoomsAChunk = 128;               // boxes
constexpr std::size_t kBlock = 64, kBlocksAtATime = 1;  // boxes a block of pairs
constexpr std::size_t kPairsABox = 4;                   // room for pairs at the beginning
constexpr double kMargin = 0.05;                        // of the mean edge, on each side
constexpr double kAhead = 4;                            // calls of motion a room has space for ...
constexpr double kLongest = 0.5;                        // ... but no more than this part of the mean edge
constexpr std::uint32_t kReview = 16;  // calls until a room that is still in use may be made smaller
constexpr std::size_t kRebuild = 2;  // boxes that left their room, over all boxes, until the tree is rebuilt

double mean_edge(const Aabb& b) {
    return ((b.max.x - b.min.x) + (b.max.y - b.min.y) + (b.max.z - b.min.z)) / 3;
}

bool is_bounded(double edge) {
    return edge < std::numeric_limits<double>::infinity();
}

// Where the box will be in the next calls when it goes on by `way` in each.
Vec3 ahead(const Vec3& way, double edge) {
    Vec3 result;
    for (int k = 0; k < 3; ++k) {
        const double far = kAhead * way[k];
        result[k] = std::abs(far) <= kLongest * edge ? far : std::copysign(kLongest * edge, far);
    }
    return result;
}

bool overlaps_without_branches(const Aabb& a, const Aabb& b) {
    return (a.min.x <= b.max.x) & (b.min.x <= a.max.x) & (a.min.y <= b.max.y) & (b.min.y <= a.max.y) &
           (a.min.z <= b.max.z) & (b.min.z <= a.max.z);
}

Aabb room_for(const Aabb& box, const Vec3& way, double edge) {
    Aabb room = box;
    const Vec3 far = ahead(way, edge);
    for (int k = 0; k < 3; ++k) {
        room.min[k] += std::min(0.0, far[k]) - kMargin * edge;
        room.max[k] += std::max(0.0, far[k]) + kMargin * edge;
    }
    return room;
}

}  // namespace

// Finds the boxes that left their room (and, now and then, rooms that became too large) and makes new rooms.
void TreeBroadPhase::make_room(std::span<const Aabb> boxes, Executor& executor) {
    executor.parallel_for(boxes.size(), kRoomsAChunk, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            Aabb& room = rooms_[i];
            ++ages_[i];
            const bool is_inside = contains(room, boxes[i]);
            has_left_[i] = 0;
            if (is_inside && (ages_[i] + i) % kReview != 0) continue;
            const bool had_room = room.min.x == room.min.x;
            if (is_empty(boxes[i])) {
                has_left_[i] = had_room;
                room = nowhere();
                continue;
            }
            const double edge = mean_edge(boxes[i]);
            const Vec3 way = had_room && is_bounded(edge) ? (boxes[i].min - corners_[i]) / ages_[i] : Vec3{};
            const Aabb fresh = is_bounded(edge) ? room_for(boxes[i], way, edge) : boxes[i];
            if (is_inside && !(mean_edge(fresh) < mean_edge(room) - kMargin * edge)) continue;
            has_left_[i] = 1;
            room = fresh;
            corners_[i] = boxes[i].min, ages_[i] = 0;
        }
    });
    left_.clear();
    for (std::uint32_t i = 0; i < boxes.size(); ++i)
        if (has_left_[i]) left_.push_back(i);
}

void TreeBroadPhase::update_tree(Executor& executor) {
    left_since_build_ += left_.size();
    const bool is_stale = tree_is_stale_ || left_since_build_ > kRebuild * rooms_.size();
    if (is_stale) {
        tree_.build(rooms_, executor);
        tree_is_stale_ = false;
        left_since_build_ = 0;
    } else {
        tree_.unmark_all();
    }
    for (const std::uint32_t i : left_) tree_.mark(i);
    if (!is_stale) tree_.refit(rooms_, executor);
}

// Pairs of two nodes of the lowest level, one room of the first being new; of two new rooms the one at the
// lower place reports.
void TreeBroadPhase::test_nodes(std::uint32_t node, std::uint32_t other, std::vector<Pair>& found) const {
    const unsigned mine = tree_.marks(node), theirs = tree_.marks(other);
    for (unsigned k = 0; k < 4; ++k) {
        if (!(mine >> k & 1)) continue;
        unsigned hits = overlap_mask(tree_.node(0, other), lane(tree_.node(0, node), k));
        if (other < node) hits &= ~theirs;
        if (other == node) hits &= ~(theirs & ((2u << k) - 1)) & ~(1u << k);
        for (; hits != 0; hits &= hits - 1) {
            const auto bit = static_cast<unsigned>(std::countr_zero(hits));
            const std::uint32_t a = tree_.index_at(4 * node + k), b = tree_.index_at(4 * other + bit);
            found.emplace_back(std::min(a, b), std::max(a, b));
        }
    }
}

// New rooms below a node of level 1: the four nodes below it go down the tree together.
void TreeBroadPhase::search(std::uint32_t parent, bool all_left, Chunk& chunk) const {
    std::array<Aabb, 4> hull;
    Aabb all;
    for (unsigned g = 0; g < 4 && 4 * parent + g < tree_.nodes(0); ++g) {
        const std::uint32_t node = 4 * parent + g;
        for (unsigned marks = tree_.marks(node); marks != 0; marks &= marks - 1)
            include(hull[g], lane(tree_.node(0, node), static_cast<unsigned>(std::countr_zero(marks))));
        include(all, hull[g]);
    }
    if (is_empty(all)) return;
    chunk.near.clear();
    tree_.visit_nodes(1, all, all_left ? parent : 0, [&](std::uint32_t b) { chunk.near.push_back(b); });
    for (unsigned g = 0; g < 4; ++g) {
        if (is_empty(hull[g])) continue;
        const std::uint32_t node = 4 * parent + g;
        for (const std::uint32_t b : chunk.near)
            for (unsigned hits = overlap_mask(tree_.node(1, b), hull[g]); hits != 0; hits &= hits - 1) {
                const std::uint32_t other = 4 * b + static_cast<unsigned>(std::countr_zero(hits));
                if (!all_left || other >= node) test_nodes(node, other, chunk.found);
            }
    }
}

void TreeBroadPhase::find_candidates(Executor& executor) {
    constexpr std::size_t grain = kRoomsAChunk / 16;
    const std::uint32_t parents = tree_.nodes(1);
    chunks_.resize(std::max(chunks_.size(), (parents + grain - 1) / grain));
    for (Chunk& chunk : chunks_) {
        chunk.found.clear();
        chunk.found.reserve(4 * kPairsABox * kRoomsAChunk), chunk.near.reserve(kRoomsAChunk);
    }
    const bool all_left = left_.size() == rooms_.size();
    executor.parallel_for(parents, grain, [&](std::size_t begin, std::size_t end) {
        for (std::size_t b = begin; b < end; ++b)
            search(static_cast<std::uint32_t>(b), all_left, chunks_[begin / grain]);
    });
}

// What was found, to the blocks it belongs to; and room for what each block may hold now.
void TreeBroadPhase::deal_out() {
    for (Block& block : blocks_) block.fresh = 0;
    for (const Chunk& chunk : chunks_)
        for (const Pair& pair : chunk.found) ++blocks_[pair.first / kBlock].fresh;
    std::swap(candidates_, old_candidates_);
    std::size_t fresh = 0, all = 0;
    for (Block& block : blocks_) {
        block.old_begin = block.begin, block.old_count = block.count;
        block.begin = all, all += block.count + block.fresh;
        block.fresh_begin = fresh, fresh += block.fresh, block.fresh = 0;
    }
    candidates_.resize(all), kept_.resize(all), fresh_.resize(fresh);
    for (const Chunk& chunk : chunks_)
        for (const Pair& pair : chunk.found) {
            Block& block = blocks_[pair.first / kBlock];
            fresh_[block.fresh_begin + block.fresh++] = pair;
        }
}

// The fresh pairs of a block, to its place in kept_: counting sort by the first, then each run by the second.
void TreeBroadPhase::sort_fresh(const Block& block) {
    IMPULS_ASSERT(block.fresh_begin + block.fresh <= fresh_.size());
    IMPULS_ASSERT(block.begin + block.fresh <= kept_.size());
    const std::span<const Pair> fresh(fresh_.data() + block.fresh_begin, block.fresh);
    std::array<std::uint32_t, kBlock + 1> start{};
    for (const Pair& pair : fresh) ++start[pair.first % kBlock];
    std::uint32_t sum = 0;
    for (std::uint32_t& s : start) sum = s += sum;
    Pair* const out = kept_.data() + block.begin;
    for (const Pair& pair : fresh) out[--start[pair.first % kBlock]] = pair;
    for (std::size_t i = 0; i < kBlock; ++i)
        if (start[i + 1] - start[i] > 1) std::sort(out + start[i], out + start[i + 1]);
}

// Old candidates that have no new room, and the fresh ones.
void TreeBroadPhase::merge(Block& block) {
    sort_fresh(block);
    const Pair *fresh = kept_.data() + block.begin, *const end = fresh + block.fresh;
    Pair *const begin = candidates_.data() + block.begin, *out = begin;
    for (std::size_t p = 0; p < block.old_count; ++p) {
        const Pair old = old_candidates_[block.old_begin + p];
        if (has_left_[old.first] | has_left_[old.second]) continue;
        while (fresh != end && *fresh < old) *out++ = *fresh++;
        *out++ = old;
    }
    block.count = static_cast<std::size_t>(std::copy(fresh, end, out) - begin);
    IMPULS_ASSERT(block.count <= block.old_count + block.fresh);
    IMPULS_ASSERT(std::is_sorted(begin, begin + block.count));
}

void TreeBroadPhase::keep_overlapping(std::span<const Aabb> boxes, Block& block) {
    IMPULS_ASSERT(block.begin + block.count <= candidates_.size() && kept_.size() >= candidates_.size());
    const Pair *const begin = candidates_.data() + block.begin, *const end = begin + block.count;
    Pair *const kept = kept_.data() + block.begin, *out = kept;
    for (const Pair* p = begin; p != end; ++p) {
        const Pair pair = *p;
        *out = pair;
        out += overlaps_without_branches(boxes[pair.first], boxes[pair.second]);
    }
    block.kept = static_cast<std::size_t>(out - kept);
}

void TreeBroadPhase::collect(Executor& executor, std::vector<Pair>& out) {
    std::size_t sum = 0;
    for (Block& block : blocks_) block.out_begin = sum, sum += block.kept;
    out.reserve(candidates_.capacity());
    out.resize(sum);
    executor.parallel_for(blocks_.size(), kBlocksAtATime, [&](std::size_t begin, std::size_t end) {
        for (std::size_t b = begin; b < end; ++b) {
            const Block& block = blocks_[b];
            std::copy_n(kept_.data() + block.begin, block.kept, out.data() + block.out_begin);
        }
    });
}

// Pairs of boxes that are still there move to the blocks of their new numbers.
void TreeBroadPhase::take_over_ids(std::size_t n) {
    known_.carry_over(rooms_, room_buffer_, nowhere());
    known_.carry_over(corners_, corner_buffer_, Vec3{});
    known_.carry_over(ages_, age_buffer_, 0u);
    auto end = candidates_.begin();
    for (const Block& block : blocks_) {
        const auto from = candidates_.begin() + static_cast<std::ptrdiff_t>(block.begin);
        end = std::copy_n(from, block.count, end);
    }
    candidates_.erase(end, candidates_.end());
    known_.carry_over(candidates_);
    blocks_.assign((n + kBlock - 1) / kBlock, {});
    for (const Pair& pair : candidates_) ++blocks_[pair.first / kBlock].count;
    std::size_t sum = 0;
    for (Block& block : blocks_) block.begin = sum, sum += block.count;
    has_left_.resize(n);
    // Ahead of need, so that a usual scene takes no memory later.
    left_.reserve(n);
    for (auto* pairs : {&candidates_, &old_candidates_, &fresh_, &kept_}) pairs->reserve(kPairsABox * n);
    tree_is_stale_ = true;
}

void TreeBroadPhase::find_pairs(std::span<const Aabb> boxes, std::span<const std::uint64_t> ids,
                                Executor& executor, std::vector<Pair>& out) {
    IMPULS_ASSERT(boxes.size() == ids.size());
    if (known_.update(ids)) take_over_ids(boxes.size());
    make_room(boxes, executor);
    const bool is_changed = !left_.empty();
    if (is_changed) {
        update_tree(executor);
        find_candidates(executor);
        deal_out();
    }
    executor.parallel_for(blocks_.size(), kBlocksAtATime, [&](std::size_t begin, std::size_t end) {
        for (std::size_t b = begin; b < end; ++b) {
            if (is_changed) merge(blocks_[b]);
            keep_overlapping(boxes, blocks_[b]);
        }
    });
    collect(executor, out);
}

}  // namespace impuls
