// Joints of an island by blocks (joints.h).
#include "steppers/blocks/joints.h"

#include <algorithm>
#include <cmath>

#include "math/rotation.h"
#include "steppers/blocks/bodies.h"
#include "steppers/blocks/context.h"
#include "steppers/blocks/tuning.h"
#include "steppers/joint_size.h"

namespace impuls::blocks {
namespace {

bool is_known(const JointSet& joints, std::uint32_t j) {
    if (has_frame(joints.joint[j]) || joints.is_curved[j]) return false;
    bool bounces = false;
    visit_axes(joints.joint[j],
               [&](const char*, const AxisDesc& axis) { bounces = bounces || axis.restitution > 0; });
    return !bounces;
}

// Masses and velocities as rows need them; only joined bodies yield.
void set_joint_nodes(Context& c) {
    const BodySet& bodies = c.view.bodies;
    Nodes& n = c.joints.nodes;
    n.inv_mass.clear();
    n.inv_inertia.clear();
    n.v.clear();
    n.w.clear();
    c.joints.starts.clear();
    for (std::size_t k = 0; k < c.island.nodes.size(); ++k) {
        const IslandNode& node = c.island.nodes[k];
        const Mat3& root = c.bodies.inertias[k].inverse_root;
        n.inv_mass.push_back(node.is_joined ? node.inv_mass : 0);
        n.inv_inertia.push_back(node.is_joined ? root * root * (1 / c.bodies.mass_unit)
                                               : diagonal({0, 0, 0}));
        n.v.push_back(node.v);
        n.w.push_back(node.w);
        const Vec3 torque = node.is_joined ? bodies.torque[node.body] : Vec3{};
        c.joints.starts.push_back({node.v, node.w, node.acceleration, n.inv_inertia.back() * torque});
    }
}

// Rows where the bodies are now, for a displacement in `time`; forces act for a share of it.
void make_joint_rows(Context& c, double time, double share) {
    JointScratch& s = c.joints;
    JointMemory& memory = c.island.memory;
    s.rows.clear();
    s.axis_log.axes.clear();
    s.axis_log.row_axis.clear();
    set_joint_nodes(c);
    for (const IslandJoint& joint : c.island.joints) {
        JointRows out{s.rows, joint.a, joint.b, joint.c, Phase::Displacement, time};
        out.share = share;
        out.history.previous = memory.impulses;
        out.history.previous_share = share * time / c.view.usual_substep();
        out.nodes = &s.nodes;
        out.start = s.starts;
        const std::size_t angles = c.view.joints.angle.of(joint.joint).size();
        out.angles = std::span(memory.angles).subspan(joint.first_angle, angles);
        out.keeps_angles = true;
        out.log = &s.axis_log;
        make_rows(c.view.joints, joint.joint, c.island.joint_poses(joint), out);
    }
}

// Rows where the bodies will be in the midst of the pass, as far as their velocities tell.
void make_middle_rows(Context& c) {
    JointScratch& s = c.joints;
    s.middle.clear();
    s.poses.clear();
    const double ahead = FactoredRows::kAhead * c.pass.time;
    for (const IslandNode& node : c.island.nodes)
        s.poses.push_back(
            {node.pose.position + node.v * ahead, turned(node.pose.orientation, node.w * ahead)});
    for (const IslandJoint& joint : c.island.joints) {
        JointRows out{s.middle, joint.a, joint.b, joint.c, Phase::Displacement, c.pass.time};
        out.nodes = &s.nodes;
        out.start = s.starts;
        const std::size_t angles = c.view.joints.angle.of(joint.joint).size();
        out.angles = std::span(c.island.memory.angles).subspan(joint.first_angle, angles);
        make_rows(c.view.joints, joint.joint, {s.poses[joint.a], s.poses[joint.b], s.poses[joint.c]}, out);
    }
}

bool is_joint_equation(const JointScratch& s, std::size_t r) {
    return s.rows.rows[r].is_equation() && s.axis_log.row_axis[r] == 0;
}

double rate_of(const Rows& rows, const Row& row, const Nodes& nodes) {
    double sum = 0;
    for (const RowPart& part : rows.parts_of(row))
        sum += dot(part.linear, nodes.v[part.node]) + dot(part.angular, nodes.w[part.node]);
    return sum;
}

// One joint for the solver: its equations as one block, then what acts along axes row by row. Errors from
// before the pass are closed by displacements alone, in close_joints(): as velocities, those that another
// stepper or a blow left would be energy.
class JointLoader {
  public:
    JointLoader(Context& c, std::size_t joint)
        : c_(c),
          joint_(c.island.joints[joint]),
          end_(c.island.row_end(joint)),
          a_(number_of(c, joint_.a)),
          b_(number_of(c, joint_.b)),
          cap_(kTornOpen * joint_size(c.view, c.island, joint_)),
          warm_(c.view.method.warm_start * c.pass.substep() / (c.view.usual_substep() * c.bodies.mass_unit)) {
    }

