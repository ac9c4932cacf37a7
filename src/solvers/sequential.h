// Sequential impulses (projected Gauss-Seidel on velocities) in plain scalar code: the slow oracle that
// faster solvers are compared with. Rows block by block (every other sweep backwards, so that changes travel
// in both directions along a chain): a block without bounds at once, by a small factorisation, others row by
// row. Contacts point by point: normal first, then both friction directions together, projected onto the
// friction set of the new normal impulse, then the torques against rolling and spinning likewise. One call
// solves one phase of a substep; the stepper calls it for displacements and for velocities.
#pragma once

#include <cstdint>
#include <span>

#include "math/small_ldlt.h"
#include "solvers/solver.h"

namespace impuls {

class SequentialSolver final : public ProblemSolver {
  public:
    SolveResult solve(Problem& problem, const SolveSettings& settings) override;

    // The steps of solve(), for solvers that take some of them and leave the others. Rows that are marked
    // (by row; none: {}) belong to someone else: sweeps leave them out.
    void prepare(const Problem& problem, std::span<const std::uint8_t> left_out);
    void apply_guesses(Problem& problem) const;
    // Each returns the largest change or lack of velocity that it met.
    double sweep_rows(Problem& problem, bool is_backward);
    double sweep_contacts(Problem& problem);
    // Impulses in block b that change the velocities of its rows by -error / h; bounded rows are left alone.
    // Returns the largest error of these rows.
    double correct_block(Problem& problem, std::size_t b, double h) const;
    // One contact point: its normal, its friction at the normal impulse of the moment.
    double solve_normal(Problem& problem, std::size_t k) const;
    double solve_friction(Problem& problem, std::size_t k) const;
    // Parts of a normal's step: v_n + bias + compliance * p; what an impulse at point l does to v_n at point
    // k of the same two nodes; an impulse.
    double normal_velocity(const Problem& problem, std::size_t k) const;
    double normal_coupling(const Problem& problem, std::size_t k, std::size_t l) const;
    void push_normal(Problem& problem, std::size_t k, double impulse) const;

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

    // Resistance to turning about t1, t2, n: the inverse of the largest eigenvalue of the 2x2 matrix of
    // inverse inertias along the tangents, and the inverse along the normal.
    struct Turning {
        double mass_t, mass_n;
    };

    // kAllRigid: are_rigid_, asked once for all points.
    template <bool kAllRigid>
    double velocity_along(const Problem& problem, std::size_t k, const Direction& r) const;
    template <bool kAllRigid>
    void apply(Problem& problem, std::size_t k, const Direction& r, double p) const;
    template <bool kAllRigid>
    double normal_velocity_of(const Problem& problem, std::size_t k) const;
    template <bool kAllRigid>
    double solve_normal_of(Problem& problem, std::size_t k) const;
    template <bool kAllRigid>
    double solve_friction_of(Problem& problem, std::size_t k) const;
    template <bool kAllRigid>
    double sweep_contacts_of(Problem& problem) const;
    void prepare_points(const Problem& problem);
    void prepare_rows(const Problem& problem);
    void push(Problem& problem, const Row& row, double impulse) const;
    void turn(Problem& problem, std::size_t k, const Vec3& impulse) const;
    double resist_turning(Problem& problem, std::size_t k) const;

    std::span<const std::uint8_t> left_out_{};
    bool are_rigid_ = true;  // all contacts are between bodies
    std::vector<Point> points_{};
    std::vector<Turning> turning_{};   // by point; empty where no point resists turning
    std::vector<Vec3> turn_{};         // inverse inertia times `angular`, by part
    std::vector<double> mass_{};       // by row: inverse of J M^-1 J^T + compliance
    std::vector<SmallLdlt> masses_{};  // by block, where it is solved at once
};

}  // namespace impuls
