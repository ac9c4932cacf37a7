// Edges that come and go with the broad phase, and the events of their changes (contact_graph.h).
#include "collision/graph/contact_graph.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>

#include "base/assert.h"
#include "impuls/errors.h"

namespace impuls {
namespace {

constexpr std::size_t kPairsAChunk = 1024;

std::pair<std::uint64_t, std::uint64_t> ends(const GraphEdge& e) {
    return {e.a, e.b};
}

// An edge without a pair stays until its end was delivered.
bool stays(const GraphEdge& e) {
    return is_static(e.kind) || ContactGraph::is_alive(e);
}

GraphEdge left_alone(GraphEdge e) {
    e.is_near = e.has_passed = false;
    e.state = PairState::Separated;
    return e;
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
    edge_of.resize(near.size());
    next_.clear();
    auto old = edges.begin();
    const auto keep_until = [&](const auto& key) {
        for (; old != edges.end() && ends(*old) < key; ++old) {
            if (stays(*old)) next_.push_back(left_alone(*old));
        }
    };
    const auto enter = [&](std::uint32_t k, const Pair& places) {
        const auto [a, b] = places;
        IMPULS_ASSERT(a < b && b < nodes.size());
        const std::pair key{nodes[a].uid, nodes[b].uid};
        const auto is_next = [&] { return old != edges.end() && ends(*old) == key; };
        if (next_.empty() || ends(next_.back()) != key) {
            if (!is_next()) keep_until(key);
            GraphEdge& edge = next_.emplace_back(is_next() ? *old++ : GraphEdge{key.first, key.second});
            edge.kind = edge_kind(nodes[a].kind, nodes[b].kind);
            edge.is_near = true;
            edge.place_a = a;
            edge.place_b = b;
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

// Goes through the pairs from `begin` to `end` and the old edges from the first one on, up to those after the
// last, in order: enter(pair, its old edge or null), keep(edge without a pair).
template <class Keep, class Enter>
void ContactGraph::walk(std::span<const Pair> near, std::span<const LastPlace> before, std::size_t begin,
                        std::size_t end, Keep&& keep, Enter&& enter) const {
    const auto key_of = [&](std::size_t p) {
        return std::pair{nodes[near[p].first].uid, nodes[near[p].second].uid};
    };
    const auto first_not_before = [&](std::size_t p) {
        if (p == 0 || p == near.size()) return p == 0 ? edges.begin() : edges.end();
        return std::lower_bound(edges.begin(), edges.end(), key_of(p),
                                [](const GraphEdge& e, const auto& key) { return ends(e) < key; });
    };
    auto old = first_not_before(begin);
    const auto last = first_not_before(end);
    for (std::size_t p = begin; p < end; ++p) {
        if (before[p].is_known()) {
            const auto own = edges.begin() + last_edge_of_[before[p].place()];
            IMPULS_ASSERT(old <= own && own < edges.end());
            IMPULS_ASSERT(ends(*own) == key_of(p));
            for (; old != own; ++old) keep(*old);
            enter(p, &*old++);
        } else {
            const auto key = key_of(p);
            for (; old != last && ends(*old) < key; ++old) keep(*old);
            enter(p, old != last && ends(*old) == key ? &*old++ : nullptr);
        }
    }
    for (; old != last; ++old) keep(*old);
}

// Once to count, once to write.
void ContactGraph::enter_ascending(std::span<const Pair> near, std::span<const LastPlace> before,
                                   std::vector<std::uint32_t>& edge_of, Executor& executor) {
    IMPULS_ASSERT(before.size() == near.size());
    std::swap(edge_of, last_edge_of_);
    edge_of.resize(near.size());
    chunk_start_.assign((near.size() + kPairsAChunk - 1) / kPairsAChunk + 1, 0);
    executor.parallel_for(near.size(), kPairsAChunk, [&](std::size_t begin, std::size_t end) {
        auto& count = chunk_start_[begin / kPairsAChunk + 1];
        count = static_cast<std::uint32_t>(end - begin);
        walk(
            near, before, begin, end, [&](const GraphEdge& e) { count += stays(e); },
            [](std::size_t, const GraphEdge*) {});
    });
    std::partial_sum(chunk_start_.begin(), chunk_start_.end(), chunk_start_.begin());
    next_.resize(chunk_start_.back());
    executor.parallel_for(near.size(), kPairsAChunk, [&](std::size_t begin, std::size_t end) {
        auto at = chunk_start_[begin / kPairsAChunk];
        const auto keep = [&](const GraphEdge& e) {
            if (stays(e)) next_[at++] = left_alone(e);
        };
        walk(near, before, begin, end, keep, [&](std::size_t p, const GraphEdge* old) {
            const auto [a, b] = near[p];
            GraphEdge& edge = next_[at];
            edge = old ? left_alone(*old) : GraphEdge{nodes[a].uid, nodes[b].uid};
            if (!old || !old->is_near) edge.kind = edge_kind(nodes[a].kind, nodes[b].kind);
            edge.is_near = true;
            edge.place_a = a;
            edge.place_b = b;
            edge_of[p] = at++;
        });
        IMPULS_ASSERT(at == chunk_start_[begin / kPairsAChunk + 1]);
    });
    std::swap(edges, next_);
}

void ContactGraph::update(std::span<const Pair> near, std::span<const LastPlace> before,
                          std::vector<std::uint32_t>& edge_of, Executor& executor) {
    const auto number = [&](std::size_t p) { return std::uint64_t{near[p].first} << 32 | near[p].second; };
    std::atomic<bool> is_ascending = !near.empty() && near[0].first < near[0].second;
    executor.parallel_for(near.size(), 4 * kPairsAChunk, [&](std::size_t begin, std::size_t end) {
        bool is_fine = true;
        for (std::size_t p = std::max<std::size_t>(begin, 1); p < end; ++p)
            is_fine = is_fine && number(p - 1) < number(p) && near[p].first < near[p].second;
        if (!is_fine) is_ascending = false;
    });
    if (is_ascending)
        enter_ascending(near, before, edge_of, executor);
    else
        update(near, edge_of);
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
// Order of the events of one edge.
constexpr EventKind kOrder[] = {
    EventKind::ProximityBegin, EventKind::ProximityPersist, EventKind::ProximityEnd, EventKind::TouchBegin,
    EventKind::TouchPersist,   EventKind::TouchEnd,         EventKind::TriggerIn,    EventKind::TriggerOut};

// What changed at an edge, as bits of event kinds.
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

// Most edges have no change that is subscribed to.
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
