// How long the substeps of islands with joints are (pace.h).
#include "steppers/impulse/pace.h"

#include <algorithm>
#include <cmath>

#include "steppers/impulse/joint_rows.h"
#include "steppers/impulse/memory.h"
#include "steppers/impulse/tuning.h"
#include "steppers/joint_size.h"
#include "steppers/substep/rows.h"
#include "steppers/tuning.h"

namespace impuls::impulse {
namespace {

// What no stall makes shorter.
double least_substep(const Impulse& s) {
    const double least = kLeastShare * s.view.usual_substep();
    const auto budget = static_cast<double>(s.view.method.rattle().budget);
    return budget > 0 ? std::max(least, s.view.dt / budget) : least;
}

// The fastest rotation, squared: of bodies, and of the rows of curved joints.
double largest_spin2(Impulse& s) {
    double spin2 = 0;
    for (std::size_t k = 0; k < s.island.dynamic_count; ++k)
        spin2 = std::max(spin2, length_squared(s.problem.nodes.w[k]));
    Rows& rows = s.joint_state.preview_rows;
    for (const IslandJoint& joint : s.island.joints) {
        if (!s.view.joints.is_curved[joint.joint]) continue;
        rows.clear();
        JointRows out = rows_for(s, joint, rows, 0, Phase::Displacement);
        make_rows(s.view.joints, joint.joint, s.island.joint_poses(joint), out);
        spin2 = std::max(spin2, out.bend * out.bend);
    }
    return spin2;
}

// The largest error among the joints' equations, relative to the smallest body's size, or in rad.
double relative_error(const Impulse& s) {
    const double size = smallest_size(s.view, s.island);
    double linear = 0, angular = 0;
    for (const Row& row : s.problem.rows.rows)
        if (row.is_equation()) {
            double& largest = row.is_linear ? linear : angular;
            largest = std::max(largest, std::abs(row.error));
        }
    return std::max(size > 0 ? linear / size : 0, angular);
}

// A whole part of the time, as long as rotation and convergence of the joints allow.
double substep_within(Impulse& s, double time) {
    const double usual = s.view.usual_substep();
    double longest = std::max(kShortest * usual, std::min(usual, kSubstepTurn / std::sqrt(largest_spin2(s))));
    longest = std::min(longest, s.island.memory.pace);
    if (s.view.method.rattle().budget > 0)
        longest = std::max(longest, s.view.dt / static_cast<double>(s.view.method.rattle().budget));
    return time / std::max(1.0, std::ceil(time / longest - 1e-6));
}

}  // namespace

void begin_pace(Impulse& s) {
    JointMemory& memory = s.island.memory;
    if (memory.pace < kUnbounded) memory.pace = std::max(memory.pace, least_substep(s));
    memory.is_paced = true;
    s.pace = {};
}

// A substep rotates no body with joints by more than kSubstepTurn: light bodies between heavy ones are
// whipped through stretched configurations, and gain energy where a substep jumps over one. Impulses kept for
// the next substep are those of a usual one.
double next_substep(Impulse& s, double remaining) {
    double& pace = s.island.memory.pace;
    const double h = substep_within(s, remaining);
    s.stretch = h / s.view.usual_substep();
    pace *= tuning::kPaceGrowth;
    if (h > kLonger * least_substep(s)) remember_joints(s);
    return h;
}

double shortened_substep(Impulse& s, double h) {
    if (!s.has_joints()) return h;
    h = substep_within(s, h);
    s.stretch = h / s.view.usual_substep();
    return h;
}

// Joints that contradict each other stay open in any substep: where even the shortest does not help they are
// left alone for the rest of the step. Only where the solver closes joints at all; sweeps leave them open for
// other reasons.
void close_ahead(Impulse& s, double h) {
    LookAhead preview(s, h);
    s.note(s.solver.close_ahead(s.problem, preview, h,
                                s.view.method.rattle().tolerance * smallest_size(s.view, s.island),
                                solve_settings(s, h)));
    PaceState& state = s.pace;
    double& pace = s.island.memory.pace;
    const Try last{h, relative_error(s)};
    // Links are taken as they are: what is left of their errors goes in the next substep.
    const bool is_open =
        s.has_joints() && state.may_retake && s.solver.closes_joints() && last.open > kStallOpen;
    const double least = least_substep(s);
    state.is_stalled = is_open && h > kLonger * least;
    if (state.is_stalled) {
        if (state.first_try.open == 0) state.first_try = last;
        pace = std::max(0.5 * h, least);
        return;
    }
    if (is_open) s.results.note.unclosed = std::max(s.results.note.unclosed, last.open);
    if (is_open && last.open > kHelps * state.first_try.open && state.first_try.open > 0) {
        state.may_retake = false;
        pace = state.first_try.h;
    }
    state.first_try = {};
}

}  // namespace impuls::impulse
