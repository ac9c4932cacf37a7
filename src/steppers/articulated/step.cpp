// The step of an island of joints alone, in reading order (step.h).
#include "steppers/articulated/step.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <variant>

#include "steppers/articulated/pace.h"
#include "steppers/articulated/tuning.h"
#include "steppers/finite.h"
#include "steppers/joint_size.h"

namespace impuls::articulated {
namespace {

bool has_budget(const Context& c) {
    return c.view.method.rattle().budget > 0;
}

// Whether this many more substeps are beyond what a step may take; a budget has its own way to end.
bool is_too_much(Context& c, double substeps) {
    const bool is_cut =
        !has_budget(c) && static_cast<double>(c.work) + substeps > static_cast<double>(kMostWork);
    c.is_cut |= is_cut;
    return is_cut;
}

// One substep or composition of length remaining / pieces, with more pieces until the joints close; where the
// budget has no more than `left`, with less speed instead. Returns the pieces; 0: none is short enough.
double take_piece(Context& c, SavedState& saved, double remaining, double pieces, double left) {
    const auto take = [&](double h) {
        return c.forces.is_composed ? take_composition(c, h, saved) : take_substep(c, h);
    };
    for (int attempt = 0; !take(remaining / pieces); ++attempt) {
        ++c.effort.retries;
        if (!has_budget(c) || 2 * pieces <= left) {
            pieces *= 2;
            c.convergence.pace = remaining / pieces;
        } else {
            slow_down(c, attempt < kMaxAttempts / 2 ? 1 : kBrake, kSpinBrake * fastest_spin(c.mechanism));
        }
        if (pieces > kMaxSubsteps || attempt > kMaxAttempts || is_too_much(c, 1)) return 0;
    }
    return pieces;
}

// How many pieces of the remaining time substeps in which bodies rotate by `angle` make; no more than the
// budget has left, with spins slowed down to what that allows.
double count_pieces(Context& c, double remaining, double left, double angle) {
    const double pieces = std::max(1.0, std::ceil(remaining / longest_substep(c, angle)));
    if (!has_budget(c) || pieces <= left) return pieces;
    if (pieces > kBudgetReach * left)
        slow_down(c, 1, fastest_spin(c.mechanism) * kBudgetReach * left / pieces);
    return left;
}

bool is_lost(const Mechanism& m) {
    return std::any_of(
        m.bodies.begin(), m.bodies.begin() + static_cast<std::ptrdiff_t>(m.moving),
        [&](const TreeBody& body) { return lost_reason(body.pose, body.v, body.w, m.size) != nullptr; });
}

// The whole step in substeps in which bodies rotate by `angle`.
Refusal cross_step(Context& c, SavedState& saved, double angle) {
    if (!(update(c, 0) < kMaxOpen * c.mechanism.size)) return Refusal::JointsOpen;
    const double dt = c.view.dt;
    double left = has_budget(c) ? static_cast<double>(c.view.method.rattle().budget) : kMaxSubsteps;
    if (has_budget(c)) c.convergence.pace = std::max(c.convergence.pace, dt / left);
    for (double remaining = dt; remaining > 0;) {
        const double wanted = count_pieces(c, remaining, left, angle);
        if (is_too_much(c, wanted)) return Refusal::NotConverged;
        const double pieces = take_piece(c, saved, remaining, wanted, left);
        if (pieces == 0) return Refusal::NotConverged;
        left = std::max(1.0, left - 1);
        const double h = remaining / pieces;
        adjust_pace(c.convergence, h);
        remaining = pieces == 1 ? 0 : remaining - h;
    }
    return is_lost(c.mechanism) ? Refusal::NotConverged : Refusal::None;
}

// All velocities are scaled so that the energy is that of before.
void remove_gain(Context& c, const IslandEnergy& before, const IslandEnergy& after) {
    const double gain = after.kinetic + after.potential - (before.kinetic + before.potential);
    slow_down(c, std::sqrt(std::max(0.0, 1 - gain / after.kinetic)), kUnbounded);
    c.effort.energy_removed = after.kinetic - energy_of(c.mechanism).kinetic;
}

// The last resort for a step that error control cannot improve: the energy account (steppers/account.h).
Refusal balance(Context& c, const IslandEnergy& before, const IslandEnergy& after) {
    if (EnergyAccount(before).balances(after, 1, energy_resolution(c.mechanism))) return Refusal::None;
    if (!has_budget(c)) return Refusal::GainedEnergy;
    remove_gain(c, before, after);
    return Refusal::None;
}

// The state before the step.
void begin(const Island& island, Context& c) {
    build(c.view, island, c.mechanism);
    begin_forces(c.view, island, c.mechanism, c.forces);
    c.forces.is_composed = may_compose(c.view.method, c.mechanism);
    begin_convergence(c.view, island, c.mechanism, c.convergence);
    c.effort.substeps = 0;
    c.effort.residual = std::numeric_limits<double>::quiet_NaN();
}

// The step, with shorter substeps when its energy is off; with a budget there is one try, which is the last.
Refusal find_step(const Island& island, Context& c, SavedState& saved) {
    double angle = c.view.method.rattle().turn;
    for (int step = has_budget(c) ? kMaxSteps : 1;; ++step, angle *= kShorter) {
        begin(island, c);
        if (count_loop_rows(c.mechanism) > ArticulatedTree::kMostLoopRows) return Refusal::TooManyLoops;
        const IslandEnergy before = energy_of(c.mechanism);
        const Refusal refusal = cross_step(c, saved, angle);
        if (refusal != Refusal::None || island.is_driven) return refusal;
        const IslandEnergy after = energy_of(c.mechanism);
        if (step == kMaxSteps) return balance(c, before, after);
        if (is_accurate(c.mechanism, before, after)) return Refusal::None;
        ++c.effort.retries;
    }
}

// Angles of balls are not needed within the step: they are counted once, at its end.
void count_ball_angles(const WorldView& view, Mechanism& m) {
    for (std::size_t k = 0; k < m.bodies.size(); ++k) {
        m.nodes.v[k] = m.bodies[k].v;
        m.nodes.w[k] = m.bodies[k].w;
    }
    for (const TreeJoint& joint : m.joints)
        if (joint.is_ball) count_ball_angle(view, m, joint, view.dt);
}

void store_joint(const TreeJoint& joint, std::size_t k, const JointForces& forces, double usual,
                 JointMemory& memory) {
    double* impulses = memory.impulses.data() + joint.first_row;
    if (joint.is_ball) {
        const Vec3 impulse = forces.balls[k].force * (joint.sign_of_b() * usual);
        impulses[0] = impulse.x;
        impulses[1] = impulse.y;
        impulses[2] = impulse.z;
    }
    for (std::size_t r = 0; r < joint.row_count; ++r)
        impulses[r] = forces.rows[joint.first_row + r].force * usual;
    memory.reactions[joint.number] = forces.impulses[k];
}

void store(Context& c, Island& island) {
    Mechanism& m = c.mechanism;
    JointMemory& memory = island.memory;
    for (std::size_t k = 0; k < m.moving; ++k) {
        const TreeBody& body = m.bodies[k];
        IslandNode& node = island.nodes[body.node];
        node.pose.position = body.pose.position;
        node.v = body.v;
        if (body.is_point) continue;
        node.pose.orientation = body.pose.orientation;
        node.w = body.w;
    }
    count_ball_angles(c.view, m);
    memory.angles = m.angles;
    for (std::size_t k = 0; k < m.joints.size(); ++k)
        store_joint(m.joints[k], k, c.forces, c.view.usual_substep(), memory);
    std::fill(memory.axis_impulses.begin(), memory.axis_impulses.end(), 0.0);
    memory.pace = c.convergence.pace;
    memory.is_paced = true;
}

bool can_turn(const WorldView& view, const IslandNode& node) {
    const Vec3& inverse = view.bodies.inv_inertia[node.body];
    return node.inv_mass > 0 && inverse.x > 0 && inverse.y > 0 && inverse.z > 0;
}

// Joints that act on a point's place alone: they are at it (a world asks for that), so they do not turn it.
bool holds_places(const Joint& joint) {
    return std::holds_alternative<BallJoint>(joint) || std::holds_alternative<DistanceJoint>(joint);
}

// Points are links when nothing would turn them and something else gives the island a size.
bool can_hold_points(const WorldView& view, const Island& island) {
    for (const IslandJoint& joint : island.joints)
        for (const std::uint32_t k : {joint.a, joint.b, joint.c})
            if (k < island.dynamic_count && !can_turn(view, island.nodes[k]) &&
                (view.bodies.inv_inertia[island.nodes[k].body] != Vec3{} ||
                 !holds_places(view.joints.joint[joint.joint])))
                return false;
    return smallest_size(view, island) > 0;
}

}  // namespace

Refusal fits(const WorldView& view, const Island& island) {
    const RattleMethod* rattle = view.method.rattle_if();
    if (!rattle || rattle->articulated == Switch::Off) return Refusal::NotSelected;
    if (island.joints.empty()) return Refusal::HasNoJoints;
    if (!island.pairs.empty()) return Refusal::HasPairs;
    if (!island.forces.empty()) return Refusal::HasForces;
    for (const IslandNode& node : std::span(island.nodes).subspan(island.dynamic_count))
        if (node.body != kNoBody && view.bodies.script[node.body]) return Refusal::HasScript;
    for (const IslandJoint& joint : island.joints)
        if (!view.joints.is_plain[joint.joint]) return Refusal::JointLaw;
    return can_hold_points(view, island) ? Refusal::None : Refusal::CannotTurn;
}

Refusal advance(const WorldView& view, Island& island, Scratch& scratch, Results& results, Outcome& outcome) {
    StageClock clock(results.stage_seconds);
    Outcome effort{};
    Context c{view, scratch.mechanism, scratch.forces, scratch.convergence, effort};
    const Refusal refusal = find_step(island, c, scratch.saved);
    if (c.is_cut) results.note.is_cut = true;
    if (refusal == Refusal::None) {
        store(c, island);
        outcome.substeps = effort.substeps;
        outcome.iterations = effort.iterations;
        outcome.retries = effort.retries;
        outcome.residual = effort.residual;
        outcome.energy_removed = effort.energy_removed;
    }
    clock(Stage::Solve);
    return refusal;
}

}  // namespace impuls::articulated
