// Where energy came from and where it went, step by step, in worlds that have forces. With the work W of what
// has no potential energy (constant forces and torques, those set by commands; their mean power times dt) and
// the change dE of kinetic and potential energy,
//     what is missing   W - dE > 0   was dissipated: by dampers, drag, friction, impacts, the method itself
//     what is left      W - dE < 0   was supplied: by motors, moved bodies, running surfaces, the method
// so that total + dissipated - supplied stays as it was to rounding. Of a step in which both happened the
// difference counts. Changes by commands are supplied. The force stepper keeps books of its own, power by
// power; with it the sum stays up to the error of its integrator.
#include <algorithm>

#include "world/state.h"

namespace impuls {
namespace {

double springs_of(const WorldState& s) {
    double sum = 0;
    Rows rows;
    std::vector<double> angles;
    for (std::size_t j = 0; j < s.joints.size(); ++j) {
        if (!s.joints.holds(j) || s.joints.is_passive[j]) continue;
        rows.clear();
        const auto kept = s.joints.angle.of(j);
        angles.assign(kept.begin(), kept.end());
        JointRows out{rows, 0, 1, 2};
        out.angles = angles;
        out.when.middle = out.when.end = static_cast<double>(s.step) * s.dt;
        make_rows(s.joints, j, poses_of(s.joints, j, s.bodies), out);
        sum += out.spring_energy;
    }
    return sum;
}

double energy_now(const WorldState& s) {
    double sum = springs_of(s) + potential_of_forces(s);
    for (std::size_t k = 0; k < s.bodies.size(); ++k) {
        if (!s.bodies.is_dynamic(k) || !s.bodies.is_active[k]) continue;
        if (s.bodies.particles[k]) sum += sums_of(*s.bodies.particles[k], s.bodies.particles[k]->now).elastic;
        sum += kinetic_energy(s.bodies, k) -
               s.bodies.mass[k] * s.bodies.gravity_scale[k] * dot(s.gravity, s.bodies.pose[k].position);
    }
    return sum;
}

// Of forces without potential energy that do not depend on velocities: W.
double power_now(const WorldState& s, double from, double h) {
    double sum = 0;
    for (std::size_t k = 0; k < s.bodies.size(); ++k)
        if (s.bodies.is_dynamic(k) && s.bodies.is_active[k])
            sum += dot(s.bodies.force[k], s.bodies.v[k]) + dot(s.bodies.torque[k], s.bodies.w[k]);
    ForceTerms terms;
    for (std::size_t f = 0; f < s.forces.size(); ++f) {
        const auto b = s.forces.b[f];
        const double share = ties(s, f) ? s.forces.strength(f, from, h) : 0;
        if (share == 0 || !s.bodies.is_dynamic(b)) continue;
        find_terms(s.forces, f, geometry_of(s.forces, f, s.bodies), share, terms);
        sum += dot(terms.force, s.bodies.v[b]) + dot(terms.torque, s.bodies.w[b]);
    }
    return sum;
}

double step_start(const WorldState& s) {
    return static_cast<double>(s.step) * s.dt;
}

}  // namespace

bool keeps_ledger(const WorldState& s) {
    return s.forces.next_uid > 1 || s.method.is<ForceMethod>();
}

EnergyBefore begin_ledger(const WorldState& s) {
    if (!keeps_ledger(s)) return {};
    return {true, energy_now(s), power_now(s, step_start(s), s.dt)};
}

void note_jump(WorldState& s, EnergyBefore& before) {
    if (!keeps_ledger(s)) return;
    const double energy = energy_now(s);
    if (before.is_known) s.ledger.supplied += energy - before.energy;
    before = {true, energy, power_now(s, step_start(s), s.dt)};
}

namespace {

// What free bodies won and lost in the step: they move after what commands set and their own damping.
void book_free_bodies(const WorldState& s, double& supplied, double& dissipated) {
    for (const auto k : s.islands.groups.free_bodies) {
        if (!s.bodies.is_dynamic(k)) continue;
        const Vec3 &f = s.bodies.force[k], &t = s.bodies.torque[k];
        if (f == Vec3{} && t == Vec3{} && !s.bodies.damping(k).acts()) continue;
        const Motion& old = s.islands.next[k];  // the motion before the step
        const Vec3 way = s.bodies.pose[k].position - old.pose.position;
        const Vec3 w_0 = rotate_inverse(old.pose.orientation, old.w);
        const double work = dot(f, way) + 0.5 * s.dt * dot(t, old.w + s.bodies.w[k]);
        const double gained =
            kinetic_energy(s.bodies, k) -
            0.5 * (s.bodies.mass[k] * length_squared(old.v) + dot(scale(s.bodies.inertia[k], w_0), w_0)) -
            s.bodies.mass[k] * s.bodies.gravity_scale[k] * dot(s.gravity, way);
        supplied += work;
        dissipated += work - gained;
    }
}

// Where every island was advanced by a stepper that keeps books, they are added up, and what total +
// dissipated - supplied changes by is the error of its integrator. False: some island has none.
bool add_books(WorldState& s) {
    double supplied = 0, dissipated = 0;
    for (std::size_t c = 0; c < s.islands.schedule.chunks(); ++c)
        for (const IslandNote& note : s.islands.schedule.results(c).notes) {
            if (!note.is_booked) return false;
            supplied += note.supplied;
            dissipated += note.dissipated;
        }
    book_free_bodies(s, supplied, dissipated);
    s.ledger.supplied += supplied;
    s.ledger.dissipated += dissipated;
    return true;
}

}  // namespace

void end_ledger(WorldState& s, const EnergyBefore& before) {
    if (!keeps_ledger(s) || !s.output.status.ok) return;
    if (s.method.is<ForceMethod>() && add_books(s)) return;
    const double work = 0.5 * s.dt * (before.power + power_now(s, step_start(s) - s.dt, s.dt));
    const double missing = work - (energy_now(s) - before.energy);
    s.ledger.supplied += work + std::max(0.0, -missing);
    s.ledger.dissipated += std::max(0.0, missing);
}

}  // namespace impuls
