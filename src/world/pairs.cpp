// The pairs of colliders of a step, with what is known of them from the last step, and which of them can
// touch.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/assert.h"
#include "impuls/scene.h"
#include "steppers/island.h"
#include "world/state.h"

namespace impuls {
namespace {

constexpr std::size_t kPairsAChunk = 1024, kScreenedAChunk = 256;

// Bound on how far a body's surface gets in one step from where its linear velocity carries it, m.
double reach_of(const WorldState& s, std::size_t k) {
    const auto& bodies = s.bodies;
    if (bodies.script[k]) return scripted_reach(s, k);
    const double speed = length(bodies.w[k]) * bodies.radius[k];
    const double pull = bodies.is_dynamic(k) ? pull_of(s, k) : 0;
    return s.dt * (speed + s.dt * pull);
}

// Static bodies never collide with each other, sensors included.
bool may_collide(const WorldState& s, std::uint32_t a, std::uint32_t b) {
    if (a == b || !s.graph.admits(a, b)) return false;
    if (s.bodies.kind[a] == BodyKind::Static && s.bodies.kind[b] == BodyKind::Static) return false;
    return !std::binary_search(s.connected.begin(), s.connected.end(),
                               std::pair{std::min(a, b), std::max(a, b)});
}

// Filters the pairs of the broad phase, to the front of each chunk. Pairs of the search before pass as long
// as the rules are the same; only new ones are tested.
void admit(WorldState& s) {
    PairSearch& search = s.pairs.search;
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
            IMPULS_ASSERT(pair.first < pair.second && pair.second < s.numbers.body.size());
            const LastPlace place = finder.find(pair);
            if (!place.is_known() && !may_collide(s, s.numbers.body[pair.first], s.numbers.body[pair.second]))
                continue;
            search.found_places[out] = place;
            found[out++] = pair;
        }
        search.start[begin / kPairsAChunk + 1] = static_cast<std::uint32_t>(out - begin);
    });
    std::partial_sum(search.start.begin(), search.start.end(), search.start.begin());
}

// The lists of pairs. Indices change when bodies come and go: then places are found by keys.
void list_pairs(WorldState& s) {
    PairSearch& search = s.pairs.search;
    const std::size_t count = search.start.back();
    IMPULS_ASSERT(count <= search.found.size());
    std::swap(search.last_keys, s.pairs.keys);
    s.pairs.colliders.resize(count);
    s.pairs.bodies.resize(count);
    s.pairs.keys.resize(count);
    search.places.resize(count);
    s.executor->parallel_for(search.found.size(), kPairsAChunk, [&](std::size_t begin, std::size_t) {
        const std::size_t first = search.start[begin / kPairsAChunk];
        const std::size_t end = search.start[begin / kPairsAChunk + 1];
        for (std::size_t p = first; p < end; ++p) {
            const auto [ca, cb] = s.pairs.colliders[p] = search.found[begin + p - first];
            const std::uint32_t a = s.numbers.body[ca], b = s.numbers.body[cb];
            s.pairs.bodies[p] = {a, b};
            s.pairs.keys[p] = {s.bodies.uid[a], s.bodies.uid[b], s.numbers.number[ca], s.numbers.number[cb]};
            search.places[p] = search.found_places[begin + p - first];
        }
        if (search.can_compare || first == end) return;
        IMPULS_ASSERT(std::is_sorted(s.pairs.keys.begin() + static_cast<std::ptrdiff_t>(first),
                                     s.pairs.keys.begin() + static_cast<std::ptrdiff_t>(end)));
        PlaceFinder finder(std::span<const PairKey>(search.last_keys), s.pairs.keys[first]);
        for (std::size_t p = first; p < end; ++p) search.places[p] = finder.find(s.pairs.keys[p]);
    });
    search.can_compare = true;
}

// Old contacts and pairs are both in the order of their keys: one pass finds each pair's old points, and
// whether one of them is present.
void look_for_old_contacts(WorldState& s) {
    const auto count = static_cast<std::uint32_t>(s.contacts.size());
    std::uint32_t c = 0;
    for (std::size_t p = 0; p < s.pairs.keys.size(); ++p) {
        const PairKey& key = s.pairs.keys[p];
        while (c < count && s.contacts[c].key < key) ++c;
        s.pairs.old_start[p] = c;
        bool has_any = false;
        for (; c < count && s.contacts[c].key == key; ++c) has_any |= s.contacts[c].is_present;
        s.pairs.has_contact[p] = has_any;
    }
}

