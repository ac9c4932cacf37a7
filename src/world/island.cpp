#include "world/island.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "collision/narrow/narrow.h"
#include "impuls/scene.h"
#include "math/free_rotation.h"
#include "math/rotation.h"
#include "world/state.h"

namespace impuls {
namespace {

// R diag(d) R^T
Mat3 turned_diagonal(const Quat& q, const Vec3& d) {
    if (d.x == d.y && d.y == d.z) return diagonal(d);
    const Mat3 r = to_matrix(q);
    return Mat3{r.c0 * d.x, r.c1 * d.y, r.c2 * d.z} * transpose(r);
}

double smaller_size(const Collider& a, const Collider& b) {
    if (a.size == 0) return b.size;
    return b.size == 0 ? a.size : std::min(a.size, b.size);
}

}  // namespace

void IslandWork::begin() {
    results.clear();
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
        p.key = {s.bodies.uid[a], s.collider_number[ca], s.bodies.uid[b], s.collider_number[cb]};
        p.a = node_for(a), p.b = node_for(b);
        p.collider_a = &s.bodies.colliders[a][s.collider_number[ca]];
        p.collider_b = &s.bodies.colliders[b][s.collider_number[cb]];
        p.law.friction = std::sqrt(s.bodies.friction[a] * s.bodies.friction[b]);
        p.law.restitution = std::max(s.bodies.restitution[a], s.bodies.restitution[b]);
        p.law.size = smaller_size(*p.collider_a, *p.collider_b);
        for (auto c = s.old_contacts[pair]; c < s.old_contacts[pair + 1]; ++c) {
            if (s.contacts[c].key != p.key || !s.contacts[c].is_present) continue;
            points_.push_back(s.contacts[c]);
            points_.back().sum = {};
            point_pair_.push_back(static_cast<std::uint32_t>(pairs_.size()));
        }
        pairs_.push_back(p);
    }
    problem_.joints.resize(islands.joint_start[i + 1] - islands.joint_start[i]);
    joint_previous_.resize(problem_.joints.size());
    joint_carried_.assign(problem_.joints.size(), {});
    reactions_.assign(problem_.joints.size(), {});
    for (std::size_t k = 0; k < problem_.joints.size(); ++k) {
        const auto j = islands.joints[islands.joint_start[i] + k];
        joints_.push_back(j);
        problem_.joints[k].a = node_for(s.joints.a[j]);
        problem_.joints[k].b = node_for(s.joints.b[j]);
        joint_previous_[k] = s.joints.impulse[j];
    }
    update_inertia();
}

void IslandWork::update_inertia() {
    for (std::size_t k = 0; k < dynamic_count_; ++k)
        problem_.nodes.inv_inertia[k] =
            turned_diagonal(nodes_[k].pose.orientation, world_->bodies.inv_inertia[nodes_[k].body]);
}

// Narrow phase at the present poses; points farther apart than two bodies can come within h are left out.
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
        const PairWork& pair = pairs_[p];
        const double margin = 0.02 * pair.law.size + h * (speed(pair.a) + speed(pair.b));
        manifold_.count = 0;
        collide(*pair.collider_a, nodes_[pair.a].pose * pair.collider_a->X_BC, *pair.collider_b,
                nodes_[pair.b].pose * pair.collider_b->X_BC, margin, manifold_);
        match_points(pair.key, manifold_, old_points_.begin() + old_start_[p],
                     old_points_.begin() + old_start_[p + 1], 0.2 * pair.law.size, points_);
        point_pair_.resize(points_.size(), static_cast<std::uint32_t>(p));
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
        node.is_held = false;
        if (!node.is_dynamic) continue;
        v = (v + node.acceleration * (0.5 * h)) * decay(0.5 * h * bodies.linear_damping[node.body]);
        node.middle = node.pose.orientation;
        if (bodies.inv_inertia[node.body] == Vec3{}) continue;
        const Spin spin = rotate_freely(world_->method.integrator, {node.pose.orientation, w},
                                        bodies.inertia[node.body], bodies.torque[node.body], 0.5 * h);
        node.middle = spin.q;
        w = spin.w * decay(0.5 * h * bodies.angular_damping[node.body]);
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
        v = (v + node.acceleration * (0.5 * h)) * decay(0.5 * h * bodies.linear_damping[node.body]);
        const Vec3& inertia = bodies.inertia[node.body];
        if (bodies.inv_inertia[node.body] == Vec3{}) continue;
        Vec3 l = rotate(node.middle, scale(inertia, rotate_inverse(node.middle, w)));
        if (inertia.x == inertia.y && inertia.y == inertia.z) l = w * inertia.x;
        l += bodies.torque[node.body] * (0.5 * h);
        w = problem_.nodes.inv_inertia[k] * l * decay(0.5 * h * bodies.angular_damping[node.body]);
    }
    check_finite("forces");
}

