// The length of substeps, and error control (pace.h).
#include "steppers/articulated/pace.h"

#include <algorithm>
#include <cmath>

#include "dynamics/common_motion.h"
#include "math/rotation.h"
#include "steppers/articulated/tuning.h"
#include "steppers/tuning.h"

namespace impuls::articulated {
namespace {

double fourth_root(double x) {
    return std::sqrt(std::sqrt(x));
}

// Moves all bodies on by a short time, into `next`. Returns that time, s; 0: nothing rotates.
double probe(Mechanism& m) {
    double spin_squared = 0;
    for (const TreeBody& body : m.bodies) spin_squared = std::max(spin_squared, length_squared(body.w));
    const double time = spin_squared > 0 ? kProbeAngle / std::sqrt(spin_squared) : 0;
    if (!m.has_rows) return time;
    for (TreeBody& body : m.bodies) {
        body.next = body.pose;
        body.next.position += body.v * time;
        body.next.orientation = turned(body.pose.orientation, body.w * time);
    }
    return time;
}

// The right-hand side of the accelerations: M a = f + J^T p, J a = -J' v. For a ball -J' v is the difference
// of its points' centripetal accelerations w x (w x r), for rows the change of J v over a short time. Returns
// the fastest rate at which rows of curved joints turn, rad/s.
double set_acceleration_targets(Context& c) {
    Mechanism& m = c.mechanism;
    const auto links = m.tree.links();
    const double time = probe(m);
    double bend = 0;
    for (const TreeJoint& joint : m.joints) {
        const TreeBody &child = m.bodies[joint.child], &parent = m.bodies[joint.parent];
        if (joint.is_ball) {
            ArticulatedTree::Link& link = links[joint.link];
            link.c = cross(parent.w, cross(parent.w, link.p)) - cross(child.w, cross(child.w, link.a));
            continue;
        }
        bend = std::max(bend, make_joint_rows(c.view, m, joint, Poses::Next, time, false));
        for (std::size_t r = 0; r < joint.row_count; ++r) {
            // J v is 0 now, but for rounding.
            target_of(m, joint, r) = time > 0 ? -velocity_of(m, m.rows.rows[r]) / time : 0;
        }
    }
    for (std::size_t k = 0; k < m.moving; ++k) {
        const TreeBody& body = m.bodies[k];
        links[k].f = body.acceleration * body.mass;
        links[k].t = body.torque - cross(body.w, body.l);
    }
    return bend;
}

// A force at this lever and a torque on a body, into its swing.
void add_swing(TreeBody& body, const Vec3& lever, const Vec3& force, const Vec3& torque) {
    if (body.inv_mass == 0) return;
    const Mat3& inverse = body.inv_inertia_W;
    const double trace = inverse.c0.x + inverse.c1.y + inverse.c2.z, a = length(lever);
    body.swing2 += trace * length(torque);
    if (a > 0) body.swing2 += length(force) / a * (a * a * trace - dot(lever, inverse * lever));
}

// The same of what rows do to a body about the point r of it.
class RowForces {
  public:
    RowForces(Mechanism& m, std::uint32_t body, const Vec3& r)
        : body_(m.bodies[body]), lever_(rotate(body_.pose.orientation, r)) {}
    void add(const ArticulatedTree::Part& part, double impulse) {
        force_ += part.linear * impulse;
        torque_ += part.angular * impulse;
    }
    void take() { add_swing(body_, lever_, force_, torque_ - cross(lever_, force_)); }

