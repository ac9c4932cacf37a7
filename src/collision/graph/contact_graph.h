// The contact graph: which bodies are near each other, which touch, and what has changed (Erleben 2005,
// chapter 5; data of section 5.1, queries of 5.2, events of 5.3). Purely logical and geometric: it knows
// uids, kinds, boxes and touch states, not motion. Nodes and edges are arrays in uid order, so every loop is
// one too.
//
// One query of the world: admits() screens broad-phase pairs, update() enters them, the narrow phase sets
// `state` and `has_passed` of near edges, deliver() reports the differences at a safe point (the end of a
// step; policy b of section 5.3) and makes the present state the old one. Called by world/pairs.cpp and
// world/events.cpp.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/assert.h"
#include "collision/broad/broad.h"
#include "collision/graph/graph_kinds.h"
#include "collision/graph/pair_places.h"
#include "impuls/events.h"

namespace impuls {

struct GraphNode {
    std::uint64_t uid = 0;
    NodeKind kind = NodeKind::Rigid;
    bool is_active = true;      // passive nodes are kept, but have no dynamic edges
    std::uint32_t layer = 0;    // number, below 32
    std::uint32_t ignores = 0;  // bit per layer
};

enum class PairState : std::uint8_t { Separated, Touching, Penetrating };

struct GraphEdge {
    std::uint64_t a = 0, b = 0;  // uids, a < b
    EdgeKind kind = EdgeKind::None;
    PairState state = PairState::Separated, old_state = PairState::Separated;
    bool is_near = false,
         was_near = false;    // in the pairs of this query, and when events were last delivered
    bool has_passed = false;  // touched since the last query, and is separated again
    std::uint32_t place_a = 0, place_b = 0;  // of its nodes when it was last near: where to look first
};

// Ends are uids; of a timer's tick only a.
struct GraphEvent {
    EventKind kind;
    std::uint64_t a, b;
    std::uint32_t place_a = 0, place_b = 0;  // as in the edge
};

// Uids from here on are free for nodes that are not bodies.
inline constexpr std::uint64_t kFirstTimerUid = std::uint64_t{1} << 62;
inline constexpr std::uint64_t kFirstRuleUid = std::uint64_t{2} << 62;

constexpr std::uint32_t bit_of(EventKind kind) {
    return 1u << static_cast<int>(kind);
}

struct ContactGraph {
    std::vector<GraphNode> nodes{};  // ascending uid
    std::vector<GraphEdge> edges{};  // ascending (a, b)

    // Place of a node, or nodes.size().
    std::size_t find_node(std::uint64_t uid) const;
    std::size_t place_of(std::uint64_t uid, std::uint32_t guess) const;
    // Place of an edge in either order of its ends, or edges.size().
    std::size_t find_edge(std::uint64_t a, std::uint64_t b) const;

    // A rule's or container's edge, which stays. Throws InputError when the kinds do not permit one.
    void add_static_edge(std::uint64_t a, std::uint64_t b);

    // May nodes a and b (places) interact: kinds, activity, layers, rules.
    bool admits(std::uint32_t a, std::uint32_t b) const {
        IMPULS_ASSERT(a < nodes.size() && b < nodes.size());
        const GraphNode &na = nodes[a], &nb = nodes[b];
        const EdgeKind kind = edge_kind(na.kind, nb.kind);
        if (kind != EdgeKind::Physical && kind != EdgeKind::Geometrical) return false;
        if (!na.is_active || !nb.is_active) return false;
        if ((na.ignores >> nb.layer & 1u) || (nb.ignores >> na.layer & 1u)) return false;
        return members_.empty() || !share_a_rule(na.uid, nb.uid);
    }

    // Enters the pairs of the broad phase (places of nodes, any order, repeats allowed) and writes the edge
    // of each. Edges that are not among them are separated; they go when their end was delivered. The text
    // keeps them until the boxes are far apart (section 5.2.1); but nothing is left in them that a new edge
    // would not have: what the narrow phase remembers is in the pair cache.
    void update(std::span<const Pair> near, std::vector<std::uint32_t>& edge_of);
    // The same, in parallel, where nothing but deliver() happened to nodes and edges since the last update:
    // `before` are places of the pairs among those of then, `edge_of` is what it wrote.
    void update(std::span<const Pair> near, std::span<const LastPlace> before,
                std::vector<std::uint32_t>& edge_of, Executor& executor);

    // Appends the events of the kinds in `mask` in the order of edges; the present becomes the old.
    void deliver(std::uint32_t mask, std::vector<GraphEvent>& out);

    // True when the edge has events still to be delivered: what a checkpoint keeps.
    static bool is_alive(const GraphEdge& edge) {
        return !is_static(edge.kind) && (edge.was_near || edge.old_state != PairState::Separated);
    }

  private:
    bool share_a_rule(std::uint64_t a, std::uint64_t b) const;
    void sort_places(std::span<const Pair> near);
    template <class Keep, class Enter>
    void walk(std::span<const Pair> near, std::span<const LastPlace> before, std::size_t begin,
              std::size_t end, Keep&& keep, Enter&& enter) const;
    void enter_ascending(std::span<const Pair> near, std::span<const LastPlace> before,
                         std::vector<std::uint32_t>& edge_of, Executor& executor);

    std::vector<GraphEdge> next_{};
    std::vector<std::uint32_t> last_edge_of_{}, chunk_start_{};
    std::vector<std::pair<Pair, std::uint32_t>> order_{};             // places in order, and which pair it is
    std::vector<std::pair<std::uint64_t, std::uint64_t>> members_{};  // node, rule; sorted
};

// How many times a timer has ticked up to and including the time t: at start, start + period, ...
std::int64_t ticks_until(double t, double start, double period);

}  // namespace impuls
