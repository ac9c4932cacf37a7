// The pairs of colliders that a step looks at, with what is known of them from the last step, and which of
// them can touch.
#include <algorithm>
#include <numeric>

#include "impuls/scene.h"
#include "world/state.h"

namespace impuls {
namespace {

constexpr std::size_t kPairsAChunk = 1024;

// How far a body's surface may get from where its velocity carries it in one step.
double reach_of(const WorldState& s, std::size_t k) {
    const auto& bodies = s.bodies;
    const double speed = length(bodies.w[k]) * bodies.radius[k];
    const Vec3 acceleration = bodies.is_dynamic(k) ? external_acceleration(bodies, k, s.gravity) : Vec3{};
    return s.dt * (speed + s.dt * length(acceleration));
}

// A static sensor and a static body have nothing to tell each other.
bool may_collide(const WorldState& s, std::uint32_t a, std::uint32_t b) {
    if (a == b || !s.graph.admits(a, b)) return false;
    if (s.bodies.kind[a] == BodyKind::Static && s.bodies.kind[b] == BodyKind::Static) return false;
    return !std::binary_search(s.connected.begin(), s.connected.end(),
                               std::pair{std::min(a, b), std::max(a, b)});
}

// Of the pairs of the broad phase, those that have something to do with each other, to the front of each
// chunk. What was found in the search before has, as long as the rules are the same; others are asked.
void admit(WorldState& s) {
    PairSearch& search = s.search;
    auto& found = search.found;
    const std::span<const Pair> last =
        search.can_compare ? std::span<const Pair>(search.last) : std::span<const Pair>{};
    search.found_places.resize(found.size());
    search.start.assign((found.size() + kPairsAChunk - 1) / kPairsAChunk + 1, 0);
    s.executor->parallel_for(found.size(), kPairsAChunk, [&](std::size_t begin, std::size_t end) {
        PlaceFinder finder(last, found[begin]);
        std::size_t out = begin;
        for (std::size_t p = begin; p < end; ++p) {
            const Pair pair = found[p];
            const LastPlace place = finder.find(pair);
            if (!place.is_known() &&
                !may_collide(s, s.collider_body[pair.first], s.collider_body[pair.second]))
                continue;
            search.found_places[out] = place, found[out++] = pair;
        }
        search.start[begin / kPairsAChunk + 1] = static_cast<std::uint32_t>(out - begin);
    });
    std::partial_sum(search.start.begin(), search.start.end(), search.start.begin());
}

// The lists of pairs. Numbers change when bodies come and go: then places are found by the pairs' names.
void list_pairs(WorldState& s) {
    PairSearch& search = s.search;
    const std::size_t count = search.start.back();
    std::swap(search.last_keys, s.pair_keys);
    s.collider_pairs.resize(count), s.body_pairs.resize(count), s.pair_keys.resize(count);
    search.places.resize(count);
    s.executor->parallel_for(search.found.size(), kPairsAChunk, [&](std::size_t begin, std::size_t) {
        const std::size_t first = search.start[begin / kPairsAChunk];
        const std::size_t end = search.start[begin / kPairsAChunk + 1];
        for (std::size_t p = first; p < end; ++p) {
            const auto [ca, cb] = s.collider_pairs[p] = search.found[begin + p - first];
            const std::uint32_t a = s.collider_body[ca], b = s.collider_body[cb];
            s.body_pairs[p] = {a, b};
            s.pair_keys[p] = {s.bodies.uid[a], s.bodies.uid[b], s.collider_number[ca], s.collider_number[cb]};
            search.places[p] = search.found_places[begin + p - first];
        }
        if (search.can_compare || first == end) return;
        PlaceFinder finder(std::span<const PairKey>(search.last_keys), s.pair_keys[first]);
        for (std::size_t p = first; p < end; ++p) search.places[p] = finder.find(s.pair_keys[p]);
    });
    search.can_compare = true;
}

// Old contacts and pairs are both in the order of their keys: one pass finds each pair's old points, and
// whether one of them is present.
void look_for_old_contacts(WorldState& s) {
    const auto count = static_cast<std::uint32_t>(s.contacts.size());
    std::uint32_t c = 0;
    for (std::size_t p = 0; p < s.pair_keys.size(); ++p) {
        const PairKey& key = s.pair_keys[p];
        while (c < count && s.contacts[c].key < key) ++c;
        s.old_contacts[p] = c;
        bool has_any = false;
        for (; c < count && s.contacts[c].key == key; ++c) has_any |= s.contacts[c].is_present;
        s.has_contact[p] = has_any;
    }
}

// Points are large. As long as nothing happened to them, what the last step noted says the same.
void find_old_contacts(WorldState& s) {
    const std::size_t pairs = s.collider_pairs.size();
    s.old_contacts.resize(pairs + 1), s.has_contact.resize(pairs);
    s.old_contacts.back() = static_cast<std::uint32_t>(s.contacts.size());
    if (s.contact_start.empty()) return look_for_old_contacts(s);
    s.executor->parallel_for(pairs, 4 * kPairsAChunk, [&](std::size_t begin, std::size_t end) {
        for (std::size_t p = begin; p < end; ++p) {
            const LastPlace before = s.search.places[p];
            s.old_contacts[p] = s.contact_start[before.place()];
            s.has_contact[p] = before.is_known() & s.is_borne[before.place()];
        }
    });
    s.contact_start.clear();
}

// Blocks ask two spheres without a slot: theirs stay small.
void match_slots(WorldState& s) {
    s.pair_cache.match(s.search.places);
    for (const auto p : s.pair_cache.fresh()) {
        const auto [a, b] = s.collider_pairs[p];
        if (s.method.stepper == Stepper::Blocks && s.outlines[a].radius > 0 && s.outlines[b].radius > 0)
            continue;
        s.pair_cache.make_room(p);
    }
}

// A plane has no radius: what a turn of it moves is measured at the other body.
double swing_of(const WorldState& s, std::uint32_t plane, std::uint32_t other) {
    const auto& bodies = s.bodies;
    if (bodies.radius[plane] > 0 || bodies.w[plane] == Vec3{}) return 0;
    const Vec3 lever = bodies.pose[other].position - bodies.pose[plane].position;
    return s.dt * length(bodies.w[plane]) * (length(lever) + bodies.radius[other]);
}

// The margin within which a pair is close: of its sizes, and of the ways it may go.
struct Margin {
    double smaller, of_sizes;
    Margin(double size_a, double size_b)
        : smaller(smaller_size(size_a, size_b)), of_sizes(0.05 * (size_a + size_b) + 0.02 * smaller) {}
    double with_ways(const Outline& a, const Outline& b, double swing, double dt) const {
        const double way = dt * length(b.v - a.v) + a.reach + b.reach + swing;
        return of_sizes + way;
    }
};

// Sooner asked than looked up. Most that are close are so without their ways; and that a margin is rounded
// up, to less than twice of it, seldom decides.
bool are_close_spheres(const Outline& a, const Outline& b, const Margin& margin, double dt) {
    const double d2 = length_squared(b.centre - a.centre), radii = a.radius + b.radius;
    const auto is_near = [&](double within) { return d2 <= (radii + within) * (radii + within); };
    if (is_near(margin.of_sizes)) return true;
    const double needed = margin.with_ways(a, b, 0, dt);
    if (is_near(needed)) return true;
    return is_near(2 * needed) && is_near(rounded_margin(margin.smaller, needed));
}

bool is_close(WorldState& s, std::size_t p) {
    const auto [ca, cb] = s.collider_pairs[p];
    const Outline &oa = s.outlines[ca], &ob = s.outlines[cb];
    const Margin margin(s.collider_size[ca], s.collider_size[cb]);
    if (oa.radius > 0 && ob.radius > 0) return are_close_spheres(oa, ob, margin, s.dt);
    const auto [a, b] = s.body_pairs[p];
    const double needed = margin.with_ways(oa, ob, swing_of(s, a, b) + swing_of(s, b, a), s.dt);
    return is_within(s.bodies.colliders[a][s.collider_number[ca]], s.bodies.pose[a],
                     s.bodies.colliders[b][s.collider_number[cb]], s.bodies.pose[b],
                     rounded_margin(margin.smaller, needed), s.pair_cache[p]);
}

// The box around a collider and the ways it may go in this step.
Aabb swept_box(const Collider& collider, const Pose& X_WB, const Outline& outline, double dt) {
    Aabb box = bounds(collider, X_WB);
    const double margin = outline.reach + 0.05 * collider.size;
    const Vec3 way = outline.v * dt;
    for (int axis = 0; axis < 3; ++axis) {
        box.min[axis] += std::min(0.0, way[axis]) - margin;
        box.max[axis] += std::max(0.0, way[axis]) + margin;
    }
    return box;
}

void find_boxes(WorldState& s) {
    const std::size_t count = s.collider_body.size();
    s.boxes.resize(count), s.outlines.resize(count), s.collider_size.resize(count);
    const auto& bodies = s.in_play.bodies;
    s.executor->parallel_for(bodies.size(), 512, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const auto k = bodies[i];
            const double reach = reach_of(s, k);
            const Pose& pose = s.bodies.pose[k];
            for (auto c = s.first_collider[k]; c < s.first_collider[k + 1]; ++c) {
                const Collider& collider = s.bodies.colliders[k][c - s.first_collider[k]];
                const bool is_sphere = collider.kind == ColliderKind::Sphere;
                Outline& outline = s.outlines[c];
                outline = {pose * collider.X_BC.position, s.bodies.v[k], reach,
                           is_sphere ? collider.radius : 0};
                s.collider_size[c] = collider.size;
                s.boxes[c] = s.bodies.is_active[k] ? swept_box(collider, pose, outline, s.dt) : Aabb{};
            }
        }
    });
}

