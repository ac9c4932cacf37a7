// Three ways from a state to the accelerations of jointed bodies, which must agree:
//  - Lagrange multipliers with a dense factorisation, J M^-1 J^T p = g - J M^-1 F (Bender 3.1.1.2), O(n^3);
//  - the same multipliers from the sparse tree form [M -J^T; -J 0] without fill (Baraff 1996), O(n);
//  - the articulated-body algorithm in the joints' own coordinates (Featherstone 1983), O(n), the oracle.
// g is what the joints' accelerations must be, -J' v, with Baumgarte's terms -2 alpha J v - beta^2 C if
// asked. And the classical Runge-Kutta steps that they are used with.
#pragma once

#include <functional>
#include <vector>

#include "reference/rods.h"

namespace impuls::reference {

struct Acceleration {
    Vec3 v{}, w{};
};
using Accelerations = std::vector<Acceleration>;

struct Baumgarte {
    double alpha = 0, beta = 0;  // 1/s
};

// Ball joints only; any graph without redundant joints.
Accelerations lagrange_dense(const System& system, const States& states, const Baumgarte& terms = {});
// Trees. Keeps its blocks from call to call.
class BaraffTree {
  public:
    BaraffTree();
    ~BaraffTree();
    BaraffTree(const BaraffTree&) = delete;
    BaraffTree& operator=(const BaraffTree&) = delete;
    const Accelerations& accelerations(const System& system, const States& states,
                                       const Baumgarte& terms = {});

  private:
    struct Blocks;
    std::vector<Blocks>* blocks_;
    Accelerations result_{};
};
// Trees whose joints are closed.
Accelerations featherstone(const System& system, const States& states);

using AccelerationMethod = std::function<Accelerations(const States&)>;
// Positions, orientations and velocities of all bodies as they are: joints drift apart.
void step_runge_kutta(const AccelerationMethod& method, States& states, double h);
// Orientations and angular velocities only; a tree's joints stay closed by construction.
void step_featherstone(const System& system, States& states, double h);
// Centres and their velocities from orientations and angular velocities.
void follow_joints(const System& system, States& states);

}  // namespace impuls::reference
