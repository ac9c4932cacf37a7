// The stages of a step that concern the whole world: pairs, islands, and collecting the results.
#include <fmt/format.h>

#include <algorithm>

#include "impuls/scene.h"
#include "world/state.h"

namespace impuls {
namespace {

// How far a body's surface may get from where its velocity carries it in one step.
double reach_of(const WorldState& s, std::size_t k) {
    const auto& bodies = s.bodies;
    const double speed = length(bodies.w[k]) * bodies.radius[k];
    const Vec3 acceleration = bodies.is_dynamic(k)
                                  ? s.gravity * bodies.gravity_scale[k] + bodies.force[k] * bodies.inv_mass[k]
                                  : Vec3{};
    return s.dt * (speed + s.dt * length(acceleration));
}

// A static sensor and a static body have nothing to tell each other.
bool may_collide(const WorldState& s, std::uint32_t a, std::uint32_t b) {
    if (a == b || !s.graph.admits(a, b)) return false;
    if (s.bodies.kind[a] == BodyKind::Static && s.bodies.kind[b] == BodyKind::Static) return false;
    return !std::binary_search(s.connected.begin(), s.connected.end(),
                               std::pair{std::min(a, b), std::max(a, b)});
}

// Old contacts and pairs are both in the order of their keys: one pass finds each pair's old points, and
// whether one of them is present.
void find_old_contacts(WorldState& s) {
    const std::size_t pairs = s.collider_pairs.size();
    const auto count = static_cast<std::uint32_t>(s.contacts.size());
    s.old_contacts.resize(pairs + 1), s.has_contact.resize(pairs);
    std::uint32_t c = 0;
    for (std::size_t p = 0; p < pairs; ++p) {
        const PairKey& key = s.pair_keys[p];
        while (c < count && s.contacts[c].key < key) ++c;
        s.old_contacts[p] = c;
        bool has_any = false;
        for (; c < count && s.contacts[c].key == key; ++c) has_any |= s.contacts[c].is_present;
        s.has_contact[p] = has_any;
    }
    s.old_contacts.back() = count;
}

// Drops the pairs of colliders that have nothing to do with each other, and names the others.
void screen_kinds(WorldState& s) {
    auto& pairs = s.collider_pairs;
    s.is_admitted.resize(pairs.size());
    s.executor->parallel_for(pairs.size(), 1024, [&](std::size_t begin, std::size_t end) {
        for (std::size_t p = begin; p < end; ++p)
            s.is_admitted[p] =
                may_collide(s, s.collider_body[pairs[p].first], s.collider_body[pairs[p].second]);
    });
    std::size_t count = 0;
    for (std::size_t p = 0; p < pairs.size(); ++p)
        if (s.is_admitted[p]) pairs[count++] = pairs[p];
    pairs.resize(count), s.body_pairs.resize(count), s.pair_keys.resize(count);
    s.executor->parallel_for(count, 1024, [&](std::size_t begin, std::size_t end) {
        for (std::size_t p = begin; p < end; ++p) {
            const auto [ca, cb] = pairs[p];
            const std::uint32_t a = s.collider_body[ca], b = s.collider_body[cb];
            s.body_pairs[p] = {a, b};
            s.pair_keys[p] = {s.bodies.uid[a], s.collider_number[ca], s.bodies.uid[b], s.collider_number[cb]};
        }
    });
}

// Blocks ask two spheres without a slot: theirs stay small.
void match_slots(WorldState& s) {
    s.pair_cache.match(s.pair_keys);
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
        return rounded_margin(smaller, of_sizes + way);
    }
};

// Sooner asked than looked up. Most that are close are so without their ways.
bool are_close_spheres(const Outline& a, const Outline& b, const Margin& margin, double dt) {
    const double d2 = length_squared(b.centre - a.centre), radii = a.radius + b.radius;
    const auto is_near = [&](double reach) { return d2 <= reach * reach; };
    return is_near(radii + margin.of_sizes) || is_near(radii + margin.with_ways(a, b, 0, dt));
}

bool is_close(WorldState& s, std::size_t p) {
    const auto [ca, cb] = s.collider_pairs[p];
    const Outline &oa = s.outlines[ca], &ob = s.outlines[cb];
    const Margin margin(s.collider_size[ca], s.collider_size[cb]);
    if (oa.radius > 0 && ob.radius > 0) return are_close_spheres(oa, ob, margin, s.dt);
    const auto [a, b] = s.body_pairs[p];
    return is_within(s.bodies.colliders[a][s.collider_number[ca]], s.bodies.pose[a],
                     s.bodies.colliders[b][s.collider_number[cb]], s.bodies.pose[b],
                     margin.with_ways(oa, ob, swing_of(s, a, b) + swing_of(s, b, a), s.dt), s.pair_cache[p]);
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
    if (in_play.colliders.size() == s.boxes.size()) {
        s.broad->find_pairs(s.boxes, s.collider_ids, *s.executor, s.collider_pairs);
        return;
    }
    in_play.boxes.clear();
    for (const auto c : in_play.colliders) in_play.boxes.push_back(s.boxes[c]);
    s.broad->find_pairs(in_play.boxes, in_play.collider_ids, *s.executor, s.collider_pairs);
    for (auto& [a, b] : s.collider_pairs) a = in_play.colliders[a], b = in_play.colliders[b];
    find_dormant_pairs(s);
}

}  // namespace

