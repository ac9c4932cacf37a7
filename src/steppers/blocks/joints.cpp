// Joints of an island by blocks (joints.h).
#include "steppers/blocks/joints.h"

#include <algorithm>
#include <cmath>

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

bool is_joint_equation(const JointScratch& s, std::size_t r) {
    return s.rows.rows[r].is_equation() && s.axis_log.row_axis[r] == 0;
}

bool has_open_joint(const Context& c) {
    for (std::size_t k = 0; k < c.island.joints.size(); ++k) {
        const IslandJoint& joint = c.island.joints[k];
        if (is_torn(c.joints.rows, c.joints.axis_log, joint.first_row, c.island.row_end(k),
                    joint_size(c.view, c.island, joint)))
            return true;
    }
    return false;
}

// Open by more than a little: what a blow leaves in a chain takes many sweeps, and must not be handed on to a
// stepper that makes velocities of it.
bool is_any_joint_ajar(const Context& c) {
    for (std::size_t k = 0; k < c.island.joints.size(); ++k) {
        const IslandJoint& joint = c.island.joints[k];
        const double size = joint_size(c.view, c.island, joint);
        for (std::size_t r = joint.first_row; r < c.island.row_end(k); ++r) {
            const Row& row = c.joints.rows.rows[r];
            if (is_joint_equation(c.joints, r) && std::abs(row.error) > kAjar * (row.is_linear ? size : 1))
                return true;
        }
    }
    return false;
}

// One joint for the solver: its equations as one block, then what acts along axes row by row.
class JointLoader {
  public:
    JointLoader(Context& c, std::size_t joint, double time, double share)
        : c_(c),
          joint_(c.island.joints[joint]),
          end_(c.island.row_end(joint)),
          time_(time),
          a_(number_of(c, joint_.a)),
          b_(number_of(c, joint_.b)),
          cap_(kTornOpen * joint_size(c.view, c.island, joint_)),
          warm_(c.view.method.rows().warm_start * share * time /
                (c.view.usual_substep() * c.bodies.mass_unit)) {}

    void add() {
        std::size_t equations = joint_.first_row;
        while (equations < end_ && is_joint_equation(c_.joints, equations)) ++equations;
        if (equations > joint_.first_row) add_equations(equations);
        for (std::size_t r = equations; r < end_; ++r) add_single(r);
    }

  private:
    void set(BlockRows::Row& to, std::size_t r) const {
        const Rows& rows = c_.joints.rows;
        const Row& row = rows.rows[r];
        to.a = a_;
        to.b = b_;
        for (const RowPart& part : rows.parts_of(row)) {
            (part.node == joint_.a ? to.linear_a : to.linear_b) = part.linear;
            (part.node == joint_.a ? to.angular_a : to.angular_b) = part.angular;
        }
        to.error = row.error;
        to.cap = row.is_linear ? cap_ : kTornOpen;
        to.impulse = warm_ * c_.island.memory.impulses[r];
    }
    void add_equations(std::size_t end) {
        BlockRows& solver = c_.solver.rows();
        BlockRows::Row* to = &solver.add_equations(end - joint_.first_row);
        for (std::size_t r = joint_.first_row; r < end; ++r, ++to) {
            c_.joints.row_of.push_back(static_cast<std::uint32_t>(to - solver.rows().data()));
            set(*to, r);
        }
    }
    void add_single(std::size_t r) {
        BlockRows& solver = c_.solver.rows();
        const double unit = c_.bodies.mass_unit;
        const Row& row = c_.joints.rows.rows[r];
        c_.joints.row_of.push_back(static_cast<std::uint32_t>(solver.rows().size()));
        BlockRows::Row& to = solver.add_single();
        set(to, r);
        to.lower = row.lower / unit;
        to.upper = row.upper / unit;
        to.bias = row.bias;
        to.is_limit = row.lower == 0 && row.upper == kUnbounded;
        to.is_spring = row.compliance > 0;
        to.stiffness = row.stiffness;
        to.yields = row.compliance * unit;
        if (to.is_limit) to.error = row.bias * time_;
    }

    Context& c_;
    const IslandJoint& joint_;
    std::size_t end_;  // of its rows
    double time_;
    std::uint32_t a_, b_;
    double cap_;   // m of an error that count at once
    double warm_;  // from impulses kept to those of a substep, in units of mass
};

void load_joints(Context& c, double time, int substeps) {
    const double share = 1.0 / substeps;
    make_joint_rows(c, time, share);
    c.joints.row_of.clear();
    for (std::size_t k = 0; k < c.island.joints.size(); ++k) JointLoader(c, k, time, share).add();
}

}  // namespace

Refusal fits_joints(const WorldView& view, const Island& island) {
    if (island.joints.empty()) return Refusal::None;
    if (island.pairs.empty()) return Refusal::HasNoPairs;
    const bool are_known =
        std::all_of(island.joints.begin(), island.joints.end(),
                    [&](const IslandJoint& joint) { return is_known(view.joints, joint.joint); });
    return are_known ? Refusal::None : Refusal::JointLaw;
}

bool are_joints_open(Context& c) {
    if (c.island.joints.empty()) return false;
    load_solver(c);
    make_joint_rows(c, c.view.dt, 1);
    return has_open_joint(c);
}

// Errors from before the pass are closed by displacements alone, in close_joints(): as velocities, those that
// another stepper or a blow left would be energy. What rows frozen for the pass add to them is in the
// solver's own measure.
void add_joints(Context& c) {
    if (c.island.joints.empty()) return;
    load_joints(c, c.pass.time, c.pass.substeps);
    for (BlockRows::Row& row : c.solver.rows().rows())
        if (!row.is_limit && !row.is_spring && row.lower == 0 && row.upper == 0) row.error = 0;
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
            const BlockRows::Row& row = results[s.row_of[r]];
            memory.impulses[r] = row.impulse * (unit * c.view.usual_substep() / c.pass.substep());
            const double sum = row.sum * unit;
            add_reaction(s.rows, s.rows.rows[r], sum, joint.b, g.rb, memory.reactions[k]);
            const auto axis = s.axis_log.row_axis[r];
            if (axis != 0)
                memory.axis_impulses[static_cast<std::size_t>(std::abs(axis)) - 1] += axis > 0 ? sum : -sum;
        }
    }
}

bool close_joints(Context& c) {
    if (c.island.joints.empty()) return true;
    load_solver(c);
    load_joints(c, c.pass.time, 1);
    if (has_open_joint(c)) return false;
    c.solver.close(is_any_joint_ajar(c) ? kCloseSweepsAjar : kCloseSweeps, c.view.executor);
    measure_displacements(c);
    for (std::size_t k = 0; k < c.island.dynamic_count; ++k) {
        if (!c.island.nodes[k].is_joined) continue;
        c.island.nodes[k].pose.position += c.bodies.displaced[k].shift;
        rotate_node(c, k, c.bodies.displaced[k].turn);
    }
    return true;
}

}  // namespace impuls::blocks