// Contact points are large: as long as they are unchanged, the starts that the last step noted are used.
void find_old_contacts(WorldState& s) {
    const std::size_t pairs = s.pairs.colliders.size();
    s.pairs.old_start.resize(pairs + 1);
    s.pairs.has_contact.resize(pairs);
    s.pairs.old_start.back() = static_cast<std::uint32_t>(s.contacts.size());
    if (s.pairs.contact_start.empty()) return look_for_old_contacts(s);
    s.executor->parallel_for(pairs, 4 * kPairsAChunk, [&](std::size_t begin, std::size_t end) {
        for (std::size_t p = begin; p < end; ++p) {
            const LastPlace before = s.pairs.search.places[p];
            IMPULS_ASSERT_INDEX(before.place(), s.pairs.contact_start.size());
            IMPULS_ASSERT(before.place() < s.pairs.is_borne.size() &&
                          s.pairs.contact_start.back() == s.contacts.size());
            s.pairs.old_start[p] = s.pairs.contact_start[before.place()];
            s.pairs.has_contact[p] = before.is_known() & s.pairs.is_borne[before.place()];
        }
    });
    s.pairs.contact_start.clear();
}

// A plane has no radius: what its rotation moves is measured at the other body.
double swing_of(const WorldState& s, std::uint32_t plane, std::uint32_t other) {
    const auto& bodies = s.bodies;
    if (bodies.radius[plane] > 0 || bodies.w[plane] == Vec3{}) return 0;
    const Vec3 lever = bodies.pose[other].position - bodies.pose[plane].position;
    return s.dt * length(bodies.w[plane]) * (length(lever) + bodies.radius[other]);
}

// The margin within which a pair is close: by its sizes, and by the distance it may move in the step.
struct Margin {
    double smaller, of_sizes;
    Margin(double size_a, double size_b)
        : smaller(smaller_size(size_a, size_b)), of_sizes(0.05 * (size_a + size_b) + 0.02 * smaller) {}
    double with_ways(const Outline& a, const Outline& b, double swing, double dt) const {
        const double way = dt * length(b.v - a.v) + a.reach + b.reach + swing;
        return of_sizes + way;
    }
};

// Computing is faster than a look into the cache. The cheap tests come first: most close pairs are so by
// their sizes alone, and that a margin is rounded up, to less than twice of it, seldom decides.
bool are_close_spheres(const Outline& a, const Outline& b, const Margin& margin, double dt) {
    const double d2 = length_squared(b.centre - a.centre), radii = a.radius + b.radius;
    const auto is_near = [&](double within) { return d2 <= (radii + within) * (radii + within); };
    if (is_near(margin.of_sizes)) return true;
    const double needed = margin.with_ways(a, b, 0, dt);
    if (is_near(needed)) return true;
    return is_near(2 * needed) && is_near(rounded_margin(margin.smaller, needed));
}

// Whether a ball may come to the faces that a particle leads, which are no colliders of their own.
bool is_near_faces(const WorldState& s, std::uint32_t body, std::uint32_t lead, const Vec3& ball,
                   double within) {
    const ParticleRange& range = *s.bodies.particles[body];
    const ParticleNet& net = *range.net;
    const auto& x = range.now.x;
    for (std::uint32_t t = net.first_triangle[lead]; t < net.first_triangle[lead + 1]; ++t) {
        const auto& [i, j, k] = net.triangles[t];
        const auto w = nearest_weights(ball, x[i], x[j], x[k]);
        const Vec3 away = ball - x[i] * w[0] - x[j] * w[1] - x[k] * w[2];
        if (length_squared(away) <= within * within) return true;
    }
    return false;
}

// Of a pair with a body of particles.
bool are_particles_close(WorldState& s, std::size_t p, double within, std::vector<Manifold>& scratch) {
    const auto [a, b] = s.pairs.bodies[p];
    const auto [ca, cb] = s.pairs.colliders[p];
    const std::uint32_t na = s.numbers.number[ca], nb = s.numbers.number[cb];
    const Collider &of_a = s.bodies.colliders[a][na], &of_b = s.bodies.colliders[b][nb];
    const Pose at_a = s.bodies.carrier_pose(a, na), at_b = s.bodies.carrier_pose(b, nb);
    if (is_within(of_a, at_a, of_b, at_b, within, s.pairs.cache[p], scratch)) return true;
    const auto reach = [&](const Collider& ball, const Collider& particle) {
        return within + ball.radius + particle.radius;
    };
    if (s.bodies.particles[a] && of_b.kind == ColliderKind::Sphere &&
        is_near_faces(s, a, na, at_b * of_b.X_BC.position, reach(of_b, of_a)))
        return true;
    return s.bodies.particles[b] && of_a.kind == ColliderKind::Sphere &&
           is_near_faces(s, b, nb, at_a * of_a.X_BC.position, reach(of_a, of_b));
}