// Restitution asks for the speed e * approach along the normal of the impact. The displacement phase has
// stopped the pair along the old normal, leaving r; along the present normal that is c. Of the relative
// motion's energy the rest was not touched, so the wanted speed T along the present normal has T^2 = (e
// approach)^2 + c^2 - r^2: elastic impacts keep energy although the normal turned meanwhile. c^2 - r^2 is
// small unless features changed.
void IslandWork::set_rebounds() {
    for (std::size_t k = 0; k < points_.size(); ++k) {
        ContactPoint& point = points_[k];
        if (!point.is_hit || !point.is_present) continue;
        const PairWork& pair = pairs_[point_pair_[k]];
        const double c = dot(relative_velocity(pair, point.position), point.normal), r = point.remaining;
        const double limit = 0.2 * point.approach * point.approach;
        const double e = pair.law.restitution * point.approach;
        point.rebound = std::sqrt(std::max(0.0, e * e + std::clamp(c * c - r * r, -limit, limit)));
    }
}

Vec3 IslandWork::relative_velocity(const PairWork& pair, const Vec3& position) const {
    const auto& n = problem_.nodes;
    return n.v[pair.b] + cross(n.w[pair.b], position - nodes_[pair.b].pose.position) - n.v[pair.a] -
           cross(n.w[pair.a], position - nodes_[pair.a].pose.position);
}

// One row for each present point; with `only_touching` those that touch or pushed in the displacement phase.
void IslandWork::make_contact_rows(bool only_touching) {
    auto& rows = problem_.contacts;
    rows.clear();
    row_point_.clear();
    for (std::size_t k = 0; k < points_.size(); ++k) {
        const ContactPoint& point = points_[k];
        if (!point.is_present || (only_touching && point.impulse_n == 0 && point.separation > 0)) continue;
        const PairWork& pair = pairs_[point_pair_[k]];
        const auto r = rows.add(pair.a, pair.b, point.normal, point.position - nodes_[pair.a].pose.position,
                                point.position - nodes_[pair.b].pose.position);
        rows.friction[r] = pair.law.friction;
        rows.impulse_n[r] = point.impulse_n;
        rows.impulse_1[r] = dot(point.impulse_t, rows.t1[r]);
        rows.impulse_2[r] = dot(point.impulse_t, rows.t2[r]);
        rows.guess_n[r] = 0.5 * point.previous_n;
        rows.guess_1[r] = 0.5 * dot(point.previous_t, rows.t1[r]);
        rows.guess_2[r] = 0.5 * dot(point.previous_t, rows.t2[r]);
        row_point_.push_back(static_cast<std::uint32_t>(k));
    }
}

void IslandWork::take_contact_impulses() {
    const auto& rows = problem_.contacts;
    for (std::size_t r = 0; r < rows.size(); ++r) {
        ContactPoint& point = points_[row_point_[r]];
        const double carried_1 = dot(point.impulse_t, rows.t1[r]),
                     carried_2 = dot(point.impulse_t, rows.t2[r]);
        point.sum += rows.n[r] * (rows.impulse_n[r] - point.impulse_n) +
                     rows.t1[r] * (rows.impulse_1[r] - carried_1) +
                     rows.t2[r] * (rows.impulse_2[r] - carried_2);
        point.impulse_n = rows.impulse_n[r];
        point.impulse_t = rows.t1[r] * rows.impulse_1[r] + rows.t2[r] * rows.impulse_2[r];
        if (point.impulse_n > 0) nodes_[rows.a[r]].is_held = nodes_[rows.b[r]].is_held = true;
    }
}

void IslandWork::make_joint_rows(double h, bool is_displacement) {
    const double recovery = joint_recovery();
    for (std::size_t k = 0; k < joints_.size(); ++k) {
        JointBlock& block = problem_.joints[k];
        auto& carried = joint_carried_[k];
        for (int r = 0; r < block.count; ++r) carried[r] = is_displacement ? 0 : block.rows[r].impulse;
        make_rows(world_->joints, joints_[k], nodes_[block.a].pose, nodes_[block.b].pose, block);
        for (int r = 0; r < block.count; ++r) {
            JointRow& row = block.rows[r];
            row.impulse = carried[r];
            row.guess = 0.5 * joint_previous_[k][r];
            row.bias = is_displacement ? recovery * row.error / h : 0;
        }
        nodes_[block.a].is_held = nodes_[block.b].is_held = true;
    }
}

void IslandWork::take_joint_impulses() {
    for (std::size_t k = 0; k < joints_.size(); ++k) {
        JointBlock phase = problem_.joints[k];
        for (int r = 0; r < phase.count; ++r) phase.rows[r].impulse -= joint_carried_[k][r];
        const auto g = geometry_of(world_->joints, joints_[k], nodes_[phase.a].pose, nodes_[phase.b].pose);
        add_reaction(phase, g.rb, reactions_[k]);
    }
}

// Small islands can afford to converge: sweeps are added as long as the work stays below kRowBudget rows.
int IslandWork::sweeps() const {
    constexpr std::size_t kRowBudget = 6000;
    const std::size_t rows = 3 * (problem_.contacts.size() + problem_.joints.size());
    const std::size_t affordable = std::min<std::size_t>(50, kRowBudget / std::max<std::size_t>(1, rows));
    return std::max(static_cast<int>(affordable), static_cast<int>(world_->method.iterations));
}