// The broad phase among what is in play, then what of it meets the dormant.
void find_collider_pairs(WorldState& s) {
    if (!s.broad) s.broad = make_broad_phase(s.structure->settings.broad_phase);
    InPlay& in_play = s.in_play;
    auto& found = s.search.found;
    if (in_play.colliders.size() == s.boxes.size()) {
        s.broad->find_pairs(s.boxes, s.collider_ids, *s.executor, found);
        return;
    }
    in_play.boxes.clear();
    for (const auto c : in_play.colliders) in_play.boxes.push_back(s.boxes[c]);
    s.broad->find_pairs(in_play.boxes, in_play.collider_ids, *s.executor, found);
    for (auto& [a, b] : found) a = in_play.colliders[a], b = in_play.colliders[b];
    find_dormant_pairs(s);
}

}  // namespace

void find_pairs(WorldState& s) {
    list_players(s);
    find_boxes(s);
    find_collider_pairs(s);
    const bool is_as_left = s.search.can_compare && !s.contact_start.empty();
    std::swap(s.search.last, s.collider_pairs);
    admit(s);
    list_pairs(s);
    find_old_contacts(s);
    match_slots(s);
    if (is_as_left)
        s.graph.update(s.body_pairs, s.search.places, s.edge_of_pair, *s.executor);
    else
        s.graph.update(s.body_pairs, s.edge_of_pair);
}

