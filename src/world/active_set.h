// The active set of a world, and what is kept of the bodies outside it. Bodies that have slept for some
// steps, and bodies that do not move, are dormant: they are in no list of the step, and what is between two
// of them (pairs, contacts, edges of the contact graph) is kept here as it is, since a step would find it
// again bit for bit. All other bodies are active: a step costs what they cost, whatever sleeps beside them.
//
// Active bodies look for partners among each other and among the boxes of the dormant. When one can touch a
// dormant body, or a command reaches one, its island becomes active again (dormant.cpp), with all that is
// between it and anything else; the rules of sleep.cpp then decide who wakes. To be active is always right,
// so nothing here decides the future: it is neutral, and not part of checkpoints.
#pragma once

#include <cstdint>
#include <vector>

#include "collision/broad/box_tree.h"
#include "collision/broad/broad.h"
#include "collision/graph/contact_graph.h"
#include "dynamics/contact.h"

namespace impuls {

inline constexpr std::uint8_t kSettled = 3;  // steps without a change, before a body may be dormant

// Indices of what is active, ascending.
struct ActiveLists {
    std::vector<std::uint32_t> bodies{}, colliders{};
    std::vector<std::uint32_t> joints{}, forces{};  // with an active body
    std::vector<std::uint64_t> collider_ids{};
    std::vector<Aabb> boxes{};  // of the colliders, where these are not all
    bool is_current = false;
};

struct Dormant {
    std::vector<std::uint8_t> is_dormant{};  // by body
    std::vector<std::uint32_t> ring{};       // by dormant body: the next of its island, in a circle
    ContactPoints contacts{};                // between two dormant bodies, by key; not present: active again
    std::vector<GraphEdge> edges{};          // likewise, by ends; not near: active again
    BoxTree tree{};                          // of the colliders below
    std::vector<std::uint32_t> colliders{};  // those of bodies that are active again are skipped
    std::size_t sleepers = 0;                // dormant bodies that can move
    std::size_t waited = 0;                  // sum over steps of sleepers that are not dormant yet

    // Scratch space.
    std::vector<Aabb> boxes{};
    std::vector<std::vector<Pair>> found{};  // by chunk of colliders
    std::vector<Pair> pairs{};
    std::vector<std::uint32_t> activated{}, taken{}, taken_edges{};
    std::vector<std::uint32_t> neighbours{};  // of a body that is told to wake
    ContactPoints moved_contacts{};
    std::vector<GraphEdge> moved_edges{};
};

// Visits two ordered lists as if they were one; of the second, what is in use.
template <class List, class InUse, class Before, class Visit>
void visit_merged(const List& a, const List& b, InUse&& is_in_use, Before&& before, Visit&& visit) {
    auto k = b.begin();
    const auto visit_until = [&](const typename List::value_type* until) {
        for (; k != b.end() && (!until || before(*k, *until)); ++k)
            if (is_in_use(*k)) visit(*k);
    };
    for (const auto& item : a) {
        visit_until(&item);
        visit(item);
    }
    visit_until(nullptr);
}

}  // namespace impuls
