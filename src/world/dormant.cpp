// How bodies leave the active set and return to it (active_set.h).
//
// An island becomes dormant as a whole, when nothing has changed about it for some steps: its contacts are
// then those of the step before, its boxes stay, and no edge has news. That costs time in proportion to all
// dormant bodies (the tree of their boxes is rebuilt), so it is put off until the islands that wait for it
// have cost as much as active ones.
#include <algorithm>

#include "base/assert.h"
#include "base/compact.h"
#include "dynamics/acting_forces.h"
#include "impuls/scene.h"
#include "world/state.h"

namespace impuls {
namespace {

constexpr std::uint32_t kNoCollider = 0xffffffffu;
constexpr std::size_t kCollidersAChunk = 256;
constexpr std::size_t kMany =
    8;  // more than 1/8 of the dormant bodies: all at once is faster than one by one

bool comes_before(const Pair& x, const Pair& y) {
    return x < y;
}
bool comes_before(const ContactPoint& x, const ContactPoint& y) {
    return x.key < y.key;
}
bool comes_before(const GraphEdge& x, const GraphEdge& y) {
    return x.a != y.a ? x.a < y.a : x.b < y.b;
}

// Merges two sorted lists, from the back; equal items of `more` come last. `more` is left unspecified.
template <class List>
void merge_into(List& list, List& more) {
    if (list.empty() && list.capacity() < more.size()) return std::swap(list, more);
    std::size_t i = list.size(), j = more.size(), at = i + j;
    list.resize(at);
    while (j > 0) {
        const bool is_old = i > 0 && comes_before(more[j - 1], list[i - 1]);
        list[--at] = is_old ? list[--i] : more[--j];
    }
    IMPULS_ASSERT(at == i);
}

bool is_dormant(const WorldState& s, std::uint32_t body) {
    return body < s.active.dormant.is_dormant.size() && s.active.dormant.is_dormant[body];
}

// Where events report every step of a touch, every pair must be visited in every step.
bool may_be_dormant(const WorldState& s) {
    if (s.method.sleep != Switch::On || !s.output.status.ok) return false;
    const auto& events = s.described.parts().settings.events;
    return std::none_of(events.begin(), events.end(), [](EventKind kind) {
        return kind == EventKind::TouchPersist || kind == EventKind::ProximityPersist;
    });
}

template <class Visit>
void visit_colliders(const Dormant& d, const Aabb& box, Visit&& visit) {
    d.tree.visit_overlaps(box, [&](std::uint32_t place) {
        IMPULS_ASSERT_INDEX(place, d.colliders.size());
        if (d.colliders[place] != kNoCollider) visit(d.colliders[place]);
    });
}

// Contacts and edge between colliders ca < cb are to be active again.
void take(WorldState& s, std::uint32_t ca, std::uint32_t cb) {
    Dormant& d = s.active.dormant;
    IMPULS_ASSERT(ca < cb && cb < s.numbers.body.size());
    const auto a = s.numbers.body[ca], b = s.numbers.body[cb];
    ContactPoint point;
    point.key = {s.bodies.uid[a], s.bodies.uid[b], s.numbers.number[ca], s.numbers.number[cb]};
    const auto before = [](const auto& x, const auto& y) { return comes_before(x, y); };
    auto c = std::lower_bound(d.contacts.begin(), d.contacts.end(), point, before);
    for (; c != d.contacts.end() && c->key == point.key && c->is_present; ++c) {
        c->is_present = false;
        d.taken.push_back(static_cast<std::uint32_t>(c - d.contacts.begin()));
    }
    GraphEdge edge;
    edge.a = point.key.uid_a;
    edge.b = point.key.uid_b;
    const auto e = std::lower_bound(d.edges.begin(), d.edges.end(), edge, before);
    if (e == d.edges.end() || comes_before(edge, *e) || !e->is_near) return;
    e->is_near = false;
    d.taken_edges.push_back(static_cast<std::uint32_t>(e - d.edges.begin()));
}

// Merges what was taken into the active lists. Places ascend as keys do, so the points of a pair keep their
// order.
void bring_back_taken(WorldState& s) {
    Dormant& d = s.active.dormant;
    std::sort(d.taken.begin(), d.taken.end());
    std::sort(d.taken_edges.begin(), d.taken_edges.end());
    d.moved_contacts.clear();
    d.moved_edges.clear();
    for (const auto c : d.taken) {
        d.moved_contacts.push_back(d.contacts[c]);
        d.moved_contacts.back().is_present = true;
    }
    for (const auto e : d.taken_edges) {
        d.moved_edges.push_back(d.edges[e]);
        d.moved_edges.back().is_near = true;
    }
    merge_into(s.contacts, d.moved_contacts);
    merge_into(s.graph.edges, d.moved_edges);
    s.pairs.contact_start.clear();
    d.taken.clear();
    d.taken_edges.clear();
}

void drop_taken(Dormant& d) {
    std::erase_if(d.contacts, [](const ContactPoint& c) { return !c.is_present; });
    std::erase_if(d.edges, [](const GraphEdge& e) { return !e.is_near; });
}

bool is_settled(const WorldState& s, std::size_t island) {
    if (!s.islands.is_asleep[island]) return false;
    for (auto k = s.islands.groups.body_start[island]; k < s.islands.groups.body_start[island + 1]; ++k)
        if (s.active.quiet_steps[s.islands.groups.bodies[k]] < kSettled) return false;
    return true;
}

void choose_dormant(WorldState& s) {
    Dormant& d = s.active.dormant;
    d.ring.resize(s.bodies.size());
    const auto& islands = s.islands.groups;
    for (std::size_t i = 0; i < islands.size(); ++i) {
        if (!is_settled(s, i)) continue;
        std::uint32_t last = islands.bodies[islands.body_start[i + 1] - 1];
        for (auto k = islands.body_start[i]; k < islands.body_start[i + 1]; ++k) {
            const std::uint32_t body = islands.bodies[k];
            d.is_dormant[body] = 1;
            ++d.sleepers;
            d.ring[last] = body;
            last = body;
        }
    }
    for (const auto k : s.active.lists.bodies) {
        if (s.bodies.is_dynamic(k) || s.active.quiet_steps[k] < kSettled) continue;
        d.is_dormant[k] = 1;
        d.ring[k] = k;
    }
}

// Moves contacts and edges between two dormant bodies out of the active lists. The end of an edge that is not
// near has been delivered: should the two come near again, a new edge is as good.
void lay_aside(WorldState& s) {
    Dormant& d = s.active.dormant;
    d.moved_contacts.clear();
    d.moved_edges.clear();
    const auto is_moved = [&](std::uint32_t pair) {
        return d.is_dormant[s.pairs.bodies[pair].first] && d.is_dormant[s.pairs.bodies[pair].second];
    };
    std::size_t kept = 0;
    IMPULS_ASSERT(s.pairs.of_contact.size() == s.contacts.size());
    d.moved_contacts.reserve(static_cast<std::size_t>(
        std::count_if(s.pairs.of_contact.begin(), s.pairs.of_contact.end(), is_moved)));
    for (std::size_t c = 0; c < s.contacts.size(); ++c) {
        if (is_moved(s.pairs.of_contact[c])) {
            d.moved_contacts.push_back(s.contacts[c]);
            continue;
        }
        s.pairs.of_contact[kept] = s.pairs.of_contact[c];
        s.contacts[kept++] = s.contacts[c];
    }
    s.contacts.resize(kept);
    s.pairs.of_contact.resize(kept);
    s.pairs.contact_start.clear();
    std::erase_if(s.graph.edges, [&](const GraphEdge& e) {
        if (is_static(e.kind)) return false;
        const auto a = e.is_near ? e.place_a : s.graph.find_node(e.a);
        const auto b = e.is_near ? e.place_b : s.graph.find_node(e.b);
        if (a >= s.bodies.size() || b >= s.bodies.size() || !d.is_dormant[a] || !d.is_dormant[b])
            return false;
        if (e.is_near) d.moved_edges.push_back(e);
        return true;
    });
    drop_taken(d);
    merge_into(d.contacts, d.moved_contacts);
    merge_into(d.edges, d.moved_edges);
    IMPULS_ASSERT(std::is_sorted(d.contacts.begin(), d.contacts.end(),
                                 [](const auto& x, const auto& y) { return comes_before(x, y); }));
}

void build_dormant_tree(WorldState& s) {
    Dormant& d = s.active.dormant;
    d.colliders.clear();
    d.boxes.clear();
    IMPULS_ASSERT(s.colliders.boxes.size() == s.numbers.body.size());
    for (std::uint32_t c = 0; c < s.numbers.body.size(); ++c) {
        if (!d.is_dormant[s.numbers.body[c]]) continue;
        d.colliders.push_back(c);
        d.boxes.push_back(s.colliders.boxes[c]);
    }
    d.tree.build(d.boxes, *s.executor);
}

}  // namespace

void update_active_lists(WorldState& s) {
    ActiveLists& lists = s.active.lists;
    if (lists.is_current) return;
    const std::size_t n = s.bodies.size();
    s.active.dormant.is_dormant.resize(n);
    s.active.quiet_steps.resize(n);
    lists.bodies.clear();
    lists.colliders.clear();
    lists.collider_ids.clear();
    lists.joints.clear();
    lists.forces.clear();
    for (std::uint32_t k = 0; k < n; ++k) {
        if (is_dormant(s, k)) continue;
        lists.bodies.push_back(k);
        for (auto c = s.numbers.first[k]; c < s.numbers.first[k + 1]; ++c) {
            lists.colliders.push_back(c);
            lists.collider_ids.push_back(s.numbers.ids[c]);
        }
    }
    for (std::uint32_t j = 0; j < s.joints.size(); ++j) {
        const auto is_active = [&](std::uint32_t k) { return k != kNoBody && !is_dormant(s, k); };
        if (is_active(s.joints.a[j]) || is_active(s.joints.b[j]) || is_active(s.joints.c[j]))
            lists.joints.push_back(j);
    }
    for (std::uint32_t f = 0; f < s.forces.size(); ++f) {
        const auto is_active = [&](std::uint32_t k) { return k != kNoBody && !is_dormant(s, k); };
        if (is_active(s.forces.a[f]) || is_active(s.forces.b[f])) lists.forces.push_back(f);
    }
    lists.is_current = true;
}

void find_dormant_pairs(WorldState& s) {
    Dormant& d = s.active.dormant;
    const auto& colliders = s.active.lists.colliders;
    const std::size_t chunks = (colliders.size() + kCollidersAChunk - 1) / kCollidersAChunk;
    if (d.found.size() < chunks) d.found.resize(chunks);
    s.executor->parallel_for(colliders.size(), kCollidersAChunk, [&](std::size_t begin, std::size_t end) {
        auto& found = d.found[begin / kCollidersAChunk];
        found.clear();
        for (std::size_t i = begin; i < end; ++i)
            visit_colliders(d, s.colliders.boxes[colliders[i]], [&](std::uint32_t other) {
                if (d.is_dormant[s.numbers.body[other]])
                    found.emplace_back(std::min(colliders[i], other), std::max(colliders[i], other));
            });
    });
    d.pairs.clear();
    for (std::size_t k = 0; k < chunks; ++k)
        d.pairs.insert(d.pairs.end(), d.found[k].begin(), d.found[k].end());
    std::sort(d.pairs.begin(), d.pairs.end());
    merge_into(s.pairs.search.found, d.pairs);
}

void activate(WorldState& s, std::span<const std::uint32_t> bodies) {
    Dormant& d = s.active.dormant;
    d.activated.clear();
    for (const auto body : bodies)
        for (auto k = body; is_dormant(s, k); k = d.ring[k]) {
            IMPULS_ASSERT(!s.bodies.is_dynamic(k) || d.sleepers > 0);
            d.is_dormant[k] = 0;
            d.activated.push_back(k);
            if (s.bodies.is_dynamic(k)) --d.sleepers;
        }
    if (d.activated.empty()) return;
    s.active.lists.is_current = false;
    if (d.activated.size() * kMany > d.sleepers) return activate_all(s);
    for (const auto k : d.activated)
        for (auto c = s.numbers.first[k]; c < s.numbers.first[k + 1]; ++c)
            visit_colliders(d, s.colliders.boxes[c], [&](std::uint32_t other) {
                if (s.numbers.body[other] != k) take(s, std::min(c, other), std::max(c, other));
            });
    bring_back_taken(s);
}

void activate_all(WorldState& s) {
    Dormant& d = s.active.dormant;
    drop_taken(d);
    merge_into(s.contacts, d.contacts);
    merge_into(s.graph.edges, d.edges);
    s.pairs.contact_start.clear();
    d.contacts.clear();
    d.edges.clear();
    d.colliders.clear();
    d.boxes.clear();
    d.tree.build(d.boxes, *s.executor);
    std::fill(d.is_dormant.begin(), d.is_dormant.end(), 0);
    d.sleepers = d.waited = 0;
    s.active.lists.is_current = false;
}

void forget_bodies(WorldState& s, std::span<const std::uint8_t> is_dead) {
    IMPULS_ASSERT(is_dead.size() <= s.bodies.size());
    // Of each place, how many of those before it go; by body, by collider.
    std::vector<std::uint32_t> bodies_before, colliders_before;
    std::vector<std::uint8_t> is_dead_collider;
    std::uint32_t dead = 0, dead_colliders = 0;
    for (std::uint32_t k = 0; k < s.bodies.size(); ++k) {
        const bool goes = k < is_dead.size() && is_dead[k];
        IMPULS_ASSERT(!goes || !is_dormant(s, k));
        bodies_before.push_back(dead);
        for (auto c = s.numbers.first[k]; c < s.numbers.first[k + 1]; ++c) {
            colliders_before.push_back(dead_colliders);
            is_dead_collider.push_back(goes);
            dead_colliders += goes;
        }
        dead += goes;
    }
    const auto erase_bodies = [&](auto&... lists) { (compact(lists, is_dead), ...); };
    const auto erase_colliders = [&](auto&... lists) { (compact(lists, is_dead_collider), ...); };
    Dormant& d = s.active.dormant;
    erase_bodies(d.is_dormant, d.ring, s.active.quiet_steps, s.islands.roles, s.islands.next);
    erase_colliders(s.colliders.boxes, s.colliders.outlines, s.colliders.size);
    for (std::uint32_t& k : d.ring)
        if (k < bodies_before.size()) k -= bodies_before[k];
    for (std::uint32_t& c : d.colliders)
        if (c != kNoCollider) c = is_dead_collider[c] ? kNoCollider : c - colliders_before[c];
    s.active.lists.is_current = false;
}

bool activate_touched(WorldState& s) {
    Dormant& d = s.active.dormant;
    if (d.sleepers == 0) return false;
    auto& touched = d.neighbours;
    touched.clear();
    const auto look_at = [&](std::uint32_t k) {
        if (is_dormant(s, k) && s.bodies.is_dynamic(k)) touched.push_back(k);
    };
    for (const auto& [a, b] : s.islands.contact_edges) {
        look_at(a);
        look_at(b);
    }
    for (const auto j : s.active.lists.joints)
        if (s.joints.holds(j))
            for (const auto k : {s.joints.a[j], s.joints.b[j], s.joints.c[j]}) look_at(k);
    for (const auto f : s.active.lists.forces)
        if (ties(s.forces, s.bodies, f))
            for (const auto k : {s.forces.a[f], s.forces.b[f]})
                if (k != kNoBody) look_at(k);
    activate(s, touched);
    return !touched.empty();
}

void note_news(WorldState& s) {
    if (s.method.sleep != Switch::On) return;
    for (const GraphEdge& e : s.graph.edges) {
        if (e.state == e.old_state && e.is_near == e.was_near && !e.has_passed) continue;
        for (const auto k : {s.graph.place_of(e.a, e.place_a), s.graph.place_of(e.b, e.place_b)})
            if (k < s.active.quiet_steps.size() && s.bodies.is_dynamic(k)) s.active.quiet_steps[k] = 0;
    }
}

void settle(WorldState& s) {
    if (!may_be_dormant(s)) return;
    for (const auto k : s.active.lists.bodies) {
        std::uint8_t& steps = s.active.quiet_steps[k];
        steps = is_awake(s, k) ? 0 : static_cast<std::uint8_t>(std::min(steps + 1, 255));
    }
    Dormant& d = s.active.dormant;
    std::size_t waiting = 0;
    for (std::size_t i = 0; i < s.islands.groups.size(); ++i)
        if (is_settled(s, i)) waiting += s.islands.groups.body_start[i + 1] - s.islands.groups.body_start[i];
    d.waited += waiting;
    if (waiting == 0 || d.waited < d.sleepers) return;
    choose_dormant(s);
    lay_aside(s);
    build_dormant_tree(s);
    d.waited = 0;
    s.active.lists.is_current = false;
}

}  // namespace impuls
