// The tree broad phase (tree_phase.h). A room is the box, a margin relative to its size and the way it will
// go in the next calls at its recent speed. With margins the share of boxes that look for partners falls to
// a few per cent, while the pairs of rooms outnumber the pairs of boxes only a little; what is kept is
// neutral, since the result is filtered by the boxes themselves.
#include "collision/broad/tree_phase.h"

#include <algorithm>
#include <cmath>

namespace impuls {
namespace {

constexpr std::size_t kGrain = 1024;  // boxes a chunk
constexpr std::size_t kPairGrain = 8192;
constexpr double kMargin = 0.05;       // of the mean edge, on each side
constexpr double kAhead = 8;           // calls of motion a room has space for ...
constexpr double kLongest = 0.5;       // ... but no more than this part of the mean edge
constexpr std::uint32_t kReview = 16;  // calls until a room that is still in use may be made smaller
constexpr std::size_t kRebuild = 2;  // boxes that left their room, over all boxes, until the tree is rebuilt
constexpr std::size_t kWalks = 8;    // one in so many boxes moved: all nodes are refitted, not only ancestors

double mean_edge(const Aabb& b) {
    return ((b.max.x - b.min.x) + (b.max.y - b.min.y) + (b.max.z - b.min.z)) / 3;
}

bool is_regular(double edge) {
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
    executor.parallel_for(boxes.size(), kGrain, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            Room& room = rooms_[i];
            ++room.age;
            const bool is_inside = contains(room_boxes_[i], boxes[i]);
            has_left_[i] = 0;
            if (is_inside && (room.age + i) % kReview != 0) continue;
            if (is_empty(boxes[i])) {
                has_left_[i] = room_boxes_[i].min.x == room_boxes_[i].min.x;
                room_boxes_[i] = nowhere();
                room.is_new = true;
                continue;
            }
            const double edge = mean_edge(boxes[i]);
            const Vec3 way =
                room.is_new || !is_regular(edge) ? Vec3{} : (boxes[i].min - room.corner) / room.age;
            const Aabb fresh = is_regular(edge) ? room_for(boxes[i], way, edge) : boxes[i];
            if (is_inside && !(mean_edge(fresh) < mean_edge(room_boxes_[i]) - kMargin * edge)) continue;
            has_left_[i] = 1;
            room_boxes_[i] = fresh;
            room = {boxes[i].min, 0, false};
        }
    });
    left_.clear();
    for (std::uint32_t i = 0; i < boxes.size(); ++i)
        if (has_left_[i]) left_.push_back(i);
}

void TreeBroadPhase::update_tree(Executor& executor) {
    left_since_build_ += left_.size();
    if (tree_is_stale_ || left_since_build_ > kRebuild * rooms_.size()) {
        tree_.build(room_boxes_, executor);
        tree_is_stale_ = false;
        left_since_build_ = 0;
    } else if (left_.size() * kWalks > rooms_.size()) {
        tree_.refit(room_boxes_, executor);
    } else {
        for (const std::uint32_t i : left_) tree_.move(i, room_boxes_[i]);
    }
    node_has_left_.assign(tree_.nodes(0), 0);
    for (const std::uint32_t i : left_) {
        const std::uint32_t place = tree_.place_of(i);
        node_has_left_[place / 4] |= static_cast<std::uint8_t>(1u << place % 4);
    }
}

// Pairs of two nodes of the lowest level, one room of the first being new; of two new rooms the one at the
// lower place reports.
void TreeBroadPhase::test_nodes(std::uint32_t node, std::uint32_t other, std::vector<Pair>& found) const {
    const unsigned mine = node_has_left_[node], theirs = node_has_left_[other];
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
        const unsigned left = node_has_left_[4 * parent + g];
        for (unsigned k = 0; k < 4; ++k)
            if (left >> k & 1) include(hull[g], lane(tree_.node(0, 4 * parent + g), k));
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
    constexpr std::size_t grain = kGrain / 16;
    const std::uint32_t parents = tree_.nodes(1);
    chunks_.resize(std::max(chunks_.size(), (parents + grain - 1) / grain));
    for (Chunk& chunk : chunks_) chunk.found.clear();
    const bool all_left = left_.size() == rooms_.size();
    executor.parallel_for(parents, grain, [&](std::size_t begin, std::size_t end) {
        for (std::size_t b = begin; b < end; ++b)
            search(static_cast<std::uint32_t>(b), all_left, chunks_[begin / grain]);
    });
}

