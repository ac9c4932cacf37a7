// Joints of an island by blocks (block_work.h): their rows at the start of a pass, as the dynamics makes them
// for displacements (dynamics/joint_rows.h), in the lanes of BlockRows.
#include <algorithm>
#include <cmath>

#include "world/block_work.h"
#include "world/state.h"

namespace impuls {
namespace {

constexpr double kTornByBlocks = 0.05;  // of the size: joints open wider than that are the impulse stepper's
constexpr double kMostTurn = 0.2;       // rad of an error that count at once

}  // namespace

// Joints of two bodies that keep their directions, and limits that do not bounce; where nothing is touched,
// direct solvers are better.
bool BlockWork::takes_joints(const WorldState& s, std::size_t i) {
    if (s.islands.joint_start[i] == s.islands.joint_start[i + 1]) return true;
    if (s.islands.pair_start[i] == s.islands.pair_start[i + 1]) return false;
    for (auto k = s.islands.joint_start[i]; k < s.islands.joint_start[i + 1]; ++k) {
        const auto j = s.islands.joints[k];
        if (j >= s.joints.size() || has_frame(s.joints.joint[j]) || s.joints.is_curved[j]) return false;
        bool bounces = false;
        visit_axes(s.joints.joint[j],
                   [&](const char*, const AxisDesc& axis) { bounces = bounces || axis.restitution > 0; });
        if (bounces) return false;
    }
    return true;
}

void BlockWork::gather_joints(const WorldState& s, std::size_t i) {
    joints_.clear(), previous_.clear(), angles_.clear();
    const auto size = [](const auto& list) { return static_cast<std::uint32_t>(list.size()); };
    const auto append = [](auto& list, std::span<const double> values) {
        list.insert(list.end(), values.begin(), values.end());
    };
    std::uint32_t axes = 0;
    for (auto k = s.islands.joint_start[i]; k < s.islands.joint_start[i + 1]; ++k) {
        const auto j = s.islands.joints[k];
        const std::uint32_t a = node_for(s.joints.a[j]), b = node_for(s.joints.b[j]);
        for (const std::uint32_t node : {a, b}) nodes_[node].is_joined = nodes_[node].is_dynamic;
        joints_.push_back({j, a, b, size(previous_), size(angles_), axes});
        append(previous_, s.joints.impulse.of(j));
        append(angles_, s.joints.angle.of(j));
        axes += size(s.joints.axis_force.of(j));
    }
    axis_impulses_.assign(axes, 0);
    reactions_.assign(joints_.size(), {});
    join_nodes();
}

// Groups of dynamic nodes that joints hold together, each under its lowest number.
void BlockWork::join_nodes() {
    group_.resize(nodes_.size());
    for (std::uint32_t k = 0; k < group_.size(); ++k) group_[k] = k;
    const auto find = [&](std::uint32_t k) {
        while (group_[k] != k) k = group_[k] = group_[group_[k]];
        return k;
    };
    for (const JointPart& joint : joints_) {
        if (!nodes_[joint.a].is_dynamic || !nodes_[joint.b].is_dynamic) continue;
        const std::uint32_t a = find(joint.a), b = find(joint.b);
        group_[std::max(a, b)] = std::min(a, b);
    }
    for (std::uint32_t k = 0; k < group_.size(); ++k) group_[k] = find(k);
}

// Of the smaller body: its radius, or how far the joint is from its centre.
double BlockWork::joint_size(const JointPart& joint) const {
    const JointGeometry g = geometry_of(world_->joints, joint.joint, joint_poses(joint));
    double size = kUnbounded;
    const auto look = [&](const Node& node, const Vec3& lever) {
        if (node.is_dynamic) size = std::min(size, std::max(world_->bodies.radius[node.body], length(lever)));
    };
    look(nodes_[joint.a], g.ra), look(nodes_[joint.b], g.rb);
    return size;
}

JointPoses BlockWork::joint_poses(const JointPart& joint) const {
    return {nodes_[joint.a].pose, nodes_[joint.b].pose, nodes_[joint.a].pose};
}

// Rows where the bodies are now, for a displacement in the time of a pass; forces act for a share of it.
void BlockWork::make_joint_rows(double time, double share) {
    rows_.clear(), axis_log_.axes.clear(), axis_log_.row_axis.clear(), starts_.clear();
    Nodes& n = joint_nodes_;
    n.inv_mass.clear(), n.inv_inertia.clear(), n.v.clear(), n.w.clear();
    for (std::size_t k = 0; k < nodes_.size(); ++k) {
        const Node& node = nodes_[k];
        const Mat3& root = inertias_[k].inverse_root;
        const bool moves = node.is_joined;
        n.inv_mass.push_back(moves ? world_->bodies.inv_mass[node.body] : 0);
        n.inv_inertia.push_back(moves ? root * root * (1 / unit_) : diagonal({0, 0, 0}));
        n.v.push_back(node.v), n.w.push_back(node.w);
        const Vec3 torque = moves ? world_->bodies.torque[node.body] : Vec3{};
        starts_.push_back({node.v, node.w, node.acceleration, n.inv_inertia.back() * torque});
    }
    const double usual = world_->dt / static_cast<double>(world_->method.substeps);
    for (const JointPart& joint : joints_) {
        JointRows out{rows_, joint.a, joint.b, joint.a, Phase::Displacement, time};
        out.share = share;
        out.history.previous = previous_, out.history.previous_share = share * time / usual;
        out.nodes = &joint_nodes_, out.start = starts_;
        const std::size_t angles = world_->joints.angle.of(joint.joint).size();
        out.angles = std::span(angles_).subspan(joint.first_angle, angles), out.keeps_angles = true;
        out.log = &axis_log_;
        make_rows(world_->joints, joint.joint, joint_poses(joint), out);
    }
}

bool BlockWork::is_torn() {
    if (joints_.empty()) return false;
    fill_bodies();
    make_joint_rows(world_->dt, 1);
    return has_wide_joint();
}

// Whether any of the rows is off by more than what blocks take on.
bool BlockWork::has_wide_joint() const {
    for (std::size_t k = 0; k < joints_.size(); ++k) {
        const std::size_t end = k + 1 < joints_.size() ? joints_[k + 1].first_row : rows_.rows.size();
        const double size = joint_size(joints_[k]);
        for (std::size_t r = joints_[k].first_row; r < end; ++r) {
            const Row& row = rows_.rows[r];
            const double most = row.is_linear ? kTornByBlocks * size : kMostTurn;
            if (row.is_equation() && axis_log_.row_axis[r] == 0 && std::abs(row.error) > most) return true;
        }
    }
    return false;
}

void BlockWork::add_joint(const JointPart& joint, std::size_t end, double time, double share) {
    BlockRows& blocks = blocks_.rows();
    const std::uint32_t a = number_of(nodes_[joint.a]), b = number_of(nodes_[joint.b]);
    const double usual = world_->dt / static_cast<double>(world_->method.substeps);
    const double warm = world_->method.warm_start * share * time / (usual * unit_);
    const double size = joint_size(joint);
    const auto set = [&](BlockRows::Row& to, std::size_t r) {
        const Row& row = rows_.rows[r];
        to.a = a, to.b = b;
        for (const RowPart& part : rows_.parts_of(row)) {
            (part.node == joint.a ? to.linear_a : to.linear_b) = part.linear;
            (part.node == joint.a ? to.angular_a : to.angular_b) = part.angular;
        }
        to.error = row.error;
        to.cap = row.is_linear ? kTornByBlocks * size : kMostTurn;
        to.impulse = warm * previous_[r];
    };
    std::size_t equations = joint.first_row;
    const auto is_equation = [&](std::size_t r) {
        return rows_.rows[r].is_equation() && axis_log_.row_axis[r] == 0;
    };
    while (equations < end && is_equation(equations)) ++equations;
    if (equations > joint.first_row) {
        BlockRows::Row* first = &blocks.add_equations(equations - joint.first_row);
        for (std::size_t r = joint.first_row; r < equations; ++r) {
            row_of_.push_back(static_cast<std::uint32_t>(first - blocks.rows().data()));
            set(*first++, r);
        }
    }
    for (std::size_t r = equations; r < end; ++r) {
        const Row& row = rows_.rows[r];
        row_of_.push_back(static_cast<std::uint32_t>(blocks.rows().size()));
        BlockRows::Row& to = blocks.add_single();
        set(to, r);
        to.lower = row.lower / unit_, to.upper = row.upper / unit_, to.bias = row.bias;
        to.is_limit = row.lower == 0 && row.upper == kUnbounded;
        to.is_spring = row.compliance > 0;
        to.stiffness = row.stiffness, to.yields = row.compliance * unit_;
        if (to.is_limit) to.error = row.bias * time;
    }
}

void BlockWork::add_joints(double time, int substeps) {
    if (joints_.empty()) return;
    const double share = 1.0 / substeps;
    make_joint_rows(time, share);
    row_of_.clear();
    for (std::size_t k = 0; k < joints_.size(); ++k)
        add_joint(joints_[k], k + 1 < joints_.size() ? joints_[k + 1].first_row : rows_.rows.size(), time,
                  share);
}

// Impulses kept for the next step are those of a usual substep, as with contacts.
void BlockWork::take_joints(double h) {
    if (joints_.empty()) return;
    const double usual = world_->dt / static_cast<double>(world_->method.substeps);
    const auto results = blocks_.rows().rows();
    for (std::size_t k = 0; k < joints_.size(); ++k) {
        const JointPart& joint = joints_[k];
        const JointGeometry g = geometry_of(world_->joints, joint.joint, joint_poses(joint));
        const std::size_t end = k + 1 < joints_.size() ? joints_[k + 1].first_row : rows_.rows.size();
        for (std::size_t r = joint.first_row; r < end; ++r) {
            const BlockRows::Row& row = results[row_of_[r]];
            previous_[r] = row.impulse * (unit_ * usual / h);
            const double sum = row.sum * unit_;
            add_reaction(rows_, rows_.rows[r], sum, joint.b, g.rb, reactions_[k]);
            const auto axis = axis_log_.row_axis[r];
            if (axis != 0)
                axis_impulses_[static_cast<std::size_t>(std::abs(axis)) - 1] += axis > 0 ? sum : -sum;
        }
    }
}

// While bodies turned in a pass, their rows did not: what that left of the errors is taken away by
// displacements. False: it is more than a joint may be off.
bool BlockWork::close_joints(double time) {
    constexpr int kSweeps = 4;
    if (joints_.empty()) return true;
    fill_bodies();
    add_joints(time, 1);
    if (has_wide_joint()) return false;
    blocks_.close(kSweeps, *world_->executor);
    measure_ways();
    for (std::size_t k = 0; k < nodes_.size(); ++k) {
        if (!nodes_[k].is_joined) continue;
        nodes_[k].pose.position += ways_[k].shift;
        turn_node(nodes_[k], ways_[k].turn);
    }
    return true;
}

BlockWork::Energy BlockWork::energy() const {
    Energy e;
    const auto& bodies = world_->bodies;
    for (std::size_t k = 0; k < dynamic_count_; ++k) {
        const Node& node = nodes_[k];
        const double mass = bodies.mass[node.body];
        const Vec3 w = rotate_inverse(node.pose.orientation, node.w);
        e.kinetic += 0.5 * (mass * dot(node.v, node.v) + dot(w, scale(bodies.inertia[node.body], w)));
        e.potential -= mass * dot(node.acceleration, node.pose.position);
    }
    return e;
}

// Whether energy may come from anything but constant forces.
bool BlockWork::is_driven() const {
    const auto& bodies = world_->bodies;
    for (const Node& node : nodes_) {
        if (node.body == kNoBody) continue;
        if (bodies.surface_velocity[node.body] != Vec3{} ||
            (node.is_dynamic ? bodies.torque[node.body] != Vec3{} : node.v != Vec3{} || node.w != Vec3{}))
            return true;
    }
    return std::any_of(joints_.begin(), joints_.end(),
                       [&](const JointPart& joint) { return !world_->joints.is_passive[joint.joint]; });
}

// Joints that pull against each other, or bodies far lighter than their neighbours, can be thrown about by
// rows that are frozen for a pass. Pushing bodies out of each other may lift them a little.
bool BlockWork::gains_energy(const Energy& before) const {
    constexpr double kGain = 0.005, kLift = 5e-4;  // of the kinetic energy; of the size
    if (is_driven()) return false;
    const Energy now = energy();
    const double work = before.potential - now.potential;
    double lift = 0;
    for (std::size_t k = 0; k < dynamic_count_; ++k) {
        const Node& node = nodes_[k];
        lift += kLift * world_->bodies.radius[node.body] * length(node.acceleration) *
                world_->bodies.mass[node.body];
    }
    return !(now.kinetic <= before.kinetic * (1 + kGain) + work + 0.01 * std::abs(work) + lift);
}

void BlockWork::scatter_joints() {
    for (std::size_t k = 0; k < joints_.size(); ++k) {
        const JointPart& joint = joints_[k];
        auto& set = world_->joints;
        const auto impulses = set.impulse.of(joint.joint), angles = set.angle.of(joint.joint);
        std::copy_n(previous_.begin() + joint.first_row, impulses.size(), impulses.begin());
        std::copy_n(angles_.begin() + joint.first_angle, angles.size(), angles.begin());
        std::size_t axis = joint.first_axis;
        for (double& force : set.axis_force.of(joint.joint)) force = axis_impulses_[axis++] / world_->dt;
        set.reaction[joint.joint] = {reactions_[k].force / world_->dt, reactions_[k].torque / world_->dt, 0};
    }
}

}  // namespace impuls
