// The right-hand side (ode.h).
#include "steppers/force/ode.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/rng.h"
#include "dynamics/first_order.h"
#include "impuls/scene.h"
#include "math/course.h"
#include "math/integrators/integrator.h"
#include "math/rotation.h"
#include "steppers/force/tuning.h"
#include "steppers/forces.h"

namespace impuls::force_level {
namespace {

Vec3 vec_at(std::span<const double> y, std::size_t k) {
    return {y[k], y[k + 1], y[k + 2]};
}
void put(std::span<double> y, std::size_t k, const Vec3& a) {
    y[k] = a.x;
    y[k + 1] = a.y;
    y[k + 2] = a.z;
}
Quat quat_at(std::span<const double> y, std::size_t k) {
    return {y[k], y[k + 1], y[k + 2], y[k + 3]};
}
void put(std::span<double> y, std::size_t k, const Quat& q) {
    y[k] = q.w;
    y[k + 1] = q.x;
    y[k + 2] = q.y;
    y[k + 3] = q.z;
}
// q' = (0, w) q / 2 and back; where q is a little off unit length, by what turns.
Quat rate_of(const Quat& q, const Vec3& w) {
    return Quat{0, 0.5 * w.x, 0.5 * w.y, 0.5 * w.z} * q;
}
Vec3 spin_of(const Quat& q, const Quat& rate) {
    const Quat p = rate * conjugate(q);
    return Vec3{p.x, p.y, p.z} * (2 / length_squared(q));
}

// Weight and a random share of it, another in every step: drawn by number of step and body alone, so that it
// needs no state.
Vec3 noisy(const WorldView& view, std::uint32_t body, const Vec3& weight) {
    const double share = view.method.force().gravity_noise;
    if (!(share > 0)) return weight;
    const auto step = static_cast<std::uint64_t>(view.time / view.dt + 0.5);
    Rng rng(static_cast<std::uint64_t>(view.structure.settings.seed) + 0x9e3779b97f4a7c15u * (step + 1),
            view.bodies.uid[body]);
    const double x = rng.uniform(-1, 1), y = rng.uniform(-1, 1), z = rng.uniform(-1, 1);
    return weight + Vec3{x, y, z} * (share * length(weight));
}

}  // namespace

void IslandOde::bind(const WorldView& view, Island& island, Contacts& contacts, ArealContacts& areal,
                     Joints& joints, Bodies& bodies) {
    view_ = &view;
    island_ = &island;
    contacts_ = &contacts;
    joints_ = &joints;
    bodies_ = &bodies;
    areal_ = &areal;
    joint_error_ = 0;
    bodies.resize(island.nodes.size());
    weight_.resize(island.nodes.size());
    acts_.assign(island.forces.size(), 0);
    for (std::uint32_t k = 0; k < island.nodes.size(); ++k) {
        const IslandNode& node = island.nodes[k];
        bodies.nodes.inv_mass[k] = node.inv_mass;
        bodies.nodes.v[k] = node.v;
        bodies.nodes.w[k] = node.w;
        bodies.start[k] = node.pose;
        if (node.is_dynamic)
            weight_[k] = noisy(view, node.body, view.gravity * view.bodies.gravity_scale[node.body]);
    }
}

// Of a force that acts, now.
double IslandOde::strength(std::size_t f) const {
    return value_at(view_->forces->magnitude[island_->forces[f].force], time_);
}

void IslandOde::choose_forces(double from, double until) {
    for (std::size_t f = 0; f < acts_.size(); ++f)
        acts_[f] = view_->forces->share(island_->forces[f].force, from + 0.5 * (until - from), 0) > 0;
}

void IslandOde::place(double t, std::span<const double> y) {
    time_ = t;
    Bodies& bodies = *bodies_;
    for (std::size_t k = 0; k < count_; ++k) {
        const std::size_t v = first_velocity() + rates_ * k;
        IslandNode& node = island_->nodes[k];
        const Quat q = quat_at(y, 7 * k + 3);
        node.pose = {bodies.start[k].position + vec_at(y, 7 * k), normalized(q)};
        bodies.nodes.v[k] = vec_at(y, v);
        bodies.nodes.w[k] = has_quaternion_rates() ? spin_of(q, quat_at(y, v + 3)) : vec_at(y, v + 3);
    }
    const auto grips = contacts_->grips().all();
    for (std::size_t k = 0; k < grips.size() && k < grips_; ++k)
        grips[k].stretch = vec_at(y, first_grip() + 3 * k);
    const double time = t - view_->time;
    for (std::size_t k = count_; k < island_->nodes.size(); ++k) {
        IslandNode& node = island_->nodes[k];
        if (node.body != kNoBody && view_->bodies.script[node.body]) {  // where and as fast as it is now
            const Motion motion = scripted_motion(view_->bodies, node.body, t);
            node.pose = motion.pose;
            node.v = bodies.nodes.v[k] = motion.v;
            node.w = bodies.nodes.w[k] = motion.w;
            continue;
        }
        if (!node.moves()) continue;
        node.pose = {bodies.start[k].position + node.v * time,
                     turned(bodies.start[k].orientation, node.w * time)};
    }
}

void IslandOde::write(std::span<double> y) const {
    for (std::size_t k = 0; k < count_; ++k) {
        const std::size_t v = first_velocity() + rates_ * k;
        const Pose& pose = island_->nodes[k].pose;
        const Vec3& w = bodies_->nodes.w[k];
        put(y, 7 * k, pose.position - bodies_->start[k].position);
        put(y, 7 * k + 3, pose.orientation);
        put(y, v, bodies_->nodes.v[k]);
        has_quaternion_rates() ? put(y, v + 3, rate_of(pose.orientation, w)) : put(y, v + 3, w);
    }
    write_grips(y);
}

void IslandOde::write_grips(std::span<double> y) const {
    const auto grips = contacts_->grips().all();
    for (std::size_t k = 0; k < grips_; ++k)
        put(y, first_grip() + 3 * k, k < grips.size() ? grips[k].stretch : Vec3{});
}

void IslandOde::set_energies(std::span<double> y, const Power& energies) const {
    y[first_energy()] = energies.supplied;
    y[first_energy() + 1] = energies.dissipated;
}

// Lengths by the size of a body, speeds by what its own size makes of gravity.
void IslandOde::scales(std::span<double> out) const {
    double energy = 0;
    for (std::uint32_t k = 0; k < count_; ++k) {
        const std::uint32_t body = island_->nodes[k].body;
        double size = gyration_radius(view_->bodies.mass[body], view_->bodies.inertia[body]);
        if (!(size > 0)) size = view_->bodies.radius[body];
        const double g = length(view_->gravity) * std::abs(view_->bodies.gravity_scale[body]);
        if (!(size > 0)) size = g > 0 ? g * view_->dt * view_->dt : 1;
        const double speed = g > 0 ? std::sqrt(g * size) : size / view_->dt;
        for (std::size_t i = 0; i < 7; ++i) out[7 * k + i] = i < 3 ? size : 1;
        for (std::size_t i = 0; i < rates_; ++i)
            out[first_velocity() + rates_ * k + i] = i < 3 ? speed : speed / size;
        energy += view_->bodies.mass[body] * speed * speed;
    }
    out[first_energy()] = out[first_energy() + 1] = energy;
    const auto grips = contacts_->grips().all();
    for (std::size_t k = 0; k < grips_; ++k)
        for (std::size_t i = 0; i < 3; ++i)
            out[first_grip() + 3 * k + i] = k < grips.size() && grips[k].size > 0 ? grips[k].size : 1;
}

std::uint32_t IslandOde::body_of(std::size_t component) const {
    if (component >= first_grip()) {
        const auto grips = contacts_->grips().all();
        const std::size_t g = (component - first_grip()) / 3;
        if (g < grips.size()) {
            const IslandPair& pair = island_->pairs[grips[g].pair];
            return island_->nodes[pair.b].is_dynamic ? pair.b : pair.a;
        }
    }
    const std::size_t v = first_velocity(), k = component < v ? component / 7 : (component - v) / rates_;
    return static_cast<std::uint32_t>(std::min(k, count_ - 1));
}

std::uint32_t IslandOde::strongest_force(std::uint32_t node) {
    std::uint32_t best = kNone;
    double most = 0;
    for (std::size_t f = 0; f < acts_.size(); ++f) {
        const IslandForce& force = island_->forces[f];
        if (!acts_[f] || (force.a != node && force.b != node)) continue;
        find_terms(*view_, *island_, f, bodies_->nodes, strength(f), terms_);
        double size = length(terms_.force);
        for (const ForceTerm& term : terms_.along)
            size = std::max({size, term.stiffness, std::abs(term.force)});
        if (best == kNone || size > most) {
            most = size;
            best = force.force;
        }
    }
    return best;
}

std::uint32_t IslandOde::broken_force() {
    for (std::size_t f = 0; f < acts_.size(); ++f) {
        if (!acts_[f]) continue;
        find_terms(*view_, *island_, f, bodies_->nodes, strength(f), terms_);
        bool is_whole = is_finite(terms_.force) && is_finite(terms_.torque);
        for (const ForceTerm& term : terms_.along) is_whole = is_whole && std::isfinite(term.force);
        if (!is_whole) return island_->forces[f].force;
    }
    return kNone;
}

// Gravity, what commands set, damping of the description.
void IslandOde::add_weight(std::uint32_t k) {
    const BodySet& all = view_->bodies;
    const std::uint32_t body = island_->nodes[k].body;
    Bodies& bodies = *bodies_;
    const Vec3 drag = all.damping(body).force(all.mass[body], bodies.nodes.v[k]);
    const Quat& q = island_->nodes[k].pose.orientation;
    const Vec3 l = rotate(q, scale(all.inertia[body], rotate_inverse(q, bodies.nodes.w[k])));
    const Vec3 brake = all.damping(body).torque(l);
    bodies.wrench[k] = {weight_[k] * all.mass[body] + all.force[body] + drag, all.torque[body] + brake};
    bodies.power.supplied +=
        dot(all.force[body], bodies.nodes.v[k]) + dot(all.torque[body], bodies.nodes.w[k]);
    const Vec3 extra = weight_[k] - view_->gravity * all.gravity_scale[body];  // noise has no potential
    bodies.power.supplied += all.mass[body] * dot(extra, bodies.nodes.v[k]);
    bodies.power.dissipated -= dot(drag, bodies.nodes.v[k]) + dot(brake, bodies.nodes.w[k]);
}

// Of what has a potential energy, all but its elastic part dissipates; of other terms, all.
void IslandOde::add_forces() {
    Bodies& bodies = *bodies_;
    for (std::size_t f = 0; f < acts_.size(); ++f) {
        if (!acts_[f]) continue;
        find_terms(*view_, *island_, f, bodies.nodes, strength(f), terms_);
        const IslandForce& force = island_->forces[f];
        for (const ForceTerm& term : terms_.along) {
            const double speed = velocity_of(term.rate, bodies.nodes), applied = term.applied();
            double elastic = terms_.has_potential ? term.force + term.damping * speed : 0;
            if (term.only_pulls) elastic = std::min(0.0, elastic);
            bodies.power.dissipated -= (applied - elastic) * speed;
            for (std::uint32_t p = 0; p < term.rate.count; ++p) {
                const RowPart& part = term.rate.parts[p];
                bodies.wrench[part.node].force += part.linear * applied;
                bodies.wrench[part.node].torque += part.angular * applied;
                // What holds the other end moves by itself, and gives or takes this.
                if (!island_->nodes[part.node].is_dynamic)
                    bodies.power.supplied -= applied * (dot(part.linear, bodies.nodes.v[part.node]) +
                                                        dot(part.angular, bodies.nodes.w[part.node]));
            }
        }
        if (!island_->nodes[force.b].is_dynamic) continue;
        bodies.wrench[force.b].force += terms_.force;
        bodies.wrench[force.b].torque += terms_.torque;
        if (!terms_.has_potential)
            bodies.power.supplied +=
                dot(terms_.force, bodies.nodes.v[force.b]) + dot(terms_.torque, bodies.nodes.w[force.b]);
    }
}

void IslandOde::accelerate() {
    Bodies& bodies = *bodies_;
    if (!joints_->are_none()) {
        joints_->accelerate(*view_, *island_, bodies);
        return;
    }
    for (std::uint32_t k = 0; k < count_; ++k) {
        const IslandNode& node = island_->nodes[k];
        const Quat& q = node.pose.orientation;
        const Vec3 w = rotate_inverse(q, bodies.nodes.w[k]), t = rotate_inverse(q, bodies.wrench[k].torque);
        bodies.a[k] = bodies.wrench[k].force * node.inv_mass;
        bodies.alpha[k] = rotate(q, scale(view_->bodies.inv_inertia[node.body],
                                          t - cross(w, scale(view_->bodies.inertia[node.body], w))));
    }
}

void IslandOde::rate(double t, std::span<const double> y, std::span<double> out) {
    if (integrators::first_not_finite(y) < y.size()) {  // nothing can be said of it
        std::fill(out.begin(), out.end(), std::numeric_limits<double>::quiet_NaN());
        return;
    }
    Bodies& bodies = *bodies_;
    place(t, y);
    bodies.power = {};
    for (std::size_t k = count_; k < island_->nodes.size(); ++k) bodies.wrench[k] = {};
    for (std::uint32_t k = 0; k < count_; ++k) add_weight(k);
    add_forces();
    if (!contacts_->are_none()) {
        const ContactSearch search = view_->method.force().contact_search;
        if (search == ContactSearch::Eager) contacts_->find(*view_, *island_, Contacts::Which::On);
        if (search == ContactSearch::Moderate) contacts_->carry(*island_);
        contacts_->push(*view_, *island_, search == ContactSearch::Lazy, bodies);
    }
    if (!areal_->are_none()) areal_->push(*view_, *island_, bodies);
    if (!joints_->are_none()) joints_->push(*view_, *island_, t, bodies);
    accelerate();
    // What joints to bodies that move by themselves give: kinetic energy that nothing else explains.
    if (!joints_->are_none()) {
        for (std::uint32_t k = 0; k < count_; ++k) {
            const IslandNode& node = island_->nodes[k];
            const Quat& q = node.pose.orientation;
            const Vec3 change =
                rotate(q, scale(view_->bodies.inertia[node.body], rotate_inverse(q, bodies.alpha[k])));
            bodies.power.supplied +=
                dot(bodies.a[k] * view_->bodies.mass[node.body] - bodies.wrench[k].force, bodies.nodes.v[k]) +
                dot(change - bodies.wrench[k].torque, bodies.nodes.w[k]);
        }
    }
    for (std::size_t k = 0; k < count_; ++k) {
        const std::size_t v = first_velocity() + rates_ * k;
        const Quat q = quat_at(y, 7 * k + 3);
        const Vec3& w = bodies.nodes.w[k];
        put(out, 7 * k, bodies.nodes.v[k]);
        put(out, v, bodies.a[k]);
        if (has_quaternion_rates()) {
            const Quat turn = rate_of(q, bodies.alpha[k]);
            const double s = 0.25 * length_squared(w);
            put(out, 7 * k + 3, quat_at(y, v + 3));
            put(out, v + 3, Quat{turn.w - s * q.w, turn.x - s * q.x, turn.y - s * q.y, turn.z - s * q.z});
        } else {
            put(out, 7 * k + 3, rate_of(q, w));
            put(out, v + 3, bodies.alpha[k]);
        }
    }
    out[first_energy()] = bodies.power.supplied;
    out[first_energy() + 1] = bodies.power.dissipated;
    const auto grips = contacts_->grips().all();
    for (std::size_t k = 0; k < grips_; ++k)
        put(out, first_grip() + 3 * k, k < grips.size() ? grips[k].rate : Vec3{});
}

void IslandOde::drift(double h, std::span<double> q, std::span<const double> v) {
    for (std::size_t k = 0; k < count_; ++k) {
        put(q, 7 * k, vec_at(q, 7 * k) + vec_at(v, 6 * k) * h);
        put(q, 7 * k + 3, turned(quat_at(q, 7 * k + 3), vec_at(v, 6 * k + 3) * h));
    }
}

void IslandOde::linearise(double t, std::span<const double> y, bool on) {
    if (areal_->are_none()) return;
    place(t, y);
    areal_->linearise(*view_, *island_, *bodies_, on);
}

bool IslandOde::project(double t, std::span<double> y) {
    place(t, y);
    if (!joints_->are_none())
        joint_error_ = std::max(joint_error_, joints_->project(*view_, *island_, *bodies_) / joints_->size());
    write(y);
    return true;
}

}  // namespace impuls::force_level