void find_pairs(WorldState& s) {
    list_players(s);
    find_boxes(s);
    find_collider_pairs(s);
    screen_kinds(s);
    // Three lists to go through from end to end, which have nothing to do with each other.
    s.executor->parallel_for(2, 1, [&](std::size_t which, std::size_t) {
        if (which == 0) {
            s.graph.update(s.body_pairs, s.edge_of_pair);
        } else {
            find_old_contacts(s);
            match_slots(s);
        }
    });
}

// Only pairs that can touch within the step connect bodies. A pair with contacts can; of the others, those
// whose surfaces are no farther apart than the two can come in a step, by velocity and force, and the same
// slack for pushes from third bodies that the boxes have. Sensors connect nothing.
void screen_pairs(WorldState& s) {
    const bool any_sensor = has_sensor(s), any_sleep = s.method.sleep == Switch::On;
    s.contact_edges.resize(s.body_pairs.size());
    s.executor->parallel_for(s.body_pairs.size(), 256, [&](std::size_t begin, std::size_t end) {
        for (std::size_t p = begin; p < end; ++p) {
            const bool can_touch =
                !(any_sensor && is_sensor_pair(s, p)) &&
                (s.has_contact[p] || (!(any_sleep && sleeps_through(s, p)) && is_close(s, p)));
            s.contact_edges[p] = can_touch ? s.body_pairs[p] : Pair{kNoNode, kNoNode};
        }
    });
}

namespace {

// One edge for each joint that holds, then those to the frames of joints.
void find_joint_edges(WorldState& s) {
    const auto is_absent = [&](std::uint32_t k) { return k != kNoBody && s.roles[k] == NodeRole::Absent; };
    const auto& joints = s.joints;
    const auto count = static_cast<std::uint32_t>(joints.size());
    const auto is_edge = [&](std::uint32_t j) { return joints.holds(j) && !is_absent(joints.c[j]); };
    const auto add = [&](Pair ends, std::uint32_t name) {
        s.joint_edges.push_back(ends), s.edge_joint.push_back(name);
    };
    s.joint_edges.clear(), s.edge_joint.clear();
    for (const auto j : s.in_play.joints) {
        if (!joints.holds(j)) s.joints.forget(j);
        if (is_edge(j)) add({joints.a[j], joints.b[j]}, j);
    }
    for (const auto j : s.in_play.joints)
        for (const auto k : {joints.a[j], joints.b[j]})
            if (is_edge(j) && joints.c[j] != kNoBody && k != kNoBody) add({k, joints.c[j]}, count + j);
}

}  // namespace

void build_islands(WorldState& s) {
    const std::size_t n = s.bodies.size();
    s.roles.resize(n), s.next.resize(n), s.node_of.resize(n);
    for (const auto k : s.in_play.bodies) {
        const bool is_static = s.bodies.kind[k] == BodyKind::Static;
        s.roles[k] = !s.bodies.is_active[k]   ? NodeRole::Absent
                     : is_static              ? NodeRole::Fixed
                     : s.bodies.is_dynamic(k) ? NodeRole::Mover
                                              : NodeRole::Scripted;
        if (is_static || !s.bodies.is_active[k]) s.next[k] = {s.bodies.pose[k], s.bodies.v[k], s.bodies.w[k]};
    }
    find_joint_edges(s);
    s.islands.build(s.roles, s.in_play.bodies, s.contact_edges, s.joint_edges);
    for (std::uint32_t& edge : s.islands.joints) edge = s.edge_joint[edge];
}

