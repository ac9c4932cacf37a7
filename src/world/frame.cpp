// The frame of the present state.
#include <algorithm>

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
        out.when.middle = out.when.end = static_cast<double>(s.step) * s.dt;
        out.angles = s.joints.angle.of(j);
        out.log = &log;
        make_rows(s.joints, j, poses_of(s.joints, j, s.bodies), out);
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

}  // namespace

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
    const double springs = fill_joints(s);
    measure_bodies(s.bodies, s.gravity, f);
    f.energy.potential += springs;
    f.energy.total += springs;
    if (s.forces.size() > 0) {
        f.energy.potential += potential_of_forces(s);
        f.energy.total = f.energy.kinetic + f.energy.potential;
    }
    f.energy.supplied = s.ledger.supplied;
    f.energy.dissipated = s.ledger.dissipated;
    f.stage_seconds = s.output.stage_seconds;
    f.outcomes = s.output.outcomes;
    s.output.frame_is_current = true;
}

}  // namespace impuls
