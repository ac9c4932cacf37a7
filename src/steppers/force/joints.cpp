// Joints at force level: accelerations, projection, impulses (joints.h). Forces along axes are in axes.cpp.
#include "steppers/force/joints.h"

#include <algorithm>
#include <cmath>
#include <variant>

#include "math/rotation.h"
#include "steppers/force/tuning.h"
#include "steppers/joint_size.h"

namespace impuls::force_level {
namespace {

using articulated::Poses;
using articulated::TreeBody;
using articulated::TreeJoint;

// A point without inertia may be held at its own place, where no force turns it.
bool can_hold(const WorldView& view, const Island& island, const IslandJoint& joint) {
    const Joint& of = view.joints.joint[joint.joint];
    const bool holds_places =
        std::holds_alternative<BallJoint>(of) || std::holds_alternative<DistanceJoint>(of);
    for (const std::uint32_t k : {joint.a, joint.b, joint.c}) {
        if (k >= island.dynamic_count) continue;
        const Vec3& inverse = view.bodies.inv_inertia[island.nodes[k].body];
        const bool turns = inverse.x > 0 && inverse.y > 0 && inverse.z > 0;
        if (!turns && (inverse != Vec3{} || !holds_places)) return false;
    }
    return true;
}

}  // namespace

Refusal Joints::begin(const WorldView& view, const Island& island) {
    mechanism_.joints.clear();
    axes_.clear();  // of the island before
    if (island.joints.empty()) return Refusal::None;
    for (const IslandJoint& joint : island.joints) {
        if (can_drive(view.joints.joint[joint.joint])) return Refusal::JointLaw;
        if (!can_hold(view, island, joint)) return Refusal::CannotTurn;
    }
    if (!(smallest_size(view, island) > 0)) return Refusal::CannotTurn;
    articulated::build(view, island, mechanism_);
    link_of_.resize(island.nodes.size());
    for (std::uint32_t k = 0; k < mechanism_.bodies.size(); ++k) link_of_[mechanism_.bodies[k].node] = k;
    place(island);
    equations_.clear();
    for (TreeJoint& joint : mechanism_.joints) {
        make_rows(view, joint, Poses::Present, false);
        const Rows& rows = mechanism_.rows;
        const std::uint32_t count = rows.blocks.empty() ? 0 : rows.blocks.front().row_count;
        for (std::size_t r = 0; r < rows.rows.size(); ++r) {
            const bool is_of_axis = log_.row_axis[r] != 0;
            if (r < count ? is_of_axis || !rows.rows[r].is_equation() : !is_of_axis) return Refusal::JointLaw;
        }
        if (count > 6) return Refusal::JointLaw;
        equations_.push_back(count);
        if (!joint.is_ball) joint.row_count = count;
    }
    if (articulated::count_loop_rows(mechanism_) > ArticulatedTree::kMostLoopRows)
        return Refusal::TooManyLoops;
    factor_tree(view);
    return set_errors(view) > kTornOpen * mechanism_.size ? Refusal::JointsOpen : Refusal::None;
}

void Joints::place(const Island& island) {
    for (std::size_t k = 0; k < mechanism_.bodies.size(); ++k) {
        TreeBody& body = mechanism_.bodies[k];
        body.pose = island.nodes[body.node].pose;
        if (k < mechanism_.moving)
            body.inv_inertia_W = turned_diagonal(body.pose.orientation, body.inv_inertia);
    }
}

void Joints::set_velocities(const Island& island, const Bodies& bodies) {
    (void)island;
    for (TreeBody& body : mechanism_.bodies) {
        body.v = bodies.nodes.v[body.node];
        body.w = body.is_point ? Vec3{} : bodies.nodes.w[body.node];
    }
}

void Joints::make_rows(const WorldView& view, const TreeJoint& joint, Poses poses, bool keeps_angles) {
    articulated::Mechanism& m = mechanism_;
    const auto pose = [&](std::uint32_t k) {
        return poses == Poses::Next ? m.bodies[k].next : m.bodies[k].pose;
    };
    m.rows.clear();
    log_.axes.clear();
    log_.row_axis.clear();
    JointRows out{m.rows, joint.a, joint.b, joint.c, Phase::Velocity, 0};
    out.angles = std::span(m.angles).subspan(joint.first_angle, joint.angle_count);
    out.keeps_angles = keeps_angles;
    out.log = &log_;
    impuls::make_rows(view.joints, joint.joint, {pose(joint.a), pose(joint.b), pose(joint.c)}, out);
}

void Joints::keep_equations(std::size_t count) {
    mechanism_.rows.rows.resize(count);
}

// At the present poses: inertia, levers, rows.
void Joints::factor_tree(const WorldView& view) {
    articulated::Mechanism& m = mechanism_;
    const auto links = m.tree.links();
    for (std::size_t k = 0; k < m.moving; ++k)
        links[k].inertia = turned_diagonal(m.bodies[k].pose.orientation, m.bodies[k].inertia);
    m.tree.clear_loops();
    for (std::size_t j = 0; j < m.joints.size(); ++j) {
        TreeJoint& joint = m.joints[j];
        if (!joint.is_ball) {
            make_rows(view, joint, Poses::Present, false);
            keep_equations(equations_[j]);
            articulated::copy_rows_to_tree(m, joint);
            continue;
        }
        const TreeBody &child = m.bodies[joint.child], &parent = m.bodies[joint.parent];
        const Vec3 a = rotate(child.pose.orientation, joint.r_child),
                   p = rotate(parent.pose.orientation, joint.r_parent);
        const Vec3 half_gap = (parent.pose.position + p - child.pose.position - a) * 0.5;
        links[joint.link].a = a + half_gap;
        links[joint.link].p = p - half_gap;
    }
    m.tree.factor();
}

// What the equations are off by, as displacements wanted.
double Joints::set_errors(const WorldView& view) {
    articulated::Mechanism& m = mechanism_;
    double largest = 0;
    for (std::size_t j = 0; j < m.joints.size(); ++j) {
        const TreeJoint& joint = m.joints[j];
        if (joint.is_ball) {
            const Vec3 gap =
                m.bodies[joint.parent].pose * joint.r_parent - m.bodies[joint.child].pose * joint.r_child;
            m.tree.links()[joint.link].c = gap;
            largest = std::max(largest, length(gap));
            continue;
        }
        make_rows(view, joint, Poses::Present, false);
        for (std::size_t r = 0; r < equations_[j]; ++r) {
            const Row& row = m.rows.rows[r];
            articulated::target_of(m, joint, r) = -row.error;
            largest = std::max(largest, std::abs(row.error) * (row.is_linear ? 1 : m.size));
        }
    }
    return largest;
}

// How fast the joints open, as changes of velocity wanted.
void Joints::set_speeds(const WorldView& view) {
    articulated::Mechanism& m = mechanism_;
    for (std::size_t j = 0; j < m.joints.size(); ++j) {
        const TreeJoint& joint = m.joints[j];
        if (joint.is_ball) {
            const TreeBody &child = m.bodies[joint.child], &parent = m.bodies[joint.parent];
            ArticulatedTree::Link& link = m.tree.links()[joint.link];
            link.c = parent.v + cross(parent.w, link.p) - child.v - cross(child.w, link.a);
            continue;
        }
        make_rows(view, joint, Poses::Present, false);
        for (std::size_t r = 0; r < equations_[j]; ++r)
            articulated::target_of(m, joint, r) = -articulated::velocity_of(m, m.rows.rows[r]);
    }
}

void Joints::move_by(const Bodies&, double time) {
    for (TreeBody& body : mechanism_.bodies)
        body.next = {body.pose.position + body.v * time, turned(body.pose.orientation, body.w * time)};
}

// -(dJ/dt) v: of ball joints exactly, of rows by differences of fourth order along the motion,
//     f' = (8 (f(t) - f(-t)) - (f(2t) - f(-2t))) / 12 t.
void Joints::set_bends(const WorldView& view) {
    articulated::Mechanism& m = mechanism_;
    double speed = 0;  // rad/s
    for (const TreeBody& body : m.bodies)
        speed = std::max(speed, length(body.w) + (body.mass > 0 ? length(body.v) / m.size : 0));
    std::size_t rows = 0;
    for (std::size_t j = 0; j < m.joints.size(); ++j) {
        const TreeJoint& joint = m.joints[j];
        if (!joint.is_ball) {
            rows += equations_[j];
            continue;
        }
        const TreeBody &child = m.bodies[joint.child], &parent = m.bodies[joint.parent];
        ArticulatedTree::Link& link = m.tree.links()[joint.link];
        link.c = cross(parent.w, cross(parent.w, link.p)) - cross(child.w, cross(child.w, link.a));
    }
    speeds_.assign(rows, 0);
    const double time = speed > 0 ? kProbe / speed : 0;
    for (const int place : {-2, -1, 1, 2}) {
        if (!(time > 0) || rows == 0) break;
        move_by({}, place * time);
        const double factor = (place == 1 || place == -1 ? 8 : -1) * (place > 0 ? 1 : -1) / (12 * time);
        std::size_t at = 0;
        for (std::size_t j = 0; j < m.joints.size(); ++j) {
            const TreeJoint& joint = m.joints[j];
            if (joint.is_ball) continue;
            make_rows(view, joint, Poses::Next, false);
            for (std::size_t r = 0; r < equations_[j]; ++r)
                speeds_[at++] += factor * articulated::velocity_of(m, m.rows.rows[r]);
        }
    }
    std::size_t at = 0;
    for (std::size_t j = 0; j < m.joints.size(); ++j)
        for (std::size_t r = 0; !m.joints[j].is_ball && r < equations_[j]; ++r)
            articulated::target_of(m, m.joints[j], r) = -speeds_[at++];
}

void Joints::accelerate(const WorldView& view, const Island& island, Bodies& bodies) {
    articulated::Mechanism& m = mechanism_;
    place(island);
    set_velocities(island, bodies);
    factor_tree(view);
    set_bends(view);
    const auto links = m.tree.links();
    for (std::size_t k = 0; k < m.moving; ++k) {
        const TreeBody& body = m.bodies[k];
        links[k].f = bodies.wrench[body.node].force;
        links[k].t = body.is_point
                         ? Vec3{}
                         : bodies.wrench[body.node].torque - cross(body.w, links[k].inertia * body.w);
    }
    m.tree.solve(true);
    for (std::size_t k = 0; k < m.moving; ++k) {
        bodies.a[m.bodies[k].node] = links[k].dv;
        bodies.alpha[m.bodies[k].node] = m.bodies[k].is_point ? Vec3{} : links[k].dw;
    }
}

double Joints::project(const WorldView& view, Island& island, Bodies& bodies) {
    articulated::Mechanism& m = mechanism_;
    const auto links = m.tree.links();
    double error = 0, before = kUnbounded;
    for (int round = 0;; ++round) {
        place(island);
        factor_tree(view);
        error = set_errors(view);
        if (error <= kClosed * m.size || error > 0.5 * before || round == kMostProjections) break;
        before = error;
        m.tree.solve();
        for (std::size_t k = 0; k < m.moving; ++k) {
            Pose& pose = island.nodes[m.bodies[k].node].pose;
            pose.position += links[k].dv;
            if (!m.bodies[k].is_point) pose.orientation = turned(pose.orientation, links[k].dw);
        }
    }
    set_velocities(island, bodies);
    set_speeds(view);
    m.tree.solve();
    for (std::size_t k = 0; k < m.moving; ++k) {
        const std::uint32_t node = m.bodies[k].node;
        bodies.nodes.v[node] += links[k].dv;
        if (!m.bodies[k].is_point) bodies.nodes.w[node] += links[k].dw;
    }
    return error;
}

void Joints::factor(const WorldView& view, const Island& island, const Bodies& bodies) {
    place(island);
    set_velocities(island, bodies);
    factor_tree(view);
}

void Joints::respond(const Island&, std::span<const Wrench> impulse, std::span<Wrench> change) {
    articulated::Mechanism& m = mechanism_;
    const auto links = m.tree.links();
    for (std::size_t k = 0; k < m.moving; ++k) {
        links[k].f = impulse[m.bodies[k].node].force;
        links[k].t = m.bodies[k].is_point ? Vec3{} : impulse[m.bodies[k].node].torque;
        links[k].c = {};
    }
    for (std::size_t j = 0; j < m.joints.size(); ++j)
        for (std::size_t r = 0; !m.joints[j].is_ball && r < equations_[j]; ++r)
            articulated::target_of(m, m.joints[j], r) = 0;
    m.tree.solve(true);
    for (std::size_t k = 0; k < m.moving; ++k)
        change[m.bodies[k].node] = {links[k].dv, m.bodies[k].is_point ? Vec3{} : links[k].dw};
}

void Joints::count_turns(const WorldView& view, const Island& island) {
    place(island);
    for (const TreeJoint& joint : mechanism_.joints)
        if (joint.angle_count > 0) make_rows(view, joint, Poses::Present, true);
}

}  // namespace impuls::force_level
