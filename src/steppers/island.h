// One island on its own: its bodies as nodes, the pairs that may touch, its joints, and what drives it.
// Gathered once a step (gather.cpp) from what the world's contact groups say; a stepper advances it, and
// scatter() writes the result back.
//
//     nodes    [0, dynamic_count): the island's own bodies, ascending; after them what they touch or are
//              joined to and cannot move (static and kinematic bodies, the world)
//     pairs    of colliders that may touch within the step, by nodes a and b
//     joints   that hold, by nodes a and b, and c for those with a frame
//     forces   that act between bodies, or on one; those on every body alone are in the nodes
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
    Vec3 acceleration{};  // of external forces but the stiff ones (steppers/forces.h)
    Vec3 torque{};        // likewise

    bool moves() const { return v != Vec3{} || w != Vec3{}; }
};

struct IslandPair {
    std::uint32_t pair = 0;      // of the world
    std::uint32_t a = 0, b = 0;  // nodes
    const Collider *collider_a = nullptr, *collider_b = nullptr;
    const ContactLaw* law = nullptr;
    double size = 0;    // m: what length tolerances are relative to
    double margin = 0;  // m, within which its contacts were found
};

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
    bool is_pushed = false;  // energy comes from what moves by itself, from forces or contacts that yield
    bool is_driven = false;  // the same, or from joints that store or give it

    std::span<const IslandNode> dynamic_nodes() const { return std::span(nodes).first(dynamic_count); }
    std::size_t row_end(std::size_t joint) const {
        return joint + 1 < joints.size() ? joints[joint + 1].first_row : memory.impulses.size();
    }
    JointPoses joint_poses(const IslandJoint& joint) const {
        return {nodes[joint.a].pose, nodes[joint.b].pose, nodes[joint.c].pose};
    }
};

// Copies island i of the groups in. `node_of` has an entry for every body of the world; those of the island's
// bodies are written.
void gather(const WorldView& view, const Groups& groups, std::size_t i, std::span<std::uint32_t> node_of,
            Island& island);

}  // namespace impuls
