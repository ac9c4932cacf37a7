// One island: its bodies as solver nodes, finding contacts, kicks and drift (island.h); impulses are in
// island_solve.cpp.
#include "world/island.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "impuls/scene.h"
#include "math/free_rotation.h"
#include "math/rotation.h"
#include "world/state.h"

namespace impuls {

void IslandWork::begin() {
    results.pair.clear(), results.point.clear();
    stage_seconds = {};
    failure.clear();
}

void IslandWork::add_node(std::uint32_t body) {
    Node node{};
    node.body = body;
    auto& n = problem_.nodes;
    if (body == kNoBody) {
        n.inv_mass.push_back(0), n.v.emplace_back(), n.w.emplace_back();
    } else {
        const auto& bodies = world_->bodies;
        node.pose = bodies.pose[body];
        node.is_dynamic = bodies.is_dynamic(body);
        node.surface = bodies.surface_velocity[body];
        if (node.is_dynamic)
            node.acceleration =
                world_->gravity * bodies.gravity_scale[body] + bodies.force[body] * bodies.inv_mass[body];
        n.inv_mass.push_back(bodies.inv_mass[body]);
        n.v.push_back(bodies.v[body]), n.w.push_back(bodies.w[body]);
    }
    n.inv_inertia.push_back(diagonal({0, 0, 0}));
    nodes_.push_back(node);
}

// Dynamic bodies of the island have their node noted in the world; others are looked up and added here.
std::uint32_t IslandWork::node_for(std::uint32_t body) {
    if (body != kNoBody && world_->bodies.is_dynamic(body)) return world_->node_of[body];
    auto it = std::lower_bound(others_.begin(), others_.end(), std::pair{body, 0u});
    if (it == others_.end() || it->first != body) {
        it = others_.insert(it, {body, static_cast<std::uint32_t>(nodes_.size())});
        add_node(body);
    }
    return it->second;
}

void IslandWork::gather(WorldState& s, std::size_t i) {
    world_ = &s;
    nodes_.clear(), others_.clear(), pairs_.clear(), points_.clear(), point_pair_.clear(), joints_.clear();
    auto& n = problem_.nodes;
    n.inv_mass.clear(), n.inv_inertia.clear(), n.v.clear(), n.w.clear();
    const auto& islands = s.islands;
    for (auto k = islands.body_start[i]; k < islands.body_start[i + 1]; ++k) {
        s.node_of[islands.bodies[k]] = static_cast<std::uint32_t>(nodes_.size());
        add_node(islands.bodies[k]);
    }
    dynamic_count_ = nodes_.size();

    for (auto k = islands.pair_start[i]; k < islands.pair_start[i + 1]; ++k) {
        const auto pair = islands.pairs[k];
        const auto [ca, cb] = s.collider_pairs[pair];
        const auto [a, b] = s.body_pairs[pair];
        PairWork p{};
        p.pair = pair;
        p.key = s.pair_keys[pair];
        p.cache = &s.pair_cache[pair];
        p.a = node_for(a), p.b = node_for(b);
        p.collider_a = &s.bodies.colliders[a][s.collider_number[ca]];
        p.collider_b = &s.bodies.colliders[b][s.collider_number[cb]];
        p.law = s.laws.between(s.bodies.material[a], s.bodies.material[b]);
        p.law.size = smaller_size(*p.collider_a, *p.collider_b);
        for (auto c = s.old_contacts[pair]; c < s.old_contacts[pair + 1]; ++c) {
            if (s.contacts[c].key != p.key || !s.contacts[c].is_present) continue;
            points_.emplace_back(s.contacts[c]);
            points_.back().sum = {};
            point_pair_.push_back(static_cast<std::uint32_t>(pairs_.size()));
        }
        pairs_.push_back(p);
    }
    gather_joints(s, i);
    is_driven_ = find_drive();
    stretch_ = 1;
    begin_pace();
    reactions_.assign(joints_.size(), {});
    auto& friction_set = problem_.contacts.friction_set;
    const auto directions = static_cast<int>(s.method.friction_directions);
    if (!friction_set.is(s.method.friction, directions))
        friction_set = FrictionSet(s.method.friction, directions);
    if (!solver_ || solver_kind_ != s.method.solver) {
        solver_kind_ = s.method.solver;
        solver_ = make_solver(solver_kind_);
    }
    update_inertia();
}

void IslandWork::gather_joints(const WorldState& s, std::size_t i) {
    joint_previous_.clear(), joint_angles_.clear(), axis_impulses_.clear();
    const auto size = [](const auto& list) { return static_cast<std::uint32_t>(list.size()); };
    const auto append = [](auto& list, std::span<const double> values) {
        list.insert(list.end(), values.begin(), values.end());
    };
    for (auto k = s.islands.joint_start[i]; k < s.islands.joint_start[i + 1]; ++k) {
        const auto j = s.islands.joints[k];
        if (j >= s.joints.size()) continue;  // the edge to a joint's frame
        JointWork joint{};
        joint.joint = j;
        joint.a = node_for(s.joints.a[j]), joint.b = node_for(s.joints.b[j]);
        joint.c = has_frame(s.joints.joint[j]) ? node_for(s.joints.c[j]) : joint.a;
        for (const std::uint32_t node : {joint.a, joint.b, joint.c})
            nodes_[node].is_joined = nodes_[node].is_dynamic;
        joint.first_row = size(joint_previous_);
        joint.first_angle = size(joint_angles_), joint.first_axis = size(axis_impulses_);
        joints_.push_back(joint);
        append(joint_previous_, s.joints.impulse.of(j));
        append(joint_angles_, s.joints.angle.of(j));
        axis_impulses_.resize(axis_impulses_.size() + s.joints.axis_force.of(j).size());
    }
    joint_approach_.assign(joint_previous_.size(), 0);
}

void IslandWork::update_inertia() {
    for (std::size_t k = 0; k < dynamic_count_; ++k)
        problem_.nodes.inv_inertia[k] =
            turned_diagonal(nodes_[k].pose.orientation, world_->bodies.inv_inertia[nodes_[k].body]);
}

// Narrow phase at the present poses; points farther apart than two bodies can come within h are left out.
// Fast pairs get only their near points here; what they come to farther on is found by sweep().
void IslandWork::find_contacts(double h) {
    std::swap(points_, old_points_);
    points_.clear();
    old_start_.assign(pairs_.size() + 1, 0);
    for (const auto p : point_pair_) ++old_start_[p + 1];
    for (std::size_t p = 0; p < pairs_.size(); ++p) old_start_[p + 1] += old_start_[p];
    point_pair_.clear();

    const auto speed = [&](std::uint32_t k) {
        const double radius = nodes_[k].body == kNoBody ? 0 : world_->bodies.radius[nodes_[k].body];
        return length(problem_.nodes.v[k]) + length(problem_.nodes.w[k]) * radius +
               h * length(nodes_[k].acceleration);
    };
    for (std::size_t p = 0; p < pairs_.size(); ++p) {
        PairWork& pair = pairs_[p];
        const double way = h * (speed(pair.a) + speed(pair.b));
        pair.margin = rounded_margin(
            pair.law.size, 0.01 * pair.law.size + (is_swept(pair, way) ? kSweptWay * pair.law.size : way));
        const auto& found = contacts_between(*pair.collider_a, nodes_[pair.a].pose, *pair.collider_b,
                                             nodes_[pair.b].pose, pair.margin, *pair.cache);
        const std::size_t first = points_.size();
        match_points(pair.key, found,
                     std::span(old_points_).subspan(old_start_[p], old_start_[p + 1] - old_start_[p]),
                     0.2 * pair.law.size, points_);
        point_pair_.resize(points_.size(), static_cast<std::uint32_t>(p));
        choose_friction(first, h);
    }
}

// Half of the external impulse. Angular momentum l is what forces change; w follows from it by the inertia at
// the middle of the substep, where the displacement phase works, so that l is kept whatever the body's shape.
void IslandWork::first_kick(double h) {
    const auto& bodies = world_->bodies;
    for (std::size_t k = 0; k < nodes_.size(); ++k) {
        Node& node = nodes_[k];
        Vec3 &v = problem_.nodes.v[k], &w = problem_.nodes.w[k];
        node.start_pose = node.pose, node.start_v = v, node.start_w = w;
        node.is_held = node.is_struck = false;
        node.lead = 0;
        if (!node.is_dynamic) continue;
        v = v * decay(0.5 * h * bodies.linear_damping[node.body]) + node.acceleration * (0.5 * h);
        w *= decay(0.5 * h * bodies.angular_damping[node.body]);
        node.middle = node.pose.orientation;
        if (bodies.inv_inertia[node.body] == Vec3{}) continue;
        const Spin spin = rotate_freely(world_->method.integrator, {node.pose.orientation, w},
                                        bodies.inertia[node.body], bodies.torque[node.body], 0.5 * h);
        node.middle = spin.q;
        w = spin.w;
        problem_.nodes.inv_inertia[k] = turned_diagonal(node.middle, bodies.inv_inertia[node.body]);
    }
    check_finite("forces");
}

// The other half, with w for the inertia at the end of the substep.
void IslandWork::second_kick(double h) {
    set_rebounds();
    const auto& bodies = world_->bodies;
    for (std::size_t k = 0; k < dynamic_count_; ++k) {
        const Node& node = nodes_[k];
        if (!node.is_held) continue;
        Vec3 &v = problem_.nodes.v[k], &w = problem_.nodes.w[k];
        v += node.acceleration * (0.5 * h);
        const Vec3& inertia = bodies.inertia[node.body];
        if (bodies.inv_inertia[node.body] == Vec3{}) continue;
        Vec3 l = rotate(node.middle, scale(inertia, rotate_inverse(node.middle, w)));
        if (inertia.x == inertia.y && inertia.y == inertia.z) l = w * inertia.x;
        l += bodies.torque[node.body] * (0.5 * h);
        w = problem_.nodes.inv_inertia[k] * l;
    }
    check_finite("forces");
}

// Where a held body gets with the velocity it has now. A way below the rounding of the body's own size is
// none: what creeps by rounding errors alone stays, and so do its contacts.
Pose IslandWork::drifted(std::size_t k, double h) const {
    const Node& node = nodes_[k];
    const Vec3 &v = problem_.nodes.v[k], &w = problem_.nodes.w[k];
    Pose pose = node.pose;
    if (node.lead > 0) pose = SteadyMotion{node.pose, node.lead_v, node.lead_w}.at(node.lead);
    const double time = time_after_impact(node, k, h);
    const double tiny = 0x1p-54 * world_->bodies.radius[node.body];
    if (length_squared(v * time) >= tiny * tiny) pose.position += v * time;
    const Vec3& axis = world_->bodies.spin_axis[node.body];
    pose.orientation = axis == Vec3{}
                           ? turned(pose.orientation, w * time)
                           : turned_apart(pose.orientation, w * time, rotate(pose.orientation, axis));
    return pose;
}

// What nothing touched flies on as if alone; the rest moves with the velocities just found.
void IslandWork::drift(double h) {
    for (std::size_t k = 0; k < nodes_.size(); ++k) {
        Node& node = nodes_[k];
        if (node.body == kNoBody) continue;
        Vec3 &v = problem_.nodes.v[k], &w = problem_.nodes.w[k];
        if (!node.is_dynamic || !node.is_held) {
            const Motion m = fly(world_->bodies, node.body, {node.start_pose, node.start_v, node.start_w},
                                 world_->gravity, world_->method.integrator, h);
            node.pose = m.pose, v = m.v, w = m.w;
        } else {
            node.pose = drifted(k, h);
            // After an impact the turn may be large; w then stays, rather than angular momentum with the
            // inertia of a place that has nothing to do with this one.
            if (node.lead > 0) node.middle = node.pose.orientation;
        }
    }
    check_finite("motion");
    if (!failure.empty()) return;
    stop_passages(h);
    update_inertia();
}

// A body so far from the origin that neighbouring doubles are farther apart than its own size is lost as
// well: nothing can be said of what it touches.
void IslandWork::check_finite(const char* stage) {
    if (!failure.empty()) return;
    const auto& bodies = world_->bodies;
    for (std::size_t k = 0; k < dynamic_count_; ++k) {
        const Node& node = nodes_[k];
        const double radius = bodies.radius[node.body];
        const char* what = nullptr;
        if (!is_finite(problem_.nodes.v[k]) || !is_finite(problem_.nodes.w[k]) ||
            !is_finite(node.pose.position) || !is_finite(node.pose.orientation))
            what = "is not finite";
        else if (radius > 0 && length(node.pose.position) > 0x1p52 * radius)
            what = "has flown out of the range of numbers";
        if (!what) continue;
        failure =
            fmt::format("body '{}' {} after {}", world_->structure->bodies[node.body].name, what, stage);
        return;
    }
}

void IslandWork::keep(WorldState& s, std::size_t i) {
    const auto& islands = s.islands;
    for (auto k = islands.body_start[i]; k < islands.body_start[i + 1]; ++k) {
        const auto body = islands.bodies[k];
        s.next[body] = {s.bodies.pose[body], s.bodies.v[body], s.bodies.w[body]};
    }
    for (auto k = islands.pair_start[i]; k < islands.pair_start[i + 1]; ++k) {
        const auto pair = islands.pairs[k];
        for (auto c = s.old_contacts[pair]; c < s.old_contacts[pair + 1]; ++c)
            if (s.contacts[c].key == s.pair_keys[pair] && s.contacts[c].is_present)
                results.add(pair, s.contacts[c]);
    }
}

void IslandWork::scatter(WorldState& s) {
    for (std::size_t k = 0; k < dynamic_count_; ++k)
        s.next[nodes_[k].body] = {nodes_[k].pose, problem_.nodes.v[k], problem_.nodes.w[k]};
    for (std::size_t k = 0; k < joints_.size(); ++k) {
        const auto j = joints_[k].joint;
        const auto impulses = s.joints.impulse.of(j), angles = s.joints.angle.of(j);
        std::copy_n(joint_previous_.begin() + joints_[k].first_row, impulses.size(), impulses.begin());
        std::copy_n(joint_angles_.begin() + joints_[k].first_angle, angles.size(), angles.begin());
        std::size_t axis = joints_[k].first_axis;
        for (double& force : s.joints.axis_force.of(j)) force = axis_impulses_[axis++] / s.dt;
        const JointReaction& sum = reactions_[k];
        s.joints.pace[j] = pace_ < s.dt ? pace_ : 0;
        s.joints.reaction[j] = {sum.force / s.dt, sum.torque / s.dt, 0};
    }
    for (std::size_t k = 0; k < points_.size(); ++k) results.add(pairs_[point_pair_[k]].pair, points_[k]);
}

}  // namespace impuls