  private:
    TreeBody& body_;
    Vec3 lever_, force_{}, torque_{};
};

void add_swing_of_rows(Mechanism& m, const TreeJoint& joint) {
    RowForces child(m, joint.child, joint.r_child), parent(m, joint.parent, joint.r_parent);
    const ArticulatedTree::JointRows& rows = m.tree.rows_of(joint.link);
    for (std::size_t r = 0; r < joint.row_count; ++r) {
        child.add(rows.child[r], rows.impulse[r]);
        parent.add(rows.parent[r], rows.impulse[r]);
    }
    child.take();
    parent.take();
}

// W^2 under the forces that the tree has found, rad^2/s^2; of a mechanism without loops.
double fastest_swing2(Mechanism& m) {
    for (TreeBody& body : m.bodies) body.swing2 = 0;
    for (const TreeJoint& joint : m.joints) {
        if (!joint.is_ball) {
            add_swing_of_rows(m, joint);
            continue;
        }
        const ArticulatedTree::Link& link = m.tree.links()[joint.link];
        add_swing(m.bodies[joint.child], link.a, link.impulse, {});
        add_swing(m.bodies[joint.parent], link.p, link.impulse, {});
    }
    double fastest = 0;
    for (std::size_t k = 0; k < m.moving; ++k) fastest = std::max(fastest, m.bodies[k].swing2);
    return fastest;
}

CommonMotion common_motion(const Mechanism& m) {
    CommonMotion common;
    if (m.bodies.size() > m.moving) return common;  // held
    for (const TreeBody& body : m.bodies) common.add_mass(body.mass, body.pose.position, body.v);
    common.find_center();
    for (const TreeBody& body : m.bodies)
        common.add_turn(body.mass, turned_diagonal(body.pose.orientation, body.inertia), body.pose.position,
                        body.v, body.l);
    common.find_turn();
    return common;
}

// The common motion of an island that nothing holds becomes that of `before` again.
void restore_momenta(Mechanism& m, const CommonMotion& before) {
    const CommonMotion after = common_motion(m);
    const Vec3 lost = before.angular_velocity() - after.angular_velocity();
    for (std::size_t k = 0; k < m.moving; ++k) {
        TreeBody& body = m.bodies[k];
        body.v += before.velocity_at(body.pose.position) - after.velocity_at(body.pose.position);
        body.w += lost;
        body.l += turned_diagonal(body.pose.orientation, body.inertia) * lost;
    }
}

}  // namespace

void begin_convergence(const WorldView& view, const Island& island, const Mechanism& m,
                       Convergence& convergence) {
    double distance_squared = 0;
    for (std::size_t k = 0; k < m.moving; ++k)
        distance_squared = std::max(distance_squared, length_squared(m.bodies[k].pose.position));
    convergence.loose_tolerance = view.method.rattle().tolerance * m.size;
    convergence.tolerance = convergence.loose_tolerance;
    if (m.has_loops)
        convergence.tolerance =
            std::min(convergence.loose_tolerance,
                     std::max(kLoopTolerance * m.size, kRounding * std::sqrt(distance_squared)));
    convergence.stall_error = kUnbounded;
    convergence.pace = island.memory.pace;
}

double longest_substep(Context& c, double angle) {
    const bool is_composed = c.forces.is_composed;
    const double gain = (is_composed ? kComposedGain : kPlainGain) * angle;
    if (is_composed) angle = std::sqrt(kComposedReach * angle);
    const double bend = set_acceleration_targets(c);
    c.mechanism.tree.solve(true);
    // spin4 = s^4, along = s^3 s', and gain4 = s'^4 of bodies that start from rest.
    double spin4 = 0, gain4 = 0, along = 0;
    for (std::size_t k = 0; k < c.mechanism.moving; ++k) {
        const Vec3 &w = c.mechanism.bodies[k].w, &rate = c.mechanism.tree.links()[k].dw;
        const double w2 = length_squared(w), rate2 = length_squared(rate);
        spin4 += w2 * w2;
        gain4 += rate2 * rate2;
        along += w2 * dot(w, rate);
    }
    double h = c.convergence.pace;
    const double swing2 = c.mechanism.has_loops ? 0 : fastest_swing2(c.mechanism);
    if (swing2 > 0) h = std::min(h, (is_composed ? kComposedSwing : kSwing) / std::sqrt(swing2));
    if (bend > 0) h = std::min(h, angle / bend);
    if (gain4 > 0) h = std::min(h, std::sqrt(gain / fourth_root(gain4)));
    if (spin4 > 0) {
        const double spin = fourth_root(spin4), relative_rate = along / spin4;
        h = std::min(h, angle / std::max(spin + 0.5 * angle * relative_rate, kMinSpin * spin));
    }
    return h;
}

void adjust_pace(Convergence& convergence, double h) {
    if (convergence.iterations >= kSlowIterations)
        convergence.pace = std::min(convergence.pace, kPaceShrinks * h);
    else if (convergence.iterations <= kFastIterations)
        convergence.pace *= tuning::kPaceGrowth;
}

double fastest_spin(const Mechanism& m) {
    double spin = 0;
    for (std::size_t k = 0; k < m.moving; ++k) spin = std::max(spin, length(m.bodies[k].w));
    return spin;
}

void slow_down(Context& c, double share, double max_spin) {
    Mechanism& m = c.mechanism;
    const CommonMotion before = common_motion(m);
    for (std::size_t k = 0; k < m.moving; ++k) {
        TreeBody& body = m.bodies[k];
        const double spin = length(body.w);
        body.next_v = body.v * share;
        body.next_l = body.l * (share * (spin > max_spin ? max_spin / spin : 1));
    }
    stop_joints(c, 0);
    take_velocities(m);
    restore_momenta(m, before);
}

IslandEnergy energy_of(const Mechanism& m) {
    IslandEnergy energy;
    for (std::size_t k = 0; k < m.moving; ++k) {
        const TreeBody& body = m.bodies[k];
        energy.add(body.mass, body.acceleration, body.pose.position, body.v, body.w, body.l);
    }
    return energy;
}

double energy_resolution(const Mechanism& m) {
    double weight = 0;
    for (std::size_t k = 0; k < m.moving; ++k) weight += m.bodies[k].mass * length(m.bodies[k].acceleration);
    return kHeight * weight * m.size;
}

bool is_accurate(const Mechanism& m, const IslandEnergy& before, const IslandEnergy& after) {
    const double change = after.kinetic + after.potential - (before.kinetic + before.potential);
    const double allowed = kEnergyError * after.kinetic + energy_resolution(m);
    return change <= allowed && (m.is_damped || change >= -allowed);
}

}  // namespace impuls::articulated