    void add() {
        std::size_t equations = joint_.first_row;
        while (equations < end_ && is_joint_equation(c_.joints, equations)) ++equations;
        if (equations > joint_.first_row) add_equations(equations);
        for (std::size_t r = equations; r < end_; ++r) add_single(r);
    }

  private:
    void set(BlockRow& to, const Rows& rows, std::size_t r) const {
        const Row& row = rows.rows[r];
        to.a = a_;
        to.b = b_;
        for (const RowPart& part : rows.parts_of(row)) {
            (part.node == joint_.a ? to.linear_a : to.linear_b) = part.linear;
            (part.node == joint_.a ? to.angular_a : to.angular_b) = part.angular;
        }
        to.cap = row.is_linear ? cap_ : kTornOpen;
        to.impulse = warm_ * c_.island.memory.impulses[r];
    }
    void add_equations(std::size_t end) {
        const JointScratch& s = c_.joints;
        BlockRows& solver = c_.solver.rows();
        BlockRow* to = &solver.add_equations(end - joint_.first_row, c_.joints.is_factored);
        for (std::size_t r = joint_.first_row; r < end; ++r, ++to) {
            c_.joints.row_of.push_back(static_cast<std::uint32_t>(to - solver.rows().data()));
            set(*to, s.is_factored ? s.middle : s.rows, r);
            if (!s.is_factored) continue;
            to->drift =
                rate_of(s.middle, s.middle.rows[r], s.nodes) - rate_of(s.rows, s.rows.rows[r], s.nodes);
        }
    }
    void add_single(std::size_t r) {
        BlockRows& solver = c_.solver.rows();
        const double unit = c_.bodies.mass_unit;
        const Row& row = c_.joints.rows.rows[r];
        c_.joints.row_of.push_back(static_cast<std::uint32_t>(solver.rows().size()));
        BlockRow& to = solver.add_single();
        set(to, c_.joints.rows, r);
        to.error = row.error;
        to.lower = row.lower / unit;
        to.upper = row.upper / unit;
        to.bias = row.bias;
        to.is_limit = row.lower == 0 && row.upper == kUnbounded;
        to.is_spring = row.compliance > 0;
        to.stiffness = row.stiffness;
        to.yields = row.compliance * unit;
        if (to.is_limit) to.error = row.bias * c_.pass.time;
    }

