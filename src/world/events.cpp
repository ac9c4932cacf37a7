// The world's part of the contact graph: nodes from bodies and timers, touch states from the contacts of a
// step, and events at its end, when the step is accepted.
//
// A touch begins when surfaces overlap or push, and ends when they are farther apart than the slop and do not
// push: the hysteresis keeps bodies at rest from chattering.
#include <algorithm>
#include <atomic>

#include "base/assert.h"
#include "collision/sweep/time_of_impact.h"
#include "impuls/scene.h"
#include "world/state.h"

namespace impuls {
namespace {

NodeKind kind_of(const WorldState& s, std::size_t k) {
    if (s.bodies.is_sensor[k]) return NodeKind::Trigger;
    if (s.bodies.kind[k] == BodyKind::Static) return NodeKind::Fixed;
    return s.bodies.kind[k] == BodyKind::Kinematic ? NodeKind::Scripted : NodeKind::Rigid;
}

double size_of(const WorldState& s, std::size_t p) {
    const auto [a, b] = s.pairs.colliders[p];
    return smaller_size(s.colliders.size[a], s.colliders.size[b]);
}

PairState state_of(const ContactPoint& c, double slop, PairState old) {
    if (c.is_present && c.separation < -2 * slop) return PairState::Penetrating;
    if (c.sum != Vec3{} || (c.is_present && c.separation <= 0)) return PairState::Touching;
    const bool stays = old != PairState::Separated && c.is_present && c.separation <= slop;
    return stays ? PairState::Touching : PairState::Separated;
}

// The deepest of an edge's contacts decides, whichever thread finds it. Which pairs have contacts is noted
// for the next step.
void find_touches(WorldState& s) {
    constexpr std::size_t kPrefetch = 8;  // points: they are large
    IMPULS_ASSERT(s.pairs.of_contact.size() == s.contacts.size());
    s.pairs.is_borne.assign(s.pairs.colliders.size() + 1, 0);
    s.executor->parallel_for(s.contacts.size(), 512, [&](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k) {
            const ContactPoint& point = s.contacts[k];
            __builtin_prefetch(&(&point + kPrefetch)->is_present);
            __builtin_prefetch(&(&point + kPrefetch)->sum.z);
            const std::uint32_t pair = s.pairs.of_contact[k];
            IMPULS_ASSERT_INDEX(pair, s.pairs.edge.size());
            IMPULS_ASSERT_INDEX(s.pairs.edge[pair], s.graph.edges.size());
            if (point.is_present) std::atomic_ref(s.pairs.is_borne[pair]).store(1, std::memory_order_relaxed);
            GraphEdge& edge = s.graph.edges[s.pairs.edge[pair]];
            const PairState found = state_of(point, kSlop * size_of(s, pair), edge.old_state);
            std::atomic_ref state(edge.state);
            for (PairState known = state; known < found && !state.compare_exchange_weak(known, found);) {
            }
        }
    });
}

// A body's motion through the step: straight, with the mean of its angular velocities. collect() left the
// motion before the step in `next`.
SteadyMotion way_of(const WorldState& s, std::uint32_t k) {
    const Motion& before = s.islands.next[k];
    return {before.pose, (s.bodies.pose[k].position - before.pose.position) / s.dt,
            (before.w + s.bodies.w[k]) * 0.5};
}

// Sensors are tested at the present poses, and for passages within the step.
void find_triggers(WorldState& s) {
    constexpr double kTouch = 1e-6;  // of the size
    if (!has_sensor(s)) return;
    for (std::size_t p = 0; p < s.pairs.bodies.size(); ++p) {
        if (!is_sensor_pair(s, p)) continue;
        const auto [a, b] = s.pairs.bodies[p];
        const Collider& ca = s.bodies.colliders[a][s.pairs.keys[p].element_a];
        const Collider& cb = s.bodies.colliders[b][s.pairs.keys[p].element_b];
        PairCache::Slot& cache = s.pairs.cache[p];
        IMPULS_ASSERT_INDEX(s.pairs.edge[p], s.graph.edges.size());
        GraphEdge& edge = s.graph.edges[s.pairs.edge[p]];
        auto& found = s.pairs.sensed;
        contacts_between(ca, s.bodies.carrier_pose(a, s.pairs.keys[p].element_a), cb,
                         s.bodies.carrier_pose(b, s.pairs.keys[p].element_b), 0, cache, found);
        if (!found.empty()) edge.state = PairState::Touching;
        if (s.bodies.particles[a] || s.bodies.particles[b]) continue;  // passages of rigid ones alone
        if (!found.empty() || edge.old_state != PairState::Separated || edge.has_passed) continue;
        edge.has_passed =
            time_of_impact(ca, way_of(s, a), cb, way_of(s, b), s.dt, kTouch * size_of(s, p)).kind ==
            Impact::Kind::Touch;
    }
}

void find_ticks(WorldState& s) {
    const auto& timers = s.described.first_parts().timers;
    const double now = static_cast<double>(s.step) * s.dt, before = static_cast<double>(s.step - 1) * s.dt;
    for (std::size_t k = 0; k < timers.size(); ++k) {
        const auto& [name, period, start] = timers[k];
        auto ticks = ticks_until(now, start, period);
        if (s.step > 1) ticks -= ticks_until(before, start, period);
        for (; ticks > 0; --ticks)
            s.output.graph_events.push_back({EventKind::TimerTick, kFirstTimerUid + k, 0});
    }
}

std::uint32_t wanted_events(const WorldState& s) {
    std::uint32_t mask = 0;
    for (const EventKind kind : s.described.parts().settings.events) mask |= bit_of(kind);
    return mask;
}

// Of a trigger event the sensor comes first.
Event public_event(const WorldState& s, const GraphEvent& e) {
    Event event;
    event.kind = e.kind;
    if (e.kind == EventKind::TimerTick) {
        event.timer = static_cast<std::uint32_t>(e.a - kFirstTimerUid);
        return event;
    }
    const auto number = [&](std::uint64_t uid, std::uint32_t guess) {
        const auto k = s.graph.place_of(uid, guess);
        return k < s.bodies.size() ? static_cast<std::uint32_t>(k) : kNoBody;
    };
    event.a = number(e.a, e.place_a);
    event.b = number(e.b, e.place_b);
    const bool is_trigger = e.kind == EventKind::TriggerIn || e.kind == EventKind::TriggerOut;
    const auto is_sensor = [&](std::uint32_t k) { return k != kNoBody && s.bodies.is_sensor[k]; };
    if (is_trigger && (is_sensor(event.b) || (event.b == kNoBody && !is_sensor(event.a))))
        std::swap(event.a, event.b);
    return event;
}

}  // namespace