namespace {

std::span<const std::unique_ptr<IslandWork>> works_of(const WorldState& s) {
    return std::span(s.work).first(s.works_used);
}

void check_result(WorldState& s) {
    for (const auto& work : works_of(s))
        if (!work->failure.empty()) s.status = {false, work->failure};
    for (const auto k : s.islands.free_bodies) {
        const Motion& m = s.next[k];
        if (!s.status.ok ||
            (is_finite(m.pose.position) && is_finite(m.pose.orientation) && is_finite(m.v) && is_finite(m.w)))
            continue;
        s.status = {false,
                    fmt::format("body '{}' is not finite after free motion", s.structure->bodies[k].name)};
    }
    if (!s.status.ok) s.status.message = fmt::format("step {}: {}", s.step + 1, s.status.message);
}

}  // namespace

namespace {

// Joints that bore more than they can are gone from the next step on.
void break_joints(WorldState& s) {
    JointSet& joints = s.joints;
    s.broken_joints.clear();
    for (const auto j : s.in_play.joints) {
        const JointReaction& reaction = joints.reaction[j];
        const bool is_too_much =
            length_squared(reaction.force) > joints.break_force[j] * joints.break_force[j] ||
            length_squared(reaction.torque) > joints.break_torque[j] * joints.break_torque[j];
        if (!joints.holds(j) || !is_too_much) continue;
        joints.is_broken[j] = true;
        for (double& p : joints.impulse.of(j)) p = 0;
        s.broken_joints.push_back(j);
    }
    if (!s.broken_joints.empty()) update_connected(s);
}

}  // namespace

// Contacts in the order of their pairs, which is the order of their keys. Those of one chunk of islands alone
// may have it already.
static void order_contacts(WorldState& s) {
    const auto has_any = [](const auto& work) { return !work->results.pair.empty(); };
    const auto works = works_of(s);
    if (std::count_if(works.begin(), works.end(), has_any) == 1) {
        auto& results = (*std::find_if(works.begin(), works.end(), has_any))->results;
        if (std::is_sorted(results.pair.begin(), results.pair.end())) {
            std::swap(s.contacts, results.point), std::swap(s.contact_pair, results.pair);
            return;
        }
    }
    s.contact_cursor.assign(s.collider_pairs.size() + 1, 0);
    for (const auto& work : works)
        for (const std::uint32_t pair : work->results.pair) ++s.contact_cursor[pair + 1];
    for (std::size_t p = 0; p < s.collider_pairs.size(); ++p) s.contact_cursor[p + 1] += s.contact_cursor[p];
    s.next_contacts.resize(s.contact_cursor.back()), s.contact_pair.resize(s.contact_cursor.back());
    for (const auto& work : works)
        for (std::size_t k = 0; k < work->results.pair.size(); ++k) {
            const std::uint32_t pair = work->results.pair[k], at = s.contact_cursor[pair]++;
            s.next_contacts[at] = work->results.point[k], s.contact_pair[at] = pair;
        }
    std::swap(s.contacts, s.next_contacts);
}

void collect(WorldState& s) {
    check_result(s);
    if (!s.status.ok) return;
    // The motion before the step stays in `next`, for triggers.
    const auto& bodies = s.in_play.bodies;
    s.executor->parallel_for(bodies.size(), 512, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const auto k = bodies[i];
            std::swap(s.bodies.pose[k], s.next[k].pose);
            std::swap(s.bodies.v[k], s.next[k].v), std::swap(s.bodies.w[k], s.next[k].w);
        }
    });

    order_contacts(s);
    for (const auto& work : works_of(s))
        for (int k = 0; k < kStages; ++k) s.stage_seconds[k] += work->stage_seconds[k];
    break_joints(s);
    ++s.step;
}

}  // namespace impuls
