// One island on its own: its bodies as nodes, the pairs that may touch, its joints, and what drives it.
// Gathered once a step (gather.cpp) from what the world's contact groups say; a stepper advances it, and
// scatter() writes the result back.
//
//     nodes    [0, dynamic_count): the island's own bodies, ascending; after them what they touch or are
//              joined to and cannot move (static and kinematic bodies, the world)
//     pairs    of colliders that may touch within the step, by nodes a and b
//     joints   that hold, by nodes a and b, and c for those with a frame
//     forces   that act between bodies, or on one; those on every body alone are in the nodes
// A body of particles is a node for each of them: those that move are among the island's own, in the place of
// their body, pinned ones behind.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "dynamics/contact_law.h"
#include "dynamics/joint.h"
#include "impuls/vec.h"
#include "steppers/view.h"

namespace impuls {

struct Groups;

// What contacts need of a node is in the first cache line, what searches need in the second.
struct alignas(64) IslandNode {
    std::uint32_t body = kNoBody;  // kNoBody: the world
    bool is_dynamic = false;
    bool is_joined = false;    // dynamic, with joints or forces
    bool has_force = false;    // dynamic, and a force of the scene acts on it
    bool has_surface = false;  // its surface runs over it
    double inv_mass = 0;
    double pull = 0;  // m/s^2, most that external forces accelerate it by
    Pose pose{};
    Vec3 v{}, w{};
    Vec3 acceleration{};           // of external forces but the stiff ones (steppers/forces.h)
    Vec3 torque{};                 // likewise
    std::uint32_t part = kNoPart;  // particle of the body that it is; kNoPart: the body itself

    bool is_particle() const { return part != kNoPart; }
    bool moves() const { return v != Vec3{} || w != Vec3{}; }
};

inline constexpr std::uint32_t kNoPatch = 0xffffffffu;

struct IslandPair {
    std::uint32_t pair = 0;          // of the world
    std::uint32_t a = 0, b = 0;      // nodes
    std::uint32_t patch = kNoPatch;  // of the island's, when faces of particles may be touched, too
    const Collider *collider_a = nullptr, *collider_b = nullptr;
    const ContactLaw* law = nullptr;
    double size = 0;     // m: what length tolerances are relative to
    double margin = 0;   // m, within which its contacts were found
    ArealTerms areal{};  // on: it touches over areas
};

// How two bodies touch over areas: as their materials say, else by their own layers.
inline ArealTerms areal_between(const BodySet& bodies, const ContactLaw& law, std::uint32_t a,
                                std::uint32_t b) {
    if (!bodies.of_particles.empty() && (bodies.particles[a] || bodies.particles[b])) return {};
    if (law.in_points || law.areal.is_on()) return law.in_points ? ArealTerms{} : law.areal;
    const ArealTerms &of_a = bodies.areal[a], &of_b = bodies.areal[b];
    return of_a.is_on() || of_b.is_on() ? in_series(of_a, of_b) : ArealTerms{};
}

struct IslandJoint {
    std::uint32_t joint = 0;                                       // of the world
    std::uint32_t a = 0, b = 0, c = 0;                             // nodes; c: a, when it has no frame
    std::uint32_t first_row = 0, first_angle = 0, first_axis = 0;  // in JointMemory
    double size = 0;  // m that a radian counts as; 0: nothing there turns (joint_size.h)
};

struct IslandForce {
    std::uint32_t force = 0;     // of the world
    std::uint32_t a = 0, b = 0;  // nodes
};

// A body that is made of particles: nodes and links of theirs.
struct IslandRange {
    std::uint32_t body = 0;
    std::uint32_t first_part = 0;  // its particles among Island::part_nodes
    std::uint32_t first_link = 0;  // its stiff links among Island::links
    const ParticleRange* range = nullptr;
};

// A stiff link between two nodes.
struct IslandLink {
    std::uint32_t a = 0, b = 0;  // nodes
    double length = 0;           // m
    double impulse = 0;          // N s in a usual substep: warm start
};

// One that yields.
struct IslandSpring {
    std::uint32_t a = 0, b = 0;  // nodes
    double length = 0, stiffness = 0;
};

// A particle and the triangles that it leads, of a pair with a ball.
struct IslandPatch {
    std::uint32_t range = 0;  // of the island's
    std::uint32_t lead = 0;   // particle
    bool is_a = false;        // it is end a of the pair
};

struct IslandParticles {
    std::vector<IslandRange> ranges{};
    std::vector<std::uint32_t> part_nodes{};  // by particle of each range, one after the other: its node
    std::vector<IslandLink> links{};
    std::vector<IslandSpring> springs{};
    std::vector<IslandPatch> patches{};

    void clear() {
        ranges.clear();
        part_nodes.clear();
        links.clear();
        springs.clear();
        patches.clear();
    }
};

// What joints hand on from step to step, and what they did in this one; joint by joint.
struct JointMemory {
    std::vector<double> impulses{};          // by row, N s or N m s in a usual substep: warm start
    std::vector<double> angles{};            // with whole turns
    std::vector<double> axis_impulses{};     // in this step
    std::vector<JointReaction> reactions{};  // impulses in this step, by joint
    double pace = kUnbounded;                // s: longest substep that the joints converge with
    bool is_paced = false;                   // the stepper has found the pace
};

struct Island {
    std::vector<IslandNode> nodes{};
    std::size_t dynamic_count = 0;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> others{};  // body, node; sorted by body
    std::vector<IslandPair> pairs{};
    std::vector<IslandJoint> joints{};
    std::vector<IslandForce> forces{};
    JointMemory memory{};
    IslandParticles particles{};
    bool is_pushed = false;  // energy comes from what moves by itself, from forces or contacts that yield
    bool is_driven = false;  // the same, or from joints that store or give it

    std::span<const IslandNode> dynamic_nodes() const { return std::span(nodes).first(dynamic_count); }
    std::size_t row_end(std::size_t joint) const {
        return joint + 1 < joints.size() ? joints[joint + 1].first_row : memory.impulses.size();
    }
    std::uint32_t node_of_part(const IslandRange& range, std::uint32_t part) const {
        return particles.part_nodes[range.first_part + part];
    }
    JointPoses joint_poses(const IslandJoint& joint) const {
        return {nodes[joint.a].pose, nodes[joint.b].pose, nodes[joint.c].pose};
    }
};

// Whether anything in it touches over areas.
inline bool has_areas(const Island& island) {
    for (const IslandPair& pair : island.pairs)
        if (pair.areal.is_on()) return true;
    return false;
}

// Of a node, kg; not of the world.
inline double mass_of(const WorldView& view, const IslandNode& node) {
    return node.is_particle() ? view.bodies.particles[node.body]->mass(node.part)
                              : view.bodies.mass[node.body];
}

// Copies island i of the groups in. `node_of` has an entry for every body of the world; those of the island's
// bodies are written.
void gather(const WorldView& view, const Groups& groups, std::size_t i, std::span<std::uint32_t> node_of,
            Island& island);

}  // namespace impuls
