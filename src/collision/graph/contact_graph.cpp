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

bool ContactGraph::admits(std::uint32_t a, std::uint32_t b) const {
    const GraphNode &na = nodes[a], &nb = nodes[b];
    const EdgeKind kind = edge_kind(na.kind, nb.kind);
    if (kind != EdgeKind::Physical && kind != EdgeKind::Geometrical) return false;
    if (!na.is_active || !nb.is_active) return false;
    if ((na.ignores >> nb.layer & 1u) || (nb.ignores >> na.layer & 1u)) return false;
    return members_.empty() || !share_a_rule(na.uid, nb.uid);
}

bool are_far_apart(const Aabb& a, const Aabb& b) {
    double gap = 0, edge = 0;
    for (int k = 0; k < 3; ++k) {
        gap = std::max({gap, b.min[k] - a.max[k], a.min[k] - b.max[k]});
        edge = std::max({edge, a.max[k] - a.min[k], b.max[k] - b.min[k]});
    }
    return gap >= kFarApart * edge;
}

std::size_t ContactGraph::place_of(std::uint64_t uid, std::uint32_t guess) const {
    return guess < nodes.size() && nodes[guess].uid == uid ? guess : find_node(uid);
}

bool ContactGraph::is_obsolete(const GraphEdge& edge, std::span<const Aabb> boxes) const {
    if (is_static(edge.kind) || edge.was_near || edge.old_state != PairState::Separated) return false;
    const std::size_t a = place_of(edge.a, edge.place_a), b = place_of(edge.b, edge.place_b);
    if (a >= boxes.size() || b >= boxes.size()) return true;
    return !nodes[a].is_active || !nodes[b].is_active || are_far_apart(boxes[a], boxes[b]);
}

// One pass over the old edges and the new pairs, both in uid order.
void ContactGraph::update(std::span<const Pair> near, std::span<const Aabb> boxes,
                          std::vector<std::uint32_t>& edge_of) {
    edge_of.resize(near.size());
    order_.resize(near.size());
    for (std::uint32_t k = 0; k < near.size(); ++k) order_[k] = k;
    const auto key_of = [&](std::uint32_t k) { return std::minmax({near[k].first, near[k].second}); };
    const auto before = [&](std::uint32_t x, std::uint32_t y) {
        const auto kx = key_of(x), ky = key_of(y);
        return kx != ky ? kx < ky : x < y;
    };
    if (!std::is_sorted(order_.begin(), order_.end(), before))
        std::sort(order_.begin(), order_.end(), before);

    next_.clear();
    auto old = edges.begin();
    const auto keep_until = [&](const auto& key) {
        for (; old != edges.end() && ends(*old) < key; ++old) {
            old->is_near = false;
            old->state = PairState::Separated;
            old->has_passed = false;
            if (!is_obsolete(*old, boxes)) next_.push_back(*old);
        }
    };
    for (const std::uint32_t k : order_) {
        const auto [a, b] = key_of(k);
        const std::pair key{nodes[a].uid, nodes[b].uid};
        if (next_.empty() || ends(next_.back()) != key) {
            keep_until(key);
            const bool is_known = old != edges.end() && ends(*old) == key;
            if (is_known) next_.push_back(*old++);
            if (!is_known) next_.push_back({key.first, key.second});
            next_.back().kind = edge_kind(nodes[a].kind, nodes[b].kind);
            next_.back().is_near = true;
            next_.back().place_a = a, next_.back().place_b = b;
            next_.back().state = PairState::Separated;
            next_.back().has_passed = false;
        }
        edge_of[k] = static_cast<std::uint32_t>(next_.size() - 1);
    }
    keep_until(std::pair{~std::uint64_t{0}, ~std::uint64_t{0}});
    std::swap(edges, next_);
}

namespace {

constexpr EventKind kTouchEvents[3] = {EventKind::TouchBegin, EventKind::TouchPersist, EventKind::TouchEnd};
constexpr EventKind kProximity[3] = {EventKind::ProximityBegin, EventKind::ProximityPersist,
                                     EventKind::ProximityEnd};

}  // namespace

void ContactGraph::deliver(std::uint32_t mask, std::vector<GraphEvent>& out) {
    const auto tell = [&](EventKind kind, const GraphEdge& e) {
        if (mask & bit_of(kind)) out.push_back({kind, e.a, e.b, e.place_a, e.place_b});
    };
    const auto change = [&](bool was, bool is, const EventKind(&kinds)[3], const GraphEdge& e) {
        if (was || is) tell(kinds[!was ? 0 : is ? 1 : 2], e);
    };
    for (GraphEdge& e : edges) {
        if (is_static(e.kind)) continue;
        const bool was = e.old_state != PairState::Separated, is = e.state != PairState::Separated;
        change(e.was_near, e.is_near, kProximity, e);
        if (e.kind == EdgeKind::Physical) change(was, is, kTouchEvents, e);
        if (e.kind == EdgeKind::Geometrical) {
            const bool has_passed = !was && !is && e.has_passed;
            if (has_passed || (!was && is)) tell(EventKind::TriggerIn, e);
            if (has_passed || (was && !is)) tell(EventKind::TriggerOut, e);
        }
        e.was_near = e.is_near;
        e.old_state = e.state;
    }
}

std::int64_t ticks_until(double t, double start, double period) {
    const double periods = (t - start) / period + 1e-9;  // steps times dt may be a bit below
    return periods < 0 ? 0 : static_cast<std::int64_t>(std::floor(periods)) + 1;
}

}  // namespace impuls
