// Bodies of an island as the block solver has them: velocities in root coordinates I^(1/2) w, masses in a
// unit near the largest one, so that floats stay in their range; and their motion in a pass.
#pragma once

#include <cstdint>
#include <vector>

#include "impuls/vec.h"

namespace impuls::blocks {

struct Context;

struct BlockNode {            // parallel to Island::nodes
    double rim_speed = 0;     // m/s: of its surface relative to its centre, at most
    bool is_touched = false;  // something pushed or holds it in this pass
    bool is_round = false;    // balls about its centre, and one moment of inertia; or it does not move
};

struct RootInertia {          // of a dynamic node at the start of the pass, in units of mass, W
    Mat3 root, inverse_root;  // of the tensor
};

struct Displacement {  // of a dynamic body in a pass
    Vec3 shift, turn;
    Vec3 of(const Vec3& r) const { return shift + cross(turn, r); }  // of its point, r from its centre
};

struct BodyScratch {
    std::vector<BlockNode> nodes{};
    std::vector<RootInertia> inertias{};    // by node
    std::vector<Vec3> surfaces{};           // by node: velocity of a running surface, W
    std::vector<Displacement> displaced{};  // by node
    double mass_unit = 1;                   // kg
    double kinematic_root = 0;              // root of the inertia of kinematic bodies, in units of mass
};

void prepare_nodes(Context& c);

// The solver begins anew, with all bodies where they are now, and with the contacts that were found.
void load_solver(Context& c);

// The solver's number of a node, for one contact or joint.
std::uint32_t number_of(Context& c, std::uint32_t node);

// How far bodies moved in the solver, once for all contacts.
void measure_displacements(Context& c);

// Positions and velocities after a pass.
void move_nodes(Context& c);

void rotate_node(Context& c, std::size_t node, const Vec3& angle);

}  // namespace impuls::blocks
