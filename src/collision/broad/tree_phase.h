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
    struct Room {
        Vec3 corner{};          // min corner of the box when the room was made
        std::uint32_t age = 0;  // calls since
        bool is_new = true;     // never had a box
    };

    struct Chunk {
        std::vector<Pair> found;
        std::vector<std::uint32_t> near;  // nodes of level 1 that overlap the one at work
    };

    void make_room(std::span<const Aabb> boxes, Executor& executor);
    void update_tree(Executor& executor);
    void find_candidates(Executor& executor);
    void test_nodes(std::uint32_t node, std::uint32_t other, std::vector<Pair>& found) const;
    void search(std::uint32_t parent, bool all_left, Chunk& chunk) const;
    void merge_candidates();
    void keep_overlapping(std::span<const Aabb> boxes, Executor& executor, std::vector<Pair>& out);

    KnownIds known_;
    BoxTree tree_;                      // over the rooms
    bool tree_is_stale_ = true;         // boxes came or went since it was built
    std::size_t left_since_build_ = 0;  // boxes that left their room
    std::vector<Room> rooms_, room_buffer_;
    std::vector<Aabb> room_boxes_, box_buffer_;               // nowhere for an empty box
    std::vector<std::uint8_t> has_left_;                      // its room, in this call
    std::vector<std::uint32_t> left_;                         // numbers of those
    std::vector<std::uint8_t> node_has_left_;                 // bit k: lane k of this node of level 0
    std::vector<Pair> candidates_, new_candidates_, merged_;  // pairs of overlapping rooms, sorted
    std::vector<Chunk> chunks_;
    std::vector<std::uint32_t> pair_start_;
    std::vector<std::size_t> kept_;  // pairs each chunk found overlapping
};

}  // namespace impuls
