// One substep of length h: RATTLE with the flow of free bodies (Andersen 1983; Bender 2014, 3.3).
//     v += h/2 a,  l += h/2 t      forces; l is the angular momentum                      begin_substep
//     position phase: impulses at the present joints, iterated with the factors of the start and a look at
//     where the bodies will be, until all joints are closed there                         close_joints
//     x += h v,  q by free rotation with l                                                drift
//     v += h/2 a,  l += h/2 t                                                             finish_substep
//     velocity phase: impulses at the new joints that make the joints' velocities 0,
//     in one solve                                                                        stop_joints
// At constant h it is symplectic; it keeps momenta to rounding and is of second order.
#pragma once

#include <vector>

#include "impuls/outcome.h"
#include "steppers/articulated/tree.h"

namespace impuls::articulated {

// Of a ball joint (on the child) or of a row.
template <class T>
struct JointForce {
    T force{};    // mean in the last position phase, from which the next one starts
    T impulse{};  // in this phase so far
    T slope{};    // compositions: how `force` changes with the length of the substep (compose.cpp)
    T end{};      // compositions: force of the last velocity phase
};

struct JointForces {
    std::vector<JointForce<Vec3>> balls{};   // by joint of the mechanism
    std::vector<JointForce<double>> rows{};  // in JointMemory's order
    std::vector<JointReaction> impulses{};   // on b in the whole step, by joint of the mechanism
    double last_h = 0;                       // s, of the last substep; 0: none in this step
    bool is_composed = false;                // substeps are stages of compositions: slopes are in use
};

struct Convergence {
    double tolerance = 0;        // m: joints open by less are closed
    double loose_tolerance = 0;  // m: the same where iterations stall; larger with loops only
    double stall_error = 0;      // m, of the last attempt that stalled
    double pace = 0;             // s, longest substep (composition) that converges
    int iterations = 0;          // of the last attempt
};

// What the functions of this stepper work on.
struct Context {
    const WorldView& view;
    Mechanism& mechanism;
    JointForces& forces;
    Convergence& convergence;
    Outcome& effort;        // substeps, iterations, retries, residual
    std::int64_t work = 0;  // substeps of all tries, given up or not
    bool is_cut = false;    // more would have been needed
};

// The forces of the last step, from the island's memory.
void begin_forces(const WorldView& view, const Island& island, const Mechanism& m, JointForces& forces);

// Inertia, levers and rows at the present poses, and the factors of the tree. Returns how far the joints are
// open, m (angles do not count).
double update(Context& c, double h);

// The position phase. False: the joints do not close; poses and velocities are as before.
bool close_joints(Context& c, double h);
// All that follows: the bodies are at their next poses, with velocities that the joints allow.
void finish_substep(Context& c, double h);

// The velocity phase: changes next_v and next_l so that the joints' velocities vanish at the present poses.
void stop_joints(Context& c, double h);
// v, l and w become those that the phases have found.
void take_velocities(Mechanism& m);

}  // namespace impuls::articulated