// Only pairs that can touch within the step connect bodies. A pair with contacts can; of the others, those
// whose surfaces are no farther apart than the two can come in a step, by velocity and force, and the same
// slack for pushes from third bodies that the boxes have. Sensors connect nothing.
void screen_pairs(WorldState& s) {
    constexpr std::size_t kAhead = 8;  // pairs: outlines and slots are all over the memory
    const auto are_spheres = [&](std::size_t p) {
        const auto [a, b] = s.collider_pairs[p];
        return s.outlines[a].radius > 0 && s.outlines[b].radius > 0;
    };
    const bool any_sensor = has_sensor(s), any_sleep = s.method.sleep == Switch::On;
    s.contact_edges.resize(s.body_pairs.size());
    s.executor->parallel_for(s.body_pairs.size(), 256, [&](std::size_t begin, std::size_t end) {
        for (std::size_t p = begin; p < end; ++p) {
            if (p + 2 * kAhead < end && !s.has_contact[p + 2 * kAhead]) {
                const auto [a, b] = s.collider_pairs[p + 2 * kAhead];
                __builtin_prefetch(&s.outlines[a]), __builtin_prefetch(&s.outlines[b]);
            }
            if (p + kAhead < end && !s.has_contact[p + kAhead] && !are_spheres(p + kAhead)) {
                const auto* slot = s.pair_cache.place(p + kAhead);
                __builtin_prefetch(slot), __builtin_prefetch(&slot->near_b);
            }
            const bool can_touch =
                !(any_sensor && is_sensor_pair(s, p)) &&
                (s.has_contact[p] || (!(any_sleep && sleeps_through(s, p)) && is_close(s, p)));
            s.contact_edges[p] = can_touch ? s.body_pairs[p] : Pair{kNoNode, kNoNode};
        }
    });
}

}  // namespace impuls