// Sorts what was found (counting sort by the first, then each run by the second) and merges it with the old
// candidates that have no new room.
void TreeBroadPhase::merge_candidates() {
    pair_start_.assign(rooms_.size() + 1, 0);
    for (const Chunk& chunk : chunks_)
        for (const Pair& pair : chunk.found) ++pair_start_[pair.first];
    std::uint32_t sum = 0;
    for (std::uint32_t& start : pair_start_) sum = start += sum;
    new_candidates_.resize(sum);
    for (const Chunk& chunk : chunks_)
        for (const Pair& pair : chunk.found) new_candidates_[--pair_start_[pair.first]] = pair;
    const auto at = [&](std::uint32_t k) { return new_candidates_.begin() + k; };
    for (std::size_t i = 0; i < rooms_.size(); ++i)
        if (pair_start_[i + 1] - pair_start_[i] > 1) std::sort(at(pair_start_[i]), at(pair_start_[i + 1]));

    merged_.resize(candidates_.size() + new_candidates_.size());
    auto out = merged_.begin();
    auto fresh = new_candidates_.begin();
    for (const Pair& old : candidates_) {
        if (has_left_[old.first] | has_left_[old.second]) continue;
        while (fresh != new_candidates_.end() && *fresh < old) *out++ = *fresh++;
        *out++ = old;
    }
    out = std::copy(fresh, new_candidates_.end(), out);
    merged_.erase(out, merged_.end());
    std::swap(candidates_, merged_);
}

// Each chunk packs its pairs at its own begin; then the chunks close up.
void TreeBroadPhase::keep_overlapping(std::span<const Aabb> boxes, Executor& executor,
                                      std::vector<Pair>& out) {
    out.resize(candidates_.size());
    kept_.resize(std::max(kept_.size(), candidates_.size() / kPairGrain + 1));
    executor.parallel_for(candidates_.size(), kPairGrain, [&](std::size_t begin, std::size_t end) {
        std::size_t kept = begin;
        for (std::size_t p = begin; p < end; ++p) {
            const Pair pair = candidates_[p];
            out[kept] = pair;
            kept += overlaps_without_branches(boxes[pair.first], boxes[pair.second]);
        }
        kept_[begin / kPairGrain] = kept - begin;
    });
    auto end = out.begin();
    for (std::size_t begin = 0; begin < candidates_.size(); begin += kPairGrain) {
        const auto from = out.begin() + static_cast<std::ptrdiff_t>(begin);
        const auto to = from + static_cast<std::ptrdiff_t>(kept_[begin / kPairGrain]);
        end = end == from ? to : std::copy(from, to, end);
    }
    out.erase(end, out.end());
}

void TreeBroadPhase::find_pairs(std::span<const Aabb> boxes, std::span<const std::uint64_t> ids,
                                Executor& executor, std::vector<Pair>& out) {
    if (known_.update(ids)) {
        known_.carry_over(rooms_, room_buffer_, Room{});
        known_.carry_over(room_boxes_, box_buffer_, nowhere());
        known_.carry_over(candidates_);
        has_left_.resize(boxes.size());
        tree_is_stale_ = true;
    }
    make_room(boxes, executor);
    if (!left_.empty()) {
        update_tree(executor);
        find_candidates(executor);
        merge_candidates();
    }
    keep_overlapping(boxes, executor, out);
}

}  // namespace impuls