// Share of a joint's error that one substep removes. All of it (RATTLE) where sweeps reach from one end of
// the island's joints to the other; unconverged corrections would pump energy into long chains, so those get
// less.
double IslandWork::joint_recovery() const {
    const double reach = 0.5 * static_cast<double>(sweeps()) / static_cast<double>(joints_.size());
    return std::min(1.0, reach * reach);
}

void IslandWork::solve(double h) {
    double scale = 0;
    for (std::size_t k = 0; k < dynamic_count_; ++k)
        scale = std::max(scale, length(nodes_[k].start_v) + h * length(nodes_[k].acceleration));
    solver_.solve(problem_, sweeps(), 1e-9 * scale);
}

// Impacts slower than what external forces add within a substep are rest, not bounce.
double IslandWork::threshold(const PairWork& pair, double h) const {
    return h * std::max(length(nodes_[pair.a].acceleration), length(nodes_[pair.b].acceleration));
}

void IslandWork::solve_displacements(double h) {
    for (auto& point : points_) point.impulse_n = 0, point.impulse_t = {}, point.is_hit = false;
    make_contact_rows(false);
    auto& rows = problem_.contacts;
    for (std::size_t r = 0; r < rows.size(); ++r) {
        ContactPoint& point = points_[row_point_[r]];
        const PairWork& pair = pairs_[point_pair_[row_point_[r]]];
        rows.bias[r] = displacement_bias(point.separation, pair.law.size, h);
        const Node &a = nodes_[pair.a], &b = nodes_[pair.b];
        const Vec3 u = b.start_v + cross(b.start_w, rows.rb[r]) - a.start_v - cross(a.start_w, rows.ra[r]);
        point.approach = impact_speed(point.separation, dot(u, rows.n[r]),
                                      dot(b.acceleration - a.acceleration, rows.n[r]));
    }
    make_joint_rows(h, true);
    solve(h);
    take_joint_impulses();
    take_contact_impulses();
    for (std::size_t r = 0; r < rows.size(); ++r) {
        ContactPoint& point = points_[row_point_[r]];
        const PairWork& pair = pairs_[point_pair_[row_point_[r]]];
        point.is_hit = point.impulse_n > 0 && pair.law.restitution > 0 && point.approach > threshold(pair, h);
        point.remaining = dot(relative_velocity(pair, point.position), point.normal);
    }
    check_finite("displacements");
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
            node.pose.position += v * h;
            node.pose.orientation = turned(node.pose.orientation, w * h);
        }
    }
    update_inertia();
}

void IslandWork::solve_velocities(double h) {
    make_contact_rows(true);
    auto& rows = problem_.contacts;
    for (std::size_t r = 0; r < rows.size(); ++r) {
        ContactPoint& point = points_[row_point_[r]];
        const PairWork& pair = pairs_[point_pair_[row_point_[r]]];
        if (point.impulse_n == 0) {  // came to touch by the drift alone
            point.approach = std::max(0.0, -dot(relative_velocity(pair, point.position), point.normal));
            point.is_hit = pair.law.restitution > 0 && point.approach > threshold(pair, h);
            point.rebound = pair.law.restitution * point.approach;
        }
        rows.bias[r] = point.is_hit ? -point.rebound : 0;
    }
    make_joint_rows(h, false);
    solve(h);
    take_joint_impulses();
    for (std::size_t k = 0; k < joints_.size(); ++k)
        for (int r = 0; r < problem_.joints[k].count; ++r)
            joint_previous_[k][r] = problem_.joints[k].rows[r].impulse;
    take_contact_impulses();
    for (auto& point : points_) {
        point.previous_n = point.is_hit ? 0 : point.impulse_n;
        point.previous_t = point.is_hit ? Vec3{} : point.impulse_t;
    }
    check_finite("velocities");
}

void IslandWork::check_finite(const char* stage) {
    if (!failure.empty()) return;
    for (std::size_t k = 0; k < dynamic_count_; ++k)
        if (!is_finite(problem_.nodes.v[k]) || !is_finite(problem_.nodes.w[k]) ||
            !is_finite(nodes_[k].pose.position) || !is_finite(nodes_[k].pose.orientation)) {
            failure = fmt::format("body '{}' is not finite after {}",
                                  world_->structure->bodies[nodes_[k].body].name, stage);
            return;
        }
}

void IslandWork::scatter(WorldState& s) {
    for (std::size_t k = 0; k < dynamic_count_; ++k)
        s.next[nodes_[k].body] = {nodes_[k].pose, problem_.nodes.v[k], problem_.nodes.w[k]};
    for (std::size_t k = 0; k < joints_.size(); ++k) {
        s.joints.impulse[joints_[k]] = joint_previous_[k];
        const JointReaction& sum = reactions_[k];
        s.joints.reaction[joints_[k]] = {sum.force / s.dt, sum.torque / s.dt, 0};
    }
    for (std::size_t k = 0; k < points_.size(); ++k)
        results.push_back({pairs_[point_pair_[k]].pair, points_[k]});
}

}  // namespace impuls
