// An island as a mechanism: its bodies as the links of a tree (solvers/articulated_tree.h), roots first, its
// joints as what holds each link, or as what closes a loop. Links are bodies [0, moving); the bodies behind
// them (the ground, kinematic bodies) move by themselves or not at all.
//
// A ball joint of the tree has a form of its own (three equations on vectors); every other joint, and every
// joint that closes a loop, is given by its rows J (dynamics/joint_rows.h).
#pragma once

#include <cstdint>
#include <vector>

#include "solvers/articulated_tree.h"
#include "solvers/spanning_tree.h"
#include "steppers/island.h"

namespace impuls::articulated {

inline constexpr std::uint32_t kNone = ArticulatedTree::kNone;

struct TreeBody {
    std::uint32_t node;          // of the island
    std::uint8_t symmetry_axis;  // see turned_freely
    bool is_point;               // it has no inertia, and joints hold it at its own place
    double mass, inv_mass;       // 0: not a link
    Vec3 inertia, inv_inertia;   // principal
    Vec3 acceleration, torque;   // of external forces
    Damping damping;
    double swing2;  // rad^2/s^2: how fast joints' forces make it swing (pace.h)
    // At the start of a substep; l is the angular momentum. w belongs to l and the present orientation.
    Pose pose;
    Vec3 v, l, w;
    Mat3 inv_inertia_W;
    // In a substep: with the impulses so far, and the pose at its end that they lead to.
    Vec3 next_v, next_l;
    Pose next;
};

struct TreeJoint {
    std::uint32_t joint;                     // of the world
    std::uint32_t number;                    // in the island
    std::uint32_t a, b, c;                   // bodies of the mechanism
    std::uint32_t child, parent;             // a and b, in the order of the tree
    std::uint32_t link;                      // which it holds; kNone: it closes a loop
    std::uint32_t first_loop_row;            // in the tree
    std::uint32_t first_row, row_count;      // in JointMemory's order; a ball of the tree: none
    std::uint32_t first_angle, angle_count;  // likewise
    bool is_ball;                            // of the tree
    Vec3 r_child, r_parent;                  // the joint's points in the bodies

    // The sign of b's impulse relative to the child's.
    double sign_of_b() const { return child == b ? 1 : -1; }
};

struct Mechanism {
    ArticulatedTree tree{};
    std::vector<TreeBody> bodies{};
    std::size_t moving = 0;
    std::vector<TreeJoint> joints{};  // those of the links in their order, then those that close loops
    std::vector<double> angles{};     // of joints, with whole turns, in JointMemory's order
    double size = 0;                  // m, smallest radius of gyration
    bool has_rows = false, has_loops = false, is_damped = false;
    // Scratch: rows of one joint, the velocities that its angles need, and the search for the tree.
    Rows rows{};
    Nodes nodes{};
    SpanningTree spanning{};
    std::vector<SpanningTree::Edge> edges{};
};

// Makes the mechanism of an island, at the start of the step.
void build(const WorldView& view, const Island& island, Mechanism& m);
std::size_t count_loop_rows(const Mechanism& m);

// Where the bodies are while a joint's rows are made.
enum class Poses { Present, Next };
// Makes the rows of a joint, into m.rows. Returns the rate at which their directions turn, rad/s; negative:
// not a curved joint. `keeps_angles`: the joint's angles become those of these poses.
double make_joint_rows(const WorldView& view, Mechanism& m, const TreeJoint& joint, Poses poses, double h,
                       bool keeps_angles);
// The angle of a ball of the tree, which is its twist (dynamics/joints/ball.cpp), becomes that of the present
// poses, without making rows that nobody solves.
void count_ball_angle(const WorldView& view, Mechanism& m, const TreeJoint& joint, double h);
// Velocities of m.nodes: those with the impulses so far.
void update_nodes(Mechanism& m);
// J v of a row of m.rows.
double velocity_of(const Mechanism& m, const Row& row);
// J of m.rows, made for this joint, into the tree.
void copy_rows_to_tree(Mechanism& m, TreeJoint& joint);

// The velocity that row r of a joint has to gain, and the impulse that the tree has found for it.
double& target_of(Mechanism& m, const TreeJoint& joint, std::size_t r);
double& impulse_of(Mechanism& m, const TreeJoint& joint, std::size_t r);

}  // namespace impuls::articulated