    Context& c_;
    const IslandJoint& joint_;
    std::size_t end_;  // of its rows
    std::uint32_t a_, b_;
    double cap_;   // m of an error that count at once
    double warm_;  // from impulses kept to those of a substep, in units of mass
};

}  // namespace

bool has_many_loops(const Island& island) {
    return island.joints.size() > island.dynamic_count + kManyLoops;
}

Refusal fits_joints(const WorldView& view, const Island& island) {
    if (island.joints.empty()) return Refusal::None;
    if (island.pairs.empty()) return Refusal::HasNoPairs;
    const bool are_known =
        std::all_of(island.joints.begin(), island.joints.end(),
                    [&](const IslandJoint& joint) { return is_known(view.joints, joint.joint); });
    return are_known ? Refusal::None : Refusal::JointLaw;
}

void add_joints(Context& c) {
    if (c.island.joints.empty()) return;
    make_joint_rows(c, c.pass.time, 1.0 / c.pass.substeps);
    if (c.joints.is_factored) make_middle_rows(c);
    c.joints.row_of.clear();
    for (std::size_t k = 0; k < c.island.joints.size(); ++k) JointLoader(c, k).add();
}

// Impulses kept for the next step are those of a usual substep, as with contacts.
void take_joint_impulses(Context& c) {
    const auto results = c.solver.rows().rows();
    const JointScratch& s = c.joints;
    JointMemory& memory = c.island.memory;
    const double unit = c.bodies.mass_unit;
    for (std::size_t k = 0; k < c.island.joints.size(); ++k) {
        const IslandJoint& joint = c.island.joints[k];
        const JointGeometry g = geometry_of(c.view.joints, joint.joint, c.island.joint_poses(joint));
        for (std::size_t r = joint.first_row; r < c.island.row_end(k); ++r) {
            const BlockRow& row = results[s.row_of[r]];
            memory.impulses[r] = row.impulse * (unit * c.view.usual_substep() / c.pass.substep());
            const double sum = row.sum * unit;
            const Rows& rows = s.is_factored && is_joint_equation(s, r) ? s.middle : s.rows;
            add_reaction(rows, rows.rows[r], sum, joint.b, g.rb, memory.reactions[k]);
            const auto axis = s.axis_log.row_axis[r];
            if (axis != 0)
                memory.axis_impulses[static_cast<std::size_t>(std::abs(axis)) - 1] += axis > 0 ? sum : -sum;
        }
    }
}

namespace {

// Of the equations, in sizes of their joints (or rad).
struct JointErrors {
    double largest = 0, squares = 0;
};

JointErrors measure_errors(const Context& c) {
    JointErrors errors;
    for (std::size_t k = 0; k < c.island.joints.size(); ++k) {
        const IslandJoint& joint = c.island.joints[k];
        const double size = joint_size(c.view, c.island, joint);
        for (std::size_t r = joint.first_row; r < c.island.row_end(k); ++r) {
            if (!is_joint_equation(c.joints, r)) continue;
            const Row& row = c.joints.rows.rows[r];
            const double error = std::abs(row.error) / (row.is_linear ? size : 1);
            errors.largest = std::max(errors.largest, error);
            errors.squares += error * error;
        }
    }
    return errors;
}

void save_poses(Context& c) {
    c.joints.poses.clear();
    for (const IslandNode& node : c.island.dynamic_nodes()) c.joints.poses.push_back(node.pose);
}

void find_closing(Context& c) {
    const JointScratch& s = c.joints;
    const auto rows = c.solver.rows().rows();
    for (std::size_t r = 0; r < s.row_of.size(); ++r)
        if (is_joint_equation(s, r)) rows[s.row_of[r]].error = s.rows.rows[r].error;
    c.solver.close(c.view.executor);
    measure_displacements(c);
}

// From the poses saved by a share of the way; 0: back there.
void move_from_saved(Context& c, double share) {
    for (std::size_t k = 0; k < c.island.dynamic_count; ++k) {
        IslandNode& node = c.island.nodes[k];
        if (!node.is_joined) continue;
        node.pose = c.joints.poses[k];
        if (share == 0) continue;
        node.pose.position += c.bodies.displaced[k].shift * share;
        rotate_node(c, k, c.bodies.displaced[k].turn * share);
    }
}

}  // namespace

// The factor is that of the middle of the pass: a round leaves of the errors what rows have turned since. Of
// a chain or net that is nearly taut or flat it may leave more than there was; then half of the way, or a
// quarter, may be better (Gauss and Newton's method with a line search).
bool close_joints(Context& c) {
    if (c.island.joints.empty()) return true;
    make_joint_rows(c, c.pass.time, 1);
    JointErrors errors = measure_errors(c);
    for (int round = 0; round < kCloseRounds && errors.largest > kAjar; ++round) {
        const double before = errors.squares;
        save_poses(c);
        find_closing(c);
        double share = 1;
        for (; share >= 0.25; share *= 0.5) {
            move_from_saved(c, share);
            make_joint_rows(c, c.pass.time, 1);
            errors = measure_errors(c);
            if (errors.squares < before) break;
        }
        if (share < 0.25) move_from_saved(c, 0);
        if (!(errors.squares < kCloseGain * kCloseGain * before)) break;
    }
    return errors.largest < kTornOpen;
}

}  // namespace impuls::blocks
