// The change of an island's energy in a step (energy_note.h). With velocities v, w before and after, places
// x, constant accelerations a, springs k of coordinates q and motors of force F along theirs
//     gained = T_1 - T_0 - sum m a . (x_1 - x_0) + sum k/2 (q_1^2 - q_0^2) - W
//     W = sum |F| dt max(|q'_0|, |q_1 - q_0| / dt)
// Differences of places, not of potentials, so that far from the origin nothing is lost to rounding. W is the
// work of motors as far as it is known: their mean force, and the larger of the first and the mean speed.
#include "steppers/energy_note.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "dynamics/first_order.h"

namespace impuls {
namespace {

// Energy within this is none: what moves a body by this share of its size in a step, and what lifts it by the
// depth that contacts leave alone. Derived: far above rounding, far below what anyone would see.
constexpr double kStill = 1e-6;

double rotation_energy(const Vec3& inertia, const Quat& q, const Vec3& w) {
    const Vec3 w_P = rotate_inverse(q, w);
    return dot(scale(inertia, w_P), w_P);
}

// What a joint's springs hold, and where its axes are and how fast they move.
struct JointEnergy {
    double springs = 0;
    bool is_known = true;
};

JointEnergy measure(const WorldView& view, const IslandJoint& joint, const JointPoses& poses,
                    std::span<const double> angles, EnergyScratch& scratch) {
    scratch.rows.clear();
    scratch.log.axes.clear();
    scratch.log.row_axis.clear();
    scratch.angles.assign(angles.begin(), angles.end());
    JointRows out{scratch.rows, 0, 1, 2};
    out.angles = scratch.angles;
    out.log = &scratch.log;
    make_rows(view.joints, joint.joint, poses, out);
    // Springs whose rest changes with time give and take energy in a way that is not counted here.
    bool has_timed_spring = false;
    if (view.joints.is_timed[joint.joint])
        visit_axes(view.joints.joint[joint.joint],
                   [&](const char*, const AxisDesc& axis) { has_timed_spring |= axis.rest.varies(); });
    return {out.spring_energy, !has_timed_spring && !can_drive(view.joints.joint[joint.joint])};
}

void set_velocities(Nodes& nodes, std::uint32_t k, const Vec3& v, const Vec3& w) {
    nodes.v.resize(3);
    nodes.w.resize(3);
    nodes.v[k] = v;
    nodes.w[k] = w;
}

// Velocities of the joint's three nodes before the step.
void take_velocities(const WorldView& view, const Island& island, const IslandJoint& joint, Nodes& nodes) {
    std::uint32_t at = 0;
    for (const std::uint32_t k : {joint.a, joint.b, joint.c}) {
        const IslandNode& node = island.nodes[k];
        const bool is_world = node.body == kNoBody;
        set_velocities(nodes, at++, is_world ? Vec3{} : view.bodies.v[node.body],
                       is_world ? Vec3{} : view.bodies.w[node.body]);
    }
}

bool has_motor(const AxisDesc& axis) {
    return axis.speed.has_value() || axis.target.has_value();
}

// Adds what joint j of the island stores and gives. False: it is driven in a way that is not known.
bool add_drives(const WorldView& view, const Island& island, const IslandJoint& joint, EnergyScratch& scratch,
                double& stored, double& work) {
    const auto pose = [&](std::uint32_t k) {
        const std::uint32_t body = island.nodes[k].body;
        return body == kNoBody ? Pose{} : view.bodies.pose[body];
    };
    const std::size_t count = view.joints.angle.of(joint.joint).size();
    const JointEnergy before = measure(view, joint, {pose(joint.a), pose(joint.b), pose(joint.c)},
                                       view.joints.angle.of(joint.joint), scratch);
    if (!before.is_known) return false;
    constexpr std::size_t kMostAxes = 8;
    std::array<double, kMostAxes> was{}, speed{};
    const std::size_t axes = std::min(kMostAxes, scratch.log.axes.size());
    take_velocities(view, island, joint, scratch.nodes);
    for (std::size_t k = 0; k < axes; ++k) {
        was[k] = scratch.log.axes[k].position;
        speed[k] = std::abs(velocity_of(scratch.log.axes[k].rate, scratch.nodes));
    }
    const JointEnergy after =
        measure(view, joint, island.joint_poses(joint),
                std::span(island.memory.angles).subspan(joint.first_angle, count), scratch);
    stored += after.springs - before.springs;
    std::size_t k = 0;
    visit_axes(view.joints.joint[joint.joint], [&](const char*, const AxisDesc& axis) {
        if (k < axes && has_motor(axis)) {
            const double way = std::abs(scratch.log.axes[k].position - was[k]) / view.dt;
            work += std::abs(island.memory.axis_impulses[joint.first_axis + k]) * std::max(speed[k], way);
        }
        ++k;
    });
    return true;
}

}  // namespace

void note_energy(const WorldView& view, const Island& island, EnergyScratch& scratch, IslandNote& note) {
    const BodySet& bodies = view.bodies;
    double before = 0, after = 0, potential = 0, lift = 0, still = 0;
    double points = 0, smallest = kUnbounded;  // weight of bodies without size; size of the others
    for (const IslandNode& node : island.dynamic_nodes()) {
        const std::uint32_t k = node.body;
        const double mass = mass_of(view, node);
        const Vec3& old_v = node.is_particle() ? bodies.particles[k]->now.v[node.part] : bodies.v[k];
        const Vec3 old_x = bodies.part_pose(k, node.part).position;
        const double radius =
            bodies.radius[k] > 0 ? bodies.radius[k] : gyration_radius(mass, bodies.inertia[k]);
        before += mass * length_squared(old_v) +
                  rotation_energy(bodies.inertia[k], bodies.pose[k].orientation, bodies.w[k]);
        after +=
            mass * length_squared(node.v) + rotation_energy(bodies.inertia[k], node.pose.orientation, node.w);
        potential -= mass * dot(node.acceleration, node.pose.position - old_x);
        lift += mass * node.pull * radius;
        if (radius > 0)
            smallest = std::min(smallest, radius);
        else
            points += mass * node.pull;
        still += mass * radius * radius;
    }
    if (points > 0 && smallest < kUnbounded) lift += points * smallest;
    double work = 0;
    bool is_known = !island.is_pushed && !note.is_booked;  // books are the ledger's business
    for (std::size_t k = 0; k < island.joints.size() && is_known; ++k)
        if (!view.joints.is_passive[island.joints[k].joint])
            is_known = add_drives(view, island, island.joints[k], scratch, potential, work);
    const double per_step = kStill / view.dt;
    note.kinetic = 0.5 * std::max(before, after);
    note.released = -potential;
    note.gained =
        is_known ? 0.5 * (after - before) + potential - work : std::numeric_limits<double>::quiet_NaN();
    note.negligible = kSlop * lift + 0.5 * per_step * per_step * still;
    note.lift = lift;
}

}  // namespace impuls
