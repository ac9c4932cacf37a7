// Edges that come and go with the broad phase, and the events of their changes (contact_graph.h).
#include "collision/graph/contact_graph.h"

#include <algorithm>
#include <cmath>

#include "impuls/errors.h"

namespace impuls {
namespace {

std::pair<std::uint64_t, std::uint64_t> ends(const GraphEdge& e) {
    return {e.a, e.b};
}

}  // namespace

std::size_t ContactGraph::find_node(std::uint64_t uid) const {
    const auto it = std::lower_bound(nodes.begin(), nodes.end(), uid,
                                     [](const GraphNode& n, std::uint64_t id) { return n.uid < id; });
    return it != nodes.end() && it->uid == uid ? static_cast<std::size_t>(it - nodes.begin()) : nodes.size();
}

std::size_t ContactGraph::find_edge(std::uint64_t a, std::uint64_t b) const {
    const std::pair<std::uint64_t, std::uint64_t> key = std::minmax({a, b});
    const auto it = std::lower_bound(edges.begin(), edges.end(), key,
                                     [](const GraphEdge& e, const auto& k) { return ends(e) < k; });
    return it != edges.end() && ends(*it) == key ? static_cast<std::size_t>(it - edges.begin())
                                                 : edges.size();
}

void ContactGraph::add_static_edge(std::uint64_t a, std::uint64_t b) {
    const std::size_t na = find_node(a), nb = find_node(b);
    if (na == nodes.size() || nb == nodes.size()) throw InputError("an edge needs two nodes of the graph");
    const EdgeKind kind = edge_kind(nodes[na].kind, nodes[nb].kind);
    if (!is_static(kind)) throw InputError("nodes of these kinds have no static edge");
    if (find_edge(a, b) < edges.size()) return;
    GraphEdge edge;
    std::tie(edge.a, edge.b) = std::minmax({a, b});
    edge.kind = kind;
    edges.insert(std::upper_bound(edges.begin(), edges.end(), edge,
                                  [](const auto& x, const auto& y) { return ends(x) < ends(y); }),
                 edge);
    if (kind != EdgeKind::Logical) return;
    const bool a_rules = nodes[na].kind == NodeKind::Rule;
    const std::pair member{a_rules ? b : a, a_rules ? a : b};
    members_.insert(std::upper_bound(members_.begin(), members_.end(), member), member);
}

bool ContactGraph::share_a_rule(std::uint64_t a, std::uint64_t b) const {
    const auto first = [&](std::uint64_t uid) {
        return std::lower_bound(members_.begin(), members_.end(), std::pair{uid, std::uint64_t{0}});
    };
    auto i = first(a), j = first(b);
    while (i != members_.end() && i->first == a && j != members_.end() && j->first == b) {
        if (i->second == j->second) return true;
        ++(i->second < j->second ? i : j);
    }
    return false;
}

std::size_t ContactGraph::place_of(std::uint64_t uid, std::uint32_t guess) const {
    return guess < nodes.size() && nodes[guess].uid == uid ? guess : find_node(uid);
}

// One pass over the old edges and the new pairs, both in uid order, as places are.
void ContactGraph::update(std::span<const Pair> near, std::vector<std::uint32_t>& edge_of) {
    edge_of.resize(near.size()), next_.clear();
    auto old = edges.begin();
    const auto keep_until = [&](const auto& key) {
        for (; old != edges.end() && ends(*old) < key; ++old) {
            if (!is_static(old->kind) && !is_alive(*old)) continue;
            old->is_near = false;
            old->state = PairState::Separated;
            old->has_passed = false;
            next_.push_back(*old);
        }
    };
    const auto enter = [&](std::uint32_t k, const Pair& places) {
        const auto [a, b] = places;
        const std::pair key{nodes[a].uid, nodes[b].uid};
        const auto is_next = [&] { return old != edges.end() && ends(*old) == key; };
        if (next_.empty() || ends(next_.back()) != key) {
            if (!is_next()) keep_until(key);
            GraphEdge& edge = next_.emplace_back(is_next() ? *old++ : GraphEdge{key.first, key.second});
            edge.kind = edge_kind(nodes[a].kind, nodes[b].kind);
            edge.is_near = true;
            edge.place_a = a, edge.place_b = b;
            edge.state = PairState::Separated;
            edge.has_passed = false;
        }
        edge_of[k] = static_cast<std::uint32_t>(next_.size() - 1);
    };
    const auto is_amiss = [](const Pair& x, const Pair& y) { return y < x || y.first > y.second; };
    const bool is_sorted =
        near.empty() || (near[0].first < near[0].second &&
                         std::adjacent_find(near.begin(), near.end(), is_amiss) == near.end());
    if (is_sorted) {
        for (std::uint32_t k = 0; k < near.size(); ++k) enter(k, near[k]);
    } else {
        sort_places(near);
        for (const auto& [places, k] : order_) enter(k, places);
    }
    keep_until(std::pair{~std::uint64_t{0}, ~std::uint64_t{0}});
    std::swap(edges, next_);
}

void ContactGraph::sort_places(std::span<const Pair> near) {
    order_.clear();
    for (std::uint32_t k = 0; k < near.size(); ++k)
        order_.emplace_back(std::minmax({near[k].first, near[k].second}), k);
    std::sort(order_.begin(), order_.end());
}

namespace {

constexpr EventKind kTouchEvents[3] = {EventKind::TouchBegin, EventKind::TouchPersist, EventKind::TouchEnd};
constexpr EventKind kProximity[3] = {EventKind::ProximityBegin, EventKind::ProximityPersist,
                                     EventKind::ProximityEnd};
// Of one edge's news.
constexpr EventKind kOrder[] = {
    EventKind::ProximityBegin, EventKind::ProximityPersist, EventKind::ProximityEnd, EventKind::TouchBegin,
    EventKind::TouchPersist,   EventKind::TouchEnd,         EventKind::TriggerIn,    EventKind::TriggerOut};

// What an edge has to tell, as bits of kinds.
std::uint32_t news_of(const GraphEdge& e) {
    const auto change = [](bool was, bool is, const EventKind(&kinds)[3]) {
        const std::uint32_t bits[4] = {0, bit_of(kinds[0]), bit_of(kinds[2]), bit_of(kinds[1])};
        return bits[2 * was + is];
    };
    const bool was = e.old_state != PairState::Separated, is = e.state != PairState::Separated;
    std::uint32_t news = change(e.was_near, e.is_near, kProximity);
    if (e.kind == EdgeKind::Physical) news |= change(was, is, kTouchEvents);
    if (e.kind == EdgeKind::Geometrical) {
        const bool has_passed = !was && !is && e.has_passed;
        if (has_passed || (!was && is)) news |= bit_of(EventKind::TriggerIn);
        if (has_passed || (was && !is)) news |= bit_of(EventKind::TriggerOut);
    }
    return news;
}

}  // namespace

// Most edges have nothing to tell that is wanted.
void ContactGraph::deliver(std::uint32_t mask, std::vector<GraphEvent>& out) {
    for (GraphEdge& e : edges) {
        if (is_static(e.kind)) continue;
        if (const std::uint32_t news = news_of(e) & mask; news != 0)
            for (const EventKind kind : kOrder)
                if (news & bit_of(kind)) out.push_back({kind, e.a, e.b, e.place_a, e.place_b});
        e.was_near = e.is_near;
        e.old_state = e.state;
    }
}

std::int64_t ticks_until(double t, double start, double period) {
    const double periods = (t - start) / period + 1e-9;  // steps times dt may be a bit below
    return periods < 0 ? 0 : static_cast<std::int64_t>(std::floor(periods)) + 1;
}

}  // namespace impuls
