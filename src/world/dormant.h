// What a step goes through, and what it leaves aside. Bodies that have slept for some steps, and bodies that
// do not move, are dormant: they are in no list of the step, and what is between two of them (pairs,
// contacts, edges of the contact graph) is kept here as it is, since a step would find it again bit for bit.
// A step then costs what is in play, whatever sleeps beside it.
//
// Bodies in play look for partners among each other and among the boxes of the dormant. When one can touch a
// dormant body, or a command reaches one, its island comes back into play (activate), with all that is
// between it and anything else; the usual rules of sleep.cpp then decide who wakes. To be in play is always
// right, so nothing here decides the future: it is neutral, and not part of checkpoints. Called by step.cpp,
// pairs.cpp and sleep.cpp.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "collision/broad/box_tree.h"
#include "collision/broad/broad.h"
#include "collision/graph/contact_graph.h"
#include "dynamics/contact.h"

namespace impuls {

struct WorldState;

inline constexpr std::uint8_t kSettled = 3;  // steps without a change, before a body may be dormant

// Numbers of what is in play, ascending.
struct ActiveLists {
    std::vector<std::uint32_t> bodies{}, colliders{};
    std::vector<std::uint32_t> joints{};  // with a body in play
    std::vector<std::uint64_t> collider_ids{};
    std::vector<Aabb> boxes{};  // of the colliders, where these are not all
    bool is_current = false;
};

struct Dormant {
    std::vector<std::uint8_t> is_dormant{};  // by body
    std::vector<std::uint32_t> ring{};       // by dormant body: the next of its island, all round
    ContactPoints contacts{};                // between two dormant bodies, by key; not present: back in play
    std::vector<GraphEdge> edges{};          // likewise, by ends; not near: back in play
    BoxTree tree{};                          // of the colliders below
    std::vector<std::uint32_t> colliders{};  // those of bodies that are back in play are passed over
    std::size_t sleepers = 0;                // dormant bodies that can move
    std::size_t waited = 0;                  // steps of sleepers that are not dormant yet, summed up

    // Work space.
    std::vector<Aabb> boxes{};
    std::vector<std::vector<Pair>> found{};  // by chunk of colliders
    std::vector<Pair> pairs{};
    std::vector<std::uint32_t> activated{}, taken{}, taken_edges{};
    std::vector<std::uint32_t> neighbours{};  // of a body that is told to wake
    ContactPoints moved_contacts{};
    std::vector<GraphEdge> moved_edges{};
};

// The lists of what is in play, when they have changed.
void update_active_lists(WorldState& s);
// Adds the pairs of colliders of which one is in play and one is dormant; all stay sorted.
void find_dormant_pairs(WorldState& s);
// Brings these bodies and their islands back into play.
void activate(WorldState& s, std::span<const std::uint32_t> bodies);
void activate_all(WorldState& s);
// Renumbers what is kept of the dormant, before a body that is in play is removed.
void forget_body(WorldState& s, std::uint32_t body);
// Those that can touch something in play, or are joined to it; whether there were any.
bool activate_touched(WorldState& s);
// Before events are told: who has any is not quiet.
void note_news(WorldState& s);
// At the end of a step: who is quiet, and may become dormant.
void settle(WorldState& s);

// Visits two lists in order as if they were one; of the second, what is in use.
template <class List, class InUse, class Before, class Visit>
void visit_merged(const List& a, const List& b, InUse&& is_in_use, Before&& before, Visit&& visit) {
    auto k = b.begin();
    const auto go_on = [&](const typename List::value_type* until) {
        for (; k != b.end() && (!until || before(*k, *until)); ++k)
            if (is_in_use(*k)) visit(*k);
    };
    for (const auto& item : a) go_on(&item), visit(item);
    go_on(nullptr);
}

}  // namespace impuls
