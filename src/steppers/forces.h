// The stage of a substep that sums forces (dynamics/force.h). Gravity, forces set by commands and the plain
// terms of the island's forces go to each node's acceleration and torque, which kicks, estimates and impacts
// read; the damping of each body is a term that kicks solve for itself (dynamics/damping.h); stiff terms are
// listed, for the steppers to solve as rows together with contacts and joints.
//
//     sum_forces      at the start of a substep, and again after the drift for the second kick
//     add_soft_rows   displacement phase (or the only one): rows p = -t (P + k t v + c v), soft_row.h
//                     velocity phase: the same impulses again, along the directions of then
// Articulated and blocks do not take islands with forces (Refusal::HasForces).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "constraints/problem.h"
#include "dynamics/force.h"
#include "steppers/island.h"

namespace impuls {

// One stiff term, and its impulse in the displacement phase.
struct SoftForce {
    ForceTerm term{};
    double pull = 0;  // N or N m: minus the force that there would be at rest
    double impulse = 0;
    double length = 1;  // m that a unit of its coordinate counts as (Row::length)
};

// What the stage leaves for the solves of the substep; scratch.
struct ForceWork {
    std::vector<SoftForce> soft{};
    std::vector<std::uint32_t> first{};  // of each force of the island among these, and one end
    std::size_t first_row = 0;           // of theirs in the problem
    ForceTerms terms{};                  // of one force
};

// What force k of the island does now, with the velocities of the nodes.
void find_terms(const WorldView& view, const Island& island, std::size_t k, const Nodes& nodes, double share,
                ForceTerms& out);

// From the time `at` within the step, for a substep h: node accelerations and torques, and the stiff terms.
void sum_forces(const WorldView& view, Island& island, const Nodes& nodes, double at, double h,
                ForceWork& work);
// After the drift: the same without the stiff terms, but for their directions.
void sum_forces_again(const WorldView& view, Island& island, const Nodes& nodes, double at, double h,
                      ForceWork& work);

// Appends the rows of a solve over the time t; their impulses are to be taken after it.
void add_soft_rows(ForceWork& work, double time, Rows& rows);
void take_soft_impulses(ForceWork& work, const Rows& rows);
// Appends rows that give the impulses of the displacement phase once more.
void repeat_soft_rows(ForceWork& work, Rows& rows);

}  // namespace impuls