bool has_sensor(const WorldState& s) {
    const auto& list = s.bodies.is_sensor;
    return std::find(list.begin(), list.end(), 1) != list.end();
}

bool is_sensor_pair(const WorldState& s, std::size_t pair) {
    const auto [a, b] = s.pairs.bodies[pair];
    return s.bodies.is_sensor[a] || s.bodies.is_sensor[b];
}

void update_nodes(WorldState& s, Unchanged kept) {
    s.graph.nodes.resize(std::min(kept.bodies, s.graph.nodes.size()));
    s.pairs.search.can_compare = false;
    for (std::size_t k = s.graph.nodes.size(); k < s.bodies.size(); ++k)
        s.graph.nodes.push_back({s.bodies.uid[k], kind_of(s, k), s.bodies.is_active[k] != 0,
                                 s.bodies.layer[k], s.bodies.ignores[k]});
    for (std::size_t j = kept.joints; j < s.joints.size(); ++j)
        for (const auto k : {s.joints.a[j], s.joints.b[j], s.joints.c[j]})
            if (k != kNoBody && s.graph.nodes[k].kind == NodeKind::Rigid)
                s.graph.nodes[k].kind = NodeKind::Link;
    for (std::size_t k = 0; k < s.described.first_parts().timers.size(); ++k)
        s.graph.nodes.push_back({kFirstTimerUid + k, NodeKind::Timer, true, 0, 0});
}

void deliver_events(WorldState& s) {
    s.output.events.clear();
    s.output.graph_events.clear();
    if (!s.output.status.ok) return;
    find_touches(s);
    find_triggers(s);
    note_news(s);
    const std::uint32_t mask = wanted_events(s);
    s.graph.deliver(mask, s.output.graph_events);
    if (mask & bit_of(EventKind::TimerTick)) find_ticks(s);
    for (const GraphEvent& e : s.output.graph_events) s.output.events.push_back(public_event(s, e));
    if (mask & bit_of(EventKind::JointBreak))
        for (const auto j : s.output.broken_joints)
            s.output.events.push_back({EventKind::JointBreak, s.joints.a[j], s.joints.b[j], kNoTimer, j});
}

}  // namespace impuls
