// The frame of the present state.
#include <algorithm>

#include "dynamics/acting_forces.h"
#include "steppers/force/present_patches.h"
#include "world/state.h"

namespace impuls {
namespace {

// Uids count from 1, so that a body's number is known while nobody before it was removed.
std::uint32_t number_of(const BodySet& bodies, std::uint64_t uid) {
    if (uid <= bodies.size() && bodies.uid[uid - 1] == uid) return static_cast<std::uint32_t>(uid - 1);
    return static_cast<std::uint32_t>(std::lower_bound(bodies.uid.begin(), bodies.uid.end(), uid) -
                                      bodies.uid.begin());
}

void fill_contacts(WorldState& s) {
    Frame& f = s.output.frame;
    f.contacts.clear();
    f.max_penetration = 0;
    for_each_contact(s, [&](const ContactPoint& c) {
        if (c.separation > 0 && c.sum == Vec3{}) return;  // near, not touching
        f.contacts.push_back({number_of(s.bodies, c.key.uid_a), number_of(s.bodies, c.key.uid_b), c.feature,
                              c.position, c.normal, -c.separation, c.sum / s.dt});
        if (c.is_present) f.max_penetration = std::max(f.max_penetration, -c.separation);
    });
}

void fill_particles(WorldState& s) {
    Frame& f = s.output.frame;
    f.particles.clear();
    f.particle_bodies.clear();
    for (const auto k : s.bodies.of_particles) {
        const ParticleRange& range = *s.bodies.particles[k];
        const ParticleMotion& now = range.now;
        const ParticleSums sums = sums_of(range, now);
        f.particle_bodies.push_back({k, static_cast<std::uint32_t>(f.particles.size()),
                                     static_cast<std::uint32_t>(range.size()), largest_stretch(range),
                                     sums.kinetic, sums.elastic});
        for (std::size_t i = 0; i < now.x.size(); ++i) f.particles.push_back({k, now.x[i], now.v[i]});
    }
}

// Its rows where the bodies are now.
void make_present_rows(const WorldState& s, std::size_t j, std::span<double> angles, JointRows& out) {
    out.when.middle = out.when.end = static_cast<double>(s.step) * s.dt;
    out.angles = angles;
    make_rows(s.joints, j, poses_of(s.joints, j, s.bodies), out);
}

// Returns the energy of their springs, J.
double fill_joints(WorldState& s) {
    Frame& f = s.output.frame;
    double springs = 0;
    f.joints = s.joints.reaction;
    f.max_joint_error = 0;
    f.axes.clear();
    Rows rows;
    AxisLog log;
    Nodes nodes;
    nodes.v.resize(3);
    nodes.w.resize(3);
    for (std::size_t j = 0; j < s.joints.size(); ++j) {
        rows.clear();
        log.axes.clear();
        JointRows out{rows, 0, 1, 2};
        out.log = &log;
        make_present_rows(s, j, s.joints.angle.of(j), out);
        std::uint32_t node = 0;
        for (const auto k : {s.joints.a[j], s.joints.b[j], s.joints.c[j]}) {
            nodes.v[node] = k == kNoBody ? Vec3{} : s.bodies.v[k];
            nodes.w[node++] = k == kNoBody ? Vec3{} : s.bodies.w[k];
        }
        std::size_t number = 0;
        for (const AxisLog::Axis& axis : log.axes)
            f.axes.push_back(
                {axis.position, velocity_of(axis.rate, nodes), s.joints.axis_force.of(j)[number++]});
        if (!s.joints.holds(j)) continue;
        springs += out.spring_energy;
        f.joints[j].error = linear_error(rows);
        f.max_joint_error = std::max(f.max_joint_error, f.joints[j].error);
    }
    return springs;
}

void fill_forces(WorldState& s) {
    Frame& f = s.output.frame;
    f.forces.assign(s.forces.size(), {});
    ForceTerms terms;
    for (std::size_t k = 0; k < s.forces.size(); ++k) {
        const ForceGeometry g = geometry_of(s.forces, k, s.bodies);
        ForceState& state = f.forces[k];
        state.length = length(g.b.X_WF.position - g.a.X_WF.position);
        if (!ties(s.forces, s.bodies, k)) continue;
        find_terms(s.forces, k, g, s.forces.strength(k, f.time, 0), terms);
        const Wrench on_a = wrench_on(terms, 0), on_b = wrench_on_b(terms, 1);
        state.force = on_b.force;
        state.torque = on_b.torque;
        state.power = dot(on_a.force, g.a.v) + dot(on_a.torque, g.a.w) + dot(on_b.force, g.b.v) +
                      dot(on_b.torque, g.b.w);
    }
}

void fill_patches(WorldState& s) {
    Frame& f = s.output.frame;
    f.patches.clear();
    f.pressed.clear();
    const WorldView view = view_of(s);
    const PairKey* last = nullptr;
    for_each_contact(s, [&](const ContactPoint& c) {
        if (!last || !(*last == c.key)) force_level::append_patches(view, c.key, f.patches, f.pressed);
        last = &c.key;
    });
}

}  // namespace

JointReaction reaction_of(const WorldState& s, std::size_t joint) {
    JointReaction reaction = s.joints.reaction[joint];
    if (!s.joints.holds(joint)) return reaction;
    Rows rows;
    JointRows out{rows, 0, 1, 2};
    const auto angles = s.joints.angle.of(joint);
    std::vector<double> own(angles.begin(), angles.end());
    make_present_rows(s, joint, own, out);
    reaction.error = linear_error(rows);
    return reaction;
}

void fill_frame(WorldState& s) {
    Frame& f = s.output.frame;
    const std::size_t n = s.bodies.size();
    f.step = s.step;
    f.time = static_cast<double>(s.step) * s.dt;
    f.structure = structure_of(s);
    f.bodies.resize(n);
    f.positions.resize(n);
    f.orientations.resize(n);
    for (std::size_t k = 0; k < n; ++k) {
        const Pose X_WB = s.bodies.body_pose(k);
        f.bodies[k] = s.body_ids.id(k);
        f.positions[k] = X_WB.position;
        f.orientations[k] = X_WB.orientation;
    }
    f.velocities = s.bodies.v;
    f.angular_velocities = s.bodies.w;
    f.asleep = s.bodies.is_asleep;
    f.events = s.output.events;
    fill_contacts(s);
    fill_particles(s);
    fill_patches(s);
    const double springs = fill_joints(s);
    fill_forces(s);
    measure_bodies(s.bodies, s.gravity, f);
    f.energy.potential += springs;
    f.energy.total += springs;
    if (s.forces.size() > 0) {
        f.energy.potential += potential_of(s.forces, s.bodies, f.time);
        f.energy.total = f.energy.kinetic + f.energy.potential;
    }
    if (s.grains.is_any()) add_grain_totals(s.grains, s.gravity, f);
    f.energy.supplied = s.ledger.supplied;
    f.energy.dissipated = s.ledger.dissipated;
    f.stage_seconds = s.output.stage_seconds;
    f.outcomes = s.output.outcomes;
    s.output.frame_is_current = true;
}

}  // namespace impuls
