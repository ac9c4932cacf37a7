// The default broad phase: a tree of boxes with room to move, and the pairs of those boxes, kept from call to
// call. Only boxes that left their room look for partners again; the pairs are then reduced to those whose
// boxes overlap now.
#pragma once

#include "collision/broad/box_tree.h"
#include "collision/broad/broad.h"
#include "collision/broad/known_ids.h"

namespace impuls {

class TreeBroadPhase final : public BroadPhase {
  public:
    void find_pairs(std::span<const Aabb> boxes, std::span<const std::uint64_t> ids, Executor& executor,
                    std::vector<Pair>& out) override;

  private:
    // Boxes that follow each other in number, and the pairs of which one of them is the first: blocks are
    // merged and tested side by side.
    struct Block {
        std::size_t begin = 0, count = 0;          // in candidates_
        std::size_t old_begin = 0, old_count = 0;  // in old_candidates_
        std::size_t fresh_begin = 0, fresh = 0;    // in fresh_
        std::size_t kept = 0, out_begin = 0;       // from `begin` on in kept_; in the result
    };

    struct Chunk {
        std::vector<Pair> found;
        std::vector<std::uint32_t> near;  // nodes of level 1 that overlap the one at work
    };

    void take_over_ids(std::size_t n);
    void make_room(std::span<const Aabb> boxes, Executor& executor);
    void update_tree(Executor& executor);
    void find_candidates(Executor& executor);
    void test_nodes(std::uint32_t node, std::uint32_t other, std::vector<Pair>& found) const;
    void search(std::uint32_t parent, bool all_left, Chunk& chunk) const;
    void deal_out();
    void sort_fresh(const Block& block);
    void merge(Block& block);
    void keep_overlapping(std::span<const Aabb> boxes, Block& block);
    void collect(Executor& executor, std::vector<Pair>& out);

    KnownIds known_;
    BoxTree tree_;                                  // over the rooms; marked: those that are new
    bool tree_is_stale_ = true;                     // boxes came or went since it was built
    std::size_t left_since_build_ = 0;              // boxes that left their room
    std::vector<Aabb> rooms_, room_buffer_;         // nowhere for an empty box and one that is new
    std::vector<Vec3> corners_, corner_buffer_;     // min corner of the box when its room was made
    std::vector<std::uint32_t> ages_, age_buffer_;  // calls since
    std::vector<std::uint8_t> has_left_;            // its room, in this call
    std::vector<std::uint32_t> left_;               // numbers of those
    std::vector<Block> blocks_;
    std::vector<Pair> candidates_, old_candidates_;  // pairs of overlapping rooms, sorted in each block
    std::vector<Pair> fresh_;                        // those found in this call
    std::vector<Pair> kept_;                         // those whose boxes overlap
    std::vector<Chunk> chunks_;
};

}  // namespace impuls
