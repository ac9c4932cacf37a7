// Contact groups (islands): movers connected by edges that carry a contact or a joint (Erleben 2005, section
// 5.2.5). Fixed and scripted nodes insulate: they end a path and may belong to many groups. As printed there,
// groups are built only from pairs just processed, so that resting contacts drop out; here the caller hands
// over all edges that carry something, whether their contacts are new or reused, and no others.
// Groups are numbered by their lowest mover; everything inside a group is in ascending order.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "collision/broad/broad.h"

namespace impuls {

class Executor;

enum class NodeRole : std::uint8_t {
    Absent,    // passive: no part of anything
    Fixed,     // insulates
    Scripted,  // insulates, but moves: always among the free ones
    Mover
};

inline constexpr std::uint32_t kNoNode = 0xffffffffu;

struct Groups {
    // Group i holds bodies[body_start[i] .. body_start[i + 1]), and likewise pairs and joints.
    std::vector<std::uint32_t> bodies{}, body_start{};
    std::vector<std::uint32_t> pairs{}, pair_start{};
    std::vector<std::uint32_t> joints{}, joint_start{};
    std::vector<std::uint32_t> free_bodies{};  // the catch-all: moving, in no group

    std::size_t size() const { return body_start.empty() ? 0 : body_start.size() - 1; }

    // Ends are places in `roles`, or kNoNode. Edges without a mover, or with an absent end, are in no group.
    // Only `members` (ascending places, all movers of edges among them) are visited.
    void build(std::span<const NodeRole> roles, std::span<const std::uint32_t> members,
               std::span<const Pair> contact_pairs, std::span<const Pair> joint_pairs, Executor& executor);

  private:
    std::uint32_t root(std::uint32_t k);
    std::uint32_t connect(std::span<const NodeRole> roles, const Pair& edge);

    std::vector<std::uint32_t> parent_{}, group_of_{};  // by place, of members
    std::vector<std::uint8_t> has_edge_{};
    // Of each edge and member, kNoNode: none. Of edges a mover, until groups have numbers.
    std::vector<std::uint32_t> contact_group_{}, joint_group_{}, member_group_{};
    std::vector<std::uint32_t> cursor_{};
};

}  // namespace impuls
