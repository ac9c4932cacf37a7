// What of grains decides the future, in one order (world/visit_state.h): a visitor makes its hash, another
// writes a checkpoint, a third reads one. Kinds, laws and obstacles are made from the scene.
#pragma once

#include <cstdint>
#include <type_traits>

#include "granular/coupling/state.h"

namespace impuls::granular {

template <class Visitor, class... Values>
void visit_all(Visitor& visit, Values&... values) {
    (visit(values), ...);
}

template <class Visitor, class List, class Visit>
void visit_items(Visitor& visit, List& list, Visit&& item) {
    auto count = static_cast<std::uint64_t>(list.size());
    if constexpr (!std::is_const_v<List>) {
        count = visit.count();
        list.resize(count);
    } else {
        visit(count);
    }
    for (auto& entry : list) item(entry);
}

template <class Visitor, class Flag>
void visit_flag(Visitor& visit, Flag& flag) {
    std::uint8_t byte = flag;
    visit(byte);
    if constexpr (!std::is_const_v<Flag>) flag = byte != 0;
}

template <class Visitor, class Pairs>
void visit_pairs(Visitor& visit, Pairs& pairs) {
    visit_items(visit, pairs.first, visit);
    visit_items(visit, pairs.near, [&](auto& p) {
        visit_all(visit, p.b, p.axis.x, p.axis.y, p.axis.z, p.axis.support_a, p.axis.support_b, p.patch);
    });
    visit_items(visit, pairs.patches, [&](auto& p) {
        visit_all(visit, p.memory.friction, p.memory.rolling, p.memory.stiffness);
        visit_flag(visit, p.memory.is_sliding);
        visit_all(visit, p.force, p.torque, p.center, p.area, p.depth, p.normal, p.energy);
    });
    visit_items(visit, pairs.unused, visit);
    visit_flag(visit, pairs.is_current);
}

template <class Visitor, class Grains>  // GrainState, or const
void visit_grains(Visitor& visit, Grains& state) {
    if (!state.is_any()) return;
    auto& s = state.system;
    visit_items(visit, state.made, visit);
    auto& g = s.grains;
    const auto visit_lists = [&](auto&... lists) { (visit_items(visit, lists, visit), ...); };
    visit_lists(g.x, g.v, g.q, g.spin, g.w, g.force, g.torque, g.listed, g.size, g.kind, g.group);
    for (auto& b : s.bodies)
        visit_all(visit, b.X_WP.position, b.X_WP.orientation, b.v, b.w, b.force, b.torque, b.listed.position,
                  b.listed.orientation, b.contacts);
    visit_pairs(visit, s.pairs);
    visit_flag(visit, s.has_forces);
    visit_items(visit, s.gear, [&](auto& r) {
        for (auto& x : r.x) visit(x);
        for (auto& q : r.q) visit(q);
    });
    visit(s.gear_step);
    visit(state.substep);
}

}  // namespace impuls::granular
