// The first-order world (Erleben 2005, section 4.16; "Aristotelian"): force makes velocity, F = m v and
// T = I w. There is no inertia, nothing glides on, and what is not pushed stands.
// Contacts and joints are those of the ordinary world, so the same Problem and the same solvers serve:
//     a step       nodes have the velocities of their forces, a gap g asks for v_n >= -g/h
//     projection   nodes have none; displacements (v, w for unit time) remove depths and open joints:
//                  min 1/2 D^T M D with J D >= d, exact to first order in d
// As printed, the block table (4.276) has two wrong signs and (6.78b) the wrong sign of d; J M^-1 J^T is
// right. Used by the velocity stepper's error correction (steppers/velocity/project.cpp), for joints that are
// torn open (steppers/impulse/torn.cpp, mechanisms/assemble.cpp), and alone.
#pragma once

#include <cstdint>

#include "collision/manifold.h"
#include "constraints/problem.h"
#include "impuls/vec.h"

namespace impuls {

// Appends a frictionless row for each point of a manifold between nodes a and b at these poses, with its gap
// (negative: depth) over the time h as bias; a depth below `least` is none.
void add_gaps(const Manifold& manifold, std::uint32_t a, const Pose& X_WA, std::uint32_t b, const Pose& X_WB,
              ContactRows& out, double h = 1, double least = 0);

// Of a projection's rows only equations and one-sided limits count: motors and springs do nothing.
void keep_geometry(Rows& rows);

// A node added at a pose, with the velocity F/m, T/I of its force.
std::uint32_t add_pushed(Nodes& nodes, const Pose& pose, double mass, const Vec3& inertia_P,
                         const Vec3& force = {}, const Vec3& torque = {});

// A body's size, to weigh angles against lengths: its largest radius of gyration. 0: it does not turn.
double gyration_radius(double mass, const Vec3& inertia_P);

// The pose after a displacement: rotation as a finite turn.
Pose displaced(const Pose& pose, const Vec3& v, const Vec3& w);

}  // namespace impuls
