// The state before a substep (memory.h).
#include "steppers/impulse/memory.h"

#include "steppers/substep/motion.h"

namespace impuls::impulse {

void remember_bodies(Impulse& s) {
    Memory& m = s.memory;
    m.poses.clear();
    for (const IslandNode& node : s.island.nodes) m.poses.push_back(node.pose);
    m.nodes = s.nodes;
    m.v = s.problem.nodes.v;
    m.w = s.problem.nodes.w;
    m.points = s.contacts.points;
    m.point_pair = s.contacts.point_pair;
    m.link_impulses.clear();
    for (const IslandLink& link : s.island.particles.links) m.link_impulses.push_back(link.impulse);
    m.margins.clear();
    for (const IslandPair& pair : s.island.pairs) m.margins.push_back(pair.margin);
}

void recall_bodies(Impulse& s) {
    const Memory& m = s.memory;
    for (std::size_t k = 0; k < s.island.nodes.size(); ++k) s.island.nodes[k].pose = m.poses[k];
    s.nodes = m.nodes;
    s.problem.nodes.v = m.v;
    s.problem.nodes.w = m.w;
    s.contacts.points = m.points;
    s.contacts.point_pair = m.point_pair;
    for (std::size_t p = 0; p < s.island.pairs.size(); ++p) s.island.pairs[p].margin = m.margins[p];
    for (std::size_t k = 0; k < m.link_impulses.size(); ++k)
        s.island.particles.links[k].impulse = m.link_impulses[k];
    update_inertia(s);
    ++s.outcome.retries;
}

void remember_joints(Impulse& s) {
    remember_bodies(s);
    s.memory.joints = s.island.memory;
}

// The pace is not state of the substep: it says how long the next try is.
void recall_joints(Impulse& s) {
    s.pace.is_stalled = false;
    recall_bodies(s);
    const JointMemory& m = s.memory.joints;
    s.island.memory.impulses = m.impulses;
    s.island.memory.angles = m.angles;
    s.island.memory.axis_impulses = m.axis_impulses;
    s.island.memory.reactions = m.reactions;
}

}  // namespace impuls::impulse
