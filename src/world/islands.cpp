// Islands of a step: active dynamic bodies connected by pairs that can touch, or by joints.
#include <algorithm>

#include "dynamics/acting_forces.h"
#include "world/state.h"

namespace impuls {
namespace {

// One edge for each joint that holds, then those to the frames of joints, then those of forces.
void find_joint_edges(WorldState& s) {
    const auto is_absent = [&](std::uint32_t k) {
        return k != kNoBody && s.islands.roles[k] == NodeRole::Absent;
    };
    const auto& joints = s.joints;
    const auto count = static_cast<std::uint32_t>(joints.size());
    const auto is_edge = [&](std::uint32_t j) { return joints.holds(j) && !is_absent(joints.c[j]); };
    const auto add = [&](Pair ends, std::uint32_t name) {
        s.islands.joint_edges.push_back(ends);
        s.islands.edge_joint.push_back(name);
    };
    s.islands.joint_edges.clear();
    s.islands.edge_joint.clear();
    for (const auto j : s.active.lists.joints) {
        if (!joints.holds(j)) s.joints.forget(j);
        if (is_edge(j)) add({joints.a[j], joints.b[j]}, j);
    }
    for (const auto j : s.active.lists.joints)
        for (const auto k : {joints.a[j], joints.b[j]})
            if (is_edge(j) && joints.c[j] != kNoBody && k != kNoBody) add({k, joints.c[j]}, count + j);
    for (const auto f : s.active.lists.forces)
        if (ties(s.forces, s.bodies, f)) add({s.forces.a[f], s.forces.b[f]}, 2 * count + f);
    // What is made of particles is an island even where nothing is near.
    for (const auto k : s.bodies.of_particles)
        if (std::ranges::binary_search(s.active.lists.bodies, k) && s.islands.roles[k] == NodeRole::Mover)
            add({k, kNoNode}, static_cast<std::uint32_t>(2 * count + s.forces.size() + k));
}

}  // namespace

void build_islands(WorldState& s) {
    const std::size_t n = s.bodies.size();
    s.islands.roles.resize(n);
    s.islands.next.resize(n);
    for (const auto k : s.active.lists.bodies) {
        const bool is_static = s.bodies.kind[k] == BodyKind::Static;
        s.islands.roles[k] = !s.bodies.is_active[k]   ? NodeRole::Absent
                             : is_static              ? NodeRole::Fixed
                             : s.bodies.is_dynamic(k) ? NodeRole::Mover
                                                      : NodeRole::Scripted;
        if (is_static || !s.bodies.is_active[k])
            s.islands.next[k] = {s.bodies.pose[k], s.bodies.v[k], s.bodies.w[k]};
    }
    find_joint_edges(s);
    s.islands.groups.build(s.islands.roles, s.active.lists.bodies, s.islands.contact_edges,
                           s.islands.joint_edges, *s.executor);
    for (std::uint32_t& edge : s.islands.groups.joints) edge = s.islands.edge_joint[edge];
}

}  // namespace impuls