bool is_close(WorldState& s, std::size_t p, std::vector<Manifold>& scratch) {
    const auto [ca, cb] = s.pairs.colliders[p];
    IMPULS_ASSERT(ca < s.colliders.outlines.size() && cb < s.colliders.outlines.size());
    const Outline &oa = s.colliders.outlines[ca], &ob = s.colliders.outlines[cb];
    const Margin margin(s.colliders.size[ca], s.colliders.size[cb]);
    if (oa.radius > 0 && ob.radius > 0) return are_close_spheres(oa, ob, margin, s.dt);
    const auto [a, b] = s.pairs.bodies[p];
    const double needed = margin.with_ways(oa, ob, swing_of(s, a, b) + swing_of(s, b, a), s.dt);
    const Collider &of_a = s.bodies.colliders[a][s.numbers.number[ca]],
                   &of_b = s.bodies.colliders[b][s.numbers.number[cb]];
    const Pose &at_a = s.bodies.pose[a], &at_b = s.bodies.pose[b];
    const double within = rounded_margin(margin.smaller, needed);
    if (!s.bodies.of_particles.empty() && (s.bodies.particles[a] || s.bodies.particles[b]))
        return are_particles_close(s, p, within, scratch);
    const ContactLaw& law = s.laws.between(s.bodies.material[a], s.bodies.material[b]);
    if (areal_between(s.bodies, law, a, b).is_on()) return true;  // near by their boxes is near enough
    if (!s.method.is<ForceMethod>())
        return is_within(of_a, at_a, of_b, at_b, within, s.pairs.cache[p], scratch);
    // What was near before may be taken as near, which changes nothing but who is in an island together; to
    // integrators with error control even that is a difference.
    PairCache::Slot blank;
    return is_within(of_a, at_a, of_b, at_b, within, blank, scratch);
}

// The box of a collider, swept over the step.
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

// Each particle has a box around itself and the faces that it leads, as far as it can get by itself.
void find_particle_boxes(WorldState& s, std::uint32_t k) {
    const ParticleRange& range = *s.bodies.particles[k];
    double spread2 = 0;  // links hand velocities on
    for (const Vec3& v : range.now.v) spread2 = std::max(spread2, length_squared(v - s.bodies.v[k]));
    const double reach = reach_of(s, k) + s.dt * std::sqrt(spread2);
    for (auto c = s.numbers.first[k]; c < s.numbers.first[k + 1]; ++c) {
        const std::uint32_t i = c - s.numbers.first[k];
        const Collider& collider = s.bodies.colliders[k][i];
        const bool leads = range.has_triangles(i);
        Outline& outline = s.colliders.outlines[c];
        outline = {range.now.x[i], range.now.v[i], reach, leads ? 0 : collider.radius};
        s.colliders.size[c] = collider.size;
        if (!s.bodies.is_active[k]) {
            s.colliders.boxes[c] = Aabb{};
            continue;
        }
        Aabb box = box_of_patch(*range.net, range.now.x, i);
        const double margin = reach + 0.05 * collider.size;
        const auto add = [&](const Vec3& v) {
            const Vec3 low = box.min, high = box.max, way = v * s.dt;
            return Aabb{
                {low.x + std::min(0.0, way.x), low.y + std::min(0.0, way.y), low.z + std::min(0.0, way.z)},
                {high.x + std::max(0.0, way.x), high.y + std::max(0.0, way.y),
                 high.z + std::max(0.0, way.z)}};
        };
        Aabb swept = add(range.now.v[i]);
        for (std::uint32_t t = range.net->first_triangle[i]; t < range.net->first_triangle[i + 1]; ++t)
            for (const std::uint32_t corner : range.net->triangles[t]) {
                const Aabb other = add(range.now.v[corner]);
                include_box(swept, other);
            }
        const Vec3 around{margin, margin, margin};
        s.colliders.boxes[c] = {swept.min - around, swept.max + around};
    }
}

void find_boxes(WorldState& s) {
    const std::size_t count = s.numbers.body.size();
    IMPULS_ASSERT(s.numbers.first.size() == s.bodies.size() + 1 && s.numbers.first.back() == count);
    IMPULS_ASSERT(s.numbers.number.size() == count && s.numbers.ids.size() == count);
    s.colliders.boxes.resize(count);
    s.colliders.outlines.resize(count);
    s.colliders.size.resize(count);
    const auto& bodies = s.active.lists.bodies;
    s.executor->parallel_for(bodies.size(), 512, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const auto k = bodies[i];
            if (s.bodies.particles[k]) {
                find_particle_boxes(s, k);
                continue;
            }
            const double reach = reach_of(s, k);
            const Pose& pose = s.bodies.pose[k];
            IMPULS_ASSERT(s.numbers.first[k + 1] - s.numbers.first[k] <= s.bodies.colliders[k].size());
            for (auto c = s.numbers.first[k]; c < s.numbers.first[k + 1]; ++c) {
                const Collider& collider = s.bodies.colliders[k][c - s.numbers.first[k]];
                const bool is_sphere = collider.kind == ColliderKind::Sphere;
                Outline& outline = s.colliders.outlines[c];
                outline = {pose * collider.X_BC.position, s.bodies.v[k], reach,
                           is_sphere ? collider.radius : 0};
                s.colliders.size[c] = collider.size;
                s.colliders.boxes[c] =
                    s.bodies.is_active[k] ? swept_box(collider, pose, outline, s.dt) : Aabb{};
            }
        }
    });
}

