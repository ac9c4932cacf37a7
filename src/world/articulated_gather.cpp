// Islands of joints alone: which they are, their joints as a tree, and the way back (articulated.h).
#include <algorithm>
#include <cmath>

#include "world/articulated.h"
#include "world/state.h"

namespace impuls {
namespace {

// Which principal axis a symmetric body spins about; 3: all are alike, 4: none.
std::uint8_t spin_axis_of(const Vec3& inertia) {
    if (inertia.x == inertia.y && inertia.y == inertia.z) return 3;
    if (inertia.y == inertia.z) return 0;
    if (inertia.x == inertia.z) return 1;
    return inertia.x == inertia.y ? 2 : 4;
}

}  // namespace

bool ArticulatedWork::takes(const WorldState& s, std::size_t i) {
    const Groups& islands = s.islands;
    if (s.method.articulated == Switch::Off || s.method.stepper == Stepper::Velocity ||
        islands.joint_start[i] == islands.joint_start[i + 1] ||
        islands.pair_start[i] != islands.pair_start[i + 1])
        return false;
    for (auto k = islands.joint_start[i]; k < islands.joint_start[i + 1]; ++k) {
        const auto j = islands.joints[k];
        if (j < s.joints.size() && !s.joints.is_plain[j]) return false;
    }
    for (auto k = islands.body_start[i]; k < islands.body_start[i + 1]; ++k) {
        const Vec3& inverse = s.bodies.inv_inertia[islands.bodies[k]];
        if (!(s.bodies.inv_mass[islands.bodies[k]] > 0 && inverse.x > 0 && inverse.y > 0 && inverse.z > 0))
            return false;
    }
    return true;
}

std::uint32_t ArticulatedWork::add_body(std::uint32_t k) {
    Body body{};
    body.body = k;
    if (k != kNoBody) {
        const BodySet& all = world_->bodies;
        body.pose = all.pose[k];
        body.v = all.v[k], body.w = all.w[k];
        if (all.is_dynamic(k)) {
            body.mass = all.mass[k], body.inv_mass = all.inv_mass[k];
            body.inertia = all.inertia[k], body.inv_inertia = all.inv_inertia[k];
            body.spin_axis = spin_axis_of(body.inertia);
            body.acceleration = world_->gravity * all.gravity_scale[k] + all.force[k] * body.inv_mass;
            body.torque = all.torque[k];
            body.linear_damping = all.linear_damping[k], body.angular_damping = all.angular_damping[k];
            is_damped_ = is_damped_ || body.linear_damping > 0 || body.angular_damping > 0;
            const Quat& q = body.pose.orientation;
            body.l = rotate(q, scale(body.inertia, rotate_inverse(q, body.w)));
            body.next_v = body.v, body.next_l = body.l;
        }
    }
    bodies_.push_back(body);
    return static_cast<std::uint32_t>(bodies_.size() - 1);
}

// A body that moves by itself or not at all.
std::uint32_t ArticulatedWork::base_for(std::uint32_t k) {
    for (std::size_t n = moving_; n < bodies_.size(); ++n)
        if (bodies_[n].body == k) return static_cast<std::uint32_t>(n);
    return add_body(k);
}

// Joint j as seen from its child; it becomes the child's link to its parent, or closes a loop.
void ArticulatedWork::add_joint(std::uint32_t j, std::uint32_t child, std::uint32_t link) {
    const JointSet& joints = world_->joints;
    const auto place = [&](std::uint32_t k) {
        return k != kNoBody && world_->bodies.is_dynamic(k) ? world_->node_of[k] : base_for(k);
    };
    JointWork joint{};
    joint.joint = j;
    joint.a = place(joints.a[j]), joint.b = place(joints.b[j]);
    joint.c = has_frame(joints.joint[j]) ? place(joints.c[j]) : joint.a;
    joint.child = child, joint.parent = child == joint.b ? joint.a : joint.b;
    joint.link = link;
    joint.is_ball = link != kNone && tree_.links()[link].kind == ArticulatedTree::Kind::Ball;
    joint.r_child = child == joint.b ? joints.X_BJ[j].position : joints.X_AJ[j].position;
    joint.r_parent = child == joint.b ? joints.X_AJ[j].position : joints.X_BJ[j].position;
    const auto impulses = joints.impulse.of(j);
    const double usual = world_->dt / static_cast<double>(world_->method.substeps);
    const auto angles = joints.angle.of(j);
    joint.first_number = static_cast<std::uint32_t>(numbers_.size());
    joint.first_angle = static_cast<std::uint32_t>(angles_.size());
    joint.angle_count = static_cast<std::uint32_t>(angles.size());
    if (joint.is_ball) {
        const double sign = child == joint.b ? 1 : -1;
        joint.force = Vec3{impulses[0], impulses[1], impulses[2]} * (sign / usual);
    } else {
        has_rows_ = true;
        joint.row_count = static_cast<std::uint32_t>(impulses.size());
        for (const double p : impulses) numbers_.push_back(p / usual);
    }
    angles_.insert(angles_.end(), angles.begin(), angles.end());
    joints_.push_back(joint);
}

// The island's joints as trees: breadth first from what is joined to the ground, then from the lowest of what
// is left. Joints that are not needed for that close loops.
void ArticulatedWork::span_tree(WorldState& s, std::size_t i) {
    const Groups& islands = s.islands;
    const std::span bodies(islands.bodies.data() + islands.body_start[i],
                           islands.bodies.data() + islands.body_start[i + 1]);
    const std::span edges(islands.joints.data() + islands.joint_start[i],
                          islands.joints.data() + islands.joint_start[i + 1]);
    const JointSet& joints = s.joints;
    const auto is_moving = [&](std::uint32_t k) { return k != kNoBody && s.bodies.is_dynamic(k); };
    // Edges to frames are of other joints' making, and a joint with a frame is no link.
    const auto is_link = [&](std::uint32_t j) { return j < joints.size() && !has_frame(joints.joint[j]); };

    // Joints of each body, by counting. node_of is the place in the island here, in the tree afterwards.
    for (std::size_t k = 0; k < bodies.size(); ++k) s.node_of[bodies[k]] = static_cast<std::uint32_t>(k);
    const auto for_each_end = [&](auto&& visit) {
        for (std::uint32_t e = 0; e < edges.size(); ++e) {
            if (!is_link(edges[e])) continue;
            for (const auto k : {joints.a[edges[e]], joints.b[edges[e]]})
                if (is_moving(k)) visit(e, s.node_of[k]);
        }
    };
    edge_start_.assign(bodies.size() + 1, 0);
    for_each_end([&](std::uint32_t, std::uint32_t k) { ++edge_start_[k + 1]; });
    for (std::size_t k = 0; k < bodies.size(); ++k) edge_start_[k + 1] += edge_start_[k];
    edge_of_.resize(edge_start_.back());
    for_each_end([&](std::uint32_t e, std::uint32_t k) { edge_of_[edge_start_[k]++] = e; });
    for (std::size_t k = bodies.size(); k > 0; --k) edge_start_[k] = edge_start_[k - 1];
    edge_start_[0] = 0;

    is_used_.assign(edges.size(), 0);
    place_.assign(bodies.size(), kNone);
    found_.clear(), found_by_.clear();
    const auto add_link = [&](std::uint32_t k, std::uint32_t parent, std::uint32_t e) {
        auto kind = ArticulatedTree::Kind::Free;
        if (e != kNone) {
            is_used_[e] = 1;
            kind = std::holds_alternative<BallJoint>(joints.joint[edges[e]]) ? ArticulatedTree::Kind::Ball
                                                                             : ArticulatedTree::Kind::Rows;
        }
        place_[k] = tree_.add(kind, parent);
        found_.push_back(k), found_by_.push_back(e);
    };
    std::size_t done = 0;
    const auto follow = [&] {
        for (; done < found_.size(); ++done) {
            const auto k = found_[done];
            for (auto n = edge_start_[k]; n < edge_start_[k + 1]; ++n) {
                const auto e = edge_of_[n], j = edges[e];
                const auto other = joints.a[j] == bodies[k] ? joints.b[j] : joints.a[j];
                if (!is_used_[e] && is_moving(other) && place_[s.node_of[other]] == kNone)
                    add_link(s.node_of[other], place_[k], e);
            }
        }
    };
    for (std::uint32_t e = 0; e < edges.size(); ++e) {
        const auto j = edges[e];
        if (!is_link(j) || is_moving(joints.a[j]) == is_moving(joints.b[j])) continue;
        const auto k = s.node_of[is_moving(joints.a[j]) ? joints.a[j] : joints.b[j]];
        if (place_[k] == kNone) add_link(k, kNone, e);
    }
    follow();
    for (std::uint32_t k = 0; k < bodies.size(); ++k)
        if (place_[k] == kNone) add_link(k, kNone, kNone), follow();

    for (const auto k : found_) add_body(bodies[k]);
    moving_ = bodies_.size();
    for (std::size_t k = 0; k < bodies.size(); ++k) s.node_of[bodies[k]] = place_[k];
    for (std::uint32_t link = 0; link < moving_; ++link)
        if (found_by_[link] != kNone) add_joint(edges[found_by_[link]], link, link);
    for (std::uint32_t e = 0; e < edges.size(); ++e) {
        const auto j = edges[e];
        if (is_used_[e] || j >= joints.size()) continue;
        add_joint(j, s.node_of[is_moving(joints.b[j]) ? joints.b[j] : joints.a[j]], kNone);
    }
}

void ArticulatedWork::gather(WorldState& s, std::size_t i) {
    world_ = &s;
    bodies_.clear(), joints_.clear(), numbers_.clear(), angles_.clear();
    tree_.clear();
    has_rows_ = is_damped_ = false;
    span_tree(s, i);
    pushed_.assign(numbers_.size(), 0);
    slopes_.assign(numbers_.size(), 0);
    ends_.assign(numbers_.size(), 0);
    last_ = 0;
    is_composed_ = may_compose();
    nodes_.v.resize(bodies_.size()), nodes_.w.resize(bodies_.size());
    double smallest = kUnbounded;
    for (std::size_t k = 0; k < moving_; ++k) {
        tree_.links()[k].mass = bodies_[k].mass;
        const Vec3& m = bodies_[k].inertia;
        smallest = std::min(smallest, std::max({m.x, m.y, m.z}) * bodies_[k].inv_mass);
    }
    size_ = std::sqrt(smallest);
    pace_ = kUnbounded;
    for (const JointWork& joint : joints_)
        if (s.joints.pace[joint.joint] > 0) pace_ = std::min(pace_, s.joints.pace[joint.joint]);
}

void ArticulatedWork::scatter(WorldState& s) {
    const double usual = s.dt / static_cast<double>(s.method.substeps);
    for (std::size_t k = 0; k < moving_; ++k)
        s.next[bodies_[k].body] = {bodies_[k].pose, bodies_[k].v, bodies_[k].w};
    for (std::size_t k = 0; k < bodies_.size(); ++k) nodes_.v[k] = bodies_[k].v, nodes_.w[k] = bodies_[k].w;
    for (JointWork& joint : joints_) {
        const auto j = joint.joint;
        const auto impulses = s.joints.impulse.of(j);
        if (joint.is_ball) {
            // Turns about the ball's axis are counted once a step.
            make_rows_of(joint, false, s.dt, true);
            const double sign = joint.child == joint.b ? 1 : -1;
            const Vec3 impulse = joint.force * (sign * usual);
            impulses[0] = impulse.x, impulses[1] = impulse.y, impulses[2] = impulse.z;
        } else {
            for (std::size_t r = 0; r < impulses.size(); ++r)
                impulses[r] = numbers_[joint.first_number + r] * usual;
        }
        const auto angles = s.joints.angle.of(j);
        std::copy_n(angles_.begin() + joint.first_angle, angles.size(), angles.begin());
        for (double& force : s.joints.axis_force.of(j)) force = 0;
        s.joints.reaction[j] = {joint.sum.force / s.dt, joint.sum.torque / s.dt, 0};
        s.joints.pace[j] = pace_ < s.dt ? pace_ : 0;
    }
}

}  // namespace impuls
