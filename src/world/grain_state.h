// Grains in a world: the sets of its scene with its bodies as walls, advanced inside a step of the world by
// substeps of their own. Walls stand still or move by script: grains do not push bodies, and scenes and
// commands that ask for it are refused (scene/grain_sets.h). What grains do to a wall is measured. Here what
// they are; grains.cpp advances them. Called by state.h, visit_state.h.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "granular/system.h"
#include "scene/grain_sets.h"

namespace impuls {

struct GrainState {
    GrainState();
    GrainState(const GrainState&);
    GrainState(GrainState&&) noexcept;
    GrainState& operator=(const GrainState&);
    GrainState& operator=(GrainState&&) noexcept;
    ~GrainState();

    granular::System system{};
    std::shared_ptr<const GrainKinds> kinds{};  // null: a world without grains
    std::vector<std::int64_t> made{};           // by set: grains so far
    std::vector<std::uint64_t> uids{};          // of the system's bodies
    std::vector<std::uint32_t> walls{};         // of each of these the number of obstacles
    double substep = 0;                         // the longest
    double reach = 0;                           // m: a grain farther from the origin is lost

    bool is_any() const { return kinds != nullptr; }
};

// grain_output.cpp: what is wrong with grains that were read, or "".
std::string damage_of(const GrainState& grains);

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
        visit(p.b), visit(p.axis.x), visit(p.axis.y), visit(p.axis.z);
        visit(p.axis.support_a), visit(p.axis.support_b), visit(p.patch);
    });
    visit_items(visit, pairs.patches, [&](auto& p) {
        visit(p.memory.friction), visit(p.memory.rolling), visit(p.memory.stiffness);
        visit_flag(visit, p.memory.is_sliding);
        visit(p.force), visit(p.torque), visit(p.center);
        visit(p.area), visit(p.depth), visit(p.normal), visit(p.energy);
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
    visit_items(visit, g.x, visit), visit_items(visit, g.v, visit), visit_items(visit, g.q, visit);
    visit_items(visit, g.spin, visit), visit_items(visit, g.w, visit), visit_items(visit, g.force, visit);
    visit_items(visit, g.torque, visit), visit_items(visit, g.listed, visit),
        visit_items(visit, g.size, visit);
    visit_items(visit, g.kind, visit), visit_items(visit, g.group, visit);
    for (auto& b : s.bodies) {
        visit(b.X_WP.position), visit(b.X_WP.orientation), visit(b.v), visit(b.w), visit(b.force),
            visit(b.torque);
        visit(b.listed.position), visit(b.listed.orientation);
    }
    visit_pairs(visit, s.pairs);
    visit_flag(visit, s.has_forces);
    visit_items(visit, s.gear, [&](auto& r) {
        for (auto& x : r.x) visit(x);
        for (auto& q : r.q) visit(q);
    });
    visit(s.gear_step);
    visit(state.substep);
}

}  // namespace impuls
