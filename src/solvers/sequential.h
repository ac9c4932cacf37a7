// Sequential impulses (projected Gauss-Seidel on velocities) in plain scalar code: the slow oracle that
// faster solvers are compared with. Joints block by block (every other sweep backwards, so that news travels
// both ways along a chain), contacts point by point: normal first, then both friction directions together,
// projected onto the Coulomb disk of the new normal impulse. One call solves one phase of a substep; the
// stepper calls it for displacements and for velocities.
#pragma once

#include "constraints/problem.h"

namespace impuls {

class SequentialSolver {
  public:
    // Applies the guesses, then at most `iterations` sweeps; stops when a sweep changes no velocity by more
    // than `tolerance`.
    SolveResult solve(Problem& problem, int iterations, double tolerance = 0);

  private:
    // One direction at a contact point: lever arms crossed with it, and these times the inverse inertias.
    struct Direction {
        Vec3 d, arm_a, arm_b, turn_a, turn_b;
    };
    // Normal and two tangents; inverse normal mass, inverse 2x2 tangent matrix (11, 12, 22), and the inverse
    // of that matrix's largest eigenvalue.
    struct Point {
        Direction n, t1, t2;
        double mass_n, mass_11, mass_12, mass_22, mass_slip;
    };

    void prepare(const Problem& problem);
    double sweep_joints(Problem& problem, bool is_backward);
    double sweep_contacts(Problem& problem);

    std::vector<Point> points_{};
    std::vector<SmallLdlt> joint_mass_{};
};

}  // namespace impuls
