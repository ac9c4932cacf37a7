// Forces along the free axes of joints, and what joints leave for frames (joints.h). With the coordinate x,
// the mass m of the joint's bodies along it, w^2 as for a contact of their size (laws.h), and a slip speed v:
//     spring, damper   -k (x - rest) - c x'
//     friction         -f clamp(x'/v, -1, 1)
//     motor            m G/dt (speed - x') within its largest force; a servo's speed leads to its target
//     limits           m w^2 d + 2 m w d', d the way beyond, not below 0
#include <algorithm>
#include <cmath>

#include "math/course.h"
#include "steppers/force/joints.h"
#include "steppers/force/laws.h"
#include "steppers/force/tuning.h"
#include "steppers/joint_size.h"

namespace impuls::force_level {
namespace {

double motor_force(const JointAxis& axis, double dt, double time) {
    const AxisDesc& of = *axis.desc;
    const double gain = kMotorGain / dt;
    const double most = of.max_force ? std::max(0.0, value_at(*of.max_force, time)) : kUnbounded;
    double speed = of.speed ? value_at(*of.speed, time) : 0;
    if (of.target) {
        const double away = value_at(*of.target, time) - axis.position;
        double fast = std::min(0.25 * gain * std::abs(away), of.rate.value_or(kUnbounded));
        if (of.max_force) fast = std::min(fast, std::sqrt(most / axis.mass * std::abs(away)));
        speed = away < 0 ? -fast : fast;
    }
    return std::clamp(axis.mass * gain * (speed - axis.speed), -most, most);
}

// Inward, at depth d and speed u beyond a limit.
double limit_force(double mass, double w, double depth, double speed) {
    return std::max(0.0, mass * w * (w * depth + 2 * kDampingRatio * speed));
}

double inverse_mass(const articulated::Mechanism& m, const Rate& rate) {
    double sum = 0;
    for (std::uint32_t p = 0; p < rate.count; ++p) {
        const RowPart& part = rate.parts[p];
        if (part.node >= m.moving) continue;
        const articulated::TreeBody& body = m.bodies[part.node];
        sum += body.inv_mass * length_squared(part.linear) +
               dot(part.angular, body.inv_inertia_W * part.angular);
    }
    return sum;
}

bool is_active(const AxisDesc& axis) {
    return axis.lower || axis.upper || axis.speed || axis.target || axis.friction > 0 || axis.stiffness > 0 ||
           axis.damping > 0;
}

bool is_linear(const Rate& rate) {
    bool is_any = false;
    for (std::uint32_t p = 0; p < rate.count; ++p) is_any |= rate.parts[p].linear != Vec3{};
    return is_any;
}

}  // namespace

std::span<JointAxis> Joints::find_axes(const WorldView& view, const Island& island, const Bodies& bodies) {
    axes_.clear();
    bool is_any = false;
    for (const IslandJoint& joint : island.joints)
        visit_axes(view.joints.joint[joint.joint],
                   [&](const char*, const AxisDesc& axis) { is_any |= is_active(axis); });
    if (!is_any) return axes_;
    place(island);
    set_velocities(island, bodies);
    for (const articulated::TreeJoint& joint : mechanism_.joints) {
        bool is_wanted = false;
        visit_axes(view.joints.joint[joint.joint],
                   [&](const char*, const AxisDesc& axis) { is_wanted |= is_active(axis); });
        if (!is_wanted) continue;
        make_rows(view, joint, articulated::Poses::Present, false);
        const IslandJoint& of = island.joints[joint.number];
        std::size_t k = 0;
        visit_axes(view.joints.joint[joint.joint], [&](const char*, const AxisDesc& desc) {
            if (k >= log_.axes.size()) return;
            const AxisLog::Axis& found = log_.axes[k];
            if (is_active(desc)) {
                JointAxis& axis = axes_.emplace_back();
                axis.number = of.first_axis + static_cast<std::uint32_t>(k);
                axis.joint = joint.number;
                axis.desc = &desc;
                axis.position = found.position;
                axis.mass = 1 / inverse_mass(mechanism_, found.rate);
                axis.weight = weight_of(view, island, of.a, of.b);
                axis.size = joint_size(view, island, of);
                axis.rate = found.rate;
                for (std::uint32_t p = 0; p < axis.rate.count; ++p)
                    axis.rate.parts[p].node = mechanism_.bodies[axis.rate.parts[p].node].node;
                axis.speed = velocity_of(axis.rate, bodies.nodes);
            }
            ++k;
        });
    }
    return axes_;
}

double axis_speed(const WorldView& view, const JointAxis& axis) {
    const double size = axis.size < kUnbounded ? axis.size : 1;
    const double speed = axis.weight > 0 ? std::sqrt(axis.weight * size) : size / view.dt;
    return is_linear(axis.rate) ? speed : speed / size;
}

void Joints::push(const WorldView& view, const Island& island, double time, Bodies& bodies) {
    for (JointAxis& axis : find_axes(view, island, bodies)) {
        const AxisDesc& of = *axis.desc;
        const double x = axis.position, v = axis.speed;
        const double friction =
            of.friction * std::clamp(v / (kSlipSpeed * axis_speed(view, axis)), -1.0, 1.0);
        const double motor = of.speed || of.target ? motor_force(axis, view.dt, time) : 0;
        const double size = axis.size < kUnbounded ? axis.size : 1;
        const double w = std::sqrt(frequency_squared(view, axis.weight, size));
        double limit = 0;
        if (of.lower && axis.beyond(-1) > 0) limit += limit_force(axis.mass, w, axis.beyond(-1), -v);
        if (of.upper && axis.beyond(1) > 0) limit -= limit_force(axis.mass, w, axis.beyond(1), v);
        const double lost = of.damping * v + friction - limit;
        const Jet rest = jet_at(of.rest, time);
        axis.force = motor - lost - of.stiffness * (x - rest.value);
        bodies.power.supplied += motor * v - of.stiffness * (x - rest.value) * rest.first;
        bodies.power.dissipated += lost * v;
        for (std::uint32_t p = 0; p < axis.rate.count; ++p) {
            const RowPart& part = axis.rate.parts[p];
            bodies.wrench[part.node].force += part.linear * axis.force;
            bodies.wrench[part.node].torque += part.angular * axis.force;
        }
    }
}

void Joints::store(const WorldView& view, Island& island) {
    articulated::Mechanism& m = mechanism_;
    JointMemory& memory = island.memory;
    memory.angles = m.angles;
    for (const JointAxis& axis : axes_) memory.axis_impulses[axis.number] += axis.force * view.dt;
    ArticulatedTree& tree = m.tree;
    for (const articulated::TreeJoint& joint : m.joints) {
        JointReaction& sum = memory.reactions[joint.number];
        if (joint.is_ball) {
            sum.force += tree.links()[joint.link].impulse * (joint.sign_of_b() * view.dt);
            continue;
        }
        const Vec3& point = joint.child == joint.b ? joint.r_child : joint.r_parent;
        const Vec3 rb = rotate(m.bodies[joint.b].pose.orientation, point);
        const auto add = [&](const ArticulatedTree::Part& part, double impulse) {
            sum.force += part.linear * impulse;
            sum.torque += (part.angular - cross(rb, part.linear)) * impulse;
        };
        for (std::size_t r = 0; r < joint.row_count; ++r) {
            if (joint.link != articulated::kNone) {
                const ArticulatedTree::JointRows& rows = tree.rows_of(joint.link);
                add(joint.child == joint.b ? rows.child[r] : rows.parent[r], rows.impulse[r] * view.dt);
                continue;
            }
            const ArticulatedTree::LoopRow& row = tree.loops()[joint.first_loop_row + r];
            for (const ArticulatedTree::Part& part : tree.parts_of(row))
                if (part.link == joint.b) add(part, row.impulse * view.dt);
        }
    }
}

}  // namespace impuls::force_level