// The broad phase among active colliders, then between active and dormant ones.
void find_collider_pairs(WorldState& s) {
    if (!s.colliders.broad) s.colliders.broad = make_broad_phase(s.described.parts().settings.broad_phase);
    ActiveLists& active = s.active.lists;
    auto& found = s.pairs.search.found;
    if (active.colliders.size() == s.colliders.boxes.size()) {
        s.colliders.broad->find_pairs(s.colliders.boxes, s.numbers.ids, *s.executor, found);
        return;
    }
    active.boxes.clear();
    for (const auto c : active.colliders) active.boxes.push_back(s.colliders.boxes[c]);
    s.colliders.broad->find_pairs(active.boxes, active.collider_ids, *s.executor, found);
    IMPULS_ASSERT(active.colliders.size() == active.collider_ids.size());
    for (auto& [a, b] : found) {
        a = active.colliders[a];
        b = active.colliders[b];
    }
    find_dormant_pairs(s);
}

}  // namespace

void find_pairs(WorldState& s) {
    update_active_lists(s);
    find_boxes(s);
    find_collider_pairs(s);
    const bool is_as_left = s.pairs.search.can_compare && !s.pairs.contact_start.empty();
    std::swap(s.pairs.search.last, s.pairs.colliders);
    admit(s);
    list_pairs(s);
    find_old_contacts(s);
    s.pairs.cache.match(s.pairs.search.places);
    if (is_as_left)
        s.graph.update(s.pairs.bodies, s.pairs.search.places, s.pairs.edge, *s.executor);
    else
        s.graph.update(s.pairs.bodies, s.pairs.edge);
}

// Only pairs that can touch within the step connect bodies. A pair with contacts can; of the others, those
// whose surfaces are no farther apart than the two can come in a step, by velocity and force, and the same
// slack for pushes from third bodies that the boxes have. Sensors connect nothing.
void screen_pairs(WorldState& s, const StopRequest* stop) {
    constexpr std::size_t kPrefetch = 8;  // pairs: outlines and slots are scattered in memory
    const auto are_spheres = [&](std::size_t p) {
        const auto [a, b] = s.pairs.colliders[p];
        return s.colliders.outlines[a].radius > 0 && s.colliders.outlines[b].radius > 0;
    };
    const bool any_sensor = has_sensor(s), any_sleep = s.method.sleep == Switch::On;
    IMPULS_ASSERT(s.pairs.has_contact.size() == s.pairs.bodies.size() &&
                  s.pairs.colliders.size() == s.pairs.bodies.size());
    s.islands.contact_edges.resize(s.pairs.bodies.size());
    auto& scratch = s.pairs.screened;
    const std::size_t chunks = (s.pairs.bodies.size() + kScreenedAChunk - 1) / kScreenedAChunk;
    while (scratch.size() < chunks) scratch.emplace_back().reserve(1);
    s.executor->parallel_for(s.pairs.bodies.size(), kScreenedAChunk, [&](std::size_t begin, std::size_t end) {
        check_stop(stop);
        std::vector<Manifold>& manifolds = scratch[begin / kScreenedAChunk];
        for (std::size_t p = begin; p < end; ++p) {
            if (p + 2 * kPrefetch < end && !s.pairs.has_contact[p + 2 * kPrefetch]) {
                const auto [a, b] = s.pairs.colliders[p + 2 * kPrefetch];
                __builtin_prefetch(&s.colliders.outlines[a]);
                __builtin_prefetch(&s.colliders.outlines[b]);
            }
            if (p + kPrefetch < end && !s.pairs.has_contact[p + kPrefetch] && !are_spheres(p + kPrefetch)) {
                const auto* slot = s.pairs.cache.place(p + kPrefetch);
                __builtin_prefetch(slot);
                __builtin_prefetch(&slot->near_b);
            }
            const bool can_touch = !(any_sensor && is_sensor_pair(s, p)) &&
                                   (s.pairs.has_contact[p] ||
                                    (!(any_sleep && sleeps_through(s, p)) && is_close(s, p, manifolds)));
            s.islands.contact_edges[p] = can_touch ? s.pairs.bodies[p] : Pair{kNoNode, kNoNode};
        }
    });
}

}  // namespace impuls
