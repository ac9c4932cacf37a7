// How long the substeps of islands with joints are; those in which the joints do not close are taken again.
//
// Closing joints ahead of time (AlternatingSolver::close_ahead) works with the rows of the substep's start.
// Where an island is nearly singular, as a net that is pulled taut, rows turn in a substep by as much as what
// makes them independent: with g(y) = y^2 / 2 for the way y across a taut chain, one correction with the
// slope y0 of the start leads from y to y - y^2 / (2 y0), which is farther off than before unless
// 0 < y < 4 y0. A shorter way helps: in a net of 20 x 20 plates half of it leaves gaps that are 20 to 40
// times smaller. (Rows and factors of the place ahead, Newton's method, left similar gaps at a similar cost,
// but the energy drifted two to four times as far.) The joints remember how long the substep was (pace, as of
// steppers/articulated/pace.cpp), so that few are taken twice.
#include <algorithm>
#include <cmath>

#include "dynamics/first_order.h"
#include "world/island.h"
#include "world/state.h"

namespace impuls {
namespace {

constexpr double kStallOpen = 1e-4;     // of the smallest body's size, or rad: less may stay open
constexpr double kLeastShare = 0.25;    // of the usual substep
constexpr double kHelps = 0.7;          // of what was open in the longest substep tried
constexpr double kPaceGrowth = 1.08;    // from substep to substep
constexpr double kMoreThan = 1 + 1e-3;  // substeps are a whole number of parts of the rest

}  // namespace

double IslandWork::usual_substep() const {
    return world_->dt / static_cast<double>(world_->method.substeps);
}

// What no stall makes shorter.
double IslandWork::least_substep() const {
    const double least = kLeastShare * usual_substep();
    const auto budget = static_cast<double>(world_->method.budget);
    return budget > 0 ? std::max(least, world_->dt / budget) : least;
}

// The smallest radius of gyration; 0 when no body can turn.
double IslandWork::smallest_size() const {
    double smallest = kUnbounded;
    for (std::size_t k = 0; k < dynamic_count_; ++k) {
        const std::uint32_t body = nodes_[k].body;
        const double radius = gyration_radius(world_->bodies.mass[body], world_->bodies.inertia[body]);
        if (radius > 0) smallest = std::min(smallest, radius);
    }
    return smallest == kUnbounded ? 0 : smallest;
}

void IslandWork::begin_pace() {
    pace_ = kUnbounded;
    is_stalled_ = false, may_retake_ = true;
    first_try_ = {};
    for (const JointWork& joint : joints_)
        if (const double pace = world_->joints.pace[joint.joint]; pace > 0) pace_ = std::min(pace_, pace);
    if (pace_ < kUnbounded) pace_ = std::max(pace_, least_substep());
}

// With joints a substep turns no body by more than kTurn: light bodies between heavy ones are whipped through
// stretched configurations, and gain energy where a substep jumps over one. Impulses kept for the next
// substep are those of a usual one.
double IslandWork::next_substep(double rest) {
    constexpr double kTurn = 0.1, kShortest = 1.0 / 64;  // rad; of the usual substep
    const double usual = usual_substep();
    double spin = 0;
    for (std::size_t k = 0; k < dynamic_count_; ++k)
        spin = std::max(spin, length_squared(problem_.nodes.w[k]));
    for (const JointWork& joint : joints_) {
        if (!world_->joints.is_curved[joint.joint]) continue;
        preview_rows_.clear();
        JointRows out = joint_rows(joint, preview_rows_, 0, Phase::Displacement);
        make_rows(world_->joints, joint.joint, joint_poses(joint), out);
        spin = std::max(spin, out.bend * out.bend);
    }
    double longest = std::max(kShortest * usual, std::min(usual, kTurn / std::sqrt(spin)));
    longest = std::min(longest, pace_);
    if (world_->method.budget > 0)
        longest = std::max(longest, world_->dt / static_cast<double>(world_->method.budget));
    const double h = rest / std::max(1.0, std::ceil(rest / longest - 1e-6));
    stretch_ = h / usual;
    pace_ *= kPaceGrowth;
    if (h > kMoreThan * least_substep()) {
        remember_bodies();
        Memory& m = memory_;
        m.joint_previous = joint_previous_, m.joint_angles = joint_angles_;
        m.axis_impulses = axis_impulses_, m.reactions = reactions_;
    }
    return h;
}

// The largest error among the joints' equations, relative to the smallest body's size, or in rad.
double IslandWork::relative_error() const {
    const double size = smallest_size();
    double linear = 0, angular = 0;
    for (const Row& row : problem_.rows.rows)
        if (row.is_equation()) {
            double& largest = row.is_linear ? linear : angular;
            largest = std::max(largest, std::abs(row.error));
        }
    return std::max(size > 0 ? linear / size : 0, angular);
}

// Closes joints at the end of the substep. One that leaves them open is given up for a shorter one. Joints
// that contradict each other stay open in any: where even the shortest does not help they are left alone for
// the rest of the step. Only where the solver closes joints at all; sweeps leave them open for other reasons.
void IslandWork::close_ahead(double h) {
    preview_h_ = h;
    solver_->close_ahead(problem_, *this, h, world_->method.tolerance * smallest_size(), solve_settings(h));
    const Try last{h, relative_error()};
    const bool is_open = may_retake_ && solver_->closes_joints() && last.open > kStallOpen;
    const double least = least_substep();
    is_stalled_ = is_open && h > kMoreThan * least;
    if (is_stalled_) {
        if (first_try_.open == 0) first_try_ = last;
        pace_ = std::max(0.5 * h, least);
        return;
    }
    if (is_open && last.open > kHelps * first_try_.open && first_try_.open > 0)
        may_retake_ = false, pace_ = first_try_.h;
    first_try_ = {};
}

void IslandWork::recall_joints() {
    is_stalled_ = false;
    recall();
    const Memory& m = memory_;
    joint_previous_ = m.joint_previous, joint_angles_ = m.joint_angles;
    axis_impulses_ = m.axis_impulses, reactions_ = m.reactions;
}

}  // namespace impuls
