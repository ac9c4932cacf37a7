// All state that decides the future, in one order: one visitor makes its hash, another writes a checkpoint, a
// third reads one; whatever else needs the state of a world as a row of numbers (another device, say) is a
// visitor, too. A visitor is called with every value: integers, doubles, vectors and rotations, in uid order.
// Called by checkpoint.cpp.
#pragma once

#include <algorithm>
#include <optional>
#include <type_traits>

#include "base/assert.h"
#include "granular/coupling/visit.h"
#include "math/visit_course.h"
#include "steppers/visit_memories.h"
#include "world/state.h"

namespace impuls {

constexpr std::uint32_t kPassive = 256, kAsleep = 512;  // beside a body's kind
constexpr int kRestShift = 10;                          // and of its window of rest
constexpr std::uint32_t kRestMask = 7;
constexpr std::uint32_t kEnabled = 1, kBroken = 2;  // of a joint

// Axes come before impulses, since they decide how many rows there are.
template <class Visitor, class Joints>
void visit_joint(Visitor& visit, Joints& joints, std::size_t j) {
    visit(joints.uid[j]);
    for (auto* pose : {&joints.X_AJ[j], &joints.X_BJ[j], &joints.X_CA[j], &joints.X_CB[j]}) {
        visit(pose->position);
        visit(pose->orientation);
    }
    std::uint32_t flags = (joints.is_enabled[j] ? kEnabled : 0) | (joints.is_broken[j] ? kBroken : 0);
    visit(flags);
    visit_axes(joints.joint[j], [&](const char*, auto& axis) {
        AxisDesc::visit_fields([&](const char*, auto member, const Field&) {
            if constexpr (std::is_same_v<decltype(member), std::optional<double> AxisDesc::*>)
                if (member == &AxisDesc::position || member == &AxisDesc::velocity) return;  // of bodies
            visit_value(visit, axis.*member);
        });
    });
    if constexpr (!std::is_const_v<Joints>) {
        joints.is_enabled[j] = (flags & kEnabled) != 0;
        joints.is_broken[j] = (flags & kBroken) != 0;
        joints.count_rows(j);
    }
    for (auto* part : {&joints.part_a[j], &joints.part_b[j]})
        if (*part != kNoPart) visit(*part);
    visit(joints.pace[j]);
    for (auto& angle : joints.angle.of(j)) visit(angle);
    for (auto& impulse : joints.impulse.of(j)) visit(impulse);
}

template <class Visitor, class Forces>
void visit_force(Visitor& visit, Forces& forces, std::size_t f) {
    visit(forces.uid[f]);
    for (auto* pose : {&forces.X_AF[f], &forces.X_BF[f]}) {
        visit(pose->position);
        visit(pose->orientation);
    }
    for (auto* part : {&forces.part_a[f], &forces.part_b[f]})
        if (*part != kNoPart) visit(*part);
    visit(forces.is_enabled[f]);
    if (auto* grab = std::get_if<GrabForce>(&forces.force[f])) visit(grab->target);
}

template <class Visitor, class Window>
void visit_rest(Visitor& visit, Window& rest) {
    for (std::uint8_t i = 0; i < rest.count; ++i) visit(rest.energy[i]);
    visit(rest.still);
    visit(rest.anchor.position);
    visit(rest.anchor.orientation);
}

// Of bodies that are made of them; how many there are their shapes say.
template <class Visitor, class Range>
void visit_particles(Visitor& visit, Range& range, bool has_window) {
    for (auto& x : range.now.x) visit(x);
    for (auto& v : range.now.v) visit(v);
    for (auto& impulse : range.now.impulse) visit(impulse);
    if (!has_window) return;
    if constexpr (!std::is_const_v<Range>) range.anchor.resize(range.size());
    for (auto& x : range.anchor) visit(x);
}

// Visits the counters, bodies and joints in uid order.
template <class Visitor, class World>
void visit_fixed_state(Visitor& visit, World& s) {
    visit(s.step);
    visit(s.gravity);
    for (std::size_t k = 0; k < s.bodies.size(); ++k) {
        visit(s.bodies.uid[k]);
        std::uint32_t rest_count = s.bodies.rest_count(k);
        auto flags = static_cast<std::uint32_t>(s.bodies.kind[k]) | (s.bodies.is_active[k] ? 0 : kPassive) |
                     (s.bodies.is_asleep[k] ? kAsleep : 0) | rest_count << kRestShift;
        visit(flags);
        if constexpr (!std::is_const_v<World>) {
            s.bodies.is_active[k] = !(flags & kPassive);
            s.bodies.is_asleep[k] = (flags & kAsleep) != 0;
            rest_count = std::min<std::uint32_t>(flags >> kRestShift & kRestMask, RestWindow::kSteps);
            if (rest_count > 0) s.bodies.window_of(k).count = static_cast<std::uint8_t>(rest_count);
        }
        if (rest_count > 0) visit_rest(visit, s.bodies.rest[k]);
        visit(s.bodies.pose[k].position);
        visit(s.bodies.pose[k].orientation);
        visit(s.bodies.v[k]);
        visit(s.bodies.w[k]);
        if (s.bodies.particles[k]) visit_particles(visit, *s.bodies.particles[k], rest_count > 0);
    }
    for (std::size_t j = 0; j < s.joints.size(); ++j) visit_joint(visit, s.joints, j);
    if (s.method.template is<ForceMethod>()) visit_memories(visit, s.memories);
    for (auto& conditional : s.commands.conditional) visit(conditional.is_done);
    if (!keeps_ledger(s.forces, s.method)) return;
    for (std::size_t f = 0; f < s.forces.size(); ++f) visit_force(visit, s.forces, f);
    visit(s.ledger.supplied);
    visit(s.ledger.dissipated);
}

// Of the body with that uid; the number of bodies when there is none.
inline std::size_t place_of(const BodySet& bodies, std::uint64_t uid) {
    const auto at = std::lower_bound(bodies.uid.begin(), bodies.uid.end(), uid);
    if (at == bodies.uid.end() || *at != uid) return bodies.size();
    return static_cast<std::size_t>(at - bodies.uid.begin());
}

inline bool is_asleep(const BodySet& bodies, std::uint64_t uid) {
    const std::size_t k = place_of(bodies, uid);
    return k < bodies.size() && bodies.is_asleep[k] != 0;
}

// The points of sleepers are not found again: all that is told of them stays.
template <class Visitor, class Point>
void visit_contact(Visitor& visit, const BodySet& bodies, Point& c) {
    visit(c.key.uid_a);
    visit(c.key.element_a);
    visit(c.key.uid_b);
    visit(c.key.element_b);
    visit(c.feature);
    visit(c.position);
    visit(c.previous_n);
    visit(c.previous_t);
    visit(c.previous_torque);
    std::uint8_t is_sliding = c.is_sliding;
    visit(is_sliding);
    visit(c.substeps);
    if constexpr (!std::is_const_v<Point>) c.is_sliding = is_sliding != 0;
    visit(c.found_within);
    if (c.found_within != 0) {
        visit(c.found);
        for (auto* v : {&c.anchor_a, &c.anchor_b, &c.normal_a, &c.normal_b}) {
            visit(v->x);
            visit(v->y);
            visit(v->z);
        }
    }
    if (is_asleep(bodies, c.key.uid_a) || is_asleep(bodies, c.key.uid_b)) {
        visit(c.normal);
        visit(c.separation);
        visit(c.sum);
    }
}

template <class Visitor, class Edge>
void visit_edge(Visitor& visit, Edge& e) {
    std::uint8_t kind = static_cast<std::uint8_t>(e.kind), state = static_cast<std::uint8_t>(e.old_state);
    std::uint8_t near = e.was_near;
    visit(e.a);
    visit(e.b);
    visit(kind);
    visit(state);
    visit(near);
    if constexpr (!std::is_const_v<Edge>) {
        e.kind = static_cast<EdgeKind>(kind);
        e.state = e.old_state = static_cast<PairState>(state);
        e.is_near = e.was_near = near != 0;
    }
}

inline bool has_force(const BodySet& bodies, std::size_t k) {
    return bodies.force[k] != Vec3{} || bodies.torque[k] != Vec3{};
}

// How many bodies have forces set by commands; contacts that are present, which alone carry something on;
// edges with events to come.
struct ListSizes {
    std::uint64_t forces = 0, contacts = 0, edges = 0;
};

// Of each list that has no fixed size the number of entries, then the entries. `Visitor::sizes` is called
// with the numbers, which a reader sets.
template <class Visitor>
void visit_lists(Visitor& visit, const WorldState& s) {
    ListSizes n;
    for (std::size_t k = 0; k < s.bodies.size(); ++k) n.forces += has_force(s.bodies, k);
    for_each_contact(s, [&](const ContactPoint& c) { n.contacts += c.is_present; });
    for_each_edge(s, [&](const GraphEdge& e) { n.edges += ContactGraph::is_alive(e); });
    visit.sizes(n.forces, n.contacts, n.edges);
    for (std::size_t k = 0; k < s.bodies.size(); ++k)
        if (has_force(s.bodies, k)) {
            visit(s.bodies.uid[k]);
            visit(s.bodies.force[k]);
            visit(s.bodies.torque[k]);
        }
    [[maybe_unused]] const ContactPoint* last = nullptr;
    for_each_contact(s, [&](const ContactPoint& c) {
        IMPULS_ASSERT(!last || last->key <= c.key);  // readers rely on the order of keys
        last = &c;
        if (c.is_present) visit_contact(visit, s.bodies, c);
    });
    for_each_edge(s, [&](const GraphEdge& e) {
        if (ContactGraph::is_alive(e)) visit_edge(visit, e);
    });
}

// Into a state that has none of them.
template <class Visitor>
void visit_lists(Visitor& visit, WorldState& s) {
    ListSizes n;
    visit.sizes(n.forces, n.contacts, n.edges);
    for (; n.forces > 0; --n.forces) {
        std::uint64_t uid = 0;
        Vec3 force, torque;
        visit(uid);
        visit(force);
        visit(torque);
        const std::size_t k = place_of(s.bodies, uid);
        if (k == s.bodies.size()) throw InputError("checkpoint is damaged: unknown body");
        s.bodies.force.set(k, force);
        s.bodies.torque.set(k, torque);
    }
    for (; n.contacts > 0; --n.contacts) {
        ContactPoint c;
        visit_contact(visit, s.bodies, c);
        c.is_present = true;
        s.contacts.push_back(c);
    }
    s.graph.edges.clear();
    for (; n.edges > 0; --n.edges) visit_edge(visit, s.graph.edges.emplace_back());
}

// World is WorldState, or const.
template <class Visitor, class World>
void visit_state(Visitor& visit, World& s) {
    visit_fixed_state(visit, s);
    visit_grains(visit, s.grains);
    visit_lists(visit, s);
}

}  // namespace impuls
