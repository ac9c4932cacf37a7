// Where energy came from and where it went, step by step, in worlds that have forces. With the work W of what
// has no potential energy (constant forces and torques, those set by commands; their mean power times dt) and
// the change dE of kinetic and potential energy,
//     what is missing   W - dE > 0   was dissipated: by dampers, drag, friction, impacts, the method itself
//     what is left      W - dE < 0   was supplied: by motors, moved bodies, running surfaces, the method
// so that total + dissipated - supplied stays as it was to rounding. Of a step in which both happened the
// difference counts. Changes by commands are supplied.
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
    return s.forces.next_uid > 1;
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

void end_ledger(WorldState& s, const EnergyBefore& before) {
    if (!keeps_ledger(s) || !s.output.status.ok) return;
    const double work = 0.5 * s.dt * (before.power + power_now(s, step_start(s) - s.dt, s.dt));
    const double missing = work - (energy_now(s) - before.energy);
    s.ledger.supplied += work + std::max(0.0, -missing);
    s.ledger.dissipated += std::max(0.0, missing);
}

}  // namespace impuls
