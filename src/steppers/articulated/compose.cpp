// Suzuki's composition of substeps (compose.h).
#include "steppers/articulated/compose.h"

#include <algorithm>

namespace impuls::articulated {
namespace {

// By Newton's method from above, which ends at the root to rounding.
constexpr double cube_root(double x) {
    double root = x;
    for (int k = 0; k < 32; ++k) root -= (root * root * root - x) / (3 * root * root);
    return root;
}

constexpr double kOuter = 1 / (4 - cube_root(4));  // g = 0.4145
constexpr double kSuzuki[] = {kOuter, kOuter, 1 - 4 * kOuter, kOuter, kOuter};

// The force F at a joint is smooth, but the mean of a position phase of length h is F + h C and that of a
// velocity phase F - h C at its end; C comes from what a substep does to third derivatives. So between two
// substeps of lengths `last_h` and h, C = (force - end) / (last_h + h), and the next position phase, of
// length n, will need about now + (h + n) C. `force` becomes this for n = h; guess_impulses() adds
// (n - h) C. It saves one iteration of four.
template <class T>
void extrapolate(JointForce<T>& joint, const T& now, double last_h, double h) {
    if (last_h != 0) joint.slope = (joint.force - joint.end) * (1 / (last_h + h));
    joint.force = now + joint.slope * (2 * h);
    joint.end = now;
}

// After the velocity phase of a substep of length h.
void extrapolate_forces(Mechanism& m, JointForces& forces, double h) {
    for (std::size_t k = 0; k < m.joints.size(); ++k) {
        const TreeJoint& joint = m.joints[k];
        if (joint.is_ball)
            extrapolate(forces.balls[k], m.tree.links()[joint.link].impulse * (2 / h), forces.last_h, h);
        for (std::size_t r = 0; r < joint.row_count; ++r)
            extrapolate(forces.rows[joint.first_row + r], impulse_of(m, joint, r) * (2 / h), forces.last_h,
                        h);
    }
    forces.last_h = h;
}

void save(const Context& c, SavedState& saved) {
    saved.bodies = c.mechanism.bodies;
    saved.angles = c.mechanism.angles;
    saved.forces = c.forces;
}

void restore(Context& c, const SavedState& saved) {
    c.mechanism.bodies = saved.bodies;
    c.mechanism.angles = saved.angles;
    c.forces = saved.forces;
    update(c, 0);
}

}  // namespace

bool may_compose(const Method& method, const Mechanism& m) {
    const RattleMethod& rattle = method.rattle();
    return rattle.composed == Switch::On && rattle.budget == 0 && !m.is_damped;
}

bool take_substep(Context& c, double h) {
    if (!close_joints(c, h)) return false;
    finish_substep(c, h);
    ++c.effort.substeps;
    return true;
}

bool take_composition(Context& c, double h, SavedState& saved) {
    save(c, saved);
    int iterations = 0;  // most of a stage
    for (const double stage : kSuzuki) {
        if (!close_joints(c, stage * h)) {
            restore(c, saved);
            return false;
        }
        iterations = std::max(iterations, c.convergence.iterations);
        finish_substep(c, stage * h);
        extrapolate_forces(c.mechanism, c.forces, stage * h);
    }
    c.convergence.iterations = iterations;
    c.effort.substeps += static_cast<std::uint32_t>(std::size(kSuzuki));
    return true;
}

}  // namespace impuls::articulated
